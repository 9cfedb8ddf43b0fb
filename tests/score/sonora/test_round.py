"""The round at the table: flicking, reading, swapping, writing in order, and the next round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sonora_vision.errors import RuleError, UsageError
from sonora_vision.score.sonora.events import event_text, parse_event
from sonora_vision.score.sonora.final import final_scores
from sonora_vision.score.sonora.flick_phase import next_flick
from sonora_vision.score.sonora.game_state import GameState, new_game
from sonora_vision.score.sonora.rounds import fold, scores, step
from sonora_vision.score.sonora.sheet_file import house_sheet
from sonora_vision.score.sonora.state import Setting, new_sheet
from sonora_vision.score.sonora.state_text import parse_state
from sonora_vision.score.sonora.write_phase import allocation

Play = Callable[..., GameState]
TWO = ["red", "blue"]


def flicks(*colors: str) -> list[str]:
    """Flick everything onto the board, in turn: 2, 2 and 1 discs."""
    return [
        f"flick {color} {disc} on"
        for discs in ((1, 2), (3, 4), (5,))
        for color in colors
        for disc in discs
    ]


def on_board(**places: str) -> str:
    """Write a reading in which each player's discs 1 to 5 lie at the places named."""
    return "read " + " | ".join(
        f"{color}: " + " ".join(f"{n}@{place}" for n, place in enumerate(where.split(), start=1))
        for color, where in places.items()
    )


def refused(state: GameState, text: str) -> str:
    """Return why an event cannot happen."""
    with pytest.raises(RuleError) as caught:
        step(state, parse_event(text))
    return str(caught.value)


# The Flick Phase


def test_flick_order_is_2_2_1_discs_clockwise(game: Play) -> None:
    state = game(["red", "blue", "green"])
    turns = []
    while state.phase == "flick":
        (color,) = next_flick(state)
        turns.append(color[0])
        number = sum(c == color for c, _ in state.flicked) + 1
        state = step(state, parse_event(f"flick {color} {number} on"))
    assert "".join(turns) == "rrbbgg" * 2 + "rbg"
    assert state.phase == "read"


def test_flick_any_of_ones_own_discs_in_turn(game: Play) -> None:
    state = game(TWO, "flick red 4 on")
    assert "out of turn: blue flicks, the turn is red" in refused(state, "flick blue 1 on")
    assert "red 4 was flicked this round" in refused(state, "flick red 4 on")
    assert "no disc of 6" in refused(state, "flick red 6 on")
    assert step(state, parse_event("flick red 1 on")).flicked == {("red", 4), ("red", 1)}


def test_flick_short_of_leaving_the_corner_costs_nothing(game: Play) -> None:
    assert game(TWO, "flick red 4 short") == game(TWO)


def test_flick_off_the_board_is_disqualified(game: Play) -> None:
    state = game(TWO, "flick red 4 off", *flicks_after("red", 4))
    assert ("red", 4) in state.out
    assert "not on the board this round" in refused(state, reading_without(state, "red: 4@ruins"))


def flicks_after(color: str, disc: int) -> list[str]:
    """Flick all the other discs of a two-player round that began with one disc."""
    rest = [n for n in (1, 2, 3, 4, 5) if n != disc]
    other = "blue" if color == "red" else "red"
    order = [(color, rest[0]), (other, 1), (other, 2), (color, rest[1]), (color, rest[2]),
             (other, 3), (other, 4), (color, rest[3]), (other, 5)]  # fmt: skip
    return [f"flick {who} {number} on" for who, number in order]


def reading_without(state: GameState, extra: str) -> str:
    """Read all discs on the board in the Creek, and one more thing."""
    parts = dict.fromkeys(state.setup.colors, "")
    for color, number in sorted(state.on_board):
        parts[color] += f" {number}@creek"
    color, _, more = extra.partition(":")
    parts[color] += more
    return "read " + " | ".join(f"{color}:{discs}" for color, discs in parts.items())


