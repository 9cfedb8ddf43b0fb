"""What a rig's folder becomes."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from sonora_vision.cli import main


def test_the_same_folder_gives_the_same_profile(
    sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.profile"
    done = CliRunner().invoke(main, ["calibrate", str(sample_rig), "--out", str(again)])
    assert done.exit_code == 0
    assert again.read_bytes() == sample_profile.read_bytes()
