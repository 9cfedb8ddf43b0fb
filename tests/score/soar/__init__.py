"""Soar: its rulebook's sentences, and a second scorer."""
