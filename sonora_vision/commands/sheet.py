"""``sonora-vision sheet``: check and draw scoresheets."""

from __future__ import annotations

from pathlib import Path

import click

from sonora_vision.calibrate.file_format import write_text_atomically
from sonora_vision.score.sonora.drawing import PAPERS_MM, Paper, draw_sheet
from sonora_vision.score.sonora.sheet_file import house_sheet, load_sheet
from sonora_vision.score.sonora.state import Setting
from sonora_vision.score.sonora.state_text import parse_state


@click.group()
def command() -> None:
    """Check a scoresheet of the owner's, or draw one to print."""


@command.command()
@click.argument("sheet_file", metavar="SHEET.toml", type=click.Path(path_type=Path))
def check(sheet_file: Path) -> None:
    """Name every mistake in SHEET.toml, or say what is on it."""
    sheet = load_sheet(sheet_file)
    hexes = ", ".join(f"{building.name} {building.size}" for building in sheet.ruins.buildings)
    click.echo(
        f"{sheet.name}: in order\n"
        f"  source     {sheet.source}\n"
        f"  ruins      {hexes} hexes; the rival {len(sheet.ruins.rival)}\n"
        f"  canyon     {sheet.canyon.open.bit_count()} squares, {len(sheet.canyon.cacti)} cacti, "
        f"{len(sheet.canyon.icons)} bonuses, {len(sheet.canyon.shapes)} shapes\n"
        f"  creek      {len(sheet.creek.spaces)} spaces\n"
        f"  mudcracks  {len(sheet.mudcracks.nodes)} nodes, {len(sheet.mudcracks.areas)} areas, "
        f"{len(sheet.mudcracks.columns)} columns"
    )


@command.command()
@click.argument(
    "sheet_file", metavar="[SHEET.toml]", required=False, type=click.Path(path_type=Path)
)
@click.option(
    "--out", required=True, metavar="SHEET.svg", type=click.Path(path_type=Path),
    help="Where the drawing goes.",
)  # fmt: skip
@click.option(
    "--paper", type=click.Choice(list(PAPERS_MM)), default="A4", show_default=True,
    help="Paper to print on.",
)  # fmt: skip
@click.option("--marks", help="Marks to draw on it, as 'ruins: A5^ | creek: a1 a2*'.")
def draw(sheet_file: Path | None, out: Path, paper: Paper, marks: str | None) -> None:
    """Draw SHEET.toml, or the house sheet, as an SVG page to print and play on."""
    setting = Setting(sheet=load_sheet(sheet_file) if sheet_file else house_sheet())
    state = None if marks is None else parse_state(setting, marks)
    write_text_atomically(out, draw_sheet(setting, paper, state))
