"""Drawings of how the camera is mounted, and the reckoning behind them."""
