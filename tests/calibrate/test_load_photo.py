"""A photograph is whole, or it is refused: what is left of a damaged one lies in wrong places."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from sonora_vision.calibrate.photo import decode_photo
from sonora_vision.errors import UnreadableError


@pytest.fixture(scope="module")
def raw(sample_rig: Path) -> bytes:
    return (sample_rig / "photos" / "006.jpg").read_bytes()


def test_bytes_that_are_lost_inside_are_a_damaged_picture(raw: bytes) -> None:
    for at in (0.2, 0.5, 0.9):
        start = int(at * len(raw))
        with pytest.raises(UnreadableError, match=r"shot\.jpg: the JPEG is damaged"):
            decode_photo(raw[:start] + raw[start + 512 :], "shot.jpg")


def test_a_hole_inside_is_a_damaged_picture(raw: bytes) -> None:
    middle = len(raw) // 2
    with pytest.raises(UnreadableError, match="damaged"):
        decode_photo(raw[:middle] + bytes(4096) + raw[middle + 4096 :], "shot.jpg")


def test_bytes_that_a_camera_leaves_before_the_end_are_no_damage(raw: bytes) -> None:
    end = raw.rindex(b"\xff\xd9")
    left = raw[:end] + bytes(4) + raw[end:]
    np.testing.assert_array_equal(decode_photo(left, "a"), decode_photo(raw, "b"))


@pytest.mark.parametrize("progressive", [0, 1])
def test_a_whole_picture_is_decoded_whatever_its_kind(progressive: int) -> None:
    pixels = np.full((240, 320, 3), (40, 90, 200), np.uint8)
    done, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_PROGRESSIVE, progressive])
    assert done
    assert np.abs(decode_photo(jpeg.tobytes(), "drawn.jpg").astype(int) - pixels).max() <= 3
