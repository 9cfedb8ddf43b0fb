"""Reading many photographs with all cores, and going on past those that cannot be read."""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from sonora_vision.calibrate.file_format import fingerprint_of, write_bytes_atomically
from sonora_vision.calibrate.profile import Profile, load_profile
from sonora_vision.detect.annotate import draw_sight
from sonora_vision.errors import SonoraError, UnreadableError, UsageError
from sonora_vision.observation import Origin, Reading
from sonora_vision.one_core import keep_to_one_core
from sonora_vision.pipeline import read_photo
from sonora_vision.reading_file import save_reading
from sonora_vision.score.game import board_game

PHOTO_ENDINGS = frozenset({".jpg", ".jpeg", ".png"})
OTHER_ENDINGS = frozenset(
    {".avif", ".bmp", ".dng", ".gif", ".heic", ".heif", ".jxl", ".tif", ".tiff", ".webp"}
)
"""Pictures as well, but none that are read: they are not passed over without a word."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One photograph to read, and where its results go."""

    photo: Path
    reading_file: Path | None = None
    picture_file: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one job: a reading, or the reason why there is none."""

    job: Job
    reading: Reading | None = None
    refusal: str | None = None


def photos_in(paths: Iterable[Path]) -> list[Path]:
    """Return the photographs that paths name, with folders replaced by what is in them.

    Raises
    ------
    UsageError
        If a folder holds no photograph, or cannot be listed.
    """
    photos: list[Path] = []
    for path in paths:
        if not is_folder(path):
            photos.append(path)
            continue
        found = _with_endings(path, PHOTO_ENDINGS)
        if not found:
            endings = ", ".join(sorted(PHOTO_ENDINGS))
            others = ", ".join(each.name for each in _with_endings(path, OTHER_ENDINGS)[:3])
            raise UsageError(
                f"{path}: expected photographs ({endings}) in this folder, got "
                + (f"{others}; export them as JPEG" if others else "none")
            )
        photos += found
    return photos


def passed_over(paths: Iterable[Path]) -> list[Path]:
    """Return the pictures in the folders among these paths that :func:`photos_in` leaves out."""
    return [
        each for path in paths if is_folder(path) for each in _with_endings(path, OTHER_ENDINGS)
    ]


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; one that cannot be looked at is a photo that cannot be read."""
    try:
        return path.is_dir()
    except OSError:  # a closed folder above it, a name that is too long
        return False


def _with_endings(folder: Path, endings: frozenset[str]) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.suffix.lower() in endings)
    except OSError as error:
        raise UsageError(
            f"{folder}: expected a folder that may be listed, got: {error.strerror}; give yourself "
            "the right to read it"
        ) from None


def plan(
    photos: Sequence[Path], *, reading_dir: Path | None = None, picture_dir: Path | None = None
) -> list[Job]:
    """Say where each photograph's results go.

    Raises
    ------
    UsageError
        If two photographs would write the same file.
    """
    stems = Counter(photo.stem for photo in photos)
    twice = [stem for stem, times in stems.items() if times > 1]
    if twice and (reading_dir or picture_dir):
        raise UsageError(
            f"photos: expected names that differ, got {stems[twice[0]]} called {twice[0]!r}, whose "
            "results would overwrite one another; rename them or read them in separate runs"
        )
    return [
        Job(
            photo=photo,
            reading_file=reading_dir and reading_dir / f"{photo.stem}.json",
            picture_file=picture_dir and picture_dir / f"{photo.stem}.png",
        )
        for photo in photos
    ]


