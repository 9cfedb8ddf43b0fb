"""What discs are compared with: their taught paints and faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from sonora_vision.detect.align_face import TaughtInk, contrast_pictures
from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.faces import FaceCrop, FaceEvidence, Pixels
from sonora_vision.detect.rays import RimParams


class FaceReader(Protocol):
    """What tells the numbers of faces."""

    def read(self, crops: Sequence[FaceCrop]) -> list[FaceEvidence]:
        """Say what each face tells of its color and number."""
        ...


@dataclass(frozen=True, eq=False)
class References:
    """All that is known of how the discs look."""

    colors: DiscColors
    library: FaceReader
    """Reads numbers."""
    faces: Mapping[tuple[str, int], Pixels]
    """Taught pictures of the faces, about the disc's own centre; empty if none were taught."""
    rim: RimParams

    @cached_property
    def inks(self) -> dict[tuple[str, int], TaughtInk]:
        """The faces as they are aligned."""
        if not self.faces:
            return {}
        pictures = contrast_pictures(np.array(list(self.faces.values()), np.uint8))
        return {who: TaughtInk.of(each) for who, each in zip(self.faces, pictures, strict=True)}
