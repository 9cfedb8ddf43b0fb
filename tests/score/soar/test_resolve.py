"""Chapters "Resolving a Quest", "Ties" and "Special Bid Tokens", sentence by sentence."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from sonora_vision.errors import RuleError
from sonora_vision.score.soar.cards import Quest, Reward, house_set
from sonora_vision.score.soar.resolve import Bid, Outcome, resolve

TOKENS = house_set().tokens


def quest(first: int, second: int, last: int, *, special: str = "", slots: int = 5) -> Quest:
    """Make a quest; ``special`` names the rewards with the icon."""
    points = {"first": first, "second": second, "last": last}
    rewards = {
        name: Reward(points=value, special=name in special.split())
        for name, value in points.items()
    }
    return Quest(id="quest", slots="o" * slots, rewards=MappingProxyType(rewards))


def resolved(card: Quest, words: str) -> Outcome:
    """Resolve ``5@blue 7@sky ...``; the quest gets as many slots as there are tokens."""
    bids = [Bid(token=token, owner=owner) for token, owner in (w.split("@") for w in words.split())]
    fitted = Quest(id=card.id, slots="o" * len(bids), rewards=card.rewards)
    return resolve(fitted, bids, TOKENS)


def points(card: Quest, words: str) -> dict[str, int]:
    return {owner: award.points for owner, award in resolved(card, words).awards.items()}


def totals(words: str) -> dict[str, int]:
    return {owner: a.total for owner, a in resolved(quest(1, 1, 1), words).awards.items()}


def specials(card: Quest, words: str) -> dict[str, int]:
    return {owner: award.specials for owner, award in resolved(card, words).awards.items()}


def test_the_example_eleven_takes_first_ten_second_five_last() -> None:
    """The rulebook's example: rewards -3, 6 and 3."""
    bids = "5@blue 4@red 6@blue 5@sky 6@red"
    assert totals(bids) == {"blue": 11, "red": 10, "sky": 5}
    assert points(quest(-3, 6, 3), bids) == {"blue": -3, "red": 6, "sky": 3}


def test_the_skyborne_is_considered_a_player() -> None:
    assert points(quest(7, 4, 1), "10@sky 5@blue 2@red") == {"sky": 7, "blue": 4, "red": 1}


def test_with_more_than_three_some_get_nothing() -> None:
    four = "9@a 8@b 7@c 6@sky"
    assert points(quest(7, 4, 1), four) == {"a": 7, "b": 4, "c": 0, "sky": 1}
    five = "9@a 8@b 7@c 6@sky 5@d"
    assert points(quest(7, 4, 1), five) == {"a": 7, "b": 4, "c": 0, "sky": 0, "d": 1}


def test_of_two_the_second_gets_both_second_and_last() -> None:
    assert points(quest(7, 4, 1), "9@blue 3@sky") == {"blue": 7, "sky": 5}


def test_the_skyborne_alone_gets_first_and_last() -> None:
    assert points(quest(7, 4, 1), "9@sky 3@sky") == {"sky": 8}


def test_a_player_alone_is_treated_alike() -> None:
    """The rulebook is silent; see rules.toml."""
    assert points(quest(7, 4, 1), "9@blue 3@blue") == {"blue": 8}


def test_the_special_icon_draws_a_token_for_the_place_it_is_on() -> None:
    bids = "9@a 8@b 7@sky"
    assert specials(quest(7, 4, 1, special="second"), bids) == {"a": 0, "b": 1, "sky": 0}
    assert specials(quest(7, 4, 1, special="second last"), "9@a 8@b") == {"a": 0, "b": 2}
    assert specials(quest(7, 4, 1, special="first"), "9@sky") == {"sky": 1}


def test_minus_three_between_two_is_minus_one_each() -> None:
    """The rulebook's example for rounding toward zero: two of four tie for last."""
    bids = "9@a 8@b 5@c 5@sky"
    assert points(quest(7, 4, -3), bids) == {"a": 7, "b": 4, "c": -1, "sky": -1}


def test_plus_three_between_two_is_one_each() -> None:
    assert points(quest(7, 4, 3), "9@a 8@b 5@c 5@sky")["c"] == 1


def test_two_tied_for_first_split_first_and_second() -> None:
    assert points(quest(7, 4, 1), "9@a 9@b 2@sky") == {"a": 5, "b": 5, "sky": 1}
    assert points(quest(-7, 4, 1), "9@a 9@b 2@sky") == {"a": -1, "b": -1, "sky": 1}


def test_if_all_tie_all_rewards_are_split() -> None:
    assert points(quest(7, 4, 2), "9@a 9@b 9@sky") == {"a": 4, "b": 4, "sky": 4}
    assert points(quest(7, 4, 2), "9@a 9@sky") == {"a": 6, "sky": 6}
    assert points(quest(7, 4, 2), "6@a 6@b 6@c 6@sky") == {"a": 3, "b": 3, "c": 3, "sky": 3}


