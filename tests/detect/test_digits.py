"""Numbers are read from taught faces at any angle, and nothing is read that cannot be seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sonora_vision.detect.digits import FaceLibrary
from sonora_vision.detect.faces import FaceEvidence
from sonora_vision.errors import FileFormatError
from tests.detect.drawn_faces import PAINTS, SEEN, crop_of, draw_face, taught

NUMBERS = (1, 2, 3, 4, 5)
ACROSS = np.arange(64) - 31.5


@pytest.fixture(scope="module")
def library() -> FaceLibrary:
    return FaceLibrary.teach(
        [taught(c, n, 67 * n + 31 * i) for i, c in enumerate(PAINTS) for n in NUMBERS]
    )


def best(evidence: FaceEvidence, color: str) -> tuple[int, float]:
    posterior = evidence.posterior(color)
    number = max(posterior, key=lambda n: posterior[n])
    return number, posterior[number]


def spread(evidence: FaceEvidence) -> float:
    logs = list(evidence.log_likelihood.values())
    return max(logs) - min(logs)


@pytest.mark.parametrize("color", PAINTS)
@pytest.mark.parametrize("number", NUMBERS)
def test_every_rotation_reads_the_same(library: FaceLibrary, color: str, number: int) -> None:
    turns = range(0, 360, 23)
    crops = [crop_of(draw_face(color, number, t, seed=t), color) for t in turns]
    for evidence in library.read(crops):
        assert best(evidence, color) == (number, pytest.approx(1, abs=0.01))


def test_the_angle_is_how_far_the_disc_was_turned_clockwise(library: FaceLibrary) -> None:
    taught_at = 67 * 4 + 31 * 0
    (evidence,) = library.read([crop_of(draw_face("red", 4, taught_at + 100), "red")])
    assert evidence.angle_deg["red", 4] == pytest.approx(100, abs=4)


def test_light_ink_on_dark_wood_and_dark_ink_on_light_wood_are_told_apart(
    library: FaceLibrary,
) -> None:
    (evidence,) = library.read([crop_of(draw_face("navy", 2, 40))])
    logs = evidence.log_likelihood
    assert max(logs, key=lambda key: logs[key])[1] == 2
    assert logs["navy", 2] > logs["cream", 2] + 3


@pytest.mark.parametrize("color", PAINTS)
def test_a_hidden_number_gives_flat_likelihoods(library: FaceLibrary, color: str) -> None:
    only_rim = np.hypot(ACROSS[:, None], ACROSS) > 22
    (evidence,) = library.read([crop_of(draw_face(color, 3), color, only_rim)])
    assert spread(evidence) < 0.3
    assert evidence.seen_share < 0.05


def test_what_hides_a_face_does_not_speak(library: FaceLibrary) -> None:
    pixels, visible = draw_face("red", 5, 20), SEEN.copy()
    pixels[:, :26] = draw_face("yellow", 1, 90)[:, 20:46]
    visible[:, :26] = False
    (masked,) = library.read([crop_of(pixels, "red", visible)])
    pixels[:, :26] = 0
    (blank,) = library.read([crop_of(pixels, "red", visible)])
    assert masked.log_likelihood == pytest.approx(blank.log_likelihood, abs=1e-3)


@pytest.mark.parametrize("color", PAINTS)
def test_a_blank_face_is_no_number_for_sure(library: FaceLibrary, color: str) -> None:
    crops = [crop_of(draw_face(color, None, seed=s), color) for s in range(10)]
    assert all(best(e, color)[1] < 0.9 for e in library.read(crops))


def test_a_face_blurred_beyond_reading_is_no_number_for_sure(library: FaceLibrary) -> None:
    crops = [
        crop_of(cv2.GaussianBlur(draw_face("cream", n, 50), (0, 0), 14).astype(np.uint8), "cream")
        for n in NUMBERS
    ]
    assert all(best(e, "cream")[1] < 0.9 for e in library.read(crops))


@pytest.mark.parametrize(
    "how", [{"light": 0.35}, {"slope": 0.3}, {"noise": 12.0}, {"blur_px": 2.0}]
)
def test_light_noise_and_softness_do_not_change_the_number(
    library: FaceLibrary, how: dict[str, float]
) -> None:
    for color in PAINTS:
        crops = [crop_of(draw_face(color, n, 77 * n, seed=n, **how), color) for n in NUMBERS]
        assert [best(e, color)[0] for e in library.read(crops)] == list(NUMBERS)


@pytest.mark.parametrize("off_px", [(1.5, 0.0), (-1.0, 1.0), (0.0, -1.5)])
def test_a_center_found_half_a_millimetre_off_does_not_matter(
    library: FaceLibrary, off_px: tuple[float, float]
) -> None:
    crops = [crop_of(draw_face("red", n, 61 * n, off_px=off_px), "red") for n in NUMBERS]
    assert [best(e, "red")[0] for e in library.read(crops)] == list(NUMBERS)
    assert all(best(e, "red")[1] > 0.99 for e in library.read(crops))


def test_hasty_clicks_at_teaching_are_mended_by_the_other_colors() -> None:
    offs = {"red": (3.0, 0.0), "navy": (0.0, 0.5), "yellow": (-1.0, -2.0), "cream": (-1.0, 1.0)}
    library = FaceLibrary.teach(
        [taught(c, n, 50 * n, off_px=offs[c]) for c in PAINTS for n in NUMBERS]
    )
    for color in PAINTS:
        crops = [crop_of(draw_face(color, n, 200), color) for n in NUMBERS]
        assert [best(e, color)[0] for e in library.read(crops)] == list(NUMBERS)


def test_a_face_that_was_not_taught_is_lent_by_another_color() -> None:
    faces = [taught(c, n, 20 * n) for c in PAINTS for n in NUMBERS if (c, n) != ("yellow", 4)]
    (evidence,) = FaceLibrary.teach(faces).read([crop_of(draw_face("yellow", 4, 130), "yellow")])
    assert best(evidence, "yellow") == (4, pytest.approx(1, abs=0.05))


def test_half_a_face_is_half_seen(library: FaceLibrary) -> None:
    visible = np.broadcast_to(ACROSS > 0, (64, 64))
    (evidence,) = library.read([crop_of(draw_face("red", 1), "red", visible)])
    assert evidence.seen_share == pytest.approx(0.5, abs=0.03)


def test_plain_discs_have_nothing_to_read() -> None:
    library = FaceLibrary.teach([])
    again = FaceLibrary.from_arrays(library.to_arrays())
    (evidence,) = again.read([crop_of(draw_face("red", None))])
    assert evidence == FaceEvidence()
    assert evidence.posterior("red") == {}
    assert library.read([]) == []


def test_a_library_comes_back_from_its_arrays(library: FaceLibrary) -> None:
    again = FaceLibrary.from_arrays(library.to_arrays())
    crops = [crop_of(draw_face("navy", n, 15 * n), "navy") for n in NUMBERS]
    for before, after in zip(library.read(crops), again.read(crops), strict=True):
        assert after.log_likelihood == pytest.approx(before.log_likelihood, abs=0.05)
        assert after.seen_share == pytest.approx(before.seen_share, abs=1e-3)


@pytest.mark.parametrize("name", ["axis_bgr", "face_rings"])
def test_a_library_with_an_array_missing_is_refused_by_name(
    library: FaceLibrary, name: str
) -> None:
    arrays = library.to_arrays()
    del arrays[name]
    with pytest.raises(FileFormatError, match=name):
        FaceLibrary.from_arrays(arrays)


def test_rings_of_another_size_are_refused(library: FaceLibrary) -> None:
    arrays = library.to_arrays()
    arrays["face_rings"] = arrays["face_rings"][:, :, ::2]
    with pytest.raises(FileFormatError, match="expected"):
        FaceLibrary.from_arrays(arrays)
