"""``sonora-vision calibrate``: a rig's folder to a profile."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sonora_vision import terminal
from sonora_vision.teaching import calibrate_rig


@click.command()
@click.argument("rig", type=click.Path(path_type=Path))
@click.option(
    "--out",
    "profile_path",
    required=True,
    type=click.Path(path_type=Path),
    help="Where to save the profile.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(rig: Path, profile_path: Path, as_json: bool) -> None:
    """Make a profile from the folder RIG: its board, lens pictures, teaching pictures, answers."""
    with terminal.progress(counted=False) as bar:
        task = bar.add_task("starting", total=1.0)
        profile = calibrate_rig(
            rig, lambda step, share: bar.update(task, description=step, completed=share)
        )
        profile.save(profile_path)
    if as_json:
        click.echo(json.dumps({"profile": str(profile_path), **profile.report}))
        return
    rows = [(name.replace("_", " "), _figure(value)) for name, value in profile.report.items()]
    terminal.results().print(terminal.figure_table(rows, title=f"{profile_path}: calibrated"))


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
