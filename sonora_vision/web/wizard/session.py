"""One calibration by hand on this server: its pictures, its answers, and what they make.

Nothing leaves the session until the owner presses Use. Pictures lie in a folder of its own, laid
out as a rig's, so that what the wizard makes is what the command line would make of that folder.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.photo import Pixels, decode_photo
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.propose.straighten import straighten
from sonora_vision.calibrate.usual_lens import usual_lens
from sonora_vision.calibrate.wizard.assemble import place_draft
from sonora_vision.calibrate.wizard.board_edits import edit_board
from sonora_vision.calibrate.wizard.disc_edits import edit_discs
from sonora_vision.calibrate.wizard.draft import Draft, Step
from sonora_vision.calibrate.wizard.lens_views import LensProgress, LensView, check_same_camera
from sonora_vision.calibrate.wizard.placements import (
    CheckResult,
    Placement,
    choose_placements,
    measure_placements,
)
from sonora_vision.calibrate.wizard.propose_board import propose_board, trace_in_photo
from sonora_vision.calibrate.wizard.readiness import Readiness, judge_picture
from sonora_vision.errors import CalibrationError, SonoraError, UnreadableError, UsageError
from sonora_vision.teaching import calibrate_rig
from sonora_vision.web.wizard.discs import propose_draft_discs
from sonora_vision.web.wizard.files import (
    copy_rig,
    save_from_elsewhere,
    save_picture,
    write_answers,
)
from sonora_vision.web.wizard.history import History, Moment, Picture
from sonora_vision.web.wizard.lens import LensViews
from sonora_vision.web.wizard.missing import missing_answers
from sonora_vision.web.wizard.trial import Trial, read_trial


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
        self.profile: Profile | None = None
        self.placements: tuple[Placement, ...] = ()
        self.result: CheckResult | None = None
        self.trial: Trial | None = None
        self._lens = LensViews()
        self._pictures: dict[str, Picture] = {}
        self._history = History()
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
        self._require_target_s(pixels, name)
        empty = self.picture("empty")
        usual = empty.usual if empty is not None and empty.size_px == _size(pixels) else None
        self.readiness = judge_picture(pixels, self._lens_for(_size(pixels), usual))
        return self.readiness

    # The lens

    def add_lens_picture(self, raw: bytes, name: str) -> None:
        """Add a picture of the target; raises UnreadableError with the reason if it is no use."""
        with self.lock:
            empty = self.picture("empty")
            board_px = None if empty is None else empty.size_px
            stored = self._lens.add(raw, name, self.folder / "lens", board_px)
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
        self._lens = LensViews()
        self._outdated()

    @property
    def lens_settled(self) -> bool:
        """Whether there is a lens, or the owner does without."""
        return self._lens.lens is not None or self.draft.lens_skipped

    @property
    def views(self) -> list[LensView]:
        """The views of the target that count."""
        return self._lens.views

    @property
    def lens_progress(self) -> LensProgress | None:
        """How far they have come; None before the first."""
        return self._lens.progress

    def _require_target_s(self, pixels: Pixels, name: str) -> None:
        """Refuse a picture of the board that was not taken as those of the target were."""
        for view in self.views[:1]:
            check_same_camera(name, _size(pixels), "a picture of the target", view.size_px)

    def _lens_for(self, size_px: tuple[int, int], usual: Lens | None = None) -> Lens:
        """Return the lens of pictures of a size: the target's, else the usual one."""
        lens = self._lens.lens
        return (usual or usual_lens(size_px)) if lens is None else lens.scaled_to(size_px)

    # The board

    def set_empty(self, raw: bytes, name: str) -> None:
        """Take a picture of the empty board and propose what is on it."""
        with self.lock:
            pixels = decode_photo(raw, name)
            self._require_target_s(pixels, name)
            usual = straighten(pixels, usual_lens(_size(pixels)))
            lens = self._lens_for(_size(pixels), usual)
            readiness = judge_picture(pixels, lens)
            bad = [c.words for c in readiness.checks if c.light == "bad" and c.name != "board"]
            if bad:
                raise UnreadableError(f"{name}: {'; '.join(bad)}; take it again")
            board = propose_board(pixels, lens, replace(self.draft.board, corners_px=()))
            stored = self._take("empty", Picture(raw=raw, pixels=pixels, usual=usual))
            self.readiness = readiness
            self.draft = replace(self.draft, board=board, empty_picture=stored)
            self._outdated()

    def _take(self, stem: str, picture: Picture) -> str:
        """Keep a picture to teach with; one that was there before can be brought back."""
        if stem in self._pictures:
            self._remember()
        else:
            self._history.clear()
        self._pictures = self._pictures | {stem: picture}
        return save_picture(self.folder / "teach", stem, picture.raw)

    def propose_again(self) -> None:
        """Propose circles and borders anew, within the outline that the owner corrected."""
        with self.lock:
            board = propose_board(self.empty().pixels, self.empty_lens(), self.draft.board)
            self._remember()
            self.draft = replace(self.draft, board=board)
            self._outdated()

    def edit_board(self, edit: Mapping[str, Any]) -> None:
        """Apply one edit of the board."""
        with self.lock:
            pixels, lens, board = self.empty().pixels, self.empty_lens(), self.draft.board
            edited = edit_board(
                board, edit, lambda points: trace_in_photo(pixels, lens, board, points)
            )
            if edited.corners_px != board.corners_px:
                place_draft(edited, lens)  # refuses corners that no board has
            self._remember()
            self.draft = replace(self.draft, board=edited)
            self._outdated()

    def empty(self) -> Picture:
        """Return the picture of the empty board."""
        if "empty" not in self._pictures:
            raise UsageError("board: send the picture of the empty board first")
        return self._pictures["empty"]

    def picture(self, which: str) -> Picture | None:
        """Return the picture of the ``empty`` board or of the ``discs``, None before it came."""
        return self._pictures.get(which)

    def empty_lens(self) -> Lens:
        """Return the lens for the picture of the empty board."""
        empty = self.empty()
        return self._lens_for(empty.size_px, empty.usual)

    # The discs

    def set_discs(self, raw: bytes, name: str, height_mm: float, numbers: Sequence[int]) -> None:
        """Take a picture of all discs and propose which they are."""
        with self.lock:
            empty = self.empty()
            discs = replace(self.draft.discs, height_mm=height_mm, numbers=tuple(numbers), discs=())
            pixels = decode_photo(raw, name)
            check_same_camera(name, _size(pixels), "the picture of the empty board", empty.size_px)
            try:
                found = propose_draft_discs(
                    empty.pixels, pixels, replace(self.draft, discs=discs), self.empty_lens()
                )
            except UnreadableError as error:
                raise UnreadableError(f"{name}: {error}") from None
            stored = self._take("discs", Picture(raw=raw, pixels=pixels))
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
        """Whether there is something to take back."""
        return len(self._history) > 0

    def undo(self) -> None:
        """Take the last edit back, or the last picture that took another one's place."""
        with self.lock:
            if not self.can_undo:
                raise UsageError("undo: there is nothing to take back")
            before = self._history.last()
            empty = before.pictures["empty"]
            self._lens_for(empty.size_px, empty.usual)  # the lens may be another one since
            self._history.forget_last()
            for stem in before.changed(self._pictures):
                save_picture(self.folder / "teach", stem, before.pictures[stem].raw)
            self._pictures, self.draft = before.pictures, before.answers_in(self.draft)
            self._outdated()

    def _remember(self) -> None:
        self._history.add(Moment(draft=self.draft, pictures=self._pictures))

    def _outdated(self) -> None:
        self.profile, self.placements, self.result, self.trial = None, (), None, None

    # The check

    def make_profile(self) -> Profile:
        """Make the profile of the answers; nothing is saved yet."""
        with self.lock:
            missing = self.missing()
            if missing:
                raise UsageError("; ".join(words for _, words in missing))
            self.write_rig()
            try:
                self.profile = calibrate_rig(self.folder)
            except SonoraError as error:  # the owner knows of no such folder
                raise CalibrationError(str(error).replace(f"{self.folder}/", "")) from None
            self.placements = choose_placements(self.profile.board)
            self.result = self.trial = None
            return self.profile

    def missing(self) -> list[tuple[Step, str]]:
        """Say what keeps the answers from making a profile: the step, and what to do there."""
        lens = None if self.picture("empty") is None else self.empty_lens()
        return missing_answers(self.draft, lens, lens_settled=self.lens_settled)

    def check(self, raw: bytes, name: str) -> CheckResult:
        """Read a picture with discs where they were to be put."""
        with self.lock:
            trial = self.try_photo(raw, name)
            radius_mm = self.made().board.discs.radius_mm
            self.result = measure_placements(self.placements, trial.reading, radius_mm)
            return self.result

    def try_photo(self, raw: bytes, name: str) -> Trial:
        """Read a photograph of play with the profile that was made."""
        with self.lock:
            self.trial = read_trial(decode_photo(raw, name), name, self.made())
            return self.trial

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
                self.write_rig()
                copy_rig(self.folder, self.rig_path)
            profile.save(self.profile_path)

    def import_profile(self, raw: bytes, name: str) -> None:
        """Save a profile that was made elsewhere, if it is whole, in place of the old one."""
        with self.lock:
            save_from_elsewhere(raw, name, self.folder, self.profile_path)

    def write_rig(self) -> None:
        """Write the answers beside the pictures; raises UsageError where some are missing."""
        if not self.lens_settled:
            raise UsageError("lens: show the target, or choose to do without")
        write_answers(self.folder, self.draft, self.empty_lens())


def _size(pixels: Pixels) -> tuple[int, int]:
    return pixels.shape[1], pixels.shape[0]
