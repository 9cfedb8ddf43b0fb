"""A profile comes back as it was saved, or is refused; it is never half of one."""

from __future__ import annotations

import contextlib
import json
import zipfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sonora_vision.calibrate.profile import Profile, TaughtDiscs, load_profile
from sonora_vision.errors import FileFormatError
from tests.drawn import small_rig, spec, taught, true_lens, true_pose

RIG = small_rig(1)


@pytest.fixture(scope="module")
def profile() -> Profile:
    rng = np.random.default_rng(0)
    board = spec(RIG)
    colors = tuple(board.discs.colors)
    return Profile(
        board=board,
        lens=true_lens(RIG.camera),
        taught=taught(RIG),
        pose=true_pose(RIG.camera),
        discs=TaughtDiscs(
            colors=colors,
            means=rng.normal(4, 1, (len(colors), 3)),
            spreads=rng.normal(0, 1, (len(colors), 3, 3)),
            faces={
                (color, number): rng.integers(0, 255, (64, 64, 3)).astype(np.uint8)
                for color in colors
                for number in board.discs.numbers
            },
        ),
        anchor_mm=0.123,
        report={"board": board.name, "lens_reprojection_px": 0.2},
    )


@pytest.fixture(scope="module")
def saved(profile: Profile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "rig.profile"
    profile.save(path)
    return path


def test_all_of_it_comes_back(profile: Profile, saved: Path) -> None:
    loaded = load_profile(saved)
    assert loaded.board == profile.board
    assert loaded.anchor_mm == profile.anchor_mm
    assert loaded.report == profile.report
    assert loaded.taught.view == profile.taught.view
    np.testing.assert_array_equal(loaded.taught.bgr, profile.taught.bgr)
    np.testing.assert_array_equal(loaded.pose.rotation, profile.pose.rotation)
    np.testing.assert_array_equal(loaded.pose.translation, profile.pose.translation)
    for field in fields(profile.lens):
        np.testing.assert_array_equal(
            getattr(loaded.lens, field.name), getattr(profile.lens, field.name)
        )
    assert loaded.discs.colors == profile.discs.colors
    np.testing.assert_array_equal(loaded.discs.means, profile.discs.means)
    np.testing.assert_array_equal(loaded.discs.spreads, profile.discs.spreads)
    assert set(loaded.discs.faces) == set(profile.discs.faces)
    for who, face in profile.discs.faces.items():
        np.testing.assert_array_equal(loaded.discs.faces[who], face)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_profile_that_was_cut_short_is_refused(saved: Path, tmp_path: Path, part: float) -> None:
    whole = saved.read_bytes()
    path = tmp_path / "short.profile"
    path.write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(FileFormatError, match=r"short\.profile: not a whole profile.*calibrate"):
        load_profile(path)


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_profile_is_refused_or_whole(saved: Path, tmp_path: Path, seed: int) -> None:
    """Every part has a checksum, so a flipped bit is either noticed or in nothing that is read."""
    content = bytearray(saved.read_bytes())
    place = int(np.random.default_rng(seed).integers(len(content)))
    content[place] ^= 0x10
    path = tmp_path / "bad.profile"
    path.write_bytes(bytes(content))
    with contextlib.suppress(FileFormatError):
        loaded = load_profile(path)
        np.testing.assert_array_equal(loaded.taught.bgr, load_profile(saved).taught.bgr)


def rewritten(saved: Path, path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of a profile with its description changed."""
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "profile.json":
                about = json.loads(content)
                change(about)
                content = json.dumps(about).encode()
            new.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda a: a.update(schema=99), "schema: expected 1, got 99; update Sonora Vision"),
        (lambda a: a.update(schema=0), "schema: expected 1, got 0; calibrate again"),
        (lambda a: a.update(kind="sonora-vision/board"), "kind: expected sonora-vision/profile"),
        (lambda a: a.pop("lens"), "not a whole profile"),
        (lambda a: a["lens"].update(matrix=[1, 2, 3]), "not a whole profile"),
        (lambda a: a["board"].update(name=7), "board"),
        (lambda a: a["board"].update(outline=[[0, 0], [50, 0], [50, 50], [0, 50]]), "outline"),
    ],
)
def test_what_it_says_of_itself_is_checked(
    saved: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    with pytest.raises(FileFormatError, match=said):
        load_profile(rewritten(saved, tmp_path / "changed.profile", change))


def test_a_missing_profile_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.profile.*sonora-vision calibrate"):
        load_profile(tmp_path / "none.profile")


def test_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"\xff\xd8\xff" + bytes(500))
    with pytest.raises(FileFormatError, match="not a whole profile"):
        load_profile(path)


def test_the_old_profile_stays_where_the_new_one_cannot_be_written(
    profile: Profile, saved: Path, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(FileFormatError, match="cannot be written"):
        profile.save(blocked / "rig.profile")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]
