"""Sonora Vision: from a picture of the board to what every player records."""

__version__ = "0.1.0"
