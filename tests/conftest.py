"""Fixtures that several test modules share."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from sonora_vision.cli import main


@pytest.fixture(scope="session")
def sample_rig() -> Path:
    """The rig folder that comes with the project: board, lens, teaching and four photographs."""
    return Path(__file__).parent.parent / "sample_images" / "mesa"


@pytest.fixture(scope="session")
def sample_profile(sample_rig: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample rig's profile, calibrated once a test run; not to be written to."""
    path = tmp_path_factory.mktemp("sample") / "mesa.profile"
    result = CliRunner().invoke(main, ["calibrate", str(sample_rig), "--out", str(path)])
    assert result.exit_code == 0, result.stderr
    return path
