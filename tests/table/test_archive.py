"""A game as one file: it comes back whole on another machine, and nothing else does."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from sonora_vision.detect.annotate import Rectified
from sonora_vision.errors import FileFormatError, SonoraError
from sonora_vision.table import archive
from sonora_vision.table.archive import ArchiveLimits
from sonora_vision.table.events import HOST, CodesRenewed, NextRound, Settled, Undone
from sonora_vision.table.pictures import PictureStore
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from tests.table.night import made, read, recorded, write_down

LINE = "red: 1@ruins/creek 2@fox | blue: 3@creek 4@mudcracks"
Document = dict[str, Any]


class _Place:
    """A table with its own database and pictures."""

    def __init__(self, folder: Path) -> None:
        self.pictures = PictureStore(folder / "pictures", max_bytes=100_000_000)
        self.tables = Tables(Store(f"sqlite:///{folder / 'table.db'}", folder), self.pictures)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[_Place]:
    place = _Place(tmp_path / "here")
    yield place
    place.tables.store.close()


@pytest.fixture
def there(tmp_path: Path) -> Iterator[_Place]:
    place = _Place(tmp_path / "there")
    yield place
    place.tables.store.close()


def _played(place: _Place) -> str:
    """A game with two rounds, something undone, and two pictures."""
    tables = place.tables
    game_id = tables.make(made(name="Ñandú & co"))
    tables.act(game_id, HOST, recorded(LINE, picture=_picture(place)))
    for section in ("ruins", "creek"):
        tables.act(game_id, "red", Settled(disc=0, color="red", number=1, section=section))  # type: ignore[arg-type]
    tables.act(game_id, "red", Undone(seq=4))
    write_down(tables, game_id)
    tables.act(game_id, HOST, NextRound())
    tables.act(game_id, HOST, CodesRenewed())
    tables.act(game_id, HOST, recorded(LINE, picture=_picture(place)))
    return game_id


def _picture(place: _Place) -> str:
    pixels_bgr = np.full((40, 60, 3), 90, np.uint8)
    rectified = Rectified(bgr=pixels_bgr, px_per_mm=1.0, origin_mm=(0.0, 0.0))
    return place.pictures.keep(pixels_bgr, rectified, read(LINE))


def _edited(raw: bytes, edit: Callable[[Document], object], *, seal: bool = False) -> bytes:
    """The file with its game.json edited; sealed anew by somebody who knows how, or not."""
    files = _files(raw)
    document = json.loads(files["game.json"])
    edit(document)
    if seal:
        before = ""
        for event in document["events"]:
            event.pop("hash", None)
            before = event["hash"] = archive._chained(before, event)
        document.pop("seal", None)
        document["seal"] = archive._chained("", document)
    return _zipped(files | {"game.json": json.dumps(document).encode()})


def _files(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        return {name: file.read(name) for name in file.namelist()}


def _zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return packed.getvalue()


def test_a_game_comes_back_whole_on_another_table(here: _Place, there: _Place) -> None:
    game_id = _played(here)
    copy = there.tables.import_(here.tables.export(game_id))
    assert there.tables.game(copy) == here.tables.game(game_id)
    assert there.tables.log(copy) == here.tables.log(game_id)
    (entry,) = there.tables.games()
    assert entry.made_at == here.tables.games()[0].made_at.astimezone(UTC)
    for key in archive.keys_of(here.tables.log(game_id)):
        assert there.pictures.photo(key) == here.pictures.photo(key)
        assert there.pictures.reading(key) == read(LINE)
    there.tables.act(copy, "red", Settled(disc=0, color="red", number=1, section="ruins"))


def test_codes_of_a_deleted_game_do_not_open_its_copy(here: _Place) -> None:
    game_id = _played(here)
    raw = here.tables.export(game_id)
    here.tables.act(game_id, HOST, CodesRenewed())
    here.tables.delete(game_id)
    assert here.tables.import_(raw) != game_id


def test_it_comes_back_without_its_pictures_too(here: _Place, there: _Place) -> None:
    game_id = _played(here)
    raw = here.tables.export(game_id, pictures=False)
    assert list(_files(raw)) == ["game.json"]
    copy = there.tables.import_(raw)
    assert there.tables.game(copy) == here.tables.game(game_id)


def test_a_game_that_is_there_already_gets_another_id(here: _Place) -> None:
    game_id = _played(here)
    copy = here.tables.import_(here.tables.export(game_id))
    assert copy != game_id
    assert here.tables.game(copy) == here.tables.game(game_id)
    here.tables.act(copy, HOST, CodesRenewed())
    assert here.tables.game(game_id).codes == 1
    keys = archive.keys_of(here.tables.log(game_id))
    here.tables.delete(game_id)
    assert all(here.pictures.has(key) for key in keys)
    here.tables.delete(copy)
    assert not any(here.pictures.has(key) for key in keys)


def test_a_picture_that_is_kept_is_not_replaced_by_one_that_comes(here: _Place) -> None:
    game_id = _played(here)
    (_, key) = archive.keys_of(here.tables.log(game_id))
    before = here.pictures.photo(key)
    files = _files(here.tables.export(game_id))
    forged = _jpeg(10, 10)
    files[f"pictures/{key}.jpg"] = forged

    def relist(document: Document) -> None:
        for each in document["pictures"]:
            each["sha256"] = archive._sha256(files[each["name"]])

    here.tables.import_(_edited(_zipped(files), relist, seal=True))
    assert here.pictures.photo(key) == before != forged


def test_pictures_of_the_oldest_rounds_are_left_out_where_all_are_too_many(here: _Place) -> None:
    game_id = _played(here)
    entry, log = here.tables.store.entry(game_id), here.tables.log(game_id)
    assert entry is not None
    newest, _ = archive.keys_of(log)
    size = sum(path.stat().st_size for path in here.pictures.folder.glob(f"{newest}.*"))
    raw = archive.pack(entry, log, here.pictures, ArchiveLimits(pictures_bytes=size + 10))
    assert {name.split("/")[1].partition(".")[0] for name in _files(raw) if "/" in name} == {newest}
    assert archive.unpack(raw).pictures.keys() == {newest}


def test_no_secret_of_the_table_is_in_it(here: _Place) -> None:
    folder = here.tables.store.folder
    (folder / "secrets").mkdir()
    (folder / "secrets" / "secret").write_text("5ec4e7-of-the-table")
    raw = here.tables.export(_played(here))
    text = b"".join(_files(raw).values())
    assert b"5ec4e7" not in text
    assert str(folder).encode() not in text


def _edits() -> dict[str, Callable[[Document], object]]:
    return {
        "event 3: it was edited": lambda d: d["events"][2]["event"].update(section="canyon"),
        "event 2: it was edited": lambda d: d["events"].pop(1),
        "event 5: it was edited": lambda d: d["events"].insert(3, d["events"][3]),
        "event 1: it was edited": lambda d: d["events"][0]["event"].update(name="Another"),
        "event 6: it was edited": lambda d: d["events"][5].update(at="2020-01-01T00:00:00+00:00"),
        "cut off after it was exported": lambda d: d["events"].pop(),
        "edited or cut off": lambda d: d.update(id="another-game"),
        "edited or cut": lambda d: d["pictures"].pop(),
        "hash: expected|event 2: it was edited": lambda d: d["events"][1].pop("hash"),
    }


@pytest.mark.parametrize("words", list(_edits()))
def test_an_edited_game_is_found_and_nothing_of_it_taken_in(
    here: _Place, there: _Place, words: str
) -> None:
    raw = _edited(here.tables.export(_played(here)), _edits()[words])
    with pytest.raises(FileFormatError, match=words):
        there.tables.import_(raw)
    assert there.tables.games() == []
    assert list(there.pictures.folder.iterdir()) == []


def _forgeries() -> dict[str, Callable[[Document], object]]:
    """What somebody who can seal a file anew might try."""
    return {
        "kind: expected": lambda d: d.update(kind="sonora-vision/board"),
        "newer Sonora Vision wrote": lambda d: d.update(schema=2),
        "unknown": lambda d: d.update(extra=1),
        "id: expected a game's id": lambda d: d.update(id="../../secrets"),
        "events: expected 1 to": lambda d: d.update(events=[]),
        "event 2: event": lambda d: d["events"][1]["event"].update(kind="teleported"),
        "event 3: event.settled.more: Extra": lambda d: d["events"][2]["event"].update(more=1),
        "Extra inputs": lambda d: d["events"][2].update(more=1),
        "seq: expected 3": lambda d: d["events"][2].update(seq=9),
        "actor: expected host or a color": lambda d: d["events"][1].update(actor="<script>"),
        "date and time": lambda d: d["events"][1].update(at="yesterday"),
        "with a zone": lambda d: d.update(made_at="2026-01-01T00:00:00"),
        "event 3: .*expected|event 3: .*no such disc": lambda d: d["events"][2]["event"].update(
            disc=77
        ),
        "first event": lambda d: d["events"].__setitem__(0, d["events"][-1] | {"seq": 1}),
        "name.*pattern": lambda d: d["events"][0]["event"].update(name="a\r\nSet-Cookie: b"),
        "undo: there is no such act": lambda d: d["events"][4]["event"].update(seq=2000),
        "pictures are not those": lambda d: d["pictures"].pop(),
    }


@pytest.mark.parametrize("words", list(_forgeries()))
def test_a_forged_game_is_refused_by_what_it_says(here: _Place, there: _Place, words: str) -> None:
    raw = _edited(here.tables.export(_played(here)), _forgeries()[words], seal=True)
    with pytest.raises(FileFormatError, match=words):
        there.tables.import_(raw)
    assert there.tables.games() == []
    assert list(there.pictures.folder.iterdir()) == []


def _jpeg(width: int, height: int) -> bytes:
    packed = io.BytesIO()
    Image.new("RGB", (width, height)).save(packed, "JPEG")
    return packed.getvalue()


def _huge_jpeg() -> bytes:
    """A small file whose head says that it has four billion pixels."""
    raw = bytearray(_jpeg(16, 16))
    at = raw.index(b"\xff\xc0") + 5
    raw[at : at + 4] = (65_500).to_bytes(2, "big") * 2
    return bytes(raw)


@pytest.mark.parametrize(
    ("ending", "content", "words"),
    [
        (".jpg", b"<svg onload=alert(1)>", "expected a JPEG"),
        (".board.jpg", b"\x89PNG\r\n\x1a\n", "expected a JPEG"),
        (".jpg", _huge_jpeg(), "megapixels"),
        (".json", b"[]", "expected a JSON object"),
        (".json", b"{}", "px_per_mm"),
        (".json", b"\xff", "UTF-8"),
        (".json", b'{"px_per_mm": 1e9}', "at most 100"),
    ],
)
def test_a_picture_that_is_none_is_refused(
    here: _Place, there: _Place, ending: str, content: bytes, words: str
) -> None:
    game_id = _played(here)
    key, _ = archive.keys_of(here.tables.log(game_id))
    name = f"pictures/{key}{ending}"
    files = _files(here.tables.export(game_id)) | {name: content}

    def relist(document: Document) -> None:
        for each in document["pictures"]:
            if each["name"] == name:
                each["sha256"] = archive._sha256(content)

    with pytest.raises(FileFormatError, match=words):
        there.tables.import_(_edited(_zipped(files), relist, seal=True))
    assert there.tables.games() == []


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "/etc/passwd", "pictures/../../x.jpg", "pictures/a.jpg", "game.json/x",
     "pictures/12345678.exe", "pictures\\12345678.jpg", "GAME.JSON", "pictures/12345678.jpg\n"],
)  # fmt: skip
def test_a_file_that_no_export_has_is_refused(here: _Place, there: _Place, name: str) -> None:
    files = _files(here.tables.export(_played(here)))
    with pytest.raises(FileFormatError, match="did not expect"):
        there.tables.import_(_zipped(files | {name: b"x"}))


def test_a_picture_of_no_round_of_the_game_is_refused(here: _Place, there: _Place) -> None:
    raw = here.tables.export(_played(here))
    files = _files(raw)
    stray = {f"pictures/stranger-0{ending}": b"x" for ending in (".jpg", ".board.jpg", ".json")}

    def relist(document: Document) -> None:
        document["pictures"] += [
            {"name": name, "sha256": archive._sha256(content)} for name, content in stray.items()
        ]

    with pytest.raises(FileFormatError, match="no picture of this game"):
        there.tables.import_(_edited(_zipped(files | stray), relist, seal=True))


def test_a_zip_bomb_is_given_up_before_it_is_unpacked() -> None:
    bomb = _zipped({"game.json": b" " * 60_000_000}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 100_000
    with pytest.raises(FileFormatError, match="too large"):
        archive.unpack(bomb)


def test_a_zip_that_lies_about_its_sizes_is_given_up() -> None:
    raw = bytearray(_zipped({"game.json": b" " * 50_000_000}, zipfile.ZIP_DEFLATED))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):  # both heads say 10 bytes
        at = raw.index(mark) + offset
        raw[at : at + 4] = (10).to_bytes(4, "little")
    with pytest.raises(FileFormatError):
        archive.unpack(bytes(raw))


def test_many_small_files_are_given_up() -> None:
    many = {f"pictures/{n:08d}.jpg": b"" for n in range(501)}
    with pytest.raises(FileFormatError, match="at most 500 files"):
        archive.unpack(_zipped(many))


def test_a_name_given_twice_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("game.json", b"{}")
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("game.json", b"{}")
    with pytest.raises(FileFormatError, match="did not expect"):
        archive.unpack(packed.getvalue())


@pytest.mark.parametrize(
    "raw",
    [b"", b"PK", b"not a zip at all", _zipped({}), _zipped({"game.json": b"{"}),
     _zipped({"game.json": b"[" * 100_000}), _zipped({"game.json": b"\xff"}),
     _zipped({"game.json": b'{"kind": "sonora-vision/game", "kind": 1}'}),
     _zipped({"game.json": b"1" * 10_000})],
)  # fmt: skip
def test_what_is_no_exported_game_is_refused_in_words(raw: bytes) -> None:
    with pytest.raises(FileFormatError):
        archive.unpack(raw)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = _Place(tmp_path_factory.mktemp("exported"))
    raw = place.tables.export(_played(place))
    place.tables.store.close()
    return raw


@settings(
    max_examples=150, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_file_is_refused_or_is_the_same_game(
    exported: bytes, at: float, byte: int, cut: bool
) -> None:
    where = int(at * len(exported))
    raw = exported[:where] if cut else exported[:where] + bytes([byte]) + exported[where + 1 :]
    try:
        found = archive.unpack(raw)
    except SonoraError:
        return
    whole = archive.unpack(exported)
    assert (found.log, found.pictures) == (whole.log, whole.pictures)
