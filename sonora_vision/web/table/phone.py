"""My phone: my discs, my choices, my Write phase step by step."""

from __future__ import annotations

from flask import Blueprint

phone = Blueprint("phone", __name__)
