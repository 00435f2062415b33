"""The rooms of the game: what it is, and what it makes of each kind of input.

`state` is the game as far as it has been seen, and what is done to it from everywhere;
`timekeeping` minds what the passing of time brings, and the clock; `judging` what an observation
brings; `corrections` what people put right; `words` what people say. Each imports only those
before it, and `referee.game` calls them.
"""
