"""The journal: all that went into a game and came out of it, in order, on disk.

Standard library only, but for the pictures (`pictures`, `incidents`) and the report.
"""
