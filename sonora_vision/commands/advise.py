"""``sonora-vision advise``: the best Write phase for a player who asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from sonora_vision.calibrate.file_format import json_text
from sonora_vision.commands.options import order_option
from sonora_vision.errors import UsageError
from sonora_vision.reading_file import load_reading
from sonora_vision.score.allocation import Table
from sonora_vision.score.sonora.adviser import Advice, Adviser, SwapAdvice, Worth, advise_swaps
from sonora_vision.score.sonora.position import parse_position
from sonora_vision.score.sonora.sheet import BONUSES
from sonora_vision.score.sonora.sheet_file import house_sheet, load_sheet
from sonora_vision.score.sonora.state import Setting
from sonora_vision.score.sonora.state_text import parse_state


@click.command()
@click.argument("table", metavar="POSITION|READING.json")
@click.option("--player", required=True, help="Whose Write phase: a color or a name.")
@order_option(help="Colors in turn order; a position has its own.")
@click.option("--marks", default="", help="Marks on the player's sheet; none if not given.")
@click.option("--sheet", "sheet_file", type=click.Path(path_type=Path), help="A sheet.toml.")
@click.option("--worth", "worths", multiple=True, metavar="BONUS=POINTS",
              help="What a bonus counts as, as fox=6; may be repeated.")  # fmt: skip
@click.option("--last-round", is_flag=True, help="What is kept is worth nothing.")
@click.option("--swaps", is_flag=True, help="Say which swap helps most.")
@click.option("--json", "as_json", is_flag=True, help="Print the advice as JSON.")
def command(
    table: str,
    player: str,
    order: tuple[str, ...],
    marks: str,
    sheet_file: Path | None,
    worths: tuple[str, ...],
    last_round: bool,
    swaps: bool,
    as_json: bool,
) -> None:
    """Say how PLAYER writes best: the marks, one after the other, and why."""
    discs, order = _table(table, order)
    if player not in order:
        raise UsageError(f"--player: expected one of {', '.join(order)}, got {player!r}")
    setting = Setting(sheet=load_sheet(sheet_file) if sheet_file else house_sheet())
    adviser = Adviser(setting, _worth(worths, last_round))
    state = parse_state(setting, marks)
    plain, better = advise_swaps(adviser, discs, order, player, state)
    shown = better if swaps else ()
    click.echo(_json(plain, shown) if as_json else _text(plain, shown), nl=not as_json)


def _table(text: str, order: tuple[str, ...]) -> tuple[Table, tuple[str, ...]]:
    """Read the discs from a reading's file or a position line."""
    if not text.endswith(".json"):
        position = parse_position(text)
        return position, order or position.order
    if not order:
        raise UsageError("--order: needed with a reading, as --order red,blue")
    return load_reading(Path(text)), order


def _worth(worths: Sequence[str], last_round: bool) -> Worth:
    """Read what bonuses count as."""
    worth = Worth(later=not last_round)
    for text in worths:
        name, _, points = text.partition("=")
        if name not in BONUSES or not points.isascii() or not points.isdigit():
            raise UsageError(
                f"--worth: expected BONUS=POINTS with a bonus of {', '.join(BONUSES)}, got {text!r}"
            )
        worth = replace(worth, **{name: int(points)})  # type: ignore[arg-type]  # a known field
    return worth


def _text(plain: Advice, swaps: Sequence[SwapAdvice]) -> str:
    """Write the advice for a person."""
    lines = [f"{step.text:<32} {step.why}" for step in plain.steps]
    sure = "nothing is better, stage by stage" if not plain.gap else f"at most {plain.gap} better"
    lines.append(f"{plain.points:+d} points, {plain.outlook:+d} with what is kept ({sure})")
    for swap in swaps:
        lines.append(f"swap {swap.disc} and {swap.other}: {swap.gain:+d}")
    if swaps and swaps[0].gain <= 0:
        lines.append("no swap is worth its bonus")
    return "\n".join(lines)


def _json(plain: Advice, swaps: Sequence[SwapAdvice]) -> str:
    """Write the advice for a program."""
    return json_text(
        {
            "kind": "sonora-vision/advice",
            "schema": 1,
            "points": plain.points,
            "outlook": plain.outlook,
            "gap": plain.gap,
            "steps": [{"mark": step.text, "why": step.why} for step in plain.steps],
            "swaps": [
                {"discs": [swap.disc, swap.other], "gain": swap.gain,
                 "steps": [step.text for step in swap.advice.steps]}
                for swap in swaps
            ],
        }
    )  # fmt: skip