def test_reflick_flicks_the_disc_just_flicked_again_wherever_it_went(game: Play) -> None:
    state = game(TWO, "flick red 4 off", "reflick red")
    assert ("red", 4) not in state.out
    assert state.sheets["red"].kept("reflick") == 0
    assert "flick red 4 again first" in refused(state, "flick red 1 on")
    again = step(state, parse_event("flick red 4 on"))
    assert next_flick(again) == ("red",)
    assert again.flicks == 1


def test_reflick_needs_a_bonus_and_the_flick_just_made(game: Play) -> None:
    spent = game(TWO, "flick red 4 off", "reflick red", "flick red 4 off")
    assert "red has no Reflick Bonus left" in refused(spent, "reflick red")
    assert "blue has not just flicked" in refused(spent, "reflick blue")
    assert "red has not just flicked" in refused(game(TWO), "reflick red")


def test_reflick_several_in_a_row(setting: Setting) -> None:
    start = new_game(house_sheet(), ("red",))
    richer = start.sheets["red"].circle("reflick")
    state = replace(start, sheets={"red": richer})
    for text in ("flick red 1 off", "reflick red", "flick red 1 off", "reflick red"):
        state = step(state, parse_event(text))
    assert state.sheets["red"].kept("reflick") == 0


def test_reflick_of_the_very_last_disc(game: Play) -> None:
    state = game(TWO, *flicks("red", "blue"), "reflick blue")
    assert (state.phase, state.owed) == ("flick", (("blue", 5),))
    assert step(state, parse_event("flick blue 5 on")).phase == "read"


def test_knocked_off_disc_of_another_is_flicked_again_by_its_owner(game: Play) -> None:
    """Even though it is not the owner's turn."""
    state = game(TWO, "flick red 1 on", "flick red 2 on", "flick blue 1 on", "knock red 2")
    assert next_flick(state) == ("red",)
    assert "the turn is red" in refused(state, "flick blue 2 on")
    assert next_flick(step(state, parse_event("flick red 2 on"))) == ("blue",)


def test_knocked_off_own_disc_is_not_scored(game: Play) -> None:
    state = game(TWO, "flick red 1 on", "flick red 2 on", "knock red 1")
    assert state.out == {("red", 1)}
    assert next_flick(state) == ("blue",)


def test_knock_needs_a_disc_that_is_there(game: Play) -> None:
    state = game(TWO, "flick red 1 on")
    assert "blue 1 is not there" in refused(state, "knock blue 1")
    assert "red 1 is not there" in refused(state, "knock red 1")
    assert "no flick could have done that" in refused(game(TWO), "knock red 1")


def test_bullseye_is_put_on_a_section_and_counts_there(game: Play) -> None:
    state = game(TWO, "flick red 1 on", "bullseye red 1 ruins")
    assert ("red", 1) not in state.on_board
    assert "expected a section of" in refused(game(TWO, "flick red 1 on"), "bullseye red 1 moon")
    assert "blue 3 is not on the board" in refused(state, "bullseye blue 3 creek")


def test_bullseye_of_a_disc_that_another_flick_knocked_in(game: Play) -> None:
    """After any flick, any player's disc."""
    state = game(
        TWO, "flick red 1 on", "flick red 2 on", "flick blue 5 on", "bullseye red 2 canyon"
    )
    assert state.bullseyes == ((("red", 2), "canyon"),)


def test_no_bunting_disqualifies_where_the_table_plays_it(game: Play) -> None:
    assert game(TWO, "flick red 1 bunt", no_bunting=True).out == {("red", 1)}
    assert "plays without that variant" in refused(game(TWO), "flick red 1 bunt")


# Reading, choices, swaps


def to_swaps(game: Play, red: str, blue: str, *more: str) -> GameState:
    return game(TWO, *flicks("red", "blue"), on_board(red=red, blue=blue), *more)


def test_read_says_of_every_disc_where_it_lies(game: Play) -> None:
    state = game(TWO, *flicks("red", "blue"))
    assert "nothing is said of blue 1" in refused(state, "read red: 1@creek 2@creek 3@creek "
                                                  "4@creek 5@creek | blue:")  # fmt: skip
    assert "has no number" in refused(state, "read red: ?@creek")


