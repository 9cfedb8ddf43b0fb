"""The lens of a session of the wizard: views of the target that count, and what they say."""

from __future__ import annotations

from pathlib import Path

from sonora_vision.calibrate.file_format import write_bytes_atomically
from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.photo import decode_photo
from sonora_vision.calibrate.target_pdf import TARGET
from sonora_vision.calibrate.wizard.lens_views import (
    LensProgress,
    LensView,
    check_new,
    check_same_camera,
    lens_from,
    progress,
    see_target,
)
from sonora_vision.errors import UsageError
from sonora_vision.web.wizard.files import ending

MAX_VIEWS = 40


class LensViews:
    """Views of the target, in the folder ``lens`` of a rig."""

    def __init__(self) -> None:
        self.views: list[LensView] = []
        self.lens: Lens | None = None
        self.progress: LensProgress | None = None

    def add(
        self, raw: bytes, name: str, folder: Path, board_px: tuple[int, int] | None = None
    ) -> str:
        """Add a picture of the target and return the name that it is stored under.

        Parameters
        ----------
        raw, name
            The picture.
        folder
            Where it is stored.
        board_px
            Size of the picture of the empty board, where there is one.

        Raises
        ------
        UnreadableError
            With the reason why it is no use.
        UsageError
            Where there are plenty already.
        """
        if len(self.views) >= MAX_VIEWS:
            raise UsageError(f"{name}: {MAX_VIEWS} views are there; that is plenty")
        stored = f"{len(self.views):02d}.{ending(raw)}"
        pixels = decode_photo(raw, name)
        if board_px is not None:
            size_px = (pixels.shape[1], pixels.shape[0])
            check_same_camera(name, size_px, "the picture of the empty board", board_px)
        view = see_target(pixels, name, TARGET)
        check_new(view, self.views)
        views = [*self.views, view]
        lens = lens_from(views, TARGET)
        told = progress(views, lens, TARGET)
        write_bytes_atomically(folder / stored, raw)
        self.views, self.lens, self.progress = views, lens, told
        return stored
