"""Who is asking: the table's host, by PIN; a player, by the code of their seat; or nobody."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import abort, current_app, g, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.security import check_password_hash, generate_password_hash

from sonora_vision.errors import UsageError
from sonora_vision.table.events import HOST
from sonora_vision.table.game import Game
from sonora_vision.table.tables import NoGameError, Tables
from sonora_vision.web.server import server
from sonora_vision.web.wording.language import gettext

PIN_DIGITS_MIN, PIN_DIGITS_MAX = 4, 12
_PIN_DIGITS = 6
_CODE_LENGTH_MAX = 300
"""Longer than any code of ours: what is longer is not worth a check of its signature."""


@dataclass(frozen=True, kw_only=True)
class Who:
    """Who is asking."""

    actor: str
    """`HOST`, or the color that is played."""
    game_id: str | None = None
    """The game at which this browser sits, if it does; the host is at home in every game."""
    color: str | None = None
    """The color that this browser plays, the host's own too."""

    @property
    def host(self) -> bool:
        """Whether it is the host."""
        return self.actor == HOST


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """What a request shows for itself; worth something until PIN or codes change."""

    host: str | None = None
    """The mark of the PIN that was typed in."""
    seat: str | None = None
    """The code of a seat."""


class Access:
    """The secrets of one server, in files that its owner alone can read.

    Parameters
    ----------
    folder : Path
        Where they are kept.
    pin : str, optional
        The host's PIN from now on; made up at the first start if not given.

    Raises
    ------
    UsageError
        If the PIN is too short, or the folder cannot be written to.
    """

    def __init__(self, folder: Path, pin: str | None = None) -> None:
        self._pin_path = folder / "pin"
        self._pin_read: tuple[tuple[int, int], str] | None = None
        self.new_pin: str | None = None
        """The PIN that was made up just now, to be shown once."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
            self.secret_key = _kept(folder / "secret", lambda: secrets.token_hex(32))
            if pin is None and not self._pin_path.exists():
                pin = self.new_pin = _made_up_pin()
            if pin is not None:
                self.change_pin(pin)
            self._pin_path.chmod(0o600)
        except OSError as error:
            raise UsageError(
                f"{folder}: cannot be written to ({error.strerror}); "
                "choose another folder, or give yourself the right to write there"
            ) from None
        self._codes = URLSafeSerializer(self.secret_key, salt="seat")
        self._tokens = URLSafeSerializer(self.secret_key, salt="host token")

    @property
    def _pin_hash(self) -> str:
        """The PIN's hash, read anew when another process has changed it."""
        try:
            stat = self._pin_path.stat()
            found = (stat.st_ino, stat.st_mtime_ns)
            if self._pin_read is None or self._pin_read[0] != found:
                self._pin_read = found, self._pin_path.read_text(encoding="utf-8").strip()
        except OSError:
            if self._pin_read is None:
                raise
        return self._pin_read[1]

    def is_pin(self, given: str) -> bool:
        """Whether it is the host's PIN."""
        return len(given) <= PIN_DIGITS_MAX and check_password_hash(self._pin_hash, given)

    def change_pin(self, pin: str) -> None:
        """Take another PIN; whoever signed in with the old one is out.

        Raises
        ------
        UsageError
            If it is no PIN.
        """
        if not (PIN_DIGITS_MIN <= len(pin) <= PIN_DIGITS_MAX and pin.isascii() and pin.isdigit()):
            raise UsageError(
                f"PIN: expected {PIN_DIGITS_MIN} to {PIN_DIGITS_MAX} digits; choose another"
            )
        try:
            _write_secret(self._pin_path, generate_password_hash(pin))
        except OSError as error:
            raise UsageError(
                f"PIN: it cannot be kept ({error.strerror}), so it stays what it was; "
                "make room, or give the program the right to write its files"
            ) from None

    @property
    def name(self) -> str:
        """What tells this server's cookies from those of another one on the same machine."""
        return hashlib.sha256(b"name " + self.secret_key.encode()).hexdigest()[:8]

    @property
    def host_mark(self) -> str:
        """What a host's cookie bears: another for every PIN, and no help to guess it."""
        key, said = self.secret_key.encode(), b"host " + self._pin_hash.encode()
        return hmac.new(key, said, hashlib.sha256).hexdigest()[:32]

    def host_token(self) -> str:
        """Return a token with which a program acts as the host, until the PIN is changed."""
        return str(self._tokens.dumps(self.host_mark))

    def seat_code(self, game_id: str, game: Game, color: str) -> str:
        """Return the code that lets a player sit down; part of the address in their QR code."""
        return str(self._codes.dumps([game_id, color, game.codes]))

    def seat(self, code: str) -> tuple[str, str, int] | None:
        """Return game, color and count of renewals of a code; None for one that is not ours."""
        if len(code) > _CODE_LENGTH_MAX:
            return None
        try:
            game_id, color, codes = self._codes.loads(code)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(game_id), str(color), int(codes)

    def is_host(self, mark: str | None) -> bool:
        """Whether a cookie's or a token's mark is the host's of now."""
        return mark is not None and hmac.compare_digest(mark.encode(), self.host_mark.encode())

    def of_session(self, found: Mapping[str, Any]) -> Credentials:
        """Return what a cookie shows."""
        host, seat = found.get("host"), found.get("seat")
        return Credentials(
            host=host if isinstance(host, str) else None,
            seat=seat if isinstance(seat, str) else None,
        )

    def bearer(self, token: str) -> Credentials:
        """Return what a program's token stands for: the host, or a seat."""
        if len(token) > _CODE_LENGTH_MAX:
            return Credentials()
        try:
            return Credentials(host=str(self._tokens.loads(token)))
        except BadSignature:
            return Credentials(seat=token)

    def who(self, shown: Credentials, tables: Tables) -> Who | None:
        """Return whom credentials stand for now; None for nobody (any more)."""
        game_id, color = self._seated(shown.seat, tables) or (None, None)
        if self.is_host(shown.host):
            return Who(actor=HOST, game_id=game_id, color=color)
        return None if color is None else Who(actor=color, game_id=game_id, color=color)

    def _seated(self, code: str | None, tables: Tables) -> tuple[str, str] | None:
        found = None if code is None else self.seat(code)
        if found is None:
            return None
        game_id, color, codes = found
        try:
            game = tables.game(game_id)
        except NoGameError:
            return None
        return (game_id, color) if game.codes == codes and color in game.playing else None


