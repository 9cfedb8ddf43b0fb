"""Draw a rig folder: python -m tests.drawing OUT --seed 7 --photos 12."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tests.drawing.rig import random_rig, write_rig


def _size(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, int]:
    """Read WIDTHxHEIGHT."""
    try:
        width, height = (int(part) for part in value.lower().split("x"))
    except ValueError:
        raise click.BadParameter(f"expected WIDTHxHEIGHT, got {value!r}") from None
    return width, height


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--seed", default=1, show_default=True, help="Every seed has its own board.")
@click.option("--photos", default=12, show_default=True, help="How many photographs of play.")
@click.option("--size", default="1640x1232", show_default=True, callback=_size)
@click.option("--board", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A board description instead of a random one.")  # fmt: skip
@click.option("--style", default="hard", show_default=True, type=click.Choice(["easy", "hard"]))
def main(
    out: Path, seed: int, photos: int, size: tuple[int, int], board: Path | None, style: str
) -> None:
    """Write a drawn rig folder to OUT."""
    if out.exists() and any(out.iterdir()):
        raise click.UsageError(f"{out}: expected a new or empty folder, got one with files in it")
    description = json.loads(board.read_text(encoding="utf-8")) if board else None
    rig = random_rig(seed, style=style, size_px=size, board=description)
    write_rig(rig, out, photos)


if __name__ == "__main__":
    main()
