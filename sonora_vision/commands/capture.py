"""``sonora-vision capture``: photographs from a camera into a rig folder."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import cast

import click
import cv2

from sonora_vision.calibrate.file_format import write_bytes_atomically
from sonora_vision.camera.bracket import Brackets, Photograph, photograph
from sonora_vision.camera.choose import open_source
from sonora_vision.camera.source import CameraError, Pixels
from sonora_vision.cli import complain

PLACES = {
    "photo": "photos/{:03d}.jpg",
    "lens": "lens/{:03d}.jpg",
    "empty": "teach/empty.jpg",
    "discs": "teach/discs.jpg",
}
QUALITY = 95


@click.command()
@click.argument("camera")
@click.argument("rig", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--as",
    "purpose",
    type=click.Choice(list(PLACES)),
    default="photo",
    show_default=True,
    help="What is to be seen: decides the file's place in the rig folder.",
)
@click.option("--stills", type=click.IntRange(1, 64), default=5, show_default=True)
@click.option(
    "--brackets",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Take shorter exposures too, and fuse them: where light clips, always, or never.",
)
@click.option("--replace", is_flag=True, help="Replace a teaching photo that is there already.")
def command(
    camera: str, rig: Path, purpose: str, stills: int, brackets: str, replace: bool
) -> None:
    """Take a photograph with CAMERA into the folder RIG; several stills are averaged."""
    path = _place(rig, purpose, replace=replace)
    with closing(open_source(camera)) as source:
        taken = photograph(source, stills=stills, brackets=cast(Brackets, brackets))
    _keep(taken, path)
    if taken.note:
        complain(f"{path}: {taken.note}")
    click.echo(path)


def _place(rig: Path, purpose: str, *, replace: bool) -> Path:
    """Choose the file: the first free number, or the one name that the rig folder has for it."""
    pattern = PLACES[purpose]
    if "{" in pattern:
        return next(p for n in range(1000) if not (p := rig / pattern.format(n)).exists())
    path = rig / pattern
    if path.exists() and not replace:
        raise CameraError(f"{path}: is there already; give --replace to take it anew")
    return path


def _keep(taken: Photograph, path: Path) -> None:
    """Write the photograph, and the exposures of a bracket beside it."""
    for index, exposure in enumerate(taken.exposures, start=1):
        name = f"{path.stem}-{index}of{len(taken.exposures)}.jpg"
        _write(path.parent / "exposures" / name, exposure)
    _write(path, taken.pixels_bgr)


def _write(path: Path, pixels_bgr: Pixels) -> None:
    good, encoded = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not good:
        raise CameraError(f"{path}: a picture of {pixels_bgr.shape} cannot be made into JPEG")
    write_bytes_atomically(path, encoded.tobytes())
