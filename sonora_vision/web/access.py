"""Who is asking: the table's host, by PIN; a player, by the code of their seat; or nobody."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from flask import abort, current_app, session
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.security import check_password_hash, generate_password_hash

from sonora_vision.table.events import HOST
from sonora_vision.table.game import Game
from sonora_vision.web.server import server

_PIN_DIGITS = 6


@dataclass(frozen=True, kw_only=True)
class Who:
    """Who is asking."""

    actor: str
    """`HOST`, or the color that is played."""
    game_id: str | None = None
    """The game at which a player sits; None for the host, who is everywhere."""

    @property
    def host(self) -> bool:
        """Whether it is the host."""
        return self.actor == HOST


class Access:
    """The secrets of one server, in files that its owner alone can read.

    Parameters
    ----------
    folder : Path
        Where they are kept.
    pin : str, optional
        The host's PIN from now on; made up at the first start if not given.
    """

    def __init__(self, folder: Path, pin: str | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.secret_key = _kept(folder / "secret", lambda: secrets.token_hex(32))
        self.new_pin: str | None = None
        """The PIN that was made up just now, to be shown once."""
        at = folder / "pin"
        if pin is None and not at.exists():
            pin = self.new_pin = "".join(secrets.choice("0123456789") for _ in range(_PIN_DIGITS))
        if pin is not None:
            at.unlink(missing_ok=True)
        self._pin_hash = _kept(at, lambda: generate_password_hash(pin or ""))
        self._codes = URLSafeSerializer(self.secret_key, salt="seat")

    def is_pin(self, given: str) -> bool:
        """Whether it is the host's PIN."""
        return check_password_hash(self._pin_hash, given)

    def seat_code(self, game_id: str, game: Game, color: str) -> str:
        """Return the code that lets a player sit down; part of the address in their QR code."""
        return str(self._codes.dumps([game_id, color, game.codes]))

    def seat(self, code: str) -> tuple[str, str, int] | None:
        """Return game, color and count of renewals of a code; None for one that is not ours."""
        try:
            game_id, color, codes = self._codes.loads(code)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(game_id), str(color), int(codes)


def access() -> Access:
    """Return the application's secrets."""
    found: Access = current_app.extensions["sonora_access"]
    return found


def sign_in_host() -> None:
    """Remember that this browser is the host's."""
    session.clear()
    session["host"] = True
    session.permanent = True


def sit_down(code: str) -> Who | None:
    """Remember that this browser plays the seat of a code; None where the code opens nothing."""
    found = access().seat(code)
    if found is None:
        return None
    game_id, color, codes = found
    game = server().tables.game(game_id)
    if game.codes != codes or color not in game.playing:
        return None
    session["seat"] = code
    session.permanent = True
    return Who(actor=color, game_id=game_id)


def who() -> Who | None:
    """Return who is asking; a seat whose code was renewed is nobody's."""
    if session.get("host") is True:
        return Who(actor=HOST)
    code = session.get("seat")
    return sit_down(code) if isinstance(code, str) else None


def require_host() -> Who:
    """Return the host, or answer 403."""
    found = who()
    if found is None or not found.host:
        abort(403, "That is for the table's host. Sign in with the table's PIN.")
    return found


def require_seat(game_id: str) -> Who:
    """Return the host or a player of this game, or answer 403."""
    found = who()
    if found is None or (not found.host and found.game_id != game_id):
        abort(403, "Scan your code on the table's screen first.")
    return found


def _kept(path: Path, make: object) -> str:
    """Return a file's text; made at the first time, readable by its owner alone."""
    if not path.exists():
        assert callable(make)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
    return path.read_text(encoding="utf-8").strip()