def new_pin(folder: Path) -> str:
    """Make up a PIN for the host of a server whose secrets are in a folder, and return it.

    A server that runs takes it at once.
    """
    pin = _made_up_pin()
    Access(folder, pin)
    return pin


def access() -> Access:
    """Return the application's secrets."""
    found: Access = current_app.extensions["sonora_access"]
    return found


def sign_in_host() -> None:
    """Remember that this browser is the host's; nothing of its session of before stays."""
    seat = session.get("seat")
    _begin_session()
    session["host"] = access().host_mark
    if seat is not None:
        session["seat"] = seat


def sit_down(code: str) -> Who | None:
    """Remember that this browser plays the seat of a code; None where the code opens nothing."""
    found = access().who(Credentials(seat=code), server().tables)
    if found is None:
        return None
    host = session.get("host")
    _begin_session()
    session["seat"] = code
    if host is not None:
        session["host"] = host
    return found


def _begin_session() -> None:
    session.clear()
    session.permanent = True
    g.pop("sonora_who", None)


def credentials() -> Credentials:
    """Return what the request shows: a bearer's token where there is one, else the cookie."""
    token = bearer_token(request.headers.get("Authorization", ""))
    return access().of_session(session) if token is None else access().bearer(token)


def bearer_token(header: str) -> str | None:
    """Return the token of an ``Authorization`` header; None where its bearer shows none."""
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def who() -> Who | None:
    """Return who is asking; a seat whose code was renewed is nobody's."""
    if "sonora_who" not in g:
        g.sonora_who = access().who(credentials(), server().tables)
    found: Who | None = g.sonora_who
    return found


def require_somebody() -> Who:
    """Return who is asking, or answer 403 to nobody."""
    found = who()
    if found is None:
        abort(
            403, gettext("Scan your code on the table's screen, or sign in with the table's PIN.")
        )
    return found


def require_host() -> Who:
    """Return the host, or answer 403."""
    found = who()
    if found is None or not found.host:
        abort(403, gettext("That is for the table's host. Sign in with the table's PIN."))
    return found


def require_seat(game_id: str) -> Who:
    """Return the host or a player of this game, or answer 403."""
    found = who()
    if found is None or (not found.host and found.game_id != game_id):
        abort(403, gettext("Scan your code on the table's screen first."))
    return found


def _made_up_pin() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(_PIN_DIGITS))


def _kept(path: Path, make: Callable[[], str]) -> str:
    """Return a file's text; made at the first time, readable by its owner alone."""
    if not path.exists():
        _write_secret(path, make())
    path.chmod(0o600)
    return path.read_text(encoding="utf-8").strip()


def _write_secret(path: Path, text: str) -> None:
    """Write a file that its owner alone can read, whole or not at all."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
