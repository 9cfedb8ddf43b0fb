"""Calibration: the lens, the board description, the taught look of a board, and its pose."""
