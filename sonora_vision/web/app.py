"""The application: what it is made of, and what holds for every answer it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from flask import Flask

from sonora_vision.errors import UsageError
from sonora_vision.table.corrections import Corrections
from sonora_vision.table.pictures import PictureStore
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from sonora_vision.web.api import api
from sonora_vision.web.assets import name_by_content
from sonora_vision.web.door.access import Access
from sonora_vision.web.door.gate import gate
from sonora_vision.web.door.guard import guard
from sonora_vision.web.door.welcome import welcome
from sonora_vision.web.faults import tell_faults
from sonora_vision.web.live.camera import Live
from sonora_vision.web.live.hub import ALL, Hub
from sonora_vision.web.live.stream import stream
from sonora_vision.web.live.table_reader import TableReader, calibrate_first
from sonora_vision.web.params import WebParams
from sonora_vision.web.photos.store import Reader, ReadingStore
from sonora_vision.web.photos.views import Pages, pages
from sonora_vision.web.server import TableServer
from sonora_vision.web.table.every_page import TABLE_PAGES
from sonora_vision.web.wizard.at_table import add_calibration
from sonora_vision.web.wording.language import init as speak

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
    trusted_hosts: Sequence[str] = (),
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
    trusted_hosts : sequence of str
        Names under which the table is opened, besides this machine's own and its addresses.

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
    app = Flask(__name__)
    secrets = Access(folder / "secrets", pin)
    app.secret_key = secrets.secret_key
    app.config["SESSION_COOKIE_NAME"] = f"sonora-{secrets.name}"
    csrf = guard(app)
    app.extensions["sonora_access"] = secrets
    app.extensions["sonora_table"] = _table_server(
        folder, database_url, shared, open_camera, limits
    )
    app.config["MAX_CONTENT_LENGTH"] = limits.upload_max_bytes + _FORM_BYTES
    store = ReadingStore(
        shared,
        folder / "photos",
        waiting_max=limits.waiting_max,
        kept_max=limits.kept_max,
        max_bytes=limits.photos_max_bytes,
    )
    app.extensions["sonora_vision"] = Pages(
        reader=shared, store=store, photos=offered, params=limits
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    speak(app)
    name_by_content(app)
    for blueprint in (welcome, stream, api, *TABLE_PAGES, pages):
        app.register_blueprint(blueprint)
    gate(app, csrf, limits, trusted_hosts)
    add_calibration(app, profile_path, limits)
    app.before_request(calibrate_first)
    tell_faults(app)
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
    pictures = PictureStore(folder / "pictures", max_bytes=params.pictures_max_bytes)
    corrections = Corrections(
        folder / "corrections", pictures, max_bytes=params.corrections_max_bytes
    )
    tables = Tables(Store(url, folder), pictures, recent_s=params.recent_s)
    tables.listen(lambda game_id, seq: hub.tell(game_id, f"game {seq}"))
    tables.listen(lambda game_id, _: corrections.look(game_id, tables.game(game_id), reader))
    return TableServer(
        tables=tables,
        pictures=pictures,
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
