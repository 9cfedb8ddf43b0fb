"""What the pages of one application share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.table.pictures import PictureStore
from sonora_vision.table.tables import Tables
from sonora_vision.web.live.camera import Live
from sonora_vision.web.live.hub import Hub
from sonora_vision.web.params import WebParams

if TYPE_CHECKING:
    from sonora_vision.web.live.table_reader import TableReader


@dataclass(frozen=True, kw_only=True)
class TableServer:
    """One table: its games, its pictures, what reads them, and its camera."""

    tables: Tables
    pictures: PictureStore
    reader: TableReader
    hub: Hub
    live: Live | None
    """None where there is no camera."""
    params: WebParams

    @property
    def board(self) -> BoardSpec:
        """The board that is played on."""
        return self.reader.board


def server() -> TableServer:
    """Return what the application serves."""
    return cast(TableServer, current_app.extensions["sonora_table"])
