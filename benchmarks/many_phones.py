"""Many phones at one table, run by hand.

``python -m benchmarks.many_phones PROFILE PHOTO``: the real server runs as a process of its own, on
loopback, with a game whose round was read from the photo and is being written down. Each phone has
an address of its own, scans a seat's code, loads its page with all that belongs to it, and follows
the table as its script does: a stream of events, and after each the page anew. Phones tap at
random moments, as many taps a second in all as are asked for; a tap is answered by the page.
Ends with status 1 on any error, or where the 95th percentile of a kind of answer is over the limit.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import random
import re
import signal
import statistics
import sys
import threading
import time
import urllib.parse
from collections import defaultdict
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

LIMIT_S = 0.3
SPREAD_S = 0.15
"""After news a page waits for up to so long before it asks, so that not all ask in one instant."""
PIN = "135790"
_FILES = re.compile(r'(?:src|srcset|href)="(/(?:static|games)/[^" ]+\.\w+[^" ]*)"')


class Seen:
    """What all phones met: seconds of each kind of answer, and what went wrong."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []
        self._lock = threading.Lock()

    def note(self, kind: str, seconds: float) -> None:
        with self._lock:
            self.seconds[kind].append(seconds)

    def error(self, words: str) -> None:
        with self._lock:
            self.errors.append(words)


class Phone:
    """A browser on a phone: cookie, token, cached files, one connection, one stream."""

    def __init__(self, port: int, address: str, seen: Seen) -> None:
        self.port, self.address, self.seen = port, address, seen
        self.cookie = self.page = ""
        self.color: str | None = None
        self.cached: set[str] = set()
        self._connection: http.client.HTTPConnection | None = None
        self._turn = threading.Lock()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=30, source_address=(self.address, 0)
        )

    def ask(self, kind: str, method: str, path: str, form: dict[str, str] | None = None) -> bytes:
        """Send a request and go where its answer leads; notes how long all of it took."""
        began_s = time.perf_counter()
        with self._turn:
            for _ in range(4):
                status, headers, data = self._once(method, path, form)
                if status not in (302, 303):
                    break
                method, path, form = "GET", headers["location"], None
        self.seen.note(kind, time.perf_counter() - began_s)
        if status != 200:
            self.seen.error(f"{method} {path}: {status}")
        return data

    def _once(
        self, method: str, path: str, form: dict[str, str] | None
    ) -> tuple[int, dict[str, str], bytes]:
        headers = {"Cookie": self.cookie, "X-Requested-With": "fetch"}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self._connection = self._connection or self.connect()
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            data = answer.read()
        except (http.client.RemoteDisconnected, ConnectionResetError):
            self._connection = None  # it was idle for long; a browser opens another one, too
            return self._once(method, path, form)
        found = {name.lower(): value for name, value in answer.getheaders()}
        if "set-cookie" in found:
            self.cookie = found["set-cookie"].partition(";")[0]
        return answer.status, found, data

    def open(self, code: str) -> None:
        """Scan a code."""
        data = self.ask("first page", "GET", f"/join/{code}").decode()
        self.look(data)

    def look(self, data: str | None = None) -> None:
        """Load the page, and whatever belongs to it and is not kept yet."""
        if data is None:
            data = self.ask("page", "GET", self.page).decode()
        for found in re.findall(
            r'(?:src|srcset|href)="(/(?:static|games)/[^" ]+\.\w+[^" ]*)"', data
        ):
            if found not in self.cached:
                self.cached.add(found)
                self.ask("file" if "/static/" in found else "picture", "GET", found)

    def tap(self, game_id: str, sections: list[str]) -> None:
        """Tick a section, or take it back."""
        form = {
            "csrf_token": self.token,
            "kind": "ticked",
            "color": self.color or "",
            "section": random.choice(sections),
            "done": random.choice(["yes", "no"]),
            "action_id": f"{random.getrandbits(64):x}",
            "back": "me",
        }
        self.ask("tap", "POST", f"/games/{game_id}/act", form)

    token = ""

    def follow(self, game_id: str, heard: Any, stop: threading.Event) -> None:
        """Hear of news, and look."""
        connection = self.connect()
        connection.request("GET", f"/games/{game_id}/stream", headers={"Cookie": self.cookie})
        answer = connection.getresponse()
        if answer.status != 200:
            self.seen.error(f"stream: {answer.status}")
            return
        kind = ""
        for raw in answer:
            if stop.is_set():
                return
            line = raw.decode().strip()
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: ") and kind == "game":
                heard(int(line.removeprefix("data: ")))
                time.sleep(random.uniform(0, SPREAD_S))
                self.look()


