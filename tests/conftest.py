"""Fixtures that several test modules share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def sample_rig() -> Path:
    """The rig folder that comes with the project: board, lens, teaching and four photographs."""
    return Path(__file__).parent.parent / "sample_images" / "mesa"
