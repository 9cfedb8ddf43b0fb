"""Options that several commands share, and what their values mean."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from sonora_vision.errors import UsageError
from sonora_vision.observation import Reading
from sonora_vision.score.allocation import Allocation
from sonora_vision.score.game import ReadsBoard, discover, find

Allocator = Callable[[Reading, Sequence[str]], Allocation]


def _colors(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Split ``red,blue``; nothing where the option is absent."""
    if value is None:
        return ()
    colors = tuple(color.strip() for color in value.split(","))
    if not all(colors):
        raise click.BadParameter(f"expected colors with commas between, as red,blue; got {value!r}")
    return colors


profile_option = click.option(
    "--profile",
    "profile_path",
    required=True,
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


def allocator(game: str) -> Allocator:
    """Return the function that allocates a reading in this game.

    Raises
    ------
    UsageError
        If there is no such game, or it is not played on a board that the camera reads.
    """
    found = find(game)
    if isinstance(found, ReadsBoard):
        return found.allocate
    able = [name for name, each in discover().items() if isinstance(each, ReadsBoard)]
    raise UsageError(
        f"--game: expected a game whose board the camera reads ({', '.join(able)}), got {game!r}"
    )


def _cores() -> int:
    from sonora_vision.batch import cores  # loads the vision, which help must not wait for

    return cores()
