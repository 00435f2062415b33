"""A camera referee for English draughts: sees the game, states the rules, keeps the record."""

__version__ = "0.1.0"
