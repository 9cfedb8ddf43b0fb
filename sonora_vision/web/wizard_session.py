"""One calibration by hand on this server: its pictures, its answers, and what they make.

Nothing leaves the session until the owner presses Use. Pictures lie in a folder of its own, laid
out as a rig's, so that what the wizard makes is what the command line would make of that folder.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sonora_vision.calibrate.file_format import (
    json_text,
    write_bytes_atomically,
    write_text_atomically,
)
from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.photo import Pixels, decode_photo
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.target_pdf import TARGET
from sonora_vision.calibrate.usual_lens import SKIPPED_FILE, skipped_document, usual_lens
from sonora_vision.calibrate.wizard.assemble import board_of, rig_documents
from sonora_vision.calibrate.wizard.board_edits import edit_board
from sonora_vision.calibrate.wizard.disc_edits import check_discs, edit_discs
from sonora_vision.calibrate.wizard.draft import Draft
from sonora_vision.calibrate.wizard.lens_views import (
    LensProgress,
    LensView,
    check_new,
    lens_from,
    progress,
    see_target,
)
from sonora_vision.calibrate.wizard.placements import (
    CheckResult,
    Placement,
    choose_placements,
    measure_placements,
)
from sonora_vision.calibrate.wizard.propose_board import propose_board, trace_in_photo
from sonora_vision.calibrate.wizard.readiness import Readiness, judge_picture
from sonora_vision.errors import SonoraError, UnreadableError, UsageError
from sonora_vision.teaching import calibrate_rig
from sonora_vision.web.wizard_discs import propose_draft_discs
from sonora_vision.web.wizard_files import ending, save_picture, target_document

MAX_VIEWS = 40
MAX_UNDO = 100


class WizardSession:
    """The answers of one owner, and the steps that change them; safe to call from any thread.

    Parameters
    ----------
    profile_path
        Where Use saves the profile.
    rig_path
        Where Use also keeps pictures and answers; None to keep none.
    """

    def __init__(self, profile_path: Path, rig_path: Path | None = None) -> None:
        self.profile_path = profile_path
        self.rig_path = rig_path
        self.lock = threading.RLock()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._reset()

    def _reset(self) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()
        self._temporary = tempfile.TemporaryDirectory(prefix="sonora-wizard-")
        self.draft = Draft()
        self.readiness: Readiness | None = None
        self.views: list[LensView] = []
        self.lens_progress: LensProgress | None = None
        self.profile: Profile | None = None
        self.placements: tuple[Placement, ...] = ()
        self.result: CheckResult | None = None
        self._lens: Lens | None = None
        self._empty: Pixels | None = None
        self._discs: Pixels | None = None
        self._undo: list[Draft] = []
        for name in ("lens", "teach"):
            (self.folder / name).mkdir()

    @property
    def folder(self) -> Path:
        """The draft's folder, laid out as a rig's."""
        assert self._temporary is not None
        return Path(self._temporary.name)

    def close(self) -> None:
        """Forget everything and remove the pictures."""
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    def cancel(self) -> None:
        """Forget everything; a profile that was there stays."""
        with self.lock:
            self._reset()

    # The camera

    def judge(self, raw: bytes, name: str) -> Readiness:
        """Judge a picture of the board; keeps nothing of it."""
        pixels = decode_photo(raw, name)
        return self.judge_pixels(pixels)

    def judge_pixels(self, pixels: Pixels) -> Readiness:
        """Judge a picture that is in memory."""
        self.readiness = judge_picture(pixels, self._lens_for(pixels))
        return self.readiness

    # The lens

    def add_lens_picture(self, raw: bytes, name: str) -> None:
        """Add a picture of the target; raises UnreadableError with the reason if it is no use."""
        with self.lock:
            if len(self.views) >= MAX_VIEWS:
                raise UsageError(f"{name}: {MAX_VIEWS} views are there; that is plenty")
            stored = f"{len(self.views):02d}.{ending(raw)}"
            view = see_target(decode_photo(raw, name), name, TARGET)
            check_new(view, self.views)
            views = [*self.views, view]
            lens = lens_from(views, TARGET)
            write_bytes_atomically(self.folder / "lens" / stored, raw)
            self.lens_progress = progress(views, lens, self._lens)
            self.views, self._lens = views, lens
            self.draft = replace(
                self.draft, lens_views=(*self.draft.lens_views, stored), lens_skipped=False
            )
            self._outdated()

    def skip_lens(self) -> None:
        """Do without lens pictures."""
        with self.lock:
            self._clear_lens()
            self.draft = replace(self.draft, lens_skipped=True)

    def clear_lens(self) -> None:
        """Begin the lens again."""
        with self.lock:
            self._clear_lens()

    def _clear_lens(self) -> None:
        for name in self.draft.lens_views:
            (self.folder / "lens" / name).unlink(missing_ok=True)
        self.draft = replace(self.draft, lens_views=(), lens_skipped=False)
        self.views, self._lens, self.lens_progress = [], None, None
        self._outdated()

    @property
    def lens_settled(self) -> bool:
        """Whether there is a lens, or the owner does without."""
        return self._lens is not None or self.draft.lens_skipped

    def _lens_for(self, pixels: Pixels) -> Lens:
        size = (pixels.shape[1], pixels.shape[0])
        return usual_lens(size) if self._lens is None else self._lens.scaled_to(size)

    # The board

    def set_empty(self, raw: bytes, name: str) -> None:
        """Take a picture of the empty board and propose what is on it."""
        with self.lock:
            pixels = decode_photo(raw, name)
            lens = self._lens_for(pixels)
            readiness = judge_picture(pixels, lens)
            bad = [c.words for c in readiness.checks if c.light == "bad" and c.name != "board"]
            if bad:
                raise UnreadableError(f"{name}: {'; '.join(bad)}; take it again")
            board = propose_board(pixels, lens, replace(self.draft.board, corners_px=()))
            stored = save_picture(self.folder / "teach", "empty", raw)
            self._undo = []  # what was answered before belongs to another picture
            self._empty, self.readiness = pixels, readiness
            self.draft = replace(self.draft, board=board, empty_picture=stored)
            self._outdated()

    def propose_again(self) -> None:
        """Propose circles and borders anew, within the outline that the owner corrected."""
        with self.lock:
            pixels = self.empty_pixels()
            board = propose_board(pixels, self._lens_for(pixels), self.draft.board)
            self._remember()
            self.draft = replace(self.draft, board=board)
            self._outdated()

    def edit_board(self, edit: Mapping[str, Any]) -> None:
        """Apply one edit of the board."""
        with self.lock:
            pixels = self.empty_pixels()
            lens, board = self._lens_for(pixels), self.draft.board
            edited = edit_board(
                board, edit, lambda points: trace_in_photo(pixels, lens, board, points)
            )
            self._remember()
            self.draft = replace(self.draft, board=edited)
            self._outdated()

    def empty_pixels(self) -> Pixels:
        """Return the picture of the empty board."""
        if self._empty is None:
            raise UsageError("board: send the picture of the empty board first")
        return self._empty

    def picture(self, which: str) -> Pixels | None:
        """Return the picture of the empty board or of the discs, None before it came."""
        return self._empty if which == "empty" else self._discs

    def empty_lens(self) -> Lens:
        """Return the lens for the picture of the empty board."""
        return self._lens_for(self.empty_pixels())

    # The discs

    def set_discs(self, raw: bytes, name: str, height_mm: float, numbers: Sequence[int]) -> None:
        """Take a picture of all discs and propose which they are."""
        with self.lock:
            empty = self.empty_pixels()
            discs = replace(self.draft.discs, height_mm=height_mm, numbers=tuple(numbers), discs=())
            pixels = decode_photo(raw, name)
            try:
                found = propose_draft_discs(
                    empty, pixels, replace(self.draft, discs=discs), self._lens_for(empty)
                )
            except UnreadableError as error:
                raise UnreadableError(f"{name}: {error}") from None
            stored = save_picture(self.folder / "teach", "discs", raw)
            self._undo = []
            self._discs = pixels
            self.draft = replace(self.draft, discs=found, discs_picture=stored)
            self._outdated()

    def edit_discs(self, edit: Mapping[str, Any]) -> None:
        """Apply one edit of the discs."""
        with self.lock:
            edited = edit_discs(self.draft.discs, edit)
            self._remember()
            self.draft = replace(self.draft, discs=edited)
            self._outdated()

    # Undo

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back."""
        return bool(self._undo)

    def undo(self) -> None:
        """Take the last edit back, as far as it changed answers and not pictures."""
        with self.lock:
            if not self._undo:
                raise UsageError("undo: there is nothing to take back")
            before = self._undo.pop()
            self.draft = replace(self.draft, board=before.board, discs=before.discs)
            self._outdated()

    def _remember(self) -> None:
        self._undo = [*self._undo[-MAX_UNDO:], self.draft]

    def _outdated(self) -> None:
        self.profile, self.placements, self.result = None, (), None

    # The check

    def make_profile(self) -> Profile:
        """Make the profile of the answers; nothing is saved yet."""
        with self.lock:
            missing = check_discs(self.draft.discs)
            if missing:
                raise UsageError(f"discs: {'; '.join(missing)}")
            self.write_rig()
            self.profile = calibrate_rig(self.folder)
            self.placements = choose_placements(self.profile.board)
            self.result = None
            return self.profile

    def check(self, raw: bytes, name: str) -> CheckResult:
        """Read a picture with discs where they were to be put."""
        from sonora_vision.pipeline import read_pixels

        with self.lock:
            profile = self.made()
            reading = read_pixels(decode_photo(raw, name), profile, name).reading
            self.result = measure_placements(self.placements, reading)
            return self.result

    def made(self) -> Profile:
        """Return the profile that was made of the answers as they are."""
        if self.profile is None:
            raise UsageError("profile: make it first; answers have changed since")
        return self.profile

    def use(self) -> None:
        """Save the profile, in place of the old one, and the rig's folder if one is wanted."""
        with self.lock:
            profile = self.made()
            if self.rig_path is not None:
                self.save_rig(self.rig_path)
            profile.save(self.profile_path)

    def save_rig(self, path: Path) -> None:
        """Copy pictures and answers to a folder that calibrates without questions."""
        with self.lock:
            self.write_rig()
            try:
                shutil.copytree(self.folder, path, dirs_exist_ok=True)
            except (OSError, shutil.Error) as error:
                raise UsageError(f"{path}: the rig's folder cannot be written: {error}") from None

    def write_rig(self) -> None:
        """Write the answers beside the pictures; raises UsageError where some are missing."""
        draft, folder = self.draft, self.folder
        if not self.lens_settled:
            raise UsageError("lens: show the target, or choose to do without")
        pixels = self.empty_pixels()
        board, answers = rig_documents(draft, self._lens_for(pixels))
        write_text_atomically(folder / "board.json", json_text(board))
        write_text_atomically(folder / "teach" / "answers.json", json_text(answers))
        lens, skipped = folder / "lens", folder / "lens" / SKIPPED_FILE
        if draft.lens_skipped:
            write_text_atomically(skipped, json_text(skipped_document()))
            (lens / "charuco.json").unlink(missing_ok=True)
        else:
            skipped.unlink(missing_ok=True)
            write_text_atomically(lens / "charuco.json", json_text(target_document()))

    def problems(self) -> list[str]:
        """Say what keeps the answers from making a board; nothing where they do."""
        try:
            board_of(self.draft, self.empty_lens())
        except SonoraError as error:
            return [str(error)]
        return []
