"""``sonora-vision allocate``: a reading, edited or not, to what each player records."""

from __future__ import annotations

from pathlib import Path

import click

from sonora_vision import terminal
from sonora_vision.calibrate.file_format import json_text
from sonora_vision.cli import complain
from sonora_vision.commands.options import allocator, game_option, order_option
from sonora_vision.reading_file import load_reading


@click.command()
@click.argument("reading_file", metavar="READING.json", type=click.Path(path_type=Path))
@order_option(required=True, help="Colors in turn order.")
@game_option
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(reading_file: Path, order: tuple[str, ...], game: str, as_json: bool) -> None:
    """Say what each player records of READING.json, in turn order."""
    reading = load_reading(reading_file)
    outcome = allocator(game)(reading, order)
    if as_json:
        click.echo(json_text(outcome.to_json()), nl=False)
        return
    title = f"{reading.image}: {reading.board}"
    terminal.results().print(terminal.outcome_table(outcome, title=title))
    for warning in outcome.warnings:
        complain(f"{reading_file}: {warning}")
