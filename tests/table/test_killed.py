"""A power cut at any moment: what was acknowledged is there, and the game goes on from there."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

KILLS = 200


_MEMORY = Path("/dev/shm")
"""A killed program's files are the kernel's to keep, so that no disk has to be waited for."""


def test_a_game_that_is_killed_at_any_moment_loses_no_acknowledged_act() -> None:
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        done = subprocess.run(
            [sys.executable, "-m", "tests.table.killed_game", folder, str(KILLS), "7"],
            capture_output=True, text=True, timeout=300, cwd=Path(__file__).parents[2],
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(done.stdout)
    assert sum(figures["kills"].values()) == KILLS
    assert min(figures["kills"].values()) > KILLS / 20
    assert figures["acts"] > KILLS
