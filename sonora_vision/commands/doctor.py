"""``sonora-vision doctor``: what is wrong with this rig, and what to do."""

from __future__ import annotations

from pathlib import Path

import click
from rich.text import Text

from sonora_vision import terminal
from sonora_vision.calibrate.file_format import json_text
from sonora_vision.camera.choose import open_source
from sonora_vision.cli import complain
from sonora_vision.commands.options import profile_option
from sonora_vision.doctor.bundle import write_bundle
from sonora_vision.doctor.finding import Finding, report_to_json
from sonora_vision.doctor.machine import Machine, check_machine
from sonora_vision.doctor.rig import check_rig
from sonora_vision.watch.profile_reader import reader_for

_STYLES = {"ok": "green", "warning": "yellow", "bad": "bold red", "skipped": "dim"}


@click.command()
@click.argument("camera", required=False)
@profile_option(help="The profile that calibrate saved; with a CAMERA a test reading is made.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--bundle",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a .zip for someone who helps, without names and addresses.",
)
@click.pass_context
def command(
    ctx: click.Context,
    camera: str | None,
    profile_path: Path | None,
    as_json: bool,
    bundle: Path | None,
) -> None:
    """Check the machine, CAMERA and the profile; each line says ok, or what to do."""
    machine = Machine()
    findings = list(check_machine(machine, Path.cwd()))
    open_camera = None if camera is None else lambda: open_source(camera)
    findings += check_rig(open_camera, profile_path, reader_for, machine.now())
    if as_json:
        click.echo(json_text(report_to_json(findings)), nl=False)
    else:
        _print(findings)
    if bundle is not None:
        write_bundle(bundle, findings, machine)
        complain(f"{bundle}: written; look into it before you send it")
    if any(finding.verdict == "bad" for finding in findings):
        ctx.exit(1)


def _print(findings: list[Finding]) -> None:
    table = terminal.plain_table("", "check", "", "found", "to do")
    for finding in findings:
        verdict = Text(finding.verdict, style=_STYLES[finding.verdict])
        table.add_row(Text(finding.check), verdict, Text(finding.found), Text(finding.todo))
    terminal.results().print(table)
