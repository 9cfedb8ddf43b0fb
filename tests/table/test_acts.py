"""Acts through the one door: once each, one after the other, undone where nothing rests on them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sonora_vision.errors import RuleError, SonoraError
from sonora_vision.table.events import (
    HOST,
    Bullseye,
    CodesRenewed,
    Event,
    Finished,
    NextRound,
    Player,
    Ready,
    Repaired,
    Seated,
    Settled,
    Swapped,
    Ticked,
    Undone,
)
from sonora_vision.table.permission import ForbiddenError
from sonora_vision.table.store import Store
from sonora_vision.table.tables import NoGameError, Tables
from tests.builders import disc, reading
from tests.table.night import begun, disc_json, made, read, recorded, write_down

LINE = "red: 1@ruins/creek 2@fox 3@creek | blue: 3@creek 4@mudcracks"


def test_an_act_that_is_sent_again_happens_once(tables: Tables) -> None:
    game_id = begun(tables, LINE)
    said = Settled(disc=0, color="red", number=1, section="ruins")
    first = tables.act(game_id, "red", said, action_id="tap-1")
    again = tables.act(game_id, "red", said, action_id="tap-1")
    assert again == first
    assert tables.store.last_seq(game_id) == 3


def test_an_act_that_is_sent_again_after_others_does_not_come_back(tables: Tables) -> None:
    game_id = begun(tables, LINE)
    said = Settled(disc=0, color="red", number=1, section="ruins")
    tables.act(game_id, "red", said, action_id="tap-1")
    tables.act(game_id, "red", Settled(disc=0, color="red", number=1, section="creek"))
    tables.act(game_id, "red", said, action_id="tap-1")
    table = tables.game(game_id).now.table
    assert table is not None
    assert table.discs[0].sections == ("creek",)


def test_one_action_id_for_two_acts_is_refused_not_forgotten(tables: Tables) -> None:
    game_id = begun(tables, LINE)
    tables.act(game_id, "red", Swapped(color="red", number=2, other=3), action_id="tap-1")
    with pytest.raises(RuleError, match="sent before"):
        tables.act(game_id, "blue", Ready(color="blue"), action_id="tap-1")


@pytest.mark.parametrize("action_id", ["a" * 65, "../x", "a\nb", "a\x00b", "é", " "])
def test_an_action_id_from_outside_is_short_and_plain(quick: Tables, action_id: str) -> None:
    game_id = quick.make(made())
    with pytest.raises(RuleError, match="action id"):
        quick.act(game_id, HOST, CodesRenewed(), action_id=action_id)


@pytest.mark.parametrize("game_id", ["", "nowhere", "a" * 500, "../../etc", "a\x00b", "%", "'--"])
def test_a_game_that_is_not_there_is_none_whatever_its_name(tables: Tables, game_id: str) -> None:
    with pytest.raises(NoGameError):
        tables.game(game_id)


def test_two_at_once_both_happen_one_after_the_other(url: str, tmp_path: Path) -> None:
    """Each has a program of their own, as two tables of a club have."""
    programs = [Tables(Store(url, tmp_path)) for _ in range(2)]
    game_id = begun(programs[0], LINE)
    acts: dict[str, list[Event]] = {
        color: [Seated(players=_named(f"{color}{n}"), first="red", rounds=5) for n in range(20)]
        for color in ("red", "blue")
    }
    _at_once(
        *(
            lambda program=program, mine=mine: [program.act(game_id, HOST, each) for each in mine]
            for program, mine in zip(programs, acts.values(), strict=True)
        )
    )
    for program in programs:
        happened = [entry.event for entry in program.log(game_id)[2:]]
        assert len(happened) == 40
        for mine in acts.values():
            assert [event for event in happened if event in mine] == mine
    assert programs[0].game(game_id) == programs[1].game(game_id)
    for program in programs:
        program.store.close()


def _named(name: str) -> tuple[Player, ...]:
    return tuple(
        Player(color=color, name=name, seat=seat) for seat, color in enumerate(("red", "blue"))
    )


def test_of_two_acts_that_exclude_each_other_one_is_refused(url: str, tmp_path: Path) -> None:
    programs = [Tables(Store(url, tmp_path)) for _ in range(2)]
    for _ in range(10):
        game_id = begun(programs[0], "red: 2@ruins 3@ruins | blue: 1@ruins")
        outcomes: list[str] = []

        def ready(program: Tables = programs[0], game_id: str = game_id) -> None:
            program.act(game_id, "red", Ready(color="red"))

        def swap(
            program: Tables = programs[1], game_id: str = game_id, out: list[str] = outcomes
        ) -> None:
            try:
                program.act(game_id, "red", Swapped(color="red", number=2, other=3))
                out.append("swapped")
            except RuleError:
                out.append("refused")

        _at_once(ready, swap)
        happened = [type(entry.event) for entry in programs[0].log(game_id)[2:]]
        assert happened == ([Swapped, Ready] if outcomes == ["swapped"] else [Ready])
    for program in programs:
        program.store.close()


def test_the_same_act_from_two_phones_happens_once(url: str, tmp_path: Path) -> None:
    programs = [Tables(Store(url, tmp_path)) for _ in range(2)]
    game_id = begun(programs[0], LINE)
    for n in range(10):
        _at_once(
            *(
                lambda program=program, n=n: program.act(
                    game_id, HOST, CodesRenewed(), action_id=f"tap-{n}"
                )
                for program in programs
            )
        )
    assert programs[0].game(game_id).codes == programs[1].game(game_id).codes == 10
    for program in programs:
        program.store.close()


def _at_once(*acts: Callable[[], object]) -> None:
    errors: list[BaseException] = []
    gate = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> None:
        gate.wait()
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - to be raised where the test sees it
            errors.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_what_another_program_does_is_told_as_soon_as_it_is_seen(url: str, tmp_path: Path) -> None:
    here, there = Tables(Store(url, tmp_path)), Tables(Store(url, tmp_path))
    told: list[tuple[str, int]] = []
    here.listen(lambda game_id, seq: told.append((game_id, seq)))
    game_id = here.make(made())
    here.game(game_id)
    there.act(game_id, HOST, recorded(LINE))
    here.game(game_id)
    assert told == [(game_id, 1), (game_id, 2)]
    here.store.close()
    there.store.close()


def test_a_listener_that_fails_takes_nothing_back(quick: Tables) -> None:
    def fails(game_id: str, seq: int) -> None:
        raise ZeroDivisionError

    told: list[int] = []
    quick.listen(fails)
    quick.listen(lambda game_id, seq: told.append(seq))
    game_id = quick.make(made())
    quick.act(game_id, HOST, recorded(LINE))
    assert told == [1, 2]
    assert quick.game(game_id).phase == "settle"


def test_a_player_acts_for_nobody_else(quick: Tables) -> None:
    game_id = begun(quick, LINE)
    refused: list[tuple[str, Event]] = [
        ("blue", Settled(disc=0, color="red", number=1, section="ruins")),
        ("blue", Settled(disc=0, color="blue", number=1, section="ruins")),
        ("blue", Swapped(color="red", number=1, other=2)),
        ("blue", Repaired(disc=0, now=None)),
        ("blue", Repaired(disc=4, now=disc_json(read(LINE).discs[4], color="red"))),
        ("blue", Undone(seq=2)),
        ("blue", NextRound()),
        ("blue", CodesRenewed()),
        ("blue", recorded(LINE)),
        ("green", Ready(color="green")),
        ("nobody", Ready(color="nobody")),
    ]
    for actor, event in refused:
        with pytest.raises(ForbiddenError):
            quick.act(game_id, actor, event)
    assert quick.store.last_seq(game_id) == 2


def test_a_reading_of_another_board_or_of_other_discs_is_refused(quick: Tables) -> None:
    game_id = quick.make(made())
    from sonora_vision.reading_file import reading_to_json
    from sonora_vision.table.events import Recorded

    wrong = {
        "board": reading(disc(), board="another"),
        "no disc is pink": reading(disc(color="pink")),
        "no disc of 6": reading(disc(number=6)),
        "sections": reading(disc(sections=("bunkhouse",))),
    }
    for words, each in wrong.items():
        with pytest.raises(RuleError, match=words):
            quick.act(game_id, HOST, Recorded(reading=reading_to_json(each)))
    with pytest.raises(SonoraError, match="kind"):
        quick.act(game_id, HOST, Recorded(reading={}))
    assert quick.store.last_seq(game_id) == 1


def _undo(tables: Tables, game_id: str, *, of: type) -> None:
    """Undo the newest event of a kind that still holds."""
    log = tables.log(game_id)
    gone = {entry.event.seq for entry in log if isinstance(entry.event, Undone)}
    seq = max(e.seq for e in log if isinstance(e.event, of) and e.seq not in gone)
    tables.act(game_id, HOST, Undone(seq=seq))


def test_an_undone_disc_that_was_added_leaves_the_others_in_their_places(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@ruins | blue: 1@creek")
    for number in (4, 5):
        new = disc_json(disc(), color="red", number=number)
        quick.act(game_id, HOST, Repaired(disc=None, now=new))
    quick.act(game_id, HOST, Repaired(disc=3, now=disc_json(disc(), color="red", number=3)))
    quick.act(game_id, HOST, Undone(seq=3))
    table = quick.game(game_id).now.table
    assert table is not None
    assert [each and each.now.number for each in table.places] == [1, 1, None, 3]
    quick.act(game_id, HOST, Repaired(disc=None, now=disc_json(disc(), color="red", number=2)))
    assert quick.game(game_id).now.table.place(4).now.number == 2  # type: ignore[union-attr]


def test_a_reading_is_not_undone_under_what_was_said_of_its_discs(quick: Tables) -> None:
    game_id = begun(quick, LINE)
    quick.act(game_id, HOST, recorded(LINE.replace("3@creek", "5@creek")))
    quick.act(game_id, "red", Settled(disc=0, color="red", number=1, section="ruins"))
    with pytest.raises(RuleError, match="later acts are built on it"):
        quick.act(game_id, HOST, Undone(seq=3))
    _undo(quick, game_id, of=Settled)
    quick.act(game_id, HOST, Undone(seq=3))
    assert quick.game(game_id).now.reading == read(LINE)


def test_a_swap_is_not_undone_under_a_later_one(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@fox 2@creek 3@ruins | blue: 1@creek")
    quick.act(game_id, "red", Swapped(color="red", number=1, other=2))
    quick.act(game_id, "red", Swapped(color="red", number=2, other=3))
    with pytest.raises(RuleError, match="undo them first"):
        quick.act(game_id, "red", Undone(seq=3))
    quick.act(game_id, "red", Undone(seq=4))
    quick.act(game_id, "red", Undone(seq=3))
    assert [each.number for each in quick.game(game_id).now.table.discs] == [1, 2, 3, 1]  # type: ignore[union-attr]


def test_a_swapped_disc_is_repaired_after_undoing_the_swap(quick: Tables) -> None:
    line = "red: 1@fox 2@creek | blue: 1@creek"
    game_id = begun(quick, line)
    quick.act(game_id, "red", Swapped(color="red", number=1, other=2))
    with pytest.raises(RuleError, match="undo the swap first"):
        quick.act(game_id, HOST, Repaired(disc=0, now=disc_json(read(line).discs[0], number=4)))


def test_the_next_round_is_taken_back_while_nothing_happened_in_it(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@ruins | blue: 1@creek")
    write_down(quick, game_id)
    before = quick.game(game_id)
    begun_at = quick.act(game_id, HOST, NextRound()).now.began
    game = quick.act(game_id, HOST, Undone(seq=begun_at))
    assert (game.phase, game.now, game.past) == ("write", before.now, before.past)
    begun_at = quick.act(game_id, HOST, NextRound()).now.began
    quick.act(game_id, HOST, Bullseye(color="red", number=2, section="ruins"))
    with pytest.raises(RuleError, match="later acts"):
        quick.act(game_id, HOST, Undone(seq=begun_at))
    with pytest.raises(RuleError, match="only what happened in this round"):
        quick.act(game_id, HOST, Undone(seq=2))


def test_the_end_of_the_game_can_be_taken_back(quick: Tables) -> None:
    game_id = quick.make(made(rounds=1))
    quick.act(game_id, HOST, recorded("red: 1@ruins | blue: 1@creek"))
    write_down(quick, game_id)
    over = quick.act(game_id, HOST, NextRound())
    assert over.phase == "over"
    assert quick.act(game_id, HOST, Undone(seq=over.seq)).phase == "write"


def test_new_codes_do_not_become_old_ones_again(quick: Tables) -> None:
    game_id = quick.make(made())
    seq = quick.act(game_id, HOST, CodesRenewed()).seq
    with pytest.raises(RuleError, match="new codes"):
        quick.act(game_id, HOST, Undone(seq=seq))


def test_undoing_what_others_rest_on_says_what(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@ruins | blue: 1@creek")
    quick.act(game_id, "red", Ready(color="red"))
    quick.act(game_id, "blue", Ready(color="blue"))
    quick.act(game_id, "red", Ticked(color="red", section="ruins"))
    with pytest.raises(RuleError, match="writing begins when everyone is ready"):
        quick.act(game_id, "red", Undone(seq=3))
    quick.act(game_id, "red", Undone(seq=5))
    quick.act(game_id, "red", Undone(seq=3))
    assert quick.game(game_id).phase == "settle"


def test_a_player_who_acts_without_end_leaves_room_for_the_host(
    quick: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonora_vision.table.tables.EVENTS_MAX", 20)
    game_id = begun(quick, "red: 1@ruins | blue: 1@ruins")
    while quick.game(game_id).seq < 10:
        seq = quick.act(game_id, "red", Ready(color="red")).seq
        quick.act(game_id, "red", Undone(seq=seq))
    with pytest.raises(RuleError, match="too many acts"):
        quick.act(game_id, "red", Ready(color="red"))
    for color in ("red", "blue"):
        quick.act(game_id, HOST, Ready(color=color))
    assert quick.game(game_id).phase == "write"
    while quick.game(game_id).seq < 20:
        quick.act(game_id, HOST, CodesRenewed())
    with pytest.raises(RuleError, match="too many acts"):
        quick.act(game_id, HOST, CodesRenewed())


def test_finishing_waits_for_every_section_that_is_due(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@creek 2@mudcracks | blue: 1@off")
    for color in ("red", "blue"):
        quick.act(game_id, color, Ready(color=color))
    quick.act(game_id, "blue", Finished(color="blue"))
    quick.act(game_id, "red", Ticked(color="red", section="creek"))
    with pytest.raises(RuleError, match="record mudcracks first"):
        quick.act(game_id, "red", Finished(color="red"))
    quick.act(game_id, "red", Ticked(color="red", section="mudcracks"))
    quick.act(game_id, "red", Finished(color="red"))
    quick.act(game_id, "red", Ticked(color="red", section="creek", done=False))
    assert quick.game(game_id).now.finished == {"blue"}


def test_a_game_that_is_deleted_is_gone_everywhere(url: str, tmp_path: Path) -> None:
    here, there = Tables(Store(url, tmp_path)), Tables(Store(url, tmp_path))
    game_id, other = begun(here, LINE), here.make(made(name="Other"))
    there.game(game_id)
    here.delete(game_id)
    for program in (here, there):
        with pytest.raises(NoGameError):
            program.game(game_id)
        with pytest.raises(NoGameError):
            program.act(game_id, HOST, CodesRenewed())
        assert [entry.id for entry in program.games()] == [other]
    here.store.close()
    there.store.close()


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x00b", "x" * 41, "a\u2028b"])
def test_a_name_is_one_line_that_can_be_shown(name: str) -> None:
    with pytest.raises(ValueError, match="String should"):
        Player(color="red", name=name, seat=0)
