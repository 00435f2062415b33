"""The rooms of the game: what it is, and what it makes of each kind of input.

The page of `referee` tells them apart; each imports only those that stand before it there, and
`referee.game` calls them.
"""
