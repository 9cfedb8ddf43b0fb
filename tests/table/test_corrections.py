"""What people put right is kept as labelled photographs, and counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.calibrate.photo import load_photo
from sonora_vision.calibrate.profile import load_profile
from sonora_vision.cli import main
from sonora_vision.detect.annotate import Rectified, rectified_of
from sonora_vision.errors import RuleError
from sonora_vision.observation import Disc
from sonora_vision.pipeline import read_pixels
from sonora_vision.reading_file import disc_to_json, reading_to_json
from sonora_vision.table.corrections import Corrections
from sonora_vision.table.events import (
    HOST,
    Bullseye,
    Made,
    NextRound,
    Player,
    Ready,
    Recorded,
    Repaired,
    Settled,
    Swapped,
    Undone,
)
from sonora_vision.table.pictures import PictureStore
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from sonora_vision.truth_file import TrueDisc, Truth, load_truth
from tests.builders import board_json, disc, reading
from tests.table.night import disc_json, made, read, recorded, write_down

LINE = "red: 1@ruins 5@creek 2@ruins/creek | blue: 4@mudcracks"


@dataclass(frozen=True)
class _Reader:
    board: BoardSpec


class _Table:
    """A table that keeps corrections, as the server's does."""

    def __init__(self, folder: Path, *, max_bytes: int = 10_000_000) -> None:
        self.folder = folder / "corrections"
        self.pictures = PictureStore(folder / "pictures", max_bytes=10_000_000)
        self.tables = Tables(Store(f"sqlite:///{folder / 'table.db'}", folder), self.pictures)
        self.kept = Corrections(self.folder, self.pictures, max_bytes=max_bytes)
        reader = _Reader(board_from_json(board_json(), "tiny.json"))
        self.tables.listen(lambda g, _: self.kept.look(g, self.tables.game(g), reader))

    def begun(self, line: str = LINE) -> str:
        game_id = self.tables.make(made())
        self.tables.act(game_id, HOST, recorded(line, picture=self.picture()))
        return game_id

    def picture(self) -> str:
        pixels_bgr = np.full((40, 60, 3), 90, np.uint8)
        rectified = Rectified(bgr=pixels_bgr, px_per_mm=1.0, origin_mm=(0.0, 0.0))
        return self.pictures.keep(pixels_bgr, rectified, read(LINE))

    def truth(self, stem: str) -> Truth:
        assert (self.folder / "photos" / f"{stem}.jpg").read_bytes()[:2] == b"\xff\xd8"
        return load_truth(self.folder / "truth" / f"{stem}.json")

    @property
    def stems(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("truth/*.json"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[_Table]:
    table = _Table(tmp_path)
    yield table
    table.tables.store.close()


def _said(disc: TrueDisc) -> tuple[str, int | None, str, tuple[str, ...]]:
    return disc.color, disc.number, disc.via, disc.sections


def _repair(table: _Table, game_id: str, index: int, **changes: object) -> None:
    now = table.tables.game(game_id).now.table
    assert now is not None
    put = disc_json(now.place(index).disc, **changes)
    table.tables.act(game_id, HOST, Repaired(disc=index, now=put))


def test_a_round_that_was_read_rightly_is_not_kept(table: _Table) -> None:
    game_id = table.begun()
    table.tables.act(game_id, "red", Settled(disc=2, color="red", number=2, section="creek"))
    write_down(table.tables, game_id)
    table.tables.act(game_id, HOST, NextRound())
    assert table.stems == []


def test_a_repaired_round_is_kept_when_it_is_written_down_as_it_lay_on_the_photograph(
    table: _Table,
) -> None:
    game_id = table.begun()
    tables = table.tables
    _repair(table, game_id, 3, number=3)
    added = disc_to_json(disc(color="blue", number=5, center_mm=(80.0, 80.0), via="zone"))
    tables.act(game_id, HOST, Repaired(disc=None, now=added))
    tables.act(game_id, "red", Swapped(color="red", number=1, other=2))
    tables.act(game_id, "red", Settled(disc=2, color="red", number=1, section="creek"))
    assert table.stems == []
    for color in ("red", "blue"):
        tables.act(game_id, color, Ready(color=color))
    assert table.stems == [f"{game_id}-01"]
    assert [_said(each) for each in table.truth(f"{game_id}-01").discs] == [
        ("red", 1, "zone", ("ruins",)),
        ("red", 5, "zone", ("creek",)),
        ("red", 2, "zone", ("creek", "ruins")),
        ("blue", 3, "zone", ("mudcracks",)),
        ("blue", 5, "zone", ("ruins",)),
    ]
    # the board of 100 mm is 1000 px wide in the picture, so that a radius of 6 mm is 60 px
    assert table.truth(f"{game_id}-01").discs[4].radius_px == pytest.approx(60.0)


def test_what_an_owner_said_of_a_doubt_is_what_lay_there(table: _Table) -> None:
    game_id = table.begun("red: 1@ruins?zone ?@creek 4@canyon | blue: 4@mudcracks")
    table.tables.act(game_id, "red", Settled(disc=0, color="red", number=1, section="creek"))
    table.tables.act(game_id, "red", Settled(disc=1, color="red", number=3, section="creek"))
    _repair(table, game_id, 2, number=5)
    write_down(table.tables, game_id)
    assert [_said(each)[:2] + _said(each)[3:] for each in table.truth(f"{game_id}-01").discs] == [
        ("red", 1, ("creek",)),
        ("red", 3, ("creek",)),
        ("red", 5, ("canyon",)),
        ("blue", 4, ("mudcracks",)),
    ]


def test_a_bullseye_that_was_still_in_the_hole_lies_there_and_one_taken_away_does_not(
    table: _Table,
) -> None:
    game_id = table.begun("red: 5@hole 1@ruins | blue: 4@mudcracks 2@creek")
    table.tables.act(game_id, "red", Bullseye(color="red", number=5, section="creek"))
    table.tables.act(game_id, HOST, Repaired(disc=3, now=None))
    write_down(table.tables, game_id)
    there = [(each.color, each.number, each.state) for each in table.truth(f"{game_id}-01").discs]
    assert there == [("red", 5, "in_hole"), ("red", 1, "flat"), ("blue", 4, "flat")]


def test_what_is_put_right_after_all_is_kept_so_and_what_is_undone_is_not(table: _Table) -> None:
    game_id = table.begun("red: 1@ruins | blue: 4@mudcracks")
    tables = table.tables
    _repair(table, game_id, 0, number=3)
    for color in ("red", "blue"):
        tables.act(game_id, color, Ready(color=color))
    assert table.truth(f"{game_id}-01").discs[0].number == 3
    for seq in (5, 4):
        tables.act(game_id, HOST, Undone(seq=seq))
    _repair(table, game_id, 0, number=2)
    for color in ("red", "blue"):
        tables.act(game_id, color, Ready(color=color))
    assert table.truth(f"{game_id}-01").discs[0].number == 2
    log = tables.log(game_id)
    for entry in reversed(log[2:]):
        if isinstance(entry.event, Repaired | Ready) and entry.seq > 5:
            tables.act(game_id, HOST, Undone(seq=entry.seq))
    tables.act(game_id, HOST, Undone(seq=3))
    write_down(tables, game_id)
    assert table.stems == []


def test_the_oldest_corrections_go_when_there_are_too_many(tmp_path: Path) -> None:
    table = _Table(tmp_path, max_bytes=1)
    ids = [table.begun("red: 1@ruins | blue: 4@mudcracks") for _ in range(3)]
    for game_id in ids:
        _repair(table, game_id, 0, number=3)
        write_down(table.tables, game_id)
    assert table.stems == [f"{ids[-1]}-01"]
    assert len(list(table.folder.glob("photos/*"))) == 1
    table.tables.store.close()


def test_evaluate_measures_against_the_corrections(
    sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    """A real photograph, read, spoiled as a bad calibration would, and put right by its truth."""
    profile = load_profile(sample_profile)
    reader = _Reader(profile.board)
    truth = load_truth(sample_rig / "truth" / "002.json")
    pixels_bgr = load_photo(sample_rig / "photos" / "002.jpg")
    seen = read_pixels(pixels_bgr, profile, "002.jpg")
    spoiled = replace(
        seen.reading,
        discs=tuple(replace(each, sections=("ruins",), via="zone") for each in seen.reading.discs),
    )
    pictures = PictureStore(tmp_path / "pictures", max_bytes=100_000_000)
    tables = Tables(Store(f"sqlite:///{tmp_path / 'table.db'}", tmp_path), pictures)
    kept = Corrections(tmp_path / "corrections", pictures, max_bytes=100_000_000)
    tables.listen(lambda g, _: kept.look(g, tables.game(g), reader))
    colors = reader.board.discs.colors
    players = tuple(Player(color=c, name=c, seat=at) for at, c in enumerate(colors[:4]))
    game_id = tables.make(
        Made(
            name="Sample", board=reader.board.name, colors=colors,
            numbers=reader.board.discs.numbers, players=players, first=colors[0], rounds=5,
        )
    )  # fmt: skip
    key = pictures.keep(pixels_bgr, rectified_of(seen), seen.reading)
    tables.act(game_id, HOST, Recorded(picture=key, reading=reading_to_json(spoiled)))
    for index, read_disc in enumerate(spoiled.discs):
        true = min(
            truth.discs, key=lambda each: np.hypot(*np.subtract(each.top_px, read_disc.top_px))
        )
        put = _as_true(read_disc, true)
        tables.act(game_id, HOST, Repaired(disc=index, now=disc_to_json(put)))
        if len(put.sections) > 1:
            said = Settled(
                disc=index, color=put.color, number=put.number or 1, section=put.sections[0]
            )  # type: ignore[arg-type]
            tables.act(game_id, HOST, said)
    write_down(tables, game_id)
    tables.store.close()
    result = CliRunner().invoke(
        main,
        ["evaluate", str(tmp_path / "corrections"), "--profile", str(sample_profile), "--json"],
    )
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert (figures["photos"], figures["unread"]) == (1, 0)
    assert figures["found"] == figures["seen"] > 5
    assert figures["color"] == figures["number"] == figures["section"] == figures["found"]


def _as_true(read_disc: Disc, true: TrueDisc) -> Disc:
    return replace(
        read_disc, color=true.color, number=true.number, state=true.state,
        center_mm=true.center_mm, top_px=true.top_px, sections=true.sections,
        via=true.via if true.sections else "none", margin_mm=true.margin_mm, doubts=(),
    )  # type: ignore[arg-type]  # fmt: skip


def _night(table: _Table, rounds: int, *, wrong: int) -> str:
    """A game of rounds with ten discs each, of which some are read wrongly."""
    line = " | ".join(
        f"{c}: " + " ".join(f"{n}@canyon" for n in range(1, 6)) for c in ("red", "blue")
    )
    game_id = table.tables.make(made(rounds=12))
    for number in range(rounds):
        if number:
            table.tables.act(game_id, HOST, NextRound())
        table.tables.act(game_id, HOST, recorded(line))
        for index in range(wrong):
            _repair(table, game_id, index, sections=("creek",))
        write_down(table.tables, game_id)
    return game_id


def test_more_than_a_fifth_of_the_recent_discs_calls_for_a_new_calibration(table: _Table) -> None:
    _night(table, 3, wrong=2)
    found = table.tables.recent_repairs()
    assert (found.read, found.repaired, found.calibrate_again) == (30, 6, False)
    _night(table, 1, wrong=3)
    found = table.tables.recent_repairs()
    assert (found.read, found.repaired, found.calibrate_again) == (40, 9, True)
    _night(table, 6, wrong=0)
    assert table.tables.recent_repairs().repaired == 0


def test_repairs_before_a_calibration_or_on_another_board_do_not_count(table: _Table) -> None:
    _night(table, 1, wrong=5)
    assert table.tables.recent_repairs("tiny").calibrate_again
    assert table.tables.recent_repairs("another").read == 0
    now = datetime.now(UTC)
    assert table.tables.recent_repairs(since=now - timedelta(minutes=5)).read == 10
    assert table.tables.recent_repairs(since=now + timedelta(minutes=5)).read == 0


def test_a_game_that_cannot_be_read_does_not_hold_up_the_others(table: _Table) -> None:
    _night(table, 1, wrong=1)
    broken = table.begun("red: 1@ruins | blue: 4@mudcracks")
    table.tables.store.append(broken, 3, NextRound(), actor=HOST, action_id="by-hand")
    with pytest.raises(RuleError, match="event 3"):
        table.tables.game(broken)
    assert table.tables.recent_repairs().read == 10
    table.picture()


def test_few_discs_say_nothing_of_the_calibration(table: _Table) -> None:
    game_id = table.begun("red: 1@ruins | blue: 4@mudcracks")
    _repair(table, game_id, 0, number=3)
    found = table.tables.recent_repairs()
    assert (found.read, found.repaired, found.calibrate_again) == (2, 1, False)


def test_a_disc_that_was_missed_or_invented_or_moved_was_read_wrongly_a_confirmed_one_was_not(
    table: _Table,
) -> None:
    game_id = table.tables.make(made())
    discs = [disc(number=n, center_mm=(10.0 * n, 50.0)) for n in (1, 2, 3, 4)]
    doubted = disc(number=5, center_mm=(50.0, 50.0), doubts=("zone",))
    there = Recorded(reading=reading_to_json(reading(*discs, doubted)))
    table.tables.act(game_id, HOST, there)
    assert table.tables.recent_repairs().repaired == 0
    _repair(table, game_id, 0, center_mm=(10.2, 50.0), margin_mm=3.0)  # as it was read
    _repair(table, game_id, 4, sections=("creek",), doubts=())  # a doubt that is answered
    assert table.tables.recent_repairs().repaired == 0
    _repair(table, game_id, 1, center_mm=(25.0, 50.0))
    table.tables.act(game_id, HOST, Repaired(disc=2, now=None))
    added = disc_to_json(disc(color="blue"))
    table.tables.act(game_id, HOST, Repaired(disc=None, now=added))
    assert (table.tables.recent_repairs().read, table.tables.recent_repairs().repaired) == (6, 3)
    table.tables.act(game_id, HOST, Repaired(disc=5, now=None))
    assert (table.tables.recent_repairs().read, table.tables.recent_repairs().repaired) == (5, 2)
