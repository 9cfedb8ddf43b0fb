"""The application: what it is made of, and what holds for every answer it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from flask import Flask, render_template, request
from werkzeug.exceptions import HTTPException

from sonora_vision.errors import UsageError
from sonora_vision.table.pictures import PictureStore
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from sonora_vision.web.access import Access, require_host, require_seat, require_somebody
from sonora_vision.web.attempts import PinAttempts
from sonora_vision.web.guard import check_token, guard
from sonora_vision.web.hub import ALL, Hub
from sonora_vision.web.live import Live
from sonora_vision.web.params import WebParams
from sonora_vision.web.server import TableServer
from sonora_vision.web.store import Reader, ReadingStore
from sonora_vision.web.stream import OpenStreams, stream
from sonora_vision.web.table.camera import camera
from sonora_vision.web.table.games import games
from sonora_vision.web.table.phone import phone
from sonora_vision.web.table.repair import repair
from sonora_vision.web.table.screen import screen
from sonora_vision.web.table_reader import TableReader, calibrate_first
from sonora_vision.web.views import Pages, pages
from sonora_vision.web.welcome import welcome

_OPEN = {"static", "welcome.home", "welcome.sign_in", "welcome.leave", "welcome.join"}
"""Where nobody is asked who they are; every other address is closed to strangers."""
_HOST_ONLY = {"wizard"}
OpenCamera: TypeAlias = Callable[[TableReader, Callable[[], None]], Live]
_FORM_BYTES = 64_000
"""Room for the rest of a form around an uploaded photograph."""


def create_app(
    profile_path: Path,
    photos: Sequence[Path] = (),
    *,
    folder: Path,
    database_url: str | None = None,
    pin: str | None = None,
    reader: Reader | None = None,
    open_camera: OpenCamera | None = None,
    params: WebParams | None = None,
) -> Flask:
    """Make the application of one table: games, phones, photographs, calibration.

    Parameters
    ----------
    profile_path : Path
        The profile to read with; not opened where ``reader`` is given. It may be made later.
    photos : sequence of Path
        Photographs to offer on the first page; a folder stands for those in it.
    folder : Path
        Where games, pictures and secrets are kept; made if it is not there.
    database_url : str, optional
        Another database for the games than the one in ``folder``.
    pin : str, optional
        The host's PIN from now on.
    open_camera : callable, optional
        Begins to watch the table with the reader that it is given; calls what it is given at news.
    reader : Reader, optional
        What reads, in place of the profile.
    params : WebParams, optional
        Limits.

    Returns
    -------
    Flask
        A WSGI application. It keeps readings in memory, so one process must serve it.

    Raises
    ------
    FileFormatError
        If the profile cannot be used.
    UsageError
        If a photograph is not there.
    """
    limits = params or WebParams()
    offered = _offered(photos)
    shared = TableReader(profile_path, reader)
    store = ReadingStore(shared, waiting_max=limits.waiting_max, kept_max=limits.kept_max)
    app = Flask(__name__)
    secrets = Access(folder / "secrets", pin)
    app.secret_key = secrets.secret_key
    csrf = guard(app)
    app.extensions["sonora_access"] = secrets
    app.extensions["sonora_pin_attempts"] = PinAttempts()
    app.extensions["sonora_streams"] = OpenStreams(limits)
    app.extensions["sonora_table"] = _table_server(
        folder, database_url, shared, open_camera, limits
    )
    app.config["MAX_CONTENT_LENGTH"] = limits.upload_max_bytes + _FORM_BYTES
    app.extensions["sonora_vision"] = Pages(
        reader=shared, store=store, photos=offered, params=limits
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    for blueprint in (welcome, stream, games, screen, phone, repair, camera, pages):
        app.register_blueprint(blueprint)
    app.before_request(_only_known)
    app.before_request(lambda: check_token(csrf))
    app.before_request(calibrate_first)
    app.register_error_handler(HTTPException, _show_error)
    return app


def _table_server(
    folder: Path,
    database_url: str | None,
    reader: TableReader,
    open_camera: OpenCamera | None,
    params: WebParams,
) -> TableServer:
    """Open the games and the camera."""
    hub = Hub()
    url = database_url or f"sqlite:///{(folder / 'table.db').absolute()}"
    tables = Tables(Store(url, folder))
    tables.listen(lambda game_id, seq: hub.tell(game_id, f"game {seq}"))
    return TableServer(
        tables=tables,
        pictures=PictureStore(folder / "pictures", max_bytes=params.pictures_max_bytes),
        reader=reader,
        hub=hub,
        live=None if open_camera is None else open_camera(reader, lambda: hub.tell(ALL, "live")),
        params=params,
    )


def _offered(photos: Sequence[Path]) -> tuple[Path, ...]:
    """Return the photographs to offer, folders replaced by what is in them."""
    if any(path.is_dir() for path in photos):
        from sonora_vision.batch import photos_in  # loads all of the vision

        photos = photos_in(photos)
    for path in photos:
        if not path.is_file():
            raise UsageError(f"{path}: expected a photograph, got no such file; check the name")
    return tuple(photos)


def _only_known() -> None:
    """Let nobody but the host and players further than the first page."""
    if request.endpoint is None or request.endpoint in _OPEN:
        return
    arguments = request.view_args or {}
    if request.blueprint in _HOST_ONLY:
        require_host()
    elif "game_id" in arguments:
        require_seat(arguments["game_id"])
    else:
        require_somebody()


def _show_error(error: HTTPException) -> tuple[str, int]:
    status = error.code or 500
    words = error.description or ""
    if status == 413:
        limit = (request.max_content_length or 0) / 1_000_000
        words = f"The file is too large: at most {limit:.0f} MB. Choose a smaller photograph."
    elif status == 404 and words.startswith("The requested URL"):
        words = "There is no such page. It may have been a reading that is no longer kept."
    elif status == 500:
        words = "The program failed. Its log says more."
    return render_template("error.html", status=status, words=words), status