def test_two_of_three_tied_behind_the_first_split_second_and_last() -> None:
    assert points(quest(7, 4, 1), "9@a 5@b 5@sky") == {"a": 7, "b": 2, "sky": 2}


def test_two_of_four_tied_for_second_split_the_second_reward_alone() -> None:
    assert points(quest(7, 4, 1), "9@a 5@b 5@c 2@sky") == {"a": 7, "b": 2, "c": 2, "sky": 1}


def test_three_tied_for_first_of_four_split_first_and_second() -> None:
    assert points(quest(7, 4, 1), "6@a 6@b 6@c 2@sky") == {"a": 3, "b": 3, "c": 3, "sky": 1}


def test_all_tied_players_draw_the_special_token() -> None:
    first = quest(7, 4, 1, special="first")
    assert specials(first, "9@a 9@b 2@sky") == {"a": 1, "b": 1, "sky": 0}
    both = quest(7, 4, 1, special="first second")
    assert specials(both, "9@a 9@b 2@sky") == {"a": 2, "b": 2, "sky": 0}


def test_times_two_doubles_every_reward() -> None:
    assert points(quest(7, -4, 1), "x2@a 4@b 3@sky") == {"a": 14, "b": -8, "sky": 2}


def test_two_doublings_are_fourfold() -> None:
    assert points(quest(7, 4, 1), "x2@a x2@b 1@sky") == {"a": 22, "b": 22, "sky": 4}


@pytest.mark.parametrize(
    ("token", "expected"),
    [("+2all", {"a": 9, "b": -2, "sky": 3}), ("-2all", {"a": 5, "b": -6, "sky": -1})],
)
def test_plus_and_minus_two_modify_every_reward(token: str, expected: dict[str, int]) -> None:
    assert points(quest(7, -4, 1), f"{token}@a 4@b 3@sky") == expected


def test_doubling_and_adding_resolve_in_the_order_of_placing() -> None:
    assert points(quest(7, 4, 1), "x2@a +2all@a 4@b 3@sky")["a"] == 7 * 2 + 2
    assert points(quest(7, 4, 1), "+2all@a x2@a 4@b 3@sky")["a"] == (7 + 2) * 2
    assert points(quest(7, 4, 1), "-2all@a 4@b x2@a 3@sky")["sky"] == (1 - 2) * 2


def test_modifiers_come_before_splitting() -> None:
    assert points(quest(3, 0, 1), "x2@a 5@b 1@sky") == {"a": 3, "b": 3, "sky": 2}


def test_previous_changes_the_bid_placed_before_it() -> None:
    assert totals("3@a +4prev@b 2@sky") == {"a": 7, "b": 5, "sky": 2}
    assert totals("3@a -4prev@b 2@sky") == {"b": 5, "sky": 2, "a": -1}


def test_next_changes_the_bid_placed_after_it() -> None:
    assert totals("+4next@a 3@b 2@sky") == {"b": 7, "a": 5, "sky": 2}
    assert totals("-4next@a 3@b 2@sky") == {"a": 5, "sky": 2, "b": -1}


def test_previous_on_the_first_slot_and_next_on_the_last_have_no_effect() -> None:
    assert totals("+4prev@a 3@b 2@sky") == {"a": 5, "b": 3, "sky": 2}
    assert totals("3@b 2@sky +4next@a") == {"a": 5, "b": 3, "sky": 2}


def test_a_token_between_two_modifiers_gets_both_and_special_tokens_are_modified_too() -> None:
    assert totals("+4next@a 3@b +4prev@sky") == {"b": 11, "a": 5, "sky": 5}
    assert totals("+4next@a +4prev@b") == {"a": 9, "b": 9}


def test_a_special_token_may_be_the_skybornes_bid() -> None:
    assert points(quest(7, 4, 1), "x2@sky 6@a 2@b") == {"a": 14, "sky": 8, "b": 2}


def test_several_bids_of_a_player_are_added() -> None:
    assert totals("3@a 4@sky 5@a 1@b 2@a") == {"a": 10, "sky": 4, "b": 1}


def test_a_quest_that_is_not_full_is_not_resolved() -> None:
    with pytest.raises(RuleError, match="quest: 1 of 5 slots are filled"):
        resolve(quest(7, 4, 1), [Bid(token="5", owner="a")], TOKENS)


def test_a_token_that_is_not_known_cannot_be_resolved() -> None:
    with pytest.raises(RuleError, match="slot 2 is not known"):
        resolved(quest(7, 4, 1), "5@a ?@sky")


def test_the_reasons_name_tokens_rewards_and_rule() -> None:
    awards = resolved(quest(7, 4, 1), "x2@a 3@a +4prev@b 6@b 2@sky").awards
    assert awards["b"].why[:2] == ("bids +4prev as 5 + 6 = 11", "second 8 (printed 4)")
    assert awards["a"].why[:2] == ("bids x2 as 5 + 3 as 7 = 12", "first 14 (printed 7)")
    assert awards["sky"].why[0] == "bids 2"
    assert all(award.why[-1].startswith("rule: Resolving a Quest") for award in awards.values())
