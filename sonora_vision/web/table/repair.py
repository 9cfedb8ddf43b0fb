"""Repair: discs put right on the picture."""

from __future__ import annotations

from flask import Blueprint

repair = Blueprint("repair", __name__)
