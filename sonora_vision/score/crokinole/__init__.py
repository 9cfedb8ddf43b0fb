"""Crokinole: flick discs towards the middle; a disc counts for the lowest ring that it touches."""

from __future__ import annotations

from collections.abc import Sequence

from sonora_vision.observation import Assignment, Contact
from sonora_vision.score.allocation import Table
from sonora_vision.score.crokinole.assign import assign
from sonora_vision.score.crokinole.total import score_table
from sonora_vision.score.game import ScoreSheet


class Crokinole:
    """The game's capabilities, by the names that the program asks for."""

    name = "crokinole"
    title = "Crokinole"

    def assign(self, contact: Contact, board_rule: str) -> Assignment:
        """Rule on one measured contact."""
        return assign(contact, board_rule)

    def score_reading(self, table: Table, order: Sequence[str]) -> ScoreSheet:
        """Add up each color's discs."""
        return score_table(table, order)


GAME = Crokinole()
