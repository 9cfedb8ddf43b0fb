"""Twenty discs are one inventory: what is certain follows, and nothing else is made up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sonora_vision.detect.inventory import Who, identify, identify_plain

COLORS = ("red", "green", "blue", "white")
NUMBERS = (1, 2, 3, 4, 5)
INVENTORY: list[Who] = [(color, number) for color in COLORS for number in NUMBERS]


def sees(color: str, number: int, nats: float = 12.0) -> dict[Who, float]:
    """A face in plain view: all else is less likely by so many nats."""
    return {who: 0.0 if who == (color, number) else -nats for who in INVENTORY}


def sees_color(color: str) -> dict[Who, float]:
    """A face whose number cannot be seen."""
    return {who: 0.0 if who[0] == color else -12.0 for who in INVENTORY}


def test_discs_in_plain_view_are_what_they_show() -> None:
    found = identify([sees(*who) for who in INVENTORY], INVENTORY, True)
    assert [(f.color, f.number) for f in found] == INVENTORY
    assert min(f.p_color * f.p_number for f in found) > 0.999


def test_an_unseen_number_follows_where_the_rest_of_its_color_is_certain() -> None:
    logs = [sees("red", n) for n in (1, 2, 4, 5)] + [sees_color("red"), sees_color("green")]
    found = identify(logs, INVENTORY, True)
    assert (found[4].color, found[4].number) == ("red", 3)
    assert found[4].p_number > 0.99
    # Of green nothing else is known: five numbers are left.
    assert found[5].p_color > 0.99
    assert found[5].p_number == pytest.approx(1 / 5, abs=0.01)


@pytest.mark.parametrize("unseen", [2, 3])
def test_of_several_unseen_numbers_none_is_told(unseen: int) -> None:
    logs = [sees("red", n) for n in NUMBERS[unseen:]] + [sees_color("red")] * unseen
    for identity in identify(logs, INVENTORY, True)[-unseen:]:
        assert identity.color == "red"
        assert identity.p_number == pytest.approx(1 / unseen, abs=0.01)


def test_an_inference_is_no_surer_than_what_it_rests_on() -> None:
    torn = sees("red", 1)
    torn[("red", 2)] = -1.0  # a one that may be a two
    logs = [torn, *(sees("red", n) for n in (3, 4, 5)), sees_color("red")]
    found = identify(logs, INVENTORY, True)
    expected = 1 / (1 + math.exp(-1.0))
    assert (found[0].number, found[4].number) == (1, 2)
    assert found[0].p_number == pytest.approx(expected, abs=0.01)
    assert found[4].p_number == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("behind", [0.5, 1.0, 2.0, 4.0])
def test_two_readings_that_compete_share_the_probability(behind: float) -> None:
    torn = sees("blue", 2)
    torn[("blue", 5)] = -behind
    found = identify([torn], INVENTORY, True)[0]
    assert found.number == 2
    assert found.p_number == pytest.approx(1 / (1 + math.exp(-behind)), abs=0.01)


def test_a_competitor_that_is_taken_elsewhere_is_out() -> None:
    torn = sees("blue", 2)
    torn[("blue", 5)] = -0.5
    found = identify([torn, sees("blue", 5)], INVENTORY, True)[0]
    assert found.number == 2
    assert found.p_number > 0.99


def test_two_discs_that_show_one_face_cannot_both_be_it() -> None:
    for identity in identify([sees("white", 3, nats=60.0)] * 2, INVENTORY, True):
        assert identity.color == "white"
        assert identity.p_color > 0.99
        assert identity.p_number == pytest.approx(0.5, abs=0.01)


def test_bad_light_makes_no_stranger() -> None:
    dim = {who: log - 30.0 for who, log in sees("green", 4).items()}
    found = identify([dim, *(sees("green", n) for n in (1, 2, 3, 5))], INVENTORY, True)[0]
    assert (found.color, found.number) == ("green", 4)
    assert found.p_color * found.p_number > 0.99


def test_nor_can_they_with_all_others_in_plain_view() -> None:
    logs = [sees(*who, nats=60.0) for who in INVENTORY] + [sees("white", 3, nats=60.0)]
    found = identify(logs, INVENTORY, True)
    torn = [INVENTORY.index(("white", 3)), len(INVENTORY)]
    assert [found[i].p_number for i in torn] == pytest.approx([0.5, 0.5], abs=0.01)
    assert min(f.p_number for i, f in enumerate(found) if i not in torn) > 0.99


@pytest.mark.parametrize("seed", range(3))
def test_a_twenty_first_disc_pushes_out_nobody(seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(INVENTORY))
    logs = [sees(*INVENTORY[i]) for i in order]
    stranger = {who: float(v) for who, v in zip(INVENTORY, rng.uniform(-40, -30, 20), strict=True)}
    place = int(rng.integers(21))
    logs.insert(place, stranger)
    found = identify(logs, INVENTORY, True)
    assert found[place].p_number < 0.1
    del found[place]
    assert [(f.color, f.number) for f in found] == [INVENTORY[i] for i in order]
    assert min(f.p_color * f.p_number for f in found) > 0.99


def test_where_faces_are_not_unique_each_disc_is_on_its_own() -> None:
    found = identify([sees("white", 3), sees("white", 3)], INVENTORY, False)
    assert [(f.color, f.number) for f in found] == [("white", 3)] * 2
    assert min(f.p_number for f in found) > 0.999


def test_plain_discs_are_told_by_color_with_the_odds_of_their_likelihoods() -> None:
    found = identify_plain([np.array([0.0, -2.0]), np.array([-9.0, 0.0])], ("black", "natural"))
    assert [f.color for f in found] == ["black", "natural"]
    assert found[0].p_color == pytest.approx(1 / (1 + math.exp(-2.0)))
    assert [f.number for f in found] == [None, None]


def test_what_may_be_no_disc_gives_way_to_one_that_can_be_nobody_else() -> None:
    # A sliver, that could be a white four, and a white band: all other whites lie in plain view.
    whites = [sees("white", n) for n in (1, 2, 3, 5)]
    band = {who: 0.0 if who[0] == "white" else -8.0 for who in INVENTORY}
    found = identify([*whites, sees_color("white"), band], INVENTORY, True, [1, 1, 1, 1, 0.75, 1])
    assert (found[5].color, found[5].number) == ("white", 4)
    assert found[5].p_color * found[5].p_number > 0.95
    assert found[4].p_number < 0.05


def test_a_band_whose_color_is_used_up_is_not_told_to_be_of_another() -> None:
    band = {who: 0.0 if who[0] == "green" else -6.0 for who in INVENTORY}
    logs = [*(sees("green", n) for n in NUMBERS), *(sees("white", n) for n in NUMBERS[1:]), band]
    found = identify(logs, INVENTORY, True, [*[1.0] * 9, 0.97])
    assert found[-1].p_color * found[-1].p_number < 0.5
    assert min(each.p_color * each.p_number for each in found[:9]) > 0.99


def test_what_follows_from_a_place_is_no_surer_than_that_it_is_a_disc() -> None:
    logs = [*(sees("red", n) for n in (1, 2, 4, 5)), sees_color("red")]
    found = identify(logs, INVENTORY, True, [1, 1, 1, 0.75, 1])
    assert found[4].number == 3
    assert found[4].p_number == pytest.approx(0.75, abs=0.01)
    # Of the place itself it is asked who it is if it is a disc.
    assert found[3].p_color * found[3].p_number > 0.99


def test_no_discs_no_identities() -> None:
    assert identify([], INVENTORY, True) == []
