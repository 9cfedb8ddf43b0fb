"""Options that several commands share, and what their values mean."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from sonora_vision.errors import UsageError
from sonora_vision.observation import Reading
from sonora_vision.score.allocation import Allocation
from sonora_vision.score.game import Allocates, ScoreSheet, ScoresReading, board_game

Allocator = Callable[[Reading, Sequence[str]], Allocation | ScoreSheet]


def _colors(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Split ``red,blue``; nothing where the option is absent."""
    if value is None:
        return ()
    colors = tuple(color.strip() for color in value.split(","))
    if not all(colors):
        raise click.BadParameter(f"expected colors with commas between, as red,blue; got {value!r}")
    return colors


photos_argument = functools.partial(
    click.argument,
    "photos",
    nargs=-1,
    # One that may not be read is refused like any other photo, and the others are read.
    type=click.Path(path_type=Path, readable=False),
)
profile_option = functools.partial(
    click.option,
    "--profile",
    "profile_path",
    type=click.Path(path_type=Path),
    help="The profile that calibrate saved.",
)
order_option = functools.partial(click.option, "--order", callback=_colors, metavar="RED,BLUE,...")
game_option = click.option("--game", default="sonora", show_default=True, help="The game's name.")
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    callback=lambda ctx, param, value: value or _cores(),
    help="Processes to read with; all cores if not given.",
)


def allocator(name: str) -> Allocator:
    """Return the function that says what a reading is worth to each player in this game.

    Raises
    ------
    UsageError
        As `board_game` does.
    """
    game = board_game(name)
    if isinstance(game, Allocates):
        return game.allocate
    if isinstance(game, ScoresReading):
        return game.score_reading
    raise UsageError(f"--game: {name} says nothing about a reading; name another game")


def _cores() -> int:
    from sonora_vision.batch import cores  # loads the vision, which help must not wait for

    return cores()
