"""What a rig's folder becomes."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

from click.testing import CliRunner

from sonora_vision.cli import main


def test_the_same_folder_gives_the_same_profile(
    sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.profile"
    done = CliRunner().invoke(main, ["calibrate", str(sample_rig), "--out", str(again)])
    assert done.exit_code == 0
    with zipfile.ZipFile(sample_profile) as one, zipfile.ZipFile(again) as other:
        assert one.namelist() == other.namelist()
        assert all(one.read(name) == other.read(name) for name in one.namelist())


def test_discs_as_large_as_the_board_are_refused_with_advice(
    sample_rig: Path, tmp_path: Path
) -> None:
    """A size in other units than the board's: nothing printed is seen at the discs' scale."""
    rig = tmp_path / "rig"
    for folder in ("lens", "teach"):
        shutil.copytree(sample_rig / folder, rig / folder)
    board = json.loads((sample_rig / "board.json").read_text())
    board["discs"]["radius"] *= 8
    (rig / "board.json").write_text(json.dumps(board))
    done = CliRunner().invoke(main, ["calibrate", str(rig), "--out", str(tmp_path / "it.profile")])
    assert done.exit_code == 2
    assert "check the board's length and the discs' size" in done.stderr
