"""What the tests of the sheet and the round share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sonora_vision.score.sonora.events import parse_event
from sonora_vision.score.sonora.game_state import GameState, new_game
from sonora_vision.score.sonora.marks import parse_mark
from sonora_vision.score.sonora.rounds import fold
from sonora_vision.score.sonora.sheet_file import house_sheet
from sonora_vision.score.sonora.state import Due, Setting, Writing
from sonora_vision.score.sonora.state_text import parse_state
from sonora_vision.score.sonora.write import apply

Write = Callable[..., Writing]


@pytest.fixture(scope="session")
def setting() -> Setting:
    """The house sheet and the English rules."""
    return Setting(sheet=house_sheet())


@pytest.fixture(scope="session")
def write(setting: Setting) -> Write:
    """Make marks on a sheet: ``write("canyon 5 e11 ...", marks="creek: a1", canyon=(5,))``."""

    def make(*texts: str, marks: str = "", on: Setting = setting, **due: object) -> Writing:
        writing = Writing(state=parse_state(on, marks), due=Due()._replace(**due))
        for text in texts:
            writing = apply(on, writing, parse_mark(on.sheet, text))
        return writing

    return make


@pytest.fixture(scope="session")
def game() -> Callable[..., GameState]:
    """Play events: ``game(["red", "blue"], "flick red 1 on", ...)``."""

    def play(colors: list[str], *events: str, **options: object) -> GameState:
        start = new_game(house_sheet(), tuple(colors), **options)  # type: ignore[arg-type]
        return fold(start, map(parse_event, events)).now

    return play
