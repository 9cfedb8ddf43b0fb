"""Numbers are read without having been taught, at any angle, and doubted where hidden."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.detect.faces import FaceEvidence
from sonora_vision.detect.general_digits import (
    NumberReader,
    network_from_arrays,
    network_to_arrays,
)
from tests.detect.drawn_faces import PAINTS, SEEN, crop_of, draw_face

NUMBERS = (1, 2, 3, 4, 5)
ACROSS = np.arange(64) - 31.5


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader.load()


def best(evidence: FaceEvidence, color: str) -> int:
    posterior = evidence.posterior(color)
    return max(posterior, key=lambda n: posterior[n])


@pytest.mark.parametrize("color", PAINTS)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_font_that_was_never_shown_is_read_at_every_angle(
    reader: NumberReader, color: str, number: int
) -> None:
    crops = [crop_of(draw_face(color, number, t, seed=t), color) for t in range(0, 360, 17)]
    assert [best(e, color) for e in reader.read(crops)] == [number] * len(crops)


def test_turning_by_whole_steps_changes_nothing(reader: NumberReader) -> None:
    face = draw_face("navy", 3, 25, noise=1.0)
    turned = [crop_of(np.rot90(face, k).copy(), "navy") for k in range(4)]
    logs = [e.log_likelihood for e in reader.read(turned)]
    for other in logs[1:]:
        assert other == pytest.approx(logs[0], abs=0.02)


def test_exchanging_light_and_dark_changes_nothing(reader: NumberReader) -> None:
    face = draw_face("cream", 2, 200, noise=1.0)
    one, other = reader.read([crop_of(face, "cream"), crop_of(255 - face, "cream")])
    assert best(one, "cream") == best(other, "cream") == 2


@pytest.mark.parametrize("color", PAINTS)
def test_a_hidden_number_gives_flat_likelihoods(reader: NumberReader, color: str) -> None:
    only_rim = np.hypot(ACROSS[:, None], ACROSS) > 23
    (evidence,) = reader.read([crop_of(draw_face(color, 4), color, only_rim)])
    assert max(evidence.posterior(color).values()) < 0.6
    (evidence,) = reader.read([crop_of(draw_face(color, 4), color, np.zeros_like(SEEN))])
    assert max(evidence.posterior(color).values()) < 0.6
    assert evidence.seen_share == 0


@pytest.mark.parametrize("color", PAINTS)
def test_a_blank_face_is_no_number_for_sure(reader: NumberReader, color: str) -> None:
    crops = [crop_of(draw_face(color, None, seed=s), color) for s in range(10)]
    assert all(max(e.posterior(color).values()) < 0.95 for e in reader.read(crops))


def test_only_the_numbers_that_there_are_get_likelihoods(reader: NumberReader) -> None:
    (evidence,) = reader.read([crop_of(draw_face("red", 2))], numbers=(2, 7))
    assert set(evidence.log_likelihood) == {("", 2), ("", 7)}
    (plain,) = reader.read([crop_of(draw_face("red", None))], numbers=())
    assert plain == FaceEvidence()
    assert reader.read([]) == []


def test_a_network_comes_back_from_its_arrays() -> None:
    network = NumberReader.load().network
    again = network_from_arrays(network_to_arrays(network))
    for kernel, same in zip(network.kernels, again.kernels, strict=True):
        np.testing.assert_array_equal(kernel, same)
    assert again.sharpness == network.sharpness
