"""What discs are compared with: their taught paints and faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from sonora_vision.detect.align_face import contrast_picture
from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.faces import FaceCrop, FaceEvidence, Floats, Pixels
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
    def contrast(self) -> dict[tuple[str, int], Floats]:
        """The faces as they are aligned."""
        return {who: contrast_picture(pixels) for who, pixels in self.faces.items()}
