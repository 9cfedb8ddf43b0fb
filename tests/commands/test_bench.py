"""``sonora-vision bench``: every stage and the floor are named, and nothing stays wrapped."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from click.testing import CliRunner

from sonora_vision.cli import main
from sonora_vision.stopwatch import ARROWS, FLOOR, REST, STAGES, WHOLE


def _run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["bench", *(str(each) for each in arguments)])
    return result.exit_code, result.output


def test_every_stage_is_timed_and_the_pipeline_left_as_it_was(
    sample_rig: Path, sample_profile: Path
) -> None:
    photo = sample_rig / "photos" / "006.jpg"
    arrows = [getattr(sys.modules[room], name) for _, room, name in ARROWS if room in sys.modules]
    status, said = _run(photo, "--profile", sample_profile, "--runs", 1)
    assert status == 0, said
    for name in (*STAGES, REST, WHOLE, FLOOR, "peak memory"):
        assert name in said
    assert not re.search(r"(?<!\d)0\.0 ms", said)  # every arrow was met
    after = [getattr(sys.modules[room], name) for _, room, name in ARROWS]
    assert all(arrow in after for arrow in arrows)
    assert not any(arrow.__name__ == "timed" for arrow in after)


def test_a_photo_alone_is_refused(sample_rig: Path) -> None:
    status, said = _run(sample_rig / "photos" / "006.jpg")
    assert (status, "expected PHOTO and --profile together" in said) == (2, True)


def test_a_photo_that_cannot_be_read_is_named_and_the_next_is_timed(
    sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_text("no picture")
    good = sample_rig / "photos" / "006.jpg"
    status, said = _run(bad, good, "--profile", sample_profile, "--runs", 1)
    assert status == 1
    assert f"{bad}: not a JPEG or PNG" in said
    assert "peak memory" in said
    assert "1 of 2 photos could not be read" in said
