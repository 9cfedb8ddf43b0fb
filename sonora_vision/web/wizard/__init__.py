"""The calibration wizard: its pages, alone or at a table."""
