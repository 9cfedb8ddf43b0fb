"""Accents on pictures: each letter of a translated name can be seen, its mark above it."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import ImageFont

from sonora_vision.detect.annotate.accents import bare
from sonora_vision.detect.annotate.canvas import Lettering, Pixels, text_width_px

SIZE_PX = 60.0


def written(words: str) -> Pixels:
    lettering = Lettering(np.zeros((120, 400, 3), np.uint8))
    lettering.text((20, 90), words, (255, 255, 255), size_px=SIZE_PX)
    return lettering.pixels_bgr()


def test_a_marked_letter_is_its_letter_with_something_over_it() -> None:
    plain, marked = written("Canon"), written("Cañón")
    differ = np.argwhere((plain != marked).any(axis=2))
    assert len(differ) > 60
    small_letters_top = int(np.argwhere(written("nn")).min(axis=0)[0])
    assert differ[:, 0].max() < small_letters_top
    assert text_width_px("Cañón", SIZE_PX) == text_width_px("Canon", SIZE_PX)


@pytest.mark.parametrize("words", ["áéíóúüñ", "ÁÉÍÓÚÜÑ", "àâêîô"])
def test_no_letter_is_a_box(words: str) -> None:
    font = ImageFont.load_default(SIZE_PX)
    assert isinstance(font, ImageFont.FreeTypeFont)
    box = bytes(font.getmask("\uffff"))
    assert all(bytes(font.getmask(letter)) != box for letter in bare(words))


def test_a_capitals_mark_stays_off_the_letter() -> None:
    plain, marked = written("O"), written("Ó")
    top = int(np.argwhere(plain).min(axis=0)[0])
    differ = np.argwhere((plain != marked).any(axis=2))
    assert differ[:, 0].max() < top