def test_read_takes_a_disc_that_nobody_can_find_as_missing(game: Play) -> None:
    state = to_swaps(game, "creek creek creek creek missing", "off creek creek creek creek")
    assert state.phase == "swap"
    assert [d.number for d in allocation(state).player("red").creek] == [4, 3, 2, 1]


def test_bullseye_joins_what_was_read(game: Play) -> None:
    state = game(
        TWO, "flick red 1 on", "bullseye red 1 ruins", *flicks_after("red", 1),
        "read red: 2@creek 3@creek 4@creek 5@creek | blue: 1@creek 2@creek 3@creek 4@creek 5@ruins",
    )  # fmt: skip
    given = allocation(state)
    assert given.player("red").ruins.total == 1
    assert given.ruins_order == ("blue", "red")


def test_choice_is_settled_by_its_owner_before_writing(game: Play) -> None:
    state = to_swaps(game, "creek/ruins creek creek creek creek", "creek creek creek creek creek")
    assert "red 1 is still open: settle it as one of creek, ruins" in refused(state, "ready red")
    assert "counts for one of creek, ruins, not canyon" in refused(state, "settle red 1 canyon")
    settled = step(state, parse_event("settle red 1 ruins"))
    assert allocation(settled).player("red").ruins.total == 1


def test_swap_uses_a_bonus_and_judges_positions_again(game: Play) -> None:
    state = to_swaps(
        game, "fox canyon canyon canyon creek", "creek creek creek creek creek", "swap red 1 5"
    )
    red = allocation(state).player("red")
    assert [(d.number, d.shapes) for d in red.canyon] == [(5, 2), (4, 1), (3, 1), (2, 1)]
    assert [(d.number, d.paths) for d in red.creek] == [(1, 1)]
    assert state.sheets["red"].kept("swap") == 0
    assert "red has no Swap Bonus left" in refused(state, "swap red 1 2")


def test_swap_opens_a_choice_again(game: Play) -> None:
    """What is open belongs to the place; the disc that comes there may be settled anew."""
    state = to_swaps(game, "creek/ruins creek creek creek canyon", "creek creek creek creek creek",
                     "settle red 1 ruins", "swap red 1 5")  # fmt: skip
    assert "red 5 is still open" in refused(state, "ready red")


def test_swap_not_after_being_ready(game: Play) -> None:
    state = to_swaps(game, *["creek creek creek canyon ruins"] * 2, "ready red")
    assert "red is ready already" in refused(state, "swap red 1 5")
    assert "belongs to the swap phase, now is the flick phase" in refused(game(TWO), "swap red 1 2")


def test_swap_bullseye_and_lost_discs_stay(game: Play) -> None:
    state = to_swaps(game, "creek creek creek creek off", "creek creek creek creek creek")
    assert "red 5 is not on the board" in refused(state, "swap red 1 5")


# The Write Phase


def to_ruins(game: Play, red: str, blue: str, *more: str) -> GameState:
    return to_swaps(game, red, blue, "ready red", "ready blue", *more)


def test_ruins_highest_total_records_first(game: Play) -> None:
    state = to_ruins(game, *["ruins creek creek creek creek", "creek ruins creek creek creek"])
    assert (state.phase, state.ruins_queue) == ("ruins", ("blue", "red"))
    assert "blue records Ruins discs first" in refused(state, "write red ruins A 1")
    assert "every hex of the value" in refused(state, "done blue")
    after = step(state, parse_event("write blue ruins A 2"))
    assert after.ruins_queue == ("red",)


def test_ruins_top_reward_is_crossed_out_for_all_others(game: Play, setting: Setting) -> None:
    marks = ("write red ruins A 5", "write red ruins B 5", "write blue ruins A 5")
    places = ("creek creek creek creek lizard", "creek creek creek creek ruins")
    state = to_ruins(game, *places, *marks)
    red, blue = state.writings["red"].state, state.writings["blue"].state
    assert red.top == 1
    assert (blue.top_out, blue.top, blue.bottom) == (1, 0, 1)
    assert red.kept("reflick") == 2
    assert blue.kept("reflick") == 1
    rows = {p.player: p.rows[0].value for p in scores(state).players}
    building = setting.sheet.ruins.buildings[0]
    assert rows == {"red": building.top.points, "blue": building.bottom.points}


