"""What can be taken back: answers as they were, with the pictures that they belong to."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from functools import cached_property

from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.wizard.draft import Draft

MAX_UNDO = 100
MAX_PICTURES = 4
"""Pictures that are kept to be brought back, with those of now: each is tens of megabytes."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """A picture that was taught with: as its file came, and decoded."""

    raw: bytes
    pixels: Pixels
    usual: Lens | None = None
    """Of the empty board: the lens by its straight sides, for owners who do without the target."""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.pixels.shape[1], self.pixels.shape[0]

    @cached_property
    def stamp(self) -> str:
        """Another one for another picture."""
        return f"{zlib.crc32(self.raw):08x}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Moment:
    """All that an edit, or another picture, changes."""

    draft: Draft
    pictures: dict[str, Picture]
    """By their stems: ``empty`` and ``discs``."""

    def changed(self, now: dict[str, Picture]) -> list[str]:
        """Return the stems of the pictures that others took the place of."""
        return [stem for stem, picture in self.pictures.items() if now[stem] is not picture]

    def answers_in(self, draft: Draft) -> Draft:
        """Return a draft with the answers of then; the lens is as it is now."""
        was = self.draft
        return replace(
            draft,
            board=was.board,
            discs=was.discs,
            empty_picture=was.empty_picture,
            discs_picture=was.discs_picture,
        )


class History:
    """Moments to go back to, the latest last."""

    def __init__(self) -> None:
        self._moments: list[Moment] = []

    def __len__(self) -> int:
        return len(self._moments)

    def add(self, moment: Moment) -> None:
        """Remember a moment; the oldest are forgotten where there are many, or many pictures."""
        self._moments = [*self._moments, moment][-MAX_UNDO:]
        while self._pictures() > MAX_PICTURES:
            del self._moments[0]

    def _pictures(self) -> int:
        return len({id(p) for moment in self._moments for p in moment.pictures.values()})

    def last(self) -> Moment:
        """Return the latest moment, which stays."""
        return self._moments[-1]

    def forget_last(self) -> None:
        """Forget the latest moment."""
        del self._moments[-1]

    def clear(self) -> None:
        """Forget all."""
        self._moments = []
