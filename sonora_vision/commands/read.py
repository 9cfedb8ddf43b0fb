"""``sonora-vision read``: photographs to readings, pictures and allocations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from sonora_vision import batch, terminal
from sonora_vision.calibrate.board_spec import BoardSpec, load_board
from sonora_vision.calibrate.clicks import Clicks, load_clicks
from sonora_vision.calibrate.file_format import fingerprint_of
from sonora_vision.calibrate.profile import load_profile
from sonora_vision.cli import complain
from sonora_vision.clicked import profile_of_photo
from sonora_vision.cluster import run_on_cluster
from sonora_vision.commands.options import (
    allocator,
    game_option,
    jobs_option,
    order_option,
    photos_argument,
    profile_option,
)
from sonora_vision.errors import FileFormatError, UnreadableError, UsageError
from sonora_vision.observation import Origin, Reading
from sonora_vision.reading_file import load_reading


@click.command()
@photos_argument(required=True)
@profile_option()
@click.option(
    "--board",
    "board_path",
    type=click.Path(path_type=Path),
    help="Without a profile: the board description of the one PHOTO,",
)
@click.option(
    "--clicks",
    "clicks_path",
    type=click.Path(path_type=Path),
    help="and what was clicked on it (see the clicks command).",
)
@order_option(help="Colors in turn order; the board's own order if not given.")
@game_option
@click.option(
    "--json",
    "reading_dir",
    type=click.Path(path_type=Path),
    help="Write each reading to this folder, as <photo's name>.json.",
)
@click.option(
    "--annotate",
    "picture_dir",
    type=click.Path(path_type=Path),
    help="Draw what was seen into this folder, as <photo's name>.png.",
)
@click.option("--resume", is_flag=True, help="Pass over photos that --json has a reading of.")
@jobs_option
@click.option(
    "--dask",
    "scheduler",
    metavar="ADDRESS",
    help="Read on a Dask cluster, as tcp://host:8786; its workers see the files by the same paths.",
)
@click.pass_context
def command(
    ctx: click.Context,
    photos: tuple[Path, ...],
    profile_path: Path | None,
    board_path: Path | None,
    clicks_path: Path | None,
    order: tuple[str, ...],
    game: str,
    reading_dir: Path | None,
    picture_dir: Path | None,
    resume: bool,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Read PHOTOS (files or folders) and say what each player records.

    Expected is either --profile, or --board and --clicks for one photograph without a rig.
    """
    terminal.keep_stderr_to_ourselves()
    if resume and reading_dir is None:
        raise UsageError("--resume: expected --json DIR with it, to know what is read already")
    allocate = allocator(game)
    lesson = _lesson(profile_path, board_path, clicks_path, photos)
    order = order or lesson.board.discs.colors
    planned = batch.plan(batch.photos_in(photos), reading_dir=reading_dir, picture_dir=picture_dir)
    for other in batch.passed_over(photos):
        complain(f"{other}: passed over, only JPEG and PNG are read; export it as JPEG")
    todo = [job for job in planned if not (resume and _is_done(job, lesson.fingerprint, game))]
    if len(todo) < len(planned):
        done = len(planned) - len(todo)
        complain(f"--resume: {done} of {len(planned)} photos are read already, passed over")
    out = terminal.results()
    refused = 0
    with terminal.progress(counted=True) as bar:
        task = bar.add_task("reading", total=len(todo))
        for outcome in _run(todo, lesson, jobs, game, scheduler):
            if outcome.reading is None:
                refused += 1
                complain(outcome.refusal or f"{outcome.job.photo}: not read")
            else:
                title = _title(outcome.job.photo, outcome.reading)
                worth = allocate(outcome.reading, order)
                out.print(terminal.outcome_table(worth, title=title))
                for warning in worth.warnings:
                    complain(f"{outcome.job.photo}: {warning}")
            bar.advance(task)
    if refused:
        complain(f"{refused} of {len(todo)} photos could not be read")
        ctx.exit(1)


@dataclass(frozen=True, kw_only=True)
class _Lesson:
    """What photographs are read with: a saved profile, or clicks on the one photograph."""

    board: BoardSpec
    profile_path: Path | None
    clicks: Clicks | None
    fingerprint: str
    """Of the files that the lesson is in."""


def _lesson(
    profile_path: Path | None,
    board_path: Path | None,
    clicks_path: Path | None,
    photos: tuple[Path, ...],
) -> _Lesson:
    """Load what the options name.

    Raises
    ------
    click.UsageError
        Where they name neither or both of a profile and clicks.
    """
    if profile_path is not None and board_path is None and clicks_path is None:
        board = load_profile(profile_path).board
        fingerprint = fingerprint_of(profile_path)
        return _Lesson(board=board, profile_path=profile_path, clicks=None, fingerprint=fingerprint)
    if profile_path is not None or board_path is None or clicks_path is None:
        raise click.UsageError(
            "expected either --profile, or --board and --clicks together for a photograph without "
            "a rig"
        )
    if len(photos) != 1 or batch.is_folder(photos[0]):
        raise click.UsageError(
            "--clicks: expected one PHOTO with it: clicks belong to one photograph"
        )
    board = load_board(board_path)
    return _Lesson(
        board=board,
        profile_path=None,
        clicks=load_clicks(clicks_path, board),
        fingerprint=fingerprint_of(board_path, clicks_path),
    )


def _run(
    todo: Sequence[batch.Job], lesson: _Lesson, processes: int, game: str, scheduler: str | None
) -> Iterator[batch.Outcome]:
    if scheduler is not None:
        if lesson.profile_path is None:
            raise click.UsageError("--dask: expected --profile with it")
        yield from run_on_cluster(todo, lesson.profile_path, address=scheduler, game=game)
        return
    if lesson.profile_path is not None:
        yield from batch.run(todo, lesson.profile_path, processes=processes, game=game)
        return
    assert lesson.clicks is not None
    for job in todo:
        try:
            profile = profile_of_photo(job.photo, lesson.board, lesson.clicks)
        except UnreadableError as error:
            yield batch.Outcome(job=job, refusal=str(error))
        else:
            yield batch.attempt(job, profile, game, made_with=lesson.fingerprint)


def _is_done(job: batch.Job, made_with: str, game: str) -> bool:
    """Whether a job's files are all there, whole, and made from this photo by this lesson."""
    if job.reading_file is None or not job.reading_file.exists():
        return False
    if job.picture_file and not job.picture_file.exists():
        return False
    try:
        origin = load_reading(job.reading_file).origin
        wanted = Origin(photo=fingerprint_of(job.photo), profile=made_with, game=game)
    except FileFormatError as error:
        complain(f"{error}; the photo is read again")
        return False
    except OSError:
        return False  # reading will say what is wrong with the photo
    if origin != wanted:
        why = (
            "does not say what it was made from" if origin is None else _difference(origin, wanted)
        )
        complain(f"{job.reading_file}: {why}; the photo is read again")
    return origin == wanted


def _difference(origin: Origin, wanted: Origin) -> str:
    """Say what another reading was made from, in words."""
    others = [
        words
        for words, other in (
            ("another photo", origin.photo != wanted.photo),
            ("another profile", origin.profile != wanted.profile),
            (f"the rules of {origin.game}", origin.game != wanted.game),
        )
        if other
    ]
    return f"was made from {' and '.join(others)}"


def _title(photo: Path, reading: Reading) -> str:
    pose = reading.pose
    return (
        f"{photo.name}: {reading.board}, turned {pose.turn_deg:.0f}°, {len(reading.discs)} discs, "
        f"{sum(bool(disc.doubts) for disc in reading.discs)} in doubt"
    )
