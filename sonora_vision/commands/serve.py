"""``sonora-vision serve``: the pages for the players' browser."""

from __future__ import annotations

from pathlib import Path

import click
import waitress

from sonora_vision.cli import complain
from sonora_vision.commands.options import profile_option
from sonora_vision.errors import UsageError
from sonora_vision.web import create_app


@click.command()
@click.argument("photos", nargs=-1, type=click.Path(path_type=Path))
@profile_option
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets every device of the network in.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--data",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("sonora-table"),
    show_default=True,
    help="Folder in which games and pictures are kept.",
)
def command(
    photos: tuple[Path, ...], profile_path: Path, host: str, port: int, folder: Path
) -> None:
    """Show PHOTOS, what was seen on them and what each player records, in the browser."""
    app = create_app(profile_path, photos, folder=folder)
    try:
        server = waitress.create_server(app, host=host, port=port)
    except OSError as error:
        raise UsageError(
            f"--host {host} --port {port}: cannot listen there ({error.strerror}); "
            "choose another --port, or end what uses it"
        ) from None
    complain(f"open http://{host}:{server.effective_port}/ in a browser; Ctrl-C ends it")
    server.run()
