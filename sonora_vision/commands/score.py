"""``sonora-vision score``: a position typed as one line of text to a score sheet."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Protocol, runtime_checkable

import click

from sonora_vision import terminal
from sonora_vision.calibrate.file_format import (
    json_text,
    write_bytes_atomically,
    write_text_atomically,
)
from sonora_vision.cli import complain
from sonora_vision.commands.cards import HasCards, read_card_file
from sonora_vision.errors import UsageError
from sonora_vision.score.game import Game, ScoreSheet, ScoresPosition, discover, find

_PNG_ZOOM = 2.0
"""PNG pixels for each unit of the drawing, so that small digits stay sharp."""


@runtime_checkable
class DrawsPosition(Game, Protocol):
    """A game that draws a position."""

    def draw_position(self, line: str) -> str:
        """Return the position as an SVG document; raises as `score_position` does."""
        ...


@click.command()
@click.argument("game")
@click.argument("position")
@click.option("--json", "as_json", is_flag=True, help="Print the score sheet as JSON.")
@click.option("--why", is_flag=True, help="Explain each number: which cards, which rule.")
@click.option(
    "--cards",
    "cards_file",
    metavar="FILE.toml",
    type=click.Path(path_type=Path),
    help="The owner's cards instead of the house set.",
)
@click.option(
    "--picture",
    metavar="FILE.svg|.png",
    type=click.Path(path_type=Path),
    help="Draw the position, too.",
)
def command(
    game: str,
    position: str,
    as_json: bool,
    why: bool,
    cards_file: Path | None,
    picture: Path | None,
) -> None:
    """Score POSITION, one line of text, in GAME; - reads the line from standard input."""
    line = (sys.stdin.read() if position == "-" else position).strip()
    found = _game(game, cards_file)
    sheet = _scorer(found).score_position(line)
    if picture is not None:
        _draw(found, line, picture)
    if as_json:
        click.echo(json_text(sheet.to_json()), nl=False)
        return
    terminal.results().print(terminal.score_table(sheet, title=found.title))
    if isinstance(found, HasCards):
        click.echo(found.describe_cards())
    if why:
        click.echo("\n".join(["", *_reasons(sheet)]))
    for warning in sheet.warnings:
        complain(warning)


def _game(name: str, cards_file: Path | None) -> Game:
    found = find(name.replace("_", "-"))  # as its folder is called, too
    if cards_file is None:
        return found
    owned = read_card_file(cards_file)
    if not isinstance(found, HasCards) or owned.name != found.name:
        raise UsageError(f"--cards: {cards_file} is for {owned.name}, the game is {name}")
    return owned


def _scorer(game: Game) -> ScoresPosition:
    if isinstance(game, ScoresPosition):
        return game
    able = [name for name, each in discover().items() if isinstance(each, ScoresPosition)]
    raise UsageError(f"game: expected one that scores a position ({', '.join(able)}): {game.name}")


def _reasons(sheet: ScoreSheet) -> list[str]:
    """Explain every number of the sheet, player by player."""
    lines = []
    for player in sheet.players:
        lines += ["", f"{player.player}: {player.total}"]
        for row in player.rows:
            lines.append(f"  {row.label}: {row.value}")
            lines += [f"    {reason}" for reason in row.why]
    return lines[1:]


def _draw(game: Game, line: str, path: Path) -> None:
    """Write the position's picture, whole or not at all."""
    if not isinstance(game, DrawsPosition):
        raise UsageError(f"--picture: {game.name} has no pictures of a typed position")
    if path.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"--picture: expected a name that ends in .svg or .png, got {path}")
    svg = game.draw_position(line)
    if path.suffix.lower() == ".svg":
        write_text_atomically(path, svg)
    else:
        write_bytes_atomically(path, _png(svg))


def _png(svg: str) -> bytes:
    """Render an SVG document, lettered in the font that Pillow brings, so alike on any machine."""
    try:
        import resvg_py
    except ImportError:
        raise UsageError(
            "--picture: PNG needs resvg-py: pip install 'sonora-vision[pictures]', or ask for .svg"
        ) from None
    from PIL import ImageFont

    font = ImageFont.load_default(size=16)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise UsageError("--picture: PNG needs Pillow with FreeType; install it, or ask for .svg")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "font.ttf"
        file.write_bytes(font.font_bytes)
        family = font.getname()[0]
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=_PNG_ZOOM,
            skip_system_fonts=True,
            font_files=[str(file)],
            font_family=family,
            sans_serif_family=family,
        )
