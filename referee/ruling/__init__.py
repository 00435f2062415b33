"""The rooms of the arbiter: what the rules make of each kind of event.

`bound` tells which piece has to make the next move; `convictions` is what is counted against a
player, or proposed to be; `lessons` what a teacher says; `conduct` minds touches, hands and
refusals; `offences` what is irregular on the board; `draws` what leads to one; `course` the moves
that go on record and off it; `claims` what players may claim; `ends` how a game ends. Each imports
only those before it, and `referee.arbiter`, which is what they remember.
"""
