"""``sonora-vision cards``: card files, in which owners enter what their edition prints."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import click

from sonora_vision.errors import FileFormatError
from sonora_vision.score.game import Game, discover


@runtime_checkable
class HasCards(Game, Protocol):
    """A game whose cards are data that its owner can replace."""

    @property
    def cards_kind(self) -> str:
        """The ``kind`` of its card files."""
        ...

    def with_cards(self, document: Mapping[str, Any], where: str) -> HasCards:
        """Return the game with a card file's cards; raises `FileFormatError`."""
        ...

    def describe_cards(self) -> str:
        """Say in one line which cards it plays with."""
        ...


def read_card_file(path: Path) -> HasCards:
    """Return the game that a card file is for, with its cards.

    Raises
    ------
    FileFormatError
        If the file cannot be read, is for no game, or its content is wrong.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileFormatError(f"{path}: no such file; check the path") from None
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{path}: expected UTF-8 text; save it as such") from None
    except tomllib.TOMLDecodeError as error:
        raise FileFormatError(f"{path}: not TOML: {error}") from None
    games = {game.cards_kind: game for game in discover().values() if isinstance(game, HasCards)}
    kind = document.get("kind")
    if kind not in games:
        raise FileFormatError(f"{path}: kind: expected {' or '.join(games)}, got {kind!r}")
    return games[kind].with_cards(document, str(path))


@click.group()
def command() -> None:
    """Card files: what an owner's edition of a card game prints."""


@command.command()
@click.argument("file", metavar="FILE.toml", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check that FILE.toml is a card set that its game's rulebook allows."""
    game = read_card_file(file)
    click.echo(f"{file}: right, for {game.title}. {game.describe_cards()}")
