"""Figures of the watcher, run by hand: ``python -m benchmarks.watcher speed|latency|soak|games``.

speed     milliseconds a frame of 640 x 480, at rest, under a hand, and while things move
latency   seconds from the last motion to the allocation, with a video at its own speed
soak      memory over 20,000 frames (about a minute)
games     whole drawn games of 42 flicks at 640 x 480, for several seeds (minutes)
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import cv2
import numpy as np

from sonora_vision.calibrate.profile import load_profile
from sonora_vision.camera.source import Frame, Pixels
from sonora_vision.camera.video import VideoFile
from sonora_vision.pipeline import read_pixels
from sonora_vision.score.sonora import allocate
from sonora_vision.watch.session import ReadingMade, Session
from sonora_vision.watch.stills import AveragingReader
from sonora_vision.watch.watcher import Watcher
from tests.watch.drawn_game import DrawnCamera, write_game

LIMIT_MS = 4.0
LIMIT_S = 1.5


@click.group()
def main() -> None:
    """Measure the watcher."""


@main.command()
@click.option("--count", default=400, show_default=True)
def speed(count: int) -> None:
    """Time each kind of frame."""
    scenes, corners_share = _scenes()
    watcher, number = Watcher(), 0
    for name, pictures in scenes.items():
        wall_ms, cpu_ms = [], []
        for pixels_bgr in islice(cycle(pictures), count):
            frame = Frame(pixels_bgr=pixels_bgr, at_s=number / 30, number=number)
            number += 1
            wall, cpu = time.perf_counter(), time.process_time()
            status = watcher.see(frame)
            wall_ms.append(1e3 * (time.perf_counter() - wall))
            cpu_ms.append(1e3 * (time.process_time() - cpu))
            if status.want in ("reading", "confirmation"):
                watcher.accept(corners_share, discs=0)
        click.echo(
            f"{name:12} median {np.median(wall_ms):.2f} ms, 95 % under"
            f" {np.percentile(wall_ms, 95):.2f} ms, processor {np.mean(cpu_ms):.2f} ms"
            f" (limit {LIMIT_MS:g} ms)"
        )


def _scenes() -> tuple[dict[str, list[Pixels]], np.ndarray]:
    """Pictures of a drawn board with noise: at rest, with a hand, moving, with a lamp."""
    game = write_game(4, size_px=(640, 480))
    rng = np.random.default_rng(1)
    first, second = game.script.scenes[0], game.script.scenes[1]
    rest, truth = first.stage.draw([], rng)
    hand, _ = second.stage.draw(list(second.discs.values()), rng, hands=second.hands)

    def noisy(pixels_bgr: Pixels, light: float = 1.0) -> list[Pixels]:
        noise = rng.normal(0.0, 2.0, (8, *pixels_bgr.shape))
        return [np.clip(light * pixels_bgr + n, 0, 255).astype(np.uint8) for n in noise]

    at_rest, with_hand = noisy(rest), noisy(hand)
    moving = [p for pair in zip(at_rest, with_hand, strict=True) for p in pair]
    scenes = {"at rest": at_rest, "hand": with_hand, "hand moving": moving}
    scenes |= {"at rest again": at_rest, "lamp": noisy(rest, 1.2)}
    return scenes, np.array(truth["corners_px"]) / [640, 480]


@main.command()
@click.argument("profile_path", type=click.Path(path_type=Path))
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--rate", default=15.0, show_default=True, help="Frames a second of the video.")
@click.option("--times", default=5, show_default=True)
def latency(profile_path: Path, before: Path, after: Path, rate: float, times: int) -> None:
    """Play a video of two photographs with motion in between, at its own speed, and read it."""
    profile = load_profile(profile_path)
    pictures = [cv2.imread(str(path)) for path in (before, after)]
    size_px = (pictures[0].shape[1], pictures[0].shape[0])
    still_s, motion_s = 8.0, 1.0
    with TemporaryDirectory() as folder:
        path = Path(folder) / "video.avi"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, size_px)
        for index in _play_list(rate, still_s, motion_s):
            writer.write(pictures[index])
        writer.release()
        lasted = [_one(path, profile, still_s + motion_s) for _ in range(times)]
    click.echo(
        f"from last motion to allocation, {size_px[0]} x {size_px[1]} at {rate:g} Hz: "
        + ", ".join(f"{v:.2f}" for v in lasted)
        + f" s (limit {LIMIT_S:g} s)"
    )


def _play_list(rate: float, still_s: float, motion_s: float) -> Iterator[int]:
    yield from [0] * round(rate * still_s)
    yield from (k % 2 for k in range(round(rate * motion_s)))
    yield from [1] * round(rate * still_s)


def _one(path: Path, profile: object, last_motion_s: float) -> float:
    """Seconds of real time from the last motion of the video to the allocation."""
    began: list[float] = []

    def opened() -> VideoFile:
        began.append(time.monotonic())
        return VideoFile(path, real_time=True)

    reader = AveragingReader(lambda pixels, name: read_pixels(pixels, profile, name).reading)  # type: ignore[arg-type]
    for event in Session(opened, reader).run():
        if isinstance(event, ReadingMade) and event.at_s > last_motion_s:
            allocate(event.reading, sorted({disc.color for disc in event.reading.discs}))
            return time.monotonic() - began[0] - last_motion_s
    raise SystemExit("the board was not read after the motion")


@main.command()
@click.option("--frames", default=20_000, show_default=True)
def soak(frames: int) -> None:
    """Watch a looping game with readings, and report the memory at every tenth."""
    game = write_game(4, size_px=(640, 480))
    camera = DrawnCamera(game)
    kept = [
        (frame.pixels_bgr, camera._scene, dict(camera._truth))
        for frame in islice(camera.frames(), 300)
    ]

    class Loop(DrawnCamera):
        def frames(self) -> Iterator[Frame]:
            for number, (pixels_bgr, scene, truth) in enumerate(islice(cycle(kept), frames)):
                self._pixels, self._scene, self._truth = pixels_bgr, scene, truth
                self._at_s = number / 10.0
                if number % (frames // 10) == 0:
                    gc.collect()
                    click.echo(f"{number:6} frames: {_memory_mb():.1f} MB, {readings} readings")
                yield Frame(pixels_bgr=pixels_bgr, at_s=self._at_s, number=number)

    readings = 0
    loop = Loop(game)
    for event in Session(lambda: loop, AveragingReader(loop.read)).run():
        readings += isinstance(event, ReadingMade)
    gc.collect()
    click.echo(f"{frames:6} frames: {_memory_mb():.1f} MB, {readings} readings")


def _memory_mb() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


@main.command()
@click.argument("seeds", nargs=-1, type=int)
def games(seeds: tuple[int, ...]) -> None:
    """Watch whole games; every flick must be reported once."""
    for seed in seeds or (4, 5, 6):
        game = write_game(seed, size_px=(640, 480), steps=3)
        camera = DrawnCamera(game)
        events = list(Session(lambda c=camera: c, AveragingReader(camera.read)).run())  # type: ignore[misc]
        flicked = [
            (h.color, h.number)
            for event in events
            if isinstance(event, ReadingMade)
            for h in event.report.flicked
        ]
        script = game.script.flicks
        missed = [f for f in script if f not in flicked]
        click.echo(
            f"seed {seed}: {len(script)} flicks, {len(flicked)} reported,"
            f" {'all in order' if flicked == script else f'DIFFERENT, e.g. {missed[:3]}'};"
            f" read under a hand: {camera.read_under_hands}"
        )


if __name__ == "__main__":
    main()
