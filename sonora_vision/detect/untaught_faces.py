"""Numbers of discs whose faces nobody taught, read as the taught ones are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sonora_vision.detect.faces import FaceCrop, FaceEvidence
from sonora_vision.detect.general_digits import NumberReader


@dataclass(frozen=True, eq=False)
class UntaughtFaces:
    """Reads the board's numbers, alike for every color."""

    colors: tuple[str, ...]
    numbers: tuple[int, ...]
    reader: NumberReader

    def read(self, crops: Sequence[FaceCrop]) -> list[FaceEvidence]:
        """Say what each face tells of its number; no angles, for there is no taught face."""
        named = [replace(crop, colors=crop.colors or self.colors) for crop in crops]
        return self.reader.read(named, self.numbers)
