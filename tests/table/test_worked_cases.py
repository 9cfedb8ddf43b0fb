"""The rulebook's cases, played through the one door from the reading to what is recorded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonora_vision.errors import RuleError
from sonora_vision.score.allocation import CanyonDisc, CreekDisc, PlayerAllocation
from sonora_vision.table.events import (
    HOST,
    Bullseye,
    Finished,
    NextRound,
    Player,
    Ready,
    Repaired,
    Section,
    Settled,
    Swapped,
    Ticked,
)
from sonora_vision.table.fold import begin
from sonora_vision.table.permission import ForbiddenError
from sonora_vision.table.tables import Tables
from tests.table.night import begun, disc_json, made, read, recorded, write_down


def _sheet(tables: Tables, game_id: str, color: str) -> PlayerAllocation:
    allocation = tables.game(game_id).allocation()
    assert allocation is not None
    return allocation.player(color)


def test_tie_is_recorded_in_turn_order(quick: Tables) -> None:
    line = "blue: 3@ruins 4@ruins | green: 1@ruins | red: 2@ruins 5@ruins | yellow: 5@creek"
    game_id = begun(quick, line, "blue", "green", "red", "yellow")
    for color in ("blue", "green", "red", "yellow"):
        quick.act(game_id, color, Ready(color=color))
    allocation = quick.game(game_id).allocation()
    assert allocation is not None
    assert allocation.ruins_order == ("blue", "red", "green")
    with pytest.raises(RuleError, match="blue records first"):
        quick.act(game_id, "red", Ticked(color="red", section="ruins"))
    with pytest.raises(RuleError, match="before any other section"):
        quick.act(game_id, "yellow", Ticked(color="yellow", section="creek"))
    for color in ("blue", "red", "green"):
        assert quick.game(game_id).ruins_turn == color
        quick.act(game_id, color, Ticked(color=color, section="ruins"))
    assert quick.game(game_id).ruins_turn is None
    quick.act(game_id, "yellow", Ticked(color="yellow", section="creek"))


def test_tie_goes_to_another_once_the_marker_has_moved_on(quick: Tables) -> None:
    line = "blue: 3@ruins | red: 3@ruins"
    game_id = begun(quick, line, "blue", "red", first="blue")
    write_down(quick, game_id)
    quick.act(game_id, HOST, NextRound())
    quick.act(game_id, HOST, recorded(line))
    allocation = quick.game(game_id).allocation()
    assert allocation is not None
    assert allocation.ruins_order == ("red", "blue")


def test_swap_changes_what_two_discs_count_for(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@fox 5@creek | blue: 1@ruins")
    assert _sheet(quick, game_id, "red").canyon == (CanyonDisc(number=1, shapes=2),)
    quick.act(game_id, "red", Swapped(color="red", number=1, other=5))
    assert _sheet(quick, game_id, "red").canyon == (CanyonDisc(number=5, shapes=2),)
    assert _sheet(quick, game_id, "red").creek == (CreekDisc(number=1, paths=1),)


def test_swap_is_over_once_its_player_is_ready_and_again_possible_after_undoing(
    quick: Tables,
) -> None:
    game_id = begun(quick, "red: 1@fox 5@creek | blue: 1@ruins")
    quick.act(game_id, "red", Ready(color="red"))
    with pytest.raises(RuleError, match="ready already"):
        quick.act(game_id, "red", Swapped(color="red", number=1, other=5))


def test_a_choice_at_a_place_is_open_again_for_the_disc_that_is_swapped_there(
    quick: Tables,
) -> None:
    game_id = begun(quick, "red: 1@ruins/creek 5@creek | blue: 1@ruins")
    quick.act(game_id, "red", Settled(disc=0, color="red", number=1, section="ruins"))
    quick.act(game_id, "red", Swapped(color="red", number=1, other=5))
    assert quick.game(game_id).open_discs("red") == (0,)
    quick.act(game_id, "red", Settled(disc=0, color="red", number=5, section="creek"))
    assert {disc.number for disc in _sheet(quick, game_id, "red").creek} == {1, 5}


def test_bullseye_in_ruins_adds_its_number_and_counts_for_the_order(quick: Tables) -> None:
    game_id = quick.make(made("red", "blue"))
    quick.act(game_id, "blue", Bullseye(color="blue", number=5, section="ruins"))
    quick.act(game_id, HOST, recorded("red: 4@ruins | blue: 1@creek 5@missing"))
    allocation = quick.game(game_id).allocation()
    assert allocation is not None
    assert allocation.ruins_order == ("blue", "red")
    assert allocation.player("blue").ruins.total == 5
    assert allocation.player("blue").unscored == ()


def test_a_bullseye_that_is_announced_and_still_in_the_hole_is_one_disc(quick: Tables) -> None:
    game_id = quick.make(made("red", "blue"))
    quick.act(game_id, "red", Bullseye(color="red", number=5, section="mudcracks"))
    quick.act(game_id, HOST, recorded("red: 5@hole 1@ruins | blue: 1@creek"))
    assert _sheet(quick, game_id, "red").mudcracks.total == 5
    assert quick.game(game_id).open_discs("red") == ()


def test_a_bullseye_is_not_on_the_board_and_cannot_be_swapped(quick: Tables) -> None:
    game_id = begun(quick, "red: 5@hole 1@ruins | blue: 1@creek")
    with pytest.raises(RuleError, match="red 5 is not on the board"):
        quick.act(game_id, "red", Swapped(color="red", number=5, other=1))


def test_two_circles_leave_a_choice_that_doubles_whichever_is_chosen(quick: Tables) -> None:
    game_id = begun(quick, "red: 4@fox/owl | blue: 1@ruins")
    quick.act(game_id, "red", Settled(disc=0, color="red", number=4, section="creek"))
    assert _sheet(quick, game_id, "red").creek == (CreekDisc(number=4, paths=2),)


def test_half_is_the_owners_choice_of_the_two_and_of_nothing_else(quick: Tables) -> None:
    game_id = begun(quick, "red: 4@ruins/creek | blue: 1@ruins")
    with pytest.raises(RuleError, match="settle your open discs"):
        quick.act(game_id, "red", Ready(color="red"))
    with pytest.raises(RuleError, match="counts for one of"):
        quick.act(game_id, "red", Settled(disc=0, color="red", number=4, section="canyon"))
    with pytest.raises(RuleError, match="not nothing"):
        quick.act(game_id, "red", Settled(disc=0, color="red", number=4, section=None))
    quick.act(game_id, "red", Settled(disc=0, color="red", number=4, section="ruins"))
    quick.act(game_id, "red", Ready(color="red"))


def test_a_doubt_of_the_number_leaves_the_place_as_it_was_seen(quick: Tables) -> None:
    game_id = begun(quick, "red: 4@lizard?number | blue: 1@ruins")
    with pytest.raises(RuleError, match="counts for one of ruins"):
        quick.act(game_id, "red", Settled(disc=0, color="red", number=4, section="creek"))
    quick.act(game_id, "red", Settled(disc=0, color="red", number=3, section="ruins"))
    assert _sheet(quick, game_id, "red").ruins.total == 6


def test_a_doubt_of_the_circle_is_settled_either_way(quick: Tables) -> None:
    game_id = begun(quick, "red: 4@creek?multiplier | blue: 1@ruins")
    quick.act(
        game_id, "red",
        Settled(disc=0, color="red", number=4, section="ruins", on_multiplier=True),
    )  # fmt: skip
    assert _sheet(quick, game_id, "red").ruins.total == 8


def test_no_disc_is_there_twice(quick: Tables) -> None:
    game_id = begun(quick, "red: 5@ruins 4@creek?number | blue: 1@ruins")
    with pytest.raises(RuleError, match="red 5 lies elsewhere"):
        quick.act(game_id, "red", Settled(disc=1, color="red", number=5, section="creek"))


def test_two_discs_read_as_the_same_wait_for_a_repair(quick: Tables) -> None:
    line = "red: 5@ruins 5@creek | blue: 1@ruins"
    game_id = begun(quick, line)
    assert quick.game(game_id).open_discs("red") == (0, 1)
    with pytest.raises(RuleError, match="there twice"):
        quick.act(game_id, "red", Ready(color="red"))
    mended = disc_json(read(line).discs[1], number=3)
    quick.act(game_id, "red", Repaired(disc=1, now=mended))
    quick.act(game_id, "red", Ready(color="red"))


def test_a_disc_of_a_doubtful_color_that_nobody_plays_is_asked_of_everybody(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@ruins | blue: 1@creek | green: 4@canyon?color")
    assert quick.game(game_id).open_discs("red") == (2,)
    assert quick.game(game_id).open_discs("blue") == (2,)
    quick.act(game_id, "blue", Settled(disc=2, color="blue", number=4, section="canyon"))
    assert quick.game(game_id).open_discs("red") == ()
    assert _sheet(quick, game_id, "blue").canyon == (CanyonDisc(number=4, shapes=1),)


def test_a_disc_of_a_doubtful_color_can_be_said_to_be_nobodys(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@ruins | blue: 1@creek | green: 4@canyon?color")
    nobodys = Settled(disc=2, color="green", number=4, section="canyon")
    quick.act(game_id, "blue", nobodys)
    for color in ("red", "blue"):
        assert quick.game(game_id).open_discs(color) == ()
        assert _sheet(quick, game_id, color).canyon == ()
    quick.act(game_id, "red", Settled(disc=2, color="red", number=4, section="canyon"))
    assert _sheet(quick, game_id, "red").canyon == (CanyonDisc(number=4, shapes=1),)


def test_a_disc_that_somebody_said_is_theirs_is_not_taken_by_another(quick: Tables) -> None:
    line = "red: 1@ruins 3@creek?color | blue: 1@creek | green: 4@canyon?color"
    game_id = begun(quick, line)
    places: tuple[tuple[int, int, Section], ...] = ((1, 3, "creek"), (3, 4, "canyon"))
    for index, number, section in places:
        mine = Settled(disc=index, color="red", number=number, section=section)
        quick.act(game_id, "red", mine)
        for color in ("blue", "green"):
            with pytest.raises(ForbiddenError, match="that disc is red's"):
                quick.act(game_id, "blue", mine.model_copy(update={"color": color, "number": 5}))
        with pytest.raises(ForbiddenError, match="that disc is red's"):
            quick.act(game_id, "blue", Repaired(disc=index))
    quick.act(game_id, "red", Ready(color="red"))


def test_a_disc_that_is_read_as_a_players_is_nobodys_for_no_one(quick: Tables) -> None:
    game_id = begun(quick, "red: 1@ruins 3@creek?color | blue: 1@creek")
    with pytest.raises(RuleError, match="nobody plays green"):
        quick.act(game_id, "blue", Settled(disc=1, color="green", number=3, section="creek"))


def test_a_repair_asks_only_those_whose_disc_it_is_again(quick: Tables) -> None:
    line = "red: 1@ruins | blue: 1@creek | green: 2@creek"
    game_id = begun(quick, line, "red", "blue", "green")
    for color in ("red", "blue"):
        quick.act(game_id, color, Ready(color=color))
    quick.act(game_id, HOST, Repaired(disc=0, now=disc_json(read(line).discs[0], number=4)))
    assert quick.game(game_id).now.ready == {"blue"}


def test_a_round_ends_when_everyone_has_written_and_the_game_after_the_last(quick: Tables) -> None:
    line = "red: 1@ruins 2@creek | blue: 1@canyon"
    game_id = quick.make(made(rounds=2))
    for number in (1, 2):
        assert quick.game(game_id).now.number == number
        quick.act(game_id, HOST, recorded(line))
        with pytest.raises(RuleError, match="everyone has finished"):
            quick.act(game_id, HOST, NextRound())
        write_down(quick, game_id)
        quick.act(game_id, HOST, NextRound())
    game = quick.game(game_id)
    assert game.phase == "over"
    assert [each.number for each in game.every_round] == [1, 2]
    with pytest.raises(RuleError, match="over"):
        quick.act(game_id, "red", Finished(color="red"))


@pytest.mark.parametrize(
    ("seats", "first", "points_at"),
    [
        ((0, 1, 2, 3), "red", ["red", "blue", "green", "yellow", "red"]),
        ((0, 1, 2, 3), "green", ["green", "yellow", "red", "blue", "green"]),
        ((0, 2), "red", ["red", None, "blue", None, "red"]),
        ((0, 1), "blue", ["blue", None, None, "red", "blue"]),
        ((0, 1, 2), "red", ["red", "blue", "green", None, "red"]),
        ((3,), "red", ["red", None, None, None, "red"]),
    ],
)
def test_the_ruins_corner_goes_on_by_a_seat_a_round_whoever_sits_there(
    seats: tuple[int, ...], first: str, points_at: list[str | None]
) -> None:
    colors = ("red", "blue", "green", "yellow")[: len(seats)]
    players = tuple(
        Player(color=color, name=color, seat=seat)
        for color, seat in zip(colors, seats, strict=True)
    )
    game = begin(made(*colors, first=first).model_copy(update={"players": players}))
    found = []
    for number in range(1, 6):
        there = replace(game, now=replace(game.now, number=number)).at_ruins_corner
        found.append(None if there is None else there.color)
    assert found == points_at


def test_solo_leaves_the_third_color_out(quick: Tables) -> None:
    game_id = begun(quick, "red: 2@ruins | blue: 3@ruins | green: 5@ruins", "red", "blue")
    allocation = quick.game(game_id).allocation()
    assert allocation is not None
    assert allocation.ruins_order == ("blue", "red")
    assert any("green" in warning for warning in allocation.warnings)