@click.command()
@click.argument("profile", type=click.Path(path_type=Path))
@click.argument("photo", type=click.Path(path_type=Path))
@click.option("--phones", default=50, show_default=True)
@click.option("--seconds", default=30.0, show_default=True)
@click.option("--taps", default=2.0, show_default=True, help="Taps a second, of all together.")
def main(profile: Path, photo: Path, phones: int, seconds: float, taps: float) -> None:
    """Measure how long phones wait for their answers."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with TemporaryDirectory() as folder:
        child = context.Process(target=_serve, args=(theirs, profile, Path(folder)))
        child.start()
        try:
            over = _measure(ours, child.pid or 0, photo, phones, seconds, taps)
        finally:
            os.kill(child.pid or 0, signal.SIGTERM)
            child.join()
    sys.exit(over)


def _serve(pipe: Connection, profile: Path, folder: Path) -> None:
    from sonora_vision.web import create_app
    from sonora_vision.web.serving.running import leave, run_table

    app = create_app(profile, folder=folder, pin=PIN)
    token = app.extensions["sonora_access"].host_token()
    colors = list(app.extensions["sonora_table"].board.discs.colors[:4])
    run_table(app, host="127.0.0.1", port=0, started=lambda port: pipe.send((port, token, colors)))
    leave()


def _measure(
    pipe: Connection, pid: int, photo: Path, phones: int, seconds: float, taps: float
) -> int:
    port, token, colors = pipe.recv()
    host = _Host(port, token)
    game_id = host.write_phase(colors, photo.read_bytes())
    codes = {each["color"]: each["code"] for each in host.get(f"/games/{game_id}/codes")["codes"]}
    due = host.get(f"/games/{game_id}")["due"]
    seen, stop = Seen(), threading.Event()
    crowd = [Phone(port, f"127.0.1.{index + 1}", seen) for index in range(phones)]
    for index, phone in enumerate(crowd):
        phone.color = colors[index % len(colors)]
        phone.page = f"/games/{game_id}/me"
        phone.open(codes[phone.color])
        page = phone.ask("first page", "GET", phone.page).decode()
        phone.token = re.findall(r'name="csrf-token" content="([^"]+)"', page)[0]
    told: dict[int, float] = {}
    late: list[float] = []

    def heard(seq: int) -> None:
        at_s = time.perf_counter()
        late.append(at_s - told.setdefault(seq, at_s))

    threads = [
        threading.Thread(target=p.follow, args=(game_id, heard, stop), daemon=True) for p in crowd
    ]
    for thread in threads:
        thread.start()
    time.sleep(2.0)
    for kind in list(seen.seconds):
        click.echo(_line(f"while they join: {kind}", seen.seconds.pop(kind)))
    late.clear()
    tapping = [
        (phone, sections)
        for phone in crowd
        if (sections := [s for s in due[phone.color] if s != "ruins"])
    ]
    cpu_s, began_s = _processor_s(pid), time.perf_counter()
    workers = []
    while time.perf_counter() - began_s < seconds:
        phone, sections = random.choice(tapping)
        worker = threading.Thread(target=phone.tap, args=(game_id, sections))
        worker.start()
        workers.append(worker)
        time.sleep(random.expovariate(taps))
    for worker in workers:
        worker.join()
    time.sleep(1.0)
    stop.set()
    took_s = time.perf_counter() - began_s
    click.echo(f"{phones} phones, {len(workers)} taps in {took_s:.0f} s:")
    for kind, values in sorted(seen.seconds.items()):
        click.echo(_line(kind, values))
    click.echo(_line("first phone told to this one told", late))
    used = (_processor_s(pid) - cpu_s) / took_s
    click.echo(f"server: {used:.0%} of one core; {len(seen.errors)} errors")
    for words in sorted(set(seen.errors))[:10]:
        click.echo(f"  {words}")
    slow = [kind for kind, values in seen.seconds.items() if _percentile(values, 95) > LIMIT_S]
    click.echo(
        f"limit {LIMIT_S:g} s at the 95th percentile: " + (", ".join(slow) or "none over it")
    )
    return int(bool(seen.errors or slow))


class _Host:
    """The table's host, as a program."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def act(self, game_id: str, kind: str, **said: Any) -> Any:
        return self.ask("POST", f"/games/{game_id}/acts", {"event": {"kind": kind, **said}})

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        kind = "image/jpeg" if isinstance(body, bytes) else "application/json"
        raw = body if isinstance(body, bytes) else None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": kind}
        connection.request(method, f"/api/v1{path}", raw, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if answer.status >= 400:
            raise click.ClickException(f"{method} {path}: {answer.status} {data[:300]!r}")
        return json.loads(data)

    def write_phase(self, colors: list[str], photo: bytes) -> str:
        """Begin a game, read the photo, settle what is open, and record the Ruins."""
        players = [{"color": c, "name": c, "seat": i} for i, c in enumerate(colors)]
        new = {"name": "bench", "players": players, "first": colors[0], "rounds": 4}
        game_id = str(self.ask("POST", "/games", new)["id"])
        game = self.ask("POST", f"/games/{game_id}/photo", photo)
        while any(game["open"].values()):
            index = next(discs[0] for discs in game["open"].values() if discs)
            disc = next(p["disc"] for p in game["round"]["discs"] if p["index"] == index)
            if disc["number"] is None:
                of = game["round"]["recorded"]
                gone = {"disc": index, "put": None, "of": of}
                game = self.ask("POST", f"/games/{game_id}/repairs", gone)
                continue
            said = {"color": disc["color"], "number": disc["number"]}
            section = disc["sections"][0] if disc["sections"] else None
            game = self.act(game_id, "settled", disc=index, section=section, **said)
        for color in colors:
            game = self.act(game_id, "ready", color=color)
        while game["ruins_turn"]:
            game = self.act(game_id, "ticked", color=game["ruins_turn"], section="ruins")
        return game_id


def _line(name: str, values: list[float]) -> str:
    if not values:
        return f"  {name}: none"
    return (
        f"  {name}: {len(values)}, median {statistics.median(values) * 1000:.0f} ms, "
        f"95% {_percentile(values, 95) * 1000:.0f} ms, longest {max(values) * 1000:.0f} ms"
    )


def _percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def _processor_s(pid: int) -> float:
    """Processor time that a process has used, seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
