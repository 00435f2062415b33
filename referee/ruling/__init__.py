"""The rooms of the arbiter: what the rules make of each kind of event.

The page of `referee` tells them apart; each imports only those that stand before it there, and
`referee.arbiter`, which is what they remember.
"""
