"""What a rig's folder becomes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from sonora_vision.cli import main

PROGRAM = (sys.executable, "-c", "from sonora_vision.cli import main; main()")


def test_the_same_folder_gives_the_same_profile(
    sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.profile"
    done = CliRunner().invoke(main, ["calibrate", str(sample_rig), "--out", str(again)])
    assert done.exit_code == 0
    assert again.read_bytes() == sample_profile.read_bytes()


def test_discs_as_large_as_the_board_are_refused_with_advice(
    sample_rig: Path, tmp_path: Path
) -> None:
    """A size in other units than the board's."""
    rig = tmp_path / "rig"
    for folder in ("lens", "teach"):
        shutil.copytree(sample_rig / folder, rig / folder)
    board = json.loads((sample_rig / "board.json").read_text())
    board["discs"]["radius"] *= 8
    (rig / "board.json").write_text(json.dumps(board))
    done = CliRunner().invoke(main, ["calibrate", str(rig), "--out", str(tmp_path / "it.profile")])
    assert done.exit_code == 2
    assert "is every length in millimetres?" in done.stderr


def test_pictures_are_gone_when_the_wizard_is_told_to_end(tmp_path: Path) -> None:
    out, temporary = tmp_path / "it.profile", tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [*PROGRAM, "calibrate", "--web", "--port", "0", "--out", str(out)],
        env=os.environ | {"TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        assert "open http://127.0.0.1:" in process.stderr.readline()
        assert len(list(temporary.glob("sonora-wizard-*"))) == 1
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    finally:
        process.kill()
        process.stderr.close()
    assert list(temporary.iterdir()) == []


def test_a_host_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    arguments = ["--web", "--host", "no.such.host.invalid", "--port", "0"]
    process = subprocess.run(
        [*PROGRAM, "calibrate", *arguments, "--out", str(tmp_path / "it.profile")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2
    assert "--host no.such.host.invalid --port 0: cannot listen there" in process.stderr
    assert "Traceback" not in process.stderr