def test_players_without_a_ruins_disc_wait_for_the_others(game: Play) -> None:
    state = to_ruins(game, "creek creek creek creek creek", "creek creek creek creek ruins")
    assert state.ruins_queue == ("blue",)
    assert "blue records Ruins discs first" in refused(state, "write red creek 1 a1")


def test_write_all_at_once_in_any_order(game: Play) -> None:
    marks = ("write blue creek 1 a1", "write red creek 2 a1 a2", "write blue creek 2 a2 c1")
    state = to_ruins(game, *["creek creek creek creek creek"] * 2, *marks)
    assert state.phase == "write"
    assert "no disc of 2 is left" in refused(state, "write blue creek 2 c2 c3")
    assert "no player is called 'green'" in refused(state, "write green creek 1 a1")


def finished(game: Play, colors: list[str], played: int = 1, **options: Any) -> GameState:
    """Play rounds in which every disc lies on a launch corner, so nothing is written."""
    events: list[str] = []
    for number in range(played):
        order = [*colors[number % len(colors) :], *colors[: number % len(colors)]]
        events += flicks(*order)
        events += [on_board(**dict.fromkeys(colors, "corner " * 5))]
        events += [f"ready {color}" for color in colors] + [f"done {color}" for color in colors]
    return game(colors, *events, **options)


def test_end_of_round_turns_the_board_and_passes_the_first_player_marker(game: Play) -> None:
    colors = ["red", "blue", "green", "yellow"]
    state = finished(game, colors)
    assert (state.round, state.phase, state.turn_deg) == (2, "flick", 90)
    assert state.order == ("blue", "green", "yellow", "red")
    assert not state.flicked


def test_launch_corners_move_on_and_the_first_player_faces_ruins(game: Play) -> None:
    """Corner 0 is Ruins': round after round it is in front of whoever plays first."""
    colors = ["red", "blue", "green", "yellow"]
    for rounds in range(4):
        state = finished(game, colors, rounds)
        corners = {color: state.launch_corner(color) for color in colors}
        assert corners[state.order[0]] == 0
        assert sorted(corners.values()) == [0, 1, 2, 3]


def test_each_player_has_a_corner_of_their_own(game: Play) -> None:
    assert game(TWO).setup.seats == (0, 2)
    with pytest.raises(UsageError, match="a corner of 0 to 3 for each player"):
        game(TWO, seats=(1, 1))


def test_done_twice_and_after_done(game: Play) -> None:
    state = to_ruins(game, *["corner corner corner corner corner"] * 2, "done red")
    assert "red has finished" in refused(state, "done red")
    assert "red has finished" in refused(state, "write red creek 1 a1")


@pytest.mark.parametrize(("length", "rounds"), [("short", 5), ("standard", 6), ("long", 7)])
def test_game_length(game: Play, length: str, rounds: int) -> None:
    before = finished(game, TWO, rounds - 1, rounds=length)
    assert before.phase == "flick"
    assert finished(game, TWO, rounds, rounds=length).phase == "over"


@pytest.mark.parametrize(
    ("colors", "options", "what"),
    [
        ([], {}, "1 to 4 players, got 0"),
        (["a", "b", "c", "d", "e"], {}, "1 to 4 players, got 5"),
        (["a", "a"], {}, "different colors"),
        (["a", "rival"], {}, "different colors"),
        (["a"], {"first": "b"}, "first: expected one of a"),
        (["a"], {"rounds": 4}, r"short \(5\), standard \(6\), long \(7\), got 4"),
        (["a", "b"], {"solo": True}, "3 colors for solo, got 2"),
        (["a"], {"spanish": frozenset({"x"})}, "no line 'x'"),
    ],
)
def test_games_that_cannot_be(
    game: Play, colors: list[str], options: dict[str, Any], what: str
) -> None:
    with pytest.raises(UsageError, match=what):
        game(colors, **options)


