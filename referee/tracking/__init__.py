"""The rooms of the tracker: what it remembers, and what it makes of each kind of happening.

Each minds one matter, and its functions are pure; the page of `referee` tells which.
`referee.tracker` calls them in their order.
"""
