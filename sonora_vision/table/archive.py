"""A game as one file: a zip of its events, each tied to those before it, and its pictures.

`pack` writes, `unpack` reads what anybody may have written: sizes, names and kinds are checked
before a byte is believed, and an event that was edited is found. No secret of the table is in it.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from sonora_vision.calibrate.file_format import json_object
from sonora_vision.document import Record, open_document
from sonora_vision.errors import FileFormatError, SonoraError
from sonora_vision.table.events import EVENTS_MAX, HOST, Logged, Made, Recorded
from sonora_vision.table.fold import fold
from sonora_vision.table.imported_picture import check_picture
from sonora_vision.table.picture_files import ENDINGS, NoPictureError, PictureFiles, is_key
from sonora_vision.table.store import GameEntry, is_id

KIND = "sonora-vision/game"
SCHEMA = 1
_GAME = "game.json"
_WHERE = "game file"
_NAME = re.compile(r"pictures/([A-Za-z0-9_-]{8,64})(\.jpg|\.board\.jpg|\.json)")


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """How large a game's file may be."""

    pictures_bytes: int = 150_000_000
    """Twelve rounds of a 12-megapixel photograph and its board, at 10 MB a round, and some more."""
    picture_bytes: int = 40_000_000
    """One file of a picture."""
    game_bytes: int = 30_000_000
    """Events: a reading has 10 KB, so that this is thousands of them."""
    entries: int = 500
    events: int = EVENTS_MAX


@dataclass(frozen=True, kw_only=True)
class Unpacked:
    """What a game's file holds, checked."""

    id: str
    made_at: datetime
    log: tuple[Logged, ...]
    pictures: Mapping[str, Mapping[str, bytes]]
    """By key, then by ending."""


def pack(
    entry: GameEntry,
    log: Sequence[Logged],
    pictures: PictureFiles | None,
    limits: ArchiveLimits | None = None,
) -> bytes:
    """Return a game's file.

    Parameters
    ----------
    entry, log
        The game.
    pictures : PictureFiles or None
        Where its pictures are; None leaves them out. Those that are not kept any more are left
        out, and so are those of the oldest rounds where all would be too many.
    limits : ArchiveLimits, optional
        How large it may be.
    """
    limits = limits or ArchiveLimits()
    files = dict(_files(log, pictures, limits.pictures_bytes))
    before, events = "", []
    for each in log:
        values = each.model_dump(mode="json")
        before = _chained(before, values)
        events.append({**values, "hash": before})
    document: dict[str, Any] = {
        "kind": KIND,
        "schema": SCHEMA,
        "id": entry.id,
        "made_at": entry.made_at.isoformat(),
        "events": events,
        "pictures": [{"name": name, "sha256": _sha256(raw)} for name, raw in files.items()],
    }
    document["seal"] = _chained("", document)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as file:
        text = json.dumps(document, ensure_ascii=False, indent=1)
        file.writestr(_GAME, text, zipfile.ZIP_DEFLATED)
        for name, raw in files.items():
            file.writestr(name, raw)  # JPEG is as small as it gets
    return packed.getvalue()


def unpack(raw: bytes, limits: ArchiveLimits | None = None) -> Unpacked:
    """Return what a game's file holds.

    Raises
    ------
    FileFormatError
        If it is no such file, is too large, was edited or cut off, or is of a newer program.
    """
    limits = limits or ArchiveLimits()
    files = _unzipped(raw, limits)
    if _GAME not in files:
        raise FileFormatError(f"{_WHERE}: expected {_GAME} in it; choose an exported game")
    try:
        values = json_object(files.pop(_GAME).decode("utf-8"), _GAME)
    except UnicodeDecodeError:
        raise FileFormatError(f"{_GAME}: expected UTF-8 text") from None
    document = open_document(values, _GAME, kind=KIND, schema=SCHEMA)
    sealed = {name: value for name, value in values.items() if name != "seal"}
    game_id, made_at = document.text("id"), document.text("made_at")
    events, seal = list(document.records("events")), document.text("seal")
    listed = {each.text("name"): each.text("sha256") for each in _closed(document, "pictures")}
    document.close()
    if not is_id(game_id):
        document.wrong("id", "a game's id", game_id)
    if not 1 <= len(events) <= limits.events:
        document.wrong("events", f"1 to {limits.events} events", len(events))
    document.mistakes.raise_any()
    log = _log(values["events"])
    if seal != _chained("", sealed):
        raise FileFormatError(f"{_GAME}: it was edited or cut off after it was exported")
    return Unpacked(
        id=game_id,
        made_at=_moment(made_at),
        log=log,
        pictures=_pictures(files, listed, log),
    )