# Final scoring


def test_ties_go_to_the_most_discovery_bonuses_then_are_shared(setting: Setting) -> None:
    plain = new_sheet(setting)
    one = parse_state(setting, "bonuses: fox 1-1")
    two = parse_state(setting, "bonuses: fox 1-0 owl 1-1")
    ahead = parse_state(setting, "ruins: B9^")

    def winners(**sheets: Any) -> tuple[str, ...]:
        return final_scores(setting, sheets).winners

    assert winners(a=plain, b=one, c=two) == ("c",)
    assert winners(a=one, b=one, c=plain) == ("a", "b")
    assert winners(a=two, b=ahead) == ("b",)


def test_final_score_is_the_sum_of_the_four_sections(setting: Setting) -> None:
    state = parse_state(
        setting,
        "ruins: A5^ B9_ C3 | canyon: e11+f11 f10 | creek: a1 a2 c1 c2* | mudcracks: i1 i2",
    )
    score = final_scores(setting, {"red": state}).players[0]
    buildings = setting.sheet.ruins.buildings
    assert [(row.label, row.value) for row in score.rows] == [
        ("ruins", buildings[0].top.points + buildings[1].bottom.points),
        ("creek", 1),
        ("canyon", 2),
        ("mudcracks", 2),
    ]
    assert score.total == sum(row.value for row in score.rows)


# Undo, redo, text


def test_undo_and_redo(game: Play) -> None:
    one = game(TWO, "flick red 1 on")
    assert game(TWO, "flick red 1 on", "flick red 2 off", "undo") == one
    assert game(TWO, "flick red 1 on", "undo", "redo") == one
    assert game(TWO, "flick red 1 on", "flick red 2 on", "undo", "undo") == game(TWO)


def test_undo_then_another_act_ends_what_could_be_redone(game: Play) -> None:
    with pytest.raises(RuleError, match="nothing was taken back"):
        game(TWO, "flick red 1 on", "undo", "flick red 2 on", "redo")
    with pytest.raises(RuleError, match="start of the game"):
        game(TWO, "undo")


def test_undo_gives_a_bonus_back(game: Play) -> None:
    state = game(TWO, "flick red 1 off", "reflick red", "undo")
    assert state.sheets["red"].kept("reflick") == 1
    assert state.out == {("red", 1)}


def test_an_event_that_cannot_happen_changes_nothing(game: Play) -> None:
    state = game(TWO)
    before = (state.flicked, state.sheets, state.phase)
    refused(state, "flick blue 1 on")
    assert (state.flicked, state.sheets, state.phase) == before


@pytest.mark.parametrize(
    "text",
    ["flick red 3 off", "reflick red", "knock blue 2", "bullseye red 5 ruins",
     "read red: 2@ruins 3@lizard | blue: 1@hole>creek", "settle red 4 creek", "swap red 1 5",
     "ready red", "choose red blue", "write red ruins B 9", "done red", "undo", "redo"],
)  # fmt: skip
def test_events_come_back_from_their_text(text: str) -> None:
    assert event_text(parse_event(text)) == text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "expected one of flick"),
        ("fly red", "expected one of flick"),
        ("flick red", "FLICK PLAYER DISC RESULT"),
        ("flick red one on", "a disc's number, got 'one'"),
        ("flick red 1 gone", "on or off or short or bunt"),
        ("done red blue", "DONE PLAYER"),
        ("undo twice", "'UNDO'"),
    ],
)
def test_events_that_are_none(text: str, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        parse_event(text)


def test_a_fold_of_the_same_events_is_the_same_state(game: Play) -> None:
    events = [*flicks("red", "blue"), on_board(red="creek " * 5, blue="ruins " * 5)]
    start = new_game(house_sheet(), ("red", "blue"))
    assert fold(start, map(parse_event, events)).now == game(TWO, *events)
