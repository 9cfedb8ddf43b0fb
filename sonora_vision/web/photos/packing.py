"""A zip of photographs' readings, sent while it is made: it is never whole in memory or on disk."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.file_format import json_text
from sonora_vision.observation import Reading
from sonora_vision.reading_file import reading_to_json
from sonora_vision.score.allocation import Allocation
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.web.photos.pictures import whole_png
from sonora_vision.web.photos.store import Entry, ReadingStore

_COLUMNS = (
    "photograph", "player", "ruins", "canyon", "creek", "mudcracks", "choices", "doubts", "refused",
)  # fmt: skip
_STEM_MAX = 60


@dataclass(frozen=True, kw_only=True)
class Packed:
    """One photograph in the zip."""

    name: str
    stem: str
    """How its files are called; empty for one that was refused."""
    refusal: str = ""
    discs: int = 0
    allocation: Allocation | None = None


class _Outlet(io.RawIOBase):
    """A file that cannot be gone back in; what is written to it is taken away at once."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        taken = bytes(content)  # type: ignore[call-overload]  # whatever has bytes in it
        self._waiting.append(taken)
        return len(taken)

    def take(self) -> bytes:
        """Return what was written since this was last asked."""
        taken = b"".join(self._waiting)
        self._waiting.clear()
        return taken


def packed(
    entries: Sequence[Entry],
    store: ReadingStore,
    board: BoardSpec,
    order: Sequence[str],
    index: Callable[[Sequence[Packed]], str],
) -> Iterator[bytes]:
    """Pack photographs' readings, allocations and annotated pictures.

    Parameters
    ----------
    entries : sequence of Entry
        The photographs, each read or refused.
    store : ReadingStore
        Where they are.
    board, order
        The board, and the players in turn order.
    index : callable
        Makes the page that leads to the files, of what was packed.

    Yields
    ------
    bytes
        The zip's next piece, no larger than one photograph's files.
    """
    outlet = _Outlet()
    done: list[Packed] = []
    stems: set[str] = set()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_STORED) as archive:
        for entry in entries:
            seen = store.seen(entry)
            if seen is None:
                done.append(Packed(name=entry.name, stem="", refusal=entry.refusal or ""))
                continue
            stem = _stem(entry.name, stems)
            allocation = allocate(seen.reading, order)
            for name, content in _documents(stem, seen.reading, allocation):
                archive.writestr(name, content, zipfile.ZIP_DEFLATED)
            archive.writestr(f"annotated/{stem}.png", whole_png(seen, board))
            done.append(
                Packed(
                    name=entry.name,
                    stem=stem,
                    discs=len(seen.reading.discs),
                    allocation=allocation,
                )
            )
            yield outlet.take()
        archive.writestr("allocations.csv", _table(done), zipfile.ZIP_DEFLATED)
        archive.writestr("index.html", index(done), zipfile.ZIP_DEFLATED)
    yield outlet.take()


def _documents(stem: str, reading: Reading, allocation: Allocation) -> list[tuple[str, str]]:
    return [
        (f"readings/{stem}.json", json_text(reading_to_json(reading))),
        (f"allocations/{stem}.json", json_text(allocation.to_json())),
    ]


def _stem(name: str, taken: set[str]) -> str:
    """Return a name that every system takes, and that no other photograph has."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name.rpartition(".")[0] or name).strip("_")
    plain = plain[:_STEM_MAX] or "photo"
    stem, count = plain, 1
    while stem.lower() in taken:
        count += 1
        stem = f"{plain}-{count}"
    taken.add(stem.lower())
    return stem


def _table(photos: Sequence[Packed]) -> str:
    """Return all allocations as one table, a line for each player of each photograph."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(_COLUMNS)
    for photo in photos:
        name = _cell(photo.name)
        if photo.allocation is None:
            lines.writerow([name, *[""] * (len(_COLUMNS) - 2), _cell(photo.refusal)])
            continue
        for player in photo.allocation.players:
            lines.writerow(
                [
                    name,
                    player.color,
                    player.ruins.total,
                    " ".join(f"{disc.number}x{disc.shapes}" for disc in player.canyon),
                    " ".join(f"{disc.number}x{disc.paths}" for disc in player.creek),
                    player.mudcracks.total,
                    len(player.choices),
                    len(player.doubts),
                    "",
                ]
            )
    return text.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
