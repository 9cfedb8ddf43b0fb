"""``sonora-vision bench``: how long reading takes here, stage by stage."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from sonora_vision import terminal
from sonora_vision.calibrate.profile import Profile, load_profile
from sonora_vision.cli import complain
from sonora_vision.commands.options import photos_argument, profile_option
from sonora_vision.errors import UnreadableError, UsageError
from sonora_vision.stopwatch import Timings, time_reading
from sonora_vision.teaching import calibrate_rig

SAMPLES = Path(__file__).parents[2] / "sample_images" / "mesa"


@click.command()
@photos_argument()
@profile_option()
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="How often each photo is read.",
)
@click.pass_context
def command(
    ctx: click.Context, photos: tuple[Path, ...], profile_path: Path | None, runs: int
) -> None:
    """Time the reading of PHOTOS, and compare with the least that any reader must do.

    That is to decode the file and to resample it once. Both run on one core. Without PHOTOS the
    sample images are read.
    """
    terminal.keep_stderr_to_ourselves()
    profile, photos = _subject(photos, profile_path)
    out = terminal.results()
    refused = 0
    with terminal.progress(counted=True) as bar:
        task = bar.add_task("timing", total=len(photos))
        for photo in photos:
            try:
                out.print(_table(photo, time_reading(photo, profile, runs)))
            except UnreadableError as error:
                refused += 1
                complain(str(error))
            bar.advance(task)
    if refused:
        complain(f"{refused} of {len(photos)} photos could not be read")
        ctx.exit(1)


def _subject(
    photos: tuple[Path, ...], profile_path: Path | None
) -> tuple[Profile, tuple[Path, ...]]:
    if photos and profile_path is not None:
        return load_profile(profile_path), photos
    if photos or profile_path is not None:
        raise click.UsageError("expected PHOTO and --profile together, or neither")
    if not SAMPLES.is_dir():
        raise UsageError(f"{SAMPLES}: the sample images are not here; give a PHOTO and --profile")
    return calibrate_rig(SAMPLES), tuple(sorted((SAMPLES / "photos").glob("*.jpg")))


def _table(photo: Path, timings: Timings) -> Table:
    table = terminal.plain_table(photo.name, "stage", "least", "median", "of the floor")
    for timing in (*timings.stages, timings.whole, timings.floor):
        ratio = timing.least_s / timings.floor.least_s
        table.add_row(timing.stage, _ms(timing.least_s), _ms(timing.median_s), f"{ratio:.1f}")
    if timings.peak_mb is not None:
        table.add_row("peak memory", f"{timings.peak_mb:.0f} MB", "", "")
    return table


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"
