"""Sonora: flick discs onto the desert, then mark four sections of a scoresheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonora_vision.errors import UsageError
from sonora_vision.observation import Assignment, Contact
from sonora_vision.score.allocation import Allocation, Table
from sonora_vision.score.game import ScoreSheet
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.score.sonora.assign import assign
from sonora_vision.score.sonora.drawing import draw_sheet
from sonora_vision.score.sonora.final import final_scores
from sonora_vision.score.sonora.sheet_file import house_sheet
from sonora_vision.score.sonora.state import Setting, SheetState
from sonora_vision.score.sonora.state_text import parse_state


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

    def score_position(self, line: str) -> ScoreSheet:
        """Score sheets typed as text: ``red = ruins: A5^ | creek: a1 a2* ; blue = ...``.

        Raises
        ------
        UsageError
            If a sheet's text is wrong, or a player is there twice.
        """
        setting = Setting(sheet=house_sheet())
        return final_scores(setting, _sheets(setting, line), line)

    def draw_position(self, line: str) -> str:
        """Draw the first of the typed sheets as an SVG page."""
        setting = Setting(sheet=house_sheet())
        return draw_sheet(setting, state=next(iter(_sheets(setting, line).values())))


def _sheets(setting: Setting, line: str) -> dict[str, SheetState]:
    """Read every player's sheet."""
    sheets: dict[str, SheetState] = {}
    for part in line.split(";"):
        name, equals, marks = (piece.strip() for piece in part.partition("="))
        if not equals or not name or name in sheets:
            raise UsageError(
                f"position: {part.strip()!r}: expected 'player = marks' once for each player, "
                "as 'red = ruins: A5^ | creek: a1 a2*'"
            )
        sheets[name] = parse_state(setting, marks)
    return sheets


GAME = Sonora()
