"""``sonora-vision serve``: the table's server, for the players' phones and the table's screen."""

from __future__ import annotations

import logging
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sonora_vision.camera.choose import FORMS, open_source
from sonora_vision.camera.source import FrameSource
from sonora_vision.cli import complain
from sonora_vision.commands.options import profile_option
from sonora_vision.errors import UsageError
from sonora_vision.one_core import keep_to_one_core
from sonora_vision.web import create_app
from sonora_vision.web.door.access import new_pin as made_up_pin
from sonora_vision.web.live.camera import Live
from sonora_vision.web.live.table_reader import TableReader
from sonora_vision.web.live.watched import CameraLive
from sonora_vision.web.serving.addresses import EVERYWHERE, lan_addresses, loopback, page_address
from sonora_vision.web.serving.running import leave, run_table

if TYPE_CHECKING:
    from flask import Flask

_PROFILE = "table.profile"


def _usual_folder() -> Path:
    """Return where programs of this user keep what is theirs."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "sonora-vision" / "table"


@click.command()
@click.argument("photos", nargs=-1, type=click.Path(path_type=Path))
@click.option("--camera", metavar="SOURCE", help=f"The camera over the table: {FORMS}.")
@click.option(
    "--hold",
    "hold_s",
    type=click.FloatRange(min=0),
    default=12.0,
    show_default=True,
    help="With a folder as camera: seconds for each photo; 0 waits until the host asks.",
)
@profile_option(
    help=f"The profile that calibrate saved; {_PROFILE} in the --data folder if not given."
)
@click.option(
    "--data",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for games, pictures and secrets  [default: ~/.local/share/sonora-vision/table]",
)
@click.option(
    "--database",
    "database_url",
    metavar="URL",
    envvar="SONORA_VISION_DATABASE",
    show_envvar=True,
    help="Keep the games in this database; a password is better given by the variable.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets every device of the network in.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--trusted-host",
    "trusted_hosts",
    multiple=True,
    metavar="NAME",
    help="Another name under which browsers may open it; this machine's own are known.",
)
@click.option(
    "--pin",
    envvar="SONORA_VISION_PIN",
    show_envvar=True,
    help="The host's PIN from now on; others of this machine may see it here.",
)
@click.option("--new-pin", is_flag=True, help="Make up a new PIN for the host, print it, and end.")
def command(
    photos: tuple[Path, ...],
    camera: str | None,
    hold_s: float,
    profile_path: Path | None,
    folder: Path | None,
    database_url: str | None,
    host: str,
    port: int,
    trusted_hosts: tuple[str, ...],
    pin: str | None,
    new_pin: bool,
) -> None:
    """Serve a table: games, phones, the camera, and PHOTOS that are offered to be read.

    Without a profile the host calibrates in the browser first.
    """
    kept = _usual_folder() if folder is None else folder
    _require_writable(kept)
    if new_pin:
        click.echo(made_up_pin(kept / "secrets"))
        return
    logging.basicConfig(format="sonora-vision: %(message)s", level=logging.WARNING)
    if profile_path is not None and not profile_path.exists():
        raise UsageError(
            f"--profile {profile_path}: there is no such file; make it with sonora-vision "
            "calibrate, or leave the option out and calibrate in the browser"
        )
    profile = kept / _PROFILE if profile_path is None else profile_path
    keep_to_one_core()
    app = create_app(
        profile,
        photos,
        folder=kept,
        database_url=database_url,
        pin=pin,
        trusted_hosts=trusted_hosts,
        open_camera=None if camera is None else _watching(camera, hold_s or math.inf),
    )
    run_table(app, host=host, port=port, started=lambda at: _say_where(app, host, at, kept))
    complain("ended")
    leave()


def _require_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--data {folder}: cannot be made ({error.strerror})") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(
            f"--data {folder}: cannot be written to; choose another folder, "
            "or give yourself the right to write there"
        )


def _watching(camera: str, hold_s: float) -> Callable[[TableReader, Callable[[], None]], Live]:
    """Return what begins to watch a camera; a name that can mean none is refused at once."""

    def open_camera() -> FrameSource:
        return open_source(camera, real_time=True, hold_s=hold_s)

    if not camera.startswith(("pi:", "usb:")) and "://" not in camera:
        open_camera().close()  # a file is there or will never be; a camera may be plugged in later
    return lambda reader, tell: CameraLive(open_camera, reader.read_first, tell)


def _say_where(app: Flask, host: str, port: int, folder: Path) -> None:
    """Say where the table is opened, and how its host signs in."""
    here = loopback(host)
    complain(f"open {page_address(here, port)} in a browser; Ctrl-C ends it")
    if host in EVERYWHERE:
        for address in lan_addresses():
            complain(f"phones in the same network: {page_address(address, port)}")
    elif here.startswith("127.") or here in ("localhost", "::1"):
        complain("only this computer can open it; with --host 0.0.0.0 phones can, too")
    made: str | None = app.extensions["sonora_access"].new_pin
    if made is not None and sys.stderr.isatty():
        complain(f"the host's PIN: {made} (shown this once)")
    else:
        complain(
            f"the host's PIN is set; for a new one: sonora-vision serve --data {folder} --new-pin"
        )
    if not app.extensions["sonora_table"].reader.ready:
        complain("there is no profile yet: sign in as the host and calibrate")
