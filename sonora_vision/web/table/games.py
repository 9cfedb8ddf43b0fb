"""Games: begin, seat, resume, export, import, replay; players join by their codes."""

from __future__ import annotations

from flask import Blueprint

games = Blueprint("games", __name__)
