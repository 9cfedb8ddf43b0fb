"""From a still to the allocation on every phone, run by hand.

``python -m benchmarks.still_to_phones PROFILE PHOTOS``: the real server runs as a process of its
own, with a folder as the camera. Phones are seated and follow the table as their pages do: a stream
of events, and at each one the page anew. The host asks for the next photo again and again; the
clock runs from the still that is read.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import statistics
import threading
import time
import urllib.parse
import urllib.request
from collections import defaultdict
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

LIMIT_S = 1.0
PATIENCE_S = 30.0
STAGES = ("next photo", "first still", "last still", "read", "told", "heard", "shown", "all shown")
PIN = "135790"


@dataclass
class Times:
    """When what happened to the reading of each version, by the machine's monotonic clock."""

    of: dict[int, dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    changed: threading.Condition = field(default_factory=threading.Condition)

    def note(self, version: int, stage: str, at_s: float) -> None:
        with self.changed:
            self.of[version][stage].append(at_s)
            self.changed.notify_all()


@click.command()
@click.argument("profile", type=click.Path(path_type=Path))
@click.argument("photos", type=click.Path(path_type=Path))
@click.option("--times", default=12, show_default=True, help="Photos that are read.")
@click.option("--phones", default=4, show_default=True)
def main(profile: Path, photos: Path, times: int, phones: int) -> None:
    """Measure how long it takes until every phone shows what lies there."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with TemporaryDirectory() as folder:
        child = context.Process(target=_serve, args=(theirs, profile, photos, Path(folder)))
        child.start()
        try:
            _measure(ours, child.pid or 0, times, phones)
        finally:
            os.kill(child.pid or 0, signal.SIGTERM)
            child.join()


def _serve(pipe: Connection, profile: Path, photos: Path, folder: Path) -> None:
    """Run the server, and tell of each reading when its stills were taken and when it was read."""
    from sonora_vision.camera.choose import open_source
    from sonora_vision.table.events import Made, Player
    from sonora_vision.web import create_app
    from sonora_vision.web.live.watched import CameraLive
    from sonora_vision.web.serving.running import leave, run_table

    stills_s: list[float] = []
    lock = threading.Lock()

    def send(*what: Any) -> None:
        with lock:
            pipe.send(what)

    def open_camera() -> Any:
        source = open_source(str(photos), real_time=True, hold_s=float("inf"))
        still = source.still

        def timed() -> Any:
            stills_s.append(time.monotonic())
            return still()

        source.still = timed  # type: ignore[method-assign]
        return source

    def watch(reader: Any, tell: Any) -> CameraLive:
        readings: list[tuple[list[float], float]] = []
        version = 0

        def read(pixels_bgr: Any, name: str) -> Any:
            taken, stills_s[:] = stills_s[-3:], []
            seen = reader.read_first(pixels_bgr, name)
            readings.append((taken, time.monotonic()))
            return seen

        def told() -> None:
            nonlocal version
            latest = live.latest
            if latest is not None and latest.version != version:
                version = latest.version
                taken, read_s = readings[-1]
                send("read", version, latest.reading.image, taken, read_s, time.monotonic())
            tell()

        live = CameraLive(open_camera, read, told)
        return live

    app = create_app(profile, folder=folder, pin=PIN, open_camera=watch)
    table, secrets = app.extensions["sonora_table"], app.extensions["sonora_access"]
    board = table.board
    colors = tuple(board.discs.colors)
    seated = colors[:4]
    made = Made(
        name="bench",
        board=board.name,
        colors=colors,
        numbers=tuple(board.discs.numbers),
        players=tuple(Player(color=c, name=c, seat=i) for i, c in enumerate(seated)),
        first=seated[0],
        rounds=4,
    )
    game_id = table.tables.make(made)
    game = table.tables.game(game_id)
    codes = [secrets.seat_code(game_id, game, color) for color in seated]
    run_table(
        app,
        host="127.0.0.1",
        port=0,
        started=lambda port: send("started", port, game_id, codes),
    )
    leave()


def _measure(pipe: Connection, pid: int, times: int, phones: int) -> None:
    _, port, game_id, codes = pipe.recv()
    at, seen = f"http://127.0.0.1:{port}", Times()
    threading.Thread(target=_listen_to_server, args=(pipe, seen), daemon=True).start()
    for index in range(phones):
        code = codes[index % len(codes)]
        threading.Thread(target=_phone, args=(at, game_id, code, seen), daemon=True).start()
    host = Host(at)
    _wait(seen, lambda: any(len(stages["shown"]) >= phones for stages in seen.of.values()))
    rows, cpu_s = [], []
    for _ in range(times):
        time.sleep(4.0)  # the reading before this one is confirmed, and all is quiet
        before, cpu_before = max(seen.of), _processor_s(pid)
        asked_s = time.monotonic()
        host.post(f"/games/{game_id}/camera/next")
        new = _read_of_next(seen, before, phones)
        if new is None:
            click.echo("  a photo was not read (a hand in it, say); passed over")
            continue
        cpu_s.append(_processor_s(pid) - cpu_before)
        rows.append(_row(asked_s, seen.of[new], phones))
    _report(rows, cpu_s, phones)


def _read_of_next(seen: Times, before: int, phones: int) -> int | None:
    """Wait until all phones show a newer reading; return its version."""

    def shown() -> int | None:
        newer = (v for v in sorted(seen.of) if v > before)
        return next((v for v in newer if len(seen.of[v]["shown"]) >= phones), None)

    end_s = time.monotonic() + 8.0
    with seen.changed:
        seen.changed.wait_for(lambda: shown() is not None or time.monotonic() > end_s, 8.0)
        return shown()


def _row(asked_s: float, stages: dict[str, list[float]], phones: int) -> dict[str, float]:
    row = {stage: min(at_s) for stage, at_s in stages.items()}
    row["next photo"] = asked_s
    row["all shown"] = sorted(stages["shown"])[phones - 1]
    return row


def _report(rows: list[dict[str, float]], cpu_s: list[float], phones: int) -> None:
    click.echo(f"{len(rows)} readings, {phones} phones; seconds, median (longest):")
    for earlier, later in pairwise(STAGES):
        _line(f"{earlier} to {later}", [row[later] - row[earlier] for row in rows])
    whole = [row["all shown"] - row["last still"] for row in rows]
    _line("still to every phone", whole)
    _line("  from the first of the stills", [r["all shown"] - r["first still"] for r in rows])
    _line("server's processor time, each", cpu_s)
    over = sum(value > LIMIT_S for value in whole)
    click.echo(f"limit {LIMIT_S:g} s from the still: {over} of {len(whole)} over it")


def _line(name: str, values: list[float]) -> None:
    click.echo(f"  {name:32} {statistics.median(values):6.3f} ({max(values):.3f})")


def _listen_to_server(pipe: Connection, seen: Times) -> None:
    while True:
        try:
            _, version, _image, taken, read_s, told_s = pipe.recv()
        except EOFError:
            return
        for stage, at_s in (("first still", taken[0]), ("last still", taken[-1])):
            seen.note(version, stage, at_s)
        seen.note(version, "read", read_s)
        seen.note(version, "told", told_s)


def _phone(at: str, game_id: str, code: str, seen: Times) -> None:
    """Follow the table as a phone's page does."""
    browser = _browser()
    browser.open(f"{at}/join/{code}", timeout=PATIENCE_S).read()
    shown = 0
    try:
        with browser.open(f"{at}/games/{game_id}/stream", timeout=PATIENCE_S) as stream:
            for line in stream:
                if not line.startswith(b"event:"):
                    continue
                heard_s = time.monotonic()
                with browser.open(f"{at}/games/{game_id}/me", timeout=PATIENCE_S) as answer:
                    page = answer.read().decode()
                found = re.search(r"board-phone\.jpg\?v=live(\d+)", page)
                if found is not None and int(found[1]) > shown:
                    shown = int(found[1])
                    seen.note(shown, "heard", heard_s)
                    seen.note(shown, "shown", time.monotonic())
    except OSError:
        return  # the server has ended


class Host:
    """The host's browser."""

    def __init__(self, at: str) -> None:
        self._at, self._browser = at, _browser()
        with self._browser.open(f"{at}/", timeout=PATIENCE_S) as page:
            self._token = _token(page.read().decode())
        self.post("/host", pin=PIN)
        with self._browser.open(f"{at}/games", timeout=PATIENCE_S) as page:
            self._token = _token(page.read().decode())

    def post(self, path: str, **form: str) -> None:
        """Send a form, as a script does."""
        headers = {"X-CSRFToken": self._token, "Sec-Fetch-Mode": "cors"}
        sent = urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(self._at + path, sent, headers, method="POST")
        with self._browser.open(request, timeout=PATIENCE_S) as answer:
            answer.read()


def _browser() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))


def _token(page: str) -> str:
    found = re.search(r'name="csrf-token" content="([^"]+)"', page)
    if found is None:
        raise SystemExit("a page without the token of its forms")
    return found[1]


def _wait(seen: Times, so: Any) -> None:
    with seen.changed:
        if not seen.changed.wait_for(so, PATIENCE_S):
            raise SystemExit("the table was not read, or its phones do not show it")


def _processor_s(pid: int) -> float:
    """Processor time of a process and its threads so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
