"""``sonora-vision evaluate``: how good the readings of a rig's photographs are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from sonora_vision import batch, terminal
from sonora_vision.cli import complain
from sonora_vision.commands.options import game_option, jobs_option, profile_option
from sonora_vision.errors import UsageError
from sonora_vision.evaluate import (
    Figures,
    PhotoResult,
    calls_of,
    centers_by_state,
    figures,
    judge_photo,
    remarks,
)
from sonora_vision.observation import Reading
from sonora_vision.reading_file import load_reading, reading_from_json, reading_to_json
from sonora_vision.reliability import ReliabilityBin, draw_reliability, reliability
from sonora_vision.truth_file import Truth, load_truth


@click.command()
@click.argument("rig", type=click.Path(path_type=Path))
@profile_option(required=True)
@game_option
@click.option(
    "--readings",
    "reading_dir",
    type=click.Path(path_type=Path),
    help="Measure the readings in this folder instead of reading the photos.",
)
@click.option(
    "--curve", type=click.Path(path_type=Path), help="Draw the reliability curve to this PNG."
)
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="How many mistakes to list.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@jobs_option
@click.pass_context
def command(
    ctx: click.Context,
    rig: Path,
    profile_path: Path,
    game: str,
    reading_dir: Path | None,
    curve: Path | None,
    worst: int,
    as_json: bool,
    jobs: int,
) -> None:
    """Measure the readings of RIG/photos against RIG/truth."""
    terminal.keep_stderr_to_ourselves()
    truths = _truths(rig)
    if reading_dir:
        readings = _saved_readings(reading_dir, list(truths))
    else:
        readings = _fresh_readings(rig, list(truths), profile_path, jobs, game)
    photos = [judge_photo(truth, readings.get(stem), stem=stem) for stem, truth in truths.items()]
    bins = reliability(calls_of(photos))
    if curve:
        batch.save_picture(curve, draw_reliability(bins))
    if as_json:
        click.echo(json.dumps(_as_json(photos, bins)))
    else:
        _print(photos, bins, worst)
    if any(not photo.read for photo in photos):
        ctx.exit(1)


def _truths(rig: Path) -> dict[str, Truth]:
    """Load the truth of every photograph, by the photograph's stem."""
    files = sorted((rig / "truth").glob("*.json"))
    if not files:
        raise UsageError(f"{rig / 'truth'}: expected one JSON file a photo, got none")
    return {file.stem: load_truth(file) for file in files}


def _saved_readings(folder: Path, stems: Sequence[str]) -> dict[str, Reading]:
    files = {stem: folder / f"{stem}.json" for stem in stems}
    return {stem: load_reading(file) for stem, file in files.items() if file.exists()}


def _fresh_readings(
    rig: Path, stems: Sequence[str], profile_path: Path, processes: int, game: str
) -> dict[str, Reading]:
    """Read the photographs that have a truth, rounded as their files would be."""
    jobs = batch.plan(list(_photos(rig, stems)))
    readings = {}
    with terminal.progress(counted=True) as bar:
        task = bar.add_task("reading", total=len(jobs))
        for outcome in batch.run(jobs, profile_path, processes=processes, game=game):
            photo = outcome.job.photo
            if outcome.reading is None:
                complain(outcome.refusal or f"{photo}: not read")
            else:
                written = reading_to_json(outcome.reading)
                readings[photo.stem] = reading_from_json(written, str(photo))
            bar.advance(task)
    return readings


def _photos(rig: Path, stems: Sequence[str]) -> Iterator[Path]:
    """Find each truth's photograph; one that is missing is refused like any other."""
    found = {photo.stem: photo for photo in batch.photos_in([rig / "photos"])}
    for stem in stems:
        yield found.get(stem, rig / "photos" / f"{stem}.jpg")


def _as_json(photos: Sequence[PhotoResult], bins: Sequence[ReliabilityBin]) -> dict[str, object]:
    by_state = centers_by_state(photos)
    return asdict(figures(photos)) | {
        "reliability": [asdict(each) for each in bins],
        "by_state": {
            state: {"found": each.found, "mean_error_mm": each.mean_mm, "z_rms": each.z_rms}
            for state, each in by_state.items()
        },
        "remarks": {photo.stem: notes for photo in photos if (notes := remarks(photo))},
    }


def _print(photos: Sequence[PhotoResult], bins: Sequence[ReliabilityBin], worst: int) -> None:
    out = terminal.results()
    out.print(terminal.figure_table(_rows(figures(photos)), title="figures"))
    table = terminal.plain_table("reliability", "stated p", "calls", "mean p", "right")
    for each in bins:
        table.add_row(
            f"{each.low:g} to {each.high:g}",
            str(each.calls),
            f"{each.mean_p:.3f}",
            f"{each.right_share:.3f}",
        )
    out.print(table)
    table = terminal.plain_table("center by state", "state", "found", "mean error", "z rms")
    for state, each_state in centers_by_state(photos).items():
        table.add_row(
            state, str(each_state.found), f"{each_state.mean_mm:.2f} mm", f"{each_state.z_rms:.2f}"
        )
    out.print(table)
    lines = [f"{photo.stem}: {note}" for photo in photos for note in remarks(photo)]
    for line in lines[:worst]:
        out.print(line, markup=False)
    if len(lines) > worst:
        out.print(f"... and {len(lines) - worst} more (--worst N)", markup=False)


def _rows(run: Figures) -> list[tuple[str, str]]:
    """Write the figures out, counts with their share of what they are counted among."""
    among = {
        "exact": run.photos,
        "safe": run.photos,
        "found": run.seen,
        "color": run.seen,
        "number": run.seen,
        "section": run.seen,
        "doubted": run.clear,
        "sure_right": run.sure,
    }
    rows = []
    for name, value in asdict(run).items():
        text = "-" if value is None else str(value)
        if among.get(name):
            text += f" ({100 * value / among[name]:.1f}%)"
        rows.append((name, text))
    return rows
