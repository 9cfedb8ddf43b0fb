"""What a game is, and how its folder is found.

A game is one package under ``score/`` that exposes ``GAME``: an object with a ``name`` (as typed on
the command line) and a ``title`` (as printed), and any of the capabilities below, each a small
Protocol. A new game touches no other file::

    # score/my_game/__init__.py
    GAME = MyGame()

A caller asks for a capability with ``isinstance(game, ScoresPosition)``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from sonora_vision import score
from sonora_vision.errors import UsageError
from sonora_vision.observation import Assignment, Contact
from sonora_vision.score.allocation import Allocation, Table


class Game(Protocol):
    """What every game has."""

    @property
    def name(self) -> str:
        """Word for the command line, as ``soar``."""
        ...

    @property
    def title(self) -> str:
        """Name for people, as ``Soar``."""
        ...


@runtime_checkable
class ReadsBoard(Game, Protocol):
    """A game whose discs lie on a board that the camera reads."""

    def assign(self, contact: Contact, board_rule: str) -> Assignment:
        """Rule on one measured contact; ``board_rule`` is the board description's ``rule``."""
        ...


@runtime_checkable
class Allocates(ReadsBoard, Protocol):
    """A game in which a reading tells what each player records on a sheet of sections."""

    def allocate(
        self, table: Table, order: Sequence[str], *, names: Mapping[str, str] | None = None
    ) -> Allocation:
        """Say what each player records; ``order`` is the colors in turn order."""
        ...


@runtime_checkable
class ScoresReading(ReadsBoard, Protocol):
    """A game in which a reading tells each player's points."""

    def score_reading(self, table: Table, order: Sequence[str]) -> ScoreSheet:
        """Score a reading; ``order`` is the colors that play."""
        ...


@runtime_checkable
class ScoresPosition(Game, Protocol):
    """A game that scores a position typed as one line of text."""

    def score_position(self, line: str) -> ScoreSheet:
        """Score ``line``; raises `UsageError` or `RuleError` for one that cannot be."""
        ...


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """One line of a player's score."""

    label: str
    value: int
    why: tuple[str, ...] = ()
    """How the value came about, a sentence a line; shown with ``--why``."""


@dataclass(frozen=True, kw_only=True)
class PlayerScore:
    """One player's rows; their sum is the player's total."""

    player: str
    rows: tuple[ScoreRow, ...]

    @property
    def total(self) -> int:
        """Sum of the rows' values."""
        return sum(row.value for row in self.rows)


@dataclass(frozen=True, kw_only=True)
class ScoreSheet:
    """A scored position: what ``sonora-vision score GAME POSITION`` prints."""

    game: str
    position: str
    players: tuple[PlayerScore, ...]
    winners: tuple[str, ...] = ()
    """Who wins, several where the victory is shared, none where the game has no winner yet."""
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the sheet as JSON values, ``kind: sonora-vision/score``."""
        return {
            "kind": "sonora-vision/score",
            "schema": 1,
            "game": self.game,
            "position": self.position,
            "players": [
                {
                    "player": player.player,
                    "total": player.total,
                    "rows": [
                        {"label": row.label, "value": row.value, "why": list(row.why)}
                        for row in player.rows
                    ],
                }
                for player in self.players
            ],
            "winners": list(self.winners),
            "warnings": list(self.warnings),
        }


def discover() -> dict[str, Game]:
    """Find every game: the packages under ``score/``, by the name of their ``GAME``, sorted."""
    games: list[Game] = [
        importlib.import_module(f"{score.__name__}.{found.name}").GAME
        for found in pkgutil.iter_modules(score.__path__)
        if found.ispkg
    ]
    return {game.name: game for game in sorted(games, key=lambda game: game.name)}


def find(name: str) -> Game:
    """Return the game called ``name``; raises `UsageError` that lists the games there are."""
    games = discover()
    if name not in games:
        raise UsageError(f"game: no game is called {name!r}; the games are {', '.join(games)}")
    return games[name]


def board_game(name: str) -> ReadsBoard:
    """Return a game whose board the camera reads; raises `UsageError` that lists those."""
    found = find(name)
    if isinstance(found, ReadsBoard):
        return found
    able = [each for each, game in discover().items() if isinstance(game, ReadsBoard)]
    raise UsageError(
        f"--game: expected a game whose board the camera reads ({', '.join(able)}), got {name!r}"
    )
