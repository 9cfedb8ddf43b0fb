"""``sonora-vision calibrate``: a rig's folder, or answers given in the browser, to a profile."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sonora_vision import terminal
from sonora_vision.cli import complain
from sonora_vision.errors import UsageError


@click.command()
@click.argument("rig", required=False, type=click.Path(path_type=Path))
@click.option(
    "--out",
    "profile_path",
    required=True,
    type=click.Path(path_type=Path),
    help="Where to save the profile.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--web", is_flag=True, help="Ask for the answers in the browser, step by step.")
@click.option(
    "--camera", help="With --web: show live pictures of a camera, as pi:module3 or usb:0."
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="With --web: address to listen on."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="With --web."
)
def command(
    rig: Path | None,
    profile_path: Path,
    as_json: bool,
    web: bool,
    camera: str | None,
    host: str,
    port: int,
) -> None:
    """Make a profile from the folder RIG: its board, lens pictures, teaching pictures, answers.

    With --web no folder is needed; pictures and answers are then kept in RIG, if it is given.
    """
    if web:
        _ask(rig, profile_path, camera, host, port)
    elif rig is None:
        raise UsageError("calibrate: expected a rig's folder, or --web to be asked in the browser")
    elif camera is not None:
        raise UsageError(
            "--camera: expected together with --web; a folder holds its pictures already"
        )
    else:
        _calibrate(rig, profile_path, as_json)


def _calibrate(rig: Path, profile_path: Path, as_json: bool) -> None:
    from sonora_vision.one_core import keep_to_one_core
    from sonora_vision.teaching import calibrate_rig  # loads the vision

    # Several threads' sums round differently each time: the same folder gives the same profile.
    keep_to_one_core()
    terminal.keep_stderr_to_ourselves()
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


def _ask(rig: Path | None, profile_path: Path, camera: str | None, host: str, port: int) -> None:
    import signal
    from secrets import token_urlsafe

    import waitress

    from sonora_vision.camera.choose import open_source
    from sonora_vision.one_core import keep_to_one_core
    from sonora_vision.web.serving.addresses import page_address
    from sonora_vision.web.serving.listening import listen
    from sonora_vision.web.wizard.app import create_wizard_app

    # Told to end, it ends as by Ctrl-C: the pictures that came are removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    keep_to_one_core()
    if rig is not None and rig.exists() and any(rig.iterdir()):
        raise UsageError(f"{rig}: is not empty; give a new folder to keep pictures and answers in")
    source = None if camera is None else open_source(camera)
    key = None if host.startswith("127.") or host in ("localhost", "::1") else token_urlsafe(12)
    app = create_wizard_app(profile_path, rig, source, key=key)
    try:
        server = waitress.create_server(app, sockets=[listen(host, port)])
        way = "" if key is None else f"?key={key}"  # others in the network must not calibrate, too
        address = page_address(host, server.effective_port)
        complain(f"open {address}{way} in a browser; Ctrl-C ends it")
        server.run()
    finally:
        app.extensions["sonora_vision_wizard"].close()
        if source is not None:
            source.close()


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