def keys_of(log: Sequence[Logged]) -> list[str]:
    """Return the pictures that a log names, newest first."""
    named = [each.event.picture for each in log if isinstance(each.event, Recorded)]
    return list(dict.fromkeys(key for key in reversed(named) if key is not None))


def _files(
    log: Sequence[Logged], pictures: PictureFiles | None, room: int
) -> Iterator[tuple[str, bytes]]:
    for key in keys_of(log) if pictures is not None else ():
        assert pictures is not None
        try:
            files = {f"pictures/{key}{ending}": pictures.file(key, ending) for ending in ENDINGS}
        except NoPictureError:
            continue
        room -= sum(map(len, files.values()))
        if room < 0:
            return
        yield from files.items()


def _unzipped(raw: bytes, limits: ArchiveLimits) -> dict[str, bytes]:
    """Return the files in a zip; no more is ever unpacked than is allowed, whatever it says."""
    files: dict[str, bytes] = {}
    room = limits.pictures_bytes + limits.game_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as file:
            if len(file.infolist()) > limits.entries:
                raise FileFormatError(f"{_WHERE}: expected at most {limits.entries} files in it")
            for info in file.infolist():
                if info.filename in files or not _is_expected(info.filename):
                    raise FileFormatError(f"{_WHERE}: did not expect {info.filename[:80]!r} in it")
                game = info.filename == _GAME
                most = min(room, limits.game_bytes if game else limits.picture_bytes)
                with file.open(info) as packed:
                    files[info.filename] = packed.read(most + 1)
                room -= len(files[info.filename])
                if len(files[info.filename]) > most:
                    raise FileFormatError(f"{_WHERE}: {info.filename}: too large to be a game's")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError):
        raise FileFormatError(f"{_WHERE}: no zip, or damaged; choose an exported game") from None
    except (RuntimeError, NotImplementedError):  # with a password, or packed in another way
        raise FileFormatError(f"{_WHERE}: packed in a way that no export is") from None
    return files


def _is_expected(name: str) -> bool:
    return name == _GAME or _NAME.fullmatch(name) is not None


def _log(events: Sequence[Mapping[str, Any]]) -> tuple[Logged, ...]:
    """Check every event: that it is one, that it was not edited, and that it could happen."""
    before, log = "", []
    for number, values in enumerate(events, start=1):
        where = f"{_GAME}: event {number}"
        content = {name: value for name, value in values.items() if name != "hash"}
        before = _chained(before, content)
        if values.get("hash") != before:
            raise FileFormatError(f"{where}: it was edited, or one before it is gone")
        try:
            logged = Logged.model_validate_json(json.dumps(content))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            at = ".".join(str(each) for each in first["loc"])
            raise FileFormatError(f"{where}: {at}: {first['msg']}") from None
        if logged.seq != number:
            raise FileFormatError(f"{where}: seq: expected {number}, got {logged.seq}")
        _moment(logged.at)
        log.append(logged)
    try:
        fold(log)
    except SonoraError as error:
        raise FileFormatError(f"{_GAME}: {error}") from None
    assert isinstance(log[0].event, Made)
    actors = {HOST, *log[0].event.colors}
    stranger = next((each for each in log if each.actor not in actors), None)
    if stranger is not None:
        raise FileFormatError(f"{_GAME}: event {stranger.seq}: actor: expected host or a color")
    return tuple(log)


def _pictures(
    files: Mapping[str, bytes], listed: Mapping[str, str], log: Sequence[Logged]
) -> dict[str, dict[str, bytes]]:
    """Check the pictures: those that are listed, unchanged, of this game, and pictures."""
    if {name: _sha256(raw) for name, raw in files.items()} != listed:
        raise FileFormatError(f"{_WHERE}: its pictures are not those that were exported")
    pictures: dict[str, dict[str, bytes]] = {}
    for name, raw in files.items():
        match = _NAME.fullmatch(name)
        assert match is not None
        pictures.setdefault(match[1], {})[match[2]] = raw
    named = set(keys_of(log))
    for key, parts in pictures.items():
        if key not in named or set(parts) != set(ENDINGS) or not is_key(key):
            raise FileFormatError(f"{_WHERE}: picture {key}: no picture of this game, or not whole")
        check_picture(parts, f"{_WHERE}: picture {key}")
    return pictures


def _moment(text: str) -> datetime:
    moment = None
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
    if moment is None or moment.tzinfo is None or len(text) > 32:
        raise FileFormatError(f"{_GAME}: expected a date and time with a zone, got {text[:40]!r}")
    return moment.astimezone(UTC)


def _closed(document: Record, name: str) -> Iterator[Record]:
    for item in document.records(name):
        yield item
        item.close()


def _chained(before: str, values: Mapping[str, Any]) -> str:
    """Return the check of some values, which depends on the check before it."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return _sha256(f"{before}\n{text}".encode())


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
