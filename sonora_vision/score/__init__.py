"""Scoring: what the rules make of measured discs. No pixels here."""