def run(
    jobs: Sequence[Job], profile_path: Path, *, processes: int, game: str = "sonora"
) -> Iterator[Outcome]:
    """Read photographs and yield what became of each, in their order, as they come.

    Parameters
    ----------
    jobs : sequence of Job
        What to read; their files are written as soon as each is read.
    profile_path : Path
        The profile, loaded once a process.
    processes : int
        How many processes to use; 1 reads in this one.
    game : str
        Whose rules say what discs count for.

    Raises
    ------
    FileFormatError
        If the profile is no good, or results cannot be written.
    UsageError
        If there is no such game.
    """
    _profile(profile_path)  # a bad profile is one error, not one a photograph
    attempt = functools.partial(attempt_by_path, profile_path=profile_path, game=game)
    processes = min(processes, len(jobs))
    if processes > 1:
        yield from _in_workers(jobs, attempt, processes)
        return
    keep_to_one_core()
    yield from map(attempt, jobs)


Attempt = Callable[[Job], Outcome]


def _in_workers(jobs: Sequence[Job], attempt: Attempt, processes: int) -> Iterator[Outcome]:
    """Read with several processes.

    A worker that dies takes the others' work with it, so the photos that it may have died of are
    read one by one, and the rest by new workers.
    """
    left = deque(jobs)
    while left:
        pool = _pool(processes)
        try:
            for future in [pool.submit(attempt, job) for job in left]:
                outcome = future.result()
                left.popleft()
                yield outcome
        except BrokenProcessPool:
            # as many as were under way, and the one that waited next
            for _ in range(min(processes + 1, len(left))):
                yield _alone(left.popleft(), attempt)
        finally:
            pool.shutdown(cancel_futures=True)


def _alone(job: Job, attempt: Attempt) -> Outcome:
    pool = _pool(1)
    try:
        return pool.submit(attempt, job).result()
    except BrokenProcessPool:
        return Outcome(
            job=job,
            refusal=f"{job.photo}: the process that read it died (out of memory?); make the "
            "picture smaller, then read again with --resume",
        )
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(processes: int) -> ProcessPoolExecutor:
    # Forking this process would copy OpenCV's and BLAS's threads in whatever state they are in.
    start = "spawn" if sys.platform == "win32" else "forkserver"
    return ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context(start), initializer=_start_worker
    )


def cores() -> int:
    """Return how many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def save_picture(path: Path, pixels_bgr: cv2.typing.MatLike) -> None:
    """Write a PNG, whole or not at all."""
    done, png = cv2.imencode(".png", pixels_bgr)
    if not done:
        raise UsageError(f"{path}: the picture could not be encoded as PNG")
    write_bytes_atomically(path, png.tobytes())


def _start_worker() -> None:
    """Give each worker one core; Ctrl-C is the parent's to handle, who takes workers along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    keep_to_one_core()


def _end_with_parent() -> None:
    """Else a worker whose parent was killed waits for ever, and so does who reads its output."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


_fingerprint = functools.cache(fingerprint_of)


@functools.cache
def _profile(path: Path) -> Profile:
    return load_profile(path)


def attempt_by_path(job: Job, profile_path: Path, game: str) -> Outcome:
    """Read one photograph with a profile that is loaded once a process; see :func:`attempt`."""
    return attempt(job, _profile(profile_path), game, made_with=_fingerprint(profile_path))


def attempt(job: Job, profile: Profile, game: str, *, made_with: str) -> Outcome:
    """Read one photograph and write its files, the reading last: it says that all is done.

    ``made_with`` is the fingerprint of what the profile was loaded from.
    """
    assign = board_game(game).assign
    try:
        sight = read_photo(job.photo, profile, assign)
        if job.picture_file:
            save_picture(job.picture_file, draw_sight(sight, profile.board))
        if job.reading_file:
            origin = Origin(photo=fingerprint_of(job.photo), profile=made_with, game=game)
            save_reading(job.reading_file, replace(sight.reading, origin=origin))
    except UnreadableError as error:
        return Outcome(job=job, refusal=str(error))
    except SonoraError:
        raise  # a place that cannot be written fails every photo alike
    except Exception as error:  # noqa: BLE001 - a fault met on one photo must not lose the others
        fault = f"{type(error).__name__}: {error}"
        return Outcome(
            job=job, refusal=f"{job.photo}: a fault of this program ({fault}); please report it"
        )
    return Outcome(job=job, reading=sight.reading)
