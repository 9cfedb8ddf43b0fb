"""Files are read strictly and written whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from sonora_vision.calibrate.file_format import (
    json_text,
    read_json,
    write_bytes_atomically,
    write_text_atomically,
)
from sonora_vision.errors import FileFormatError


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a": "\xff"}', "expected UTF-8 text, got byte 0xff at offset 7"),
        (b'{"a": 1,\n "b" 2}', "not JSON: line 2, column 6"),
        (b"", "not JSON: line 1, column 1"),
        (b"[1, 2]", "expected a JSON object, got [1, 2]"),
        (b"null", "expected a JSON object, got null"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "c: expected each key once"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"name": "\\ud800"}', "expected texts of whole characters"),
        (b'{"a": ' + b"1" * 5000 + b"}", "digits"),
    ],
)
def test_what_is_no_json_object_is_refused_in_one_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(FileFormatError) as caught:
        read_json(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.json: no such file; check the path"):
        read_json(tmp_path / "none.json")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_json(tmp_path)


def test_text_is_written_as_utf8_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file.json"
    write_text_atomically(path, json_text({"name": "Peñón 11°"}))
    assert read_json(path) == {"name": "Peñón 11°"}
    assert [each.name for each in path.parent.iterdir()] == ["file.json"]


def test_a_written_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    write_bytes_atomically(tmp_path / "ours", b"x")
    modes = {stat.S_IMODE(os.stat(tmp_path / name).st_mode) for name in ("plain", "ours")}
    assert len(modes) == 1


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.json"
    write_text_atomically(path, "old")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(FileFormatError, match="cannot be written: No space left on device"):
        write_text_atomically(path, "new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["file.json"]


def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    with pytest.raises(FileFormatError, match="cannot be written"):
        write_text_atomically(tmp_path / "taken" / "file.json", "new")
