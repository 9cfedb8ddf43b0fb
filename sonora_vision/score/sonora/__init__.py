"""Sonora: flick discs onto the desert, then mark four sections of a scoresheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonora_vision.observation import Assignment, Contact
from sonora_vision.score.allocation import Allocation, Table
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.score.sonora.assign import assign


class Sonora:
    """The game's capabilities, by the names that the program asks for."""

    name = "sonora"
    title = "Sonora"

    def assign(self, contact: Contact, board_rule: str) -> Assignment:
        """Rule on one measured contact."""
        return assign(contact, board_rule)

    def allocate(
        self, table: Table, order: Sequence[str], *, names: Mapping[str, str] | None = None
    ) -> Allocation:
        """Say what each player records."""
        return allocate(table, order, names=names)


GAME = Sonora()
