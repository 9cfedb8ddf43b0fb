"""The log: resumed after power loss, and every damage named, refused, nothing lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sonora_vision.errors import FileFormatError, RuleError
from sonora_vision.score.sonora.events import parse_event
from sonora_vision.score.sonora.game_state import new_game
from sonora_vision.score.sonora.log import GameLog, recover
from sonora_vision.score.sonora.sheet_file import house_sheet

EVENTS = ("flick red 1 on", "flick red 2 off", "reflick red", "flick red 2 on", "undo", "redo")


@pytest.fixture
def log(tmp_path: Path) -> GameLog:
    """A game of two after a few events."""
    start = new_game(house_sheet(), ("red", "blue"), rounds="short", no_bunting=True)
    log = GameLog.create(tmp_path / "game.log", start)
    for text in EVENTS:
        log.append(parse_event(text))
    return log


def lines(log: GameLog) -> list[str]:
    return log.path.read_text(encoding="utf-8").splitlines()


def rewrite(log: GameLog, new: list[str], end: str = "\n") -> bytes:
    """Write other lines and return what the file holds then."""
    log.path.write_text("\n".join(new) + end, encoding="utf-8")
    return log.path.read_bytes()


def refused(log: GameLog) -> str:
    """Return why the log is refused; it must be left as it is."""
    before = log.path.read_bytes()
    with pytest.raises(FileFormatError) as caught:
        GameLog.resume(log.path)
    assert log.path.read_bytes() == before
    return str(caught.value)


def test_resume_gives_the_same_game_and_goes_on(log: GameLog) -> None:
    again = GameLog.resume(log.path)
    assert again.history == log.history
    again.append(parse_event("flick blue 1 on"))
    assert GameLog.resume(log.path).history == again.history


def test_resume_gives_the_same_state_in_another_process(log: GameLog) -> None:
    """Hash seeds differ between machines; the state must not."""
    code = (
        "import sys; from pathlib import Path; from sonora_vision.score.sonora.log import GameLog; "
        "s = GameLog.resume(Path(sys.argv[1])).history.now; "
        "print(s.phase, s.flicks, sorted(s.flicked), s.sheets['red'])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, str(log.path)],
            env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    state = log.history.now
    assert outputs == {
        f"{state.phase} {state.flicks} {sorted(state.flicked)} {state.sheets['red']}\n"
    }


def test_an_illegal_event_is_not_written(log: GameLog) -> None:
    before = log.path.read_bytes()
    with pytest.raises(RuleError, match="out of turn"):
        log.append(parse_event("flick red 3 on"))
    assert log.path.read_bytes() == before


def test_the_log_only_grows(log: GameLog) -> None:
    before = log.path.read_bytes()
    log.append(parse_event("undo"))
    assert log.path.read_bytes().startswith(before)


def test_an_existing_file_is_not_overwritten(log: GameLog) -> None:
    with pytest.raises(FileFormatError, match="is there already"):
        GameLog.create(log.path, new_game(house_sheet(), ("red",)))


def test_cut_off_in_mid_line(log: GameLog) -> None:
    all_lines = lines(log)
    rewrite(log, [*all_lines[:4], all_lines[4][:20]], end="")
    assert "line 5: cut off in the middle; the 4 lines before it are whole" in refused(log)


def test_recover_keeps_what_was_cut_off(log: GameLog) -> None:
    all_lines = lines(log)
    rewrite(log, [*all_lines[:4], all_lines[4][:20]], end="")
    beside = recover(log.path)
    assert beside is not None
    assert beside.read_text(encoding="utf-8") == all_lines[4][:20]
    assert lines(log) == all_lines[:4]
    assert GameLog.resume(log.path).history.now.flicks == 2
    assert recover(log.path) is None


def test_edited_line(log: GameLog) -> None:
    all_lines = lines(log)
    all_lines[2] = all_lines[2].replace("red 2 off", "red 2 on")
    rewrite(log, all_lines)
    assert "line 3: edited, or a line before it is gone" in refused(log)


def test_removed_line(log: GameLog) -> None:
    all_lines = lines(log)
    rewrite(log, all_lines[:2] + all_lines[3:])
    assert "line 3: edited, or a line before it is gone; the 2 lines before" in refused(log)


def test_edited_setup(log: GameLog) -> None:
    all_lines = lines(log)
    all_lines[0] = all_lines[0].replace('"rounds": 5', '"rounds": 7')
    rewrite(log, all_lines)
    assert "line 1: edited" in refused(log)


def test_newer_schema(log: GameLog) -> None:
    all_lines = lines(log)
    all_lines[0] = all_lines[0].replace('"schema": 1', '"schema": 2', 1)
    rewrite(log, all_lines)
    assert "newer Sonora Vision wrote this file" in refused(log)


def test_another_kind_of_file(log: GameLog) -> None:
    rewrite(log, ['{"kind": "sonora-vision/board", "schema": 1}'])
    assert "expected one of sonora-vision/log" in refused(log)


@pytest.mark.parametrize("junk", ["hello", "[1]", '{"event": 5, "check": "x"}', '{"do": "flick"}'])
def test_a_line_that_is_none(log: GameLog, junk: str) -> None:
    rewrite(log, [*lines(log)[:2], junk])
    assert "line 3: " in refused(log)


def test_not_utf8_empty_and_missing(log: GameLog, tmp_path: Path) -> None:
    log.path.write_bytes(b"\xff\xfe\n")
    assert "line 1: not UTF-8" in refused(log)
    log.path.write_bytes(b"")
    assert "empty; no game was begun" in refused(log)
    with pytest.raises(FileFormatError, match="no such file"):
        GameLog.resume(tmp_path / "none.log")


def test_the_log_carries_its_sheet(log: GameLog) -> None:
    opening = json.loads(lines(log)[0])
    assert opening["sheet"] == house_sheet().toml
    assert GameLog.resume(log.path).history.now.setup.sheet == house_sheet()
