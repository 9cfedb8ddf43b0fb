"""``sonora-vision clicks``: a page on which one photograph is clicked."""

from __future__ import annotations

from pathlib import Path

import click
import waitress

from sonora_vision.cli import complain
from sonora_vision.errors import UsageError
from sonora_vision.web.clicks import create_clicks_app


@click.command()
@click.argument("photo", type=click.Path(path_type=Path))
@click.option(
    "--board",
    "board_path",
    required=True,
    type=click.Path(path_type=Path),
    help="The board description.",
)
@click.option(
    "--out",
    "clicks_path",
    required=True,
    type=click.Path(path_type=Path),
    help="Where the page saves the clicks, as clicks.json.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True)
def command(photo: Path, board_path: Path, clicks_path: Path, port: int) -> None:
    """Open a page on which PHOTO is clicked, for reading it without a rig."""
    app = create_clicks_app(photo, board_path, clicks_path)
    try:
        server = waitress.create_server(app, host="127.0.0.1", port=port)
    except OSError as error:
        raise UsageError(
            f"--port {port}: cannot listen there ({error.strerror}); choose another, or end what "
            "uses it"
        ) from None
    complain(f"open http://127.0.0.1:{server.effective_port}/ in a browser; Ctrl-C ends it")
    server.run()
