"""A profile comes back as it was saved, or is refused; it is never half of one."""

from __future__ import annotations

import contextlib
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sonora_vision.calibrate.profile import Profile, TaughtDiscs, _packed, load_profile
from sonora_vision.errors import FileFormatError
from tests.drawn import small_rig, spec, taught, true_lens, true_pose

RIG = small_rig(1)
NAN = float("nan")


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
            spreads=np.array([np.cov(rng.normal(0, 0.1, (3, 50))) for _ in colors]),
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
        (lambda a: a.pop("lens"), "lens: missing.*calibrate again"),
        (lambda a: a["lens"].update(matrix=[1, 2, 3]), "lens.matrix: expected 3 x 3 numbers"),
        (lambda a: a["lens"]["matrix"][0].__setitem__(0, 0), "lens.matrix: expected .*fx"),
        (lambda a: a["lens"]["matrix"][0].__setitem__(0, NAN), "lens.matrix"),
        (lambda a: a["lens"].update(distortion=[1e9] * 5), "lens.distortion"),
        (lambda a: a["lens"].update(size_px=[0, 0]), "lens.size_px"),
        (lambda a: a["lens"].update(size_px=[10**9, 10**9]), "lens.size_px"),
        (lambda a: a["lens"].update(rms_px=-1), "lens.rms_px"),
        (lambda a: a["lens"].update(hello=1), "lens.hello: unknown key"),
        (lambda a: a["pose"].update(translation=[NAN] * 3), "pose.translation"),
        (lambda a: a["pose"].update(translation=[0, 0, -500]), "pose.translation: .*above"),
        (lambda a: a.update(anchor_mm=NAN), "anchor_mm"),
        (lambda a: a.update(anchor_mm=1e9), "anchor_mm: expected less than a disc's radius"),
        (lambda a: a.update(report=[1]), "report: expected an object"),
        (lambda a: a.update(hello=1), "hello: unknown key"),
        (lambda a: a.update(board=[]), "board: expected an object"),
        (lambda a: a["board"].update(name=7), "board"),
        (lambda a: a["board"].update(outline=[[0, 0], [50, 0], [50, 50], [0, 50]]), "outline"),
    ],
)
def test_what_it_says_of_itself_is_checked(
    saved: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    with pytest.raises(FileFormatError, match=said):
        load_profile(rewritten(saved, tmp_path / "changed.profile", change))


def with_member(saved: Path, path: Path, name: str, content: bytes) -> Path:
    """A copy of a profile with one member of its zip exchanged, or added."""
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w") as new:
        for each in old.namelist():
            if each != name:
                new.writestr(each, old.read(each))
        new.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("profile.json", b"[" * 100_000, "nested too deep"),
        ("profile.json", b"\xff\xfe", "not a whole profile"),
        ("faces.npz", b"junk", "not a whole profile"),
        ("empty.png", b"junk", "empty.png: expected a picture of"),
        ("more.txt", b"", "expected profile.json, empty.png, faces.npz"),
    ],
)
def test_every_member_of_it_is_checked(
    saved: Path, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    with pytest.raises(FileFormatError, match=said):
        load_profile(with_member(saved, tmp_path / "changed.profile", name, content))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: replace(d, means=d.means * NAN), "means of .*log colors"),
        (lambda d: replace(d, means=d.means[:-1]), "means: expected shape"),
        (lambda d: replace(d, spreads=-d.spreads), "spreads of .*covariance"),
        (lambda d: replace(d, colors=d.colors[:-1]), "colors: expected shape"),
        (lambda d: replace(d, colors=tuple("abcdefgh"[: len(d.colors)])), "colors: .*board's"),
        (lambda d: replace(d, faces={}), "expected one of every disc"),
        (lambda d: replace(d, faces=dict(list(d.faces.items())[1:])), "expected one of every disc"),
        (
            lambda d: replace(d, faces={(c, n + 90): f for (c, n), f in d.faces.items()}),
            "no disc of the board's",
        ),
    ],
)
def test_paints_and_faces_that_are_not_the_boards_are_neither_saved_nor_loaded(
    profile: Profile, tmp_path: Path, change: Callable[[TaughtDiscs], TaughtDiscs], said: str
) -> None:
    path = tmp_path / "wrong.profile"
    wrong = replace(profile, discs=change(profile.discs))
    with pytest.raises(FileFormatError, match=said):
        wrong.save(path)
    assert not path.exists()
    path.write_bytes(_packed(wrong))
    with pytest.raises(FileFormatError, match=said):
        load_profile(path)


def test_the_same_profile_is_the_same_bytes_at_any_time(
    profile: Profile, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(1_000_000_000))
    monkeypatch.setattr(time, "time", lambda: 1_000_000_000.0)
    profile.save(tmp_path / "again.profile")
    assert (tmp_path / "again.profile").read_bytes() == saved.read_bytes()


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
