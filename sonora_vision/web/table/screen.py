"""The table screen: the board, whose turn it is, what everyone records."""

from __future__ import annotations

from flask import Blueprint

screen = Blueprint("screen", __name__)
