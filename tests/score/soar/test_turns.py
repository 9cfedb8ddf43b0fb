"""Chapters "Setup", "Gameplay" and "Special Token Limits", sentence by sentence."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from types import MappingProxyType

import pytest

from sonora_vision.errors import RuleError
from sonora_vision.score.soar.cards import house_set
from sonora_vision.score.soar.position import Open
from sonora_vision.score.soar.resolve import SKYBORNE, Bid
from sonora_vision.score.soar.turns import Placement, Table, check_turn, set_up, take_turn

NAMES = ("blue", "red", "green", "molly", "mike")
CARDS = house_set()


def never(name: str, tokens: tuple[str, ...]) -> str:
    raise AssertionError(f"{name} was asked to discard one of {tokens}")


def table_of(count: int, seed: int = 1) -> Table:
    return set_up(NAMES[:count], CARDS, random.Random(seed))


def arranged(row: dict[str, str], hand: str = "5 5 5", *, players: int = 2, **hands: str) -> Table:
    """Lay a table out: quests with bids as ``5@blue 7@sky``, and hands; blue is to play."""
    table = table_of(players)
    quests = []
    for name, words in row.items():
        bids = [word.split("@") for word in words.split()]
        quests.append(
            Open(
                quest=CARDS.quests[name],
                bids=tuple(Bid(token=token, owner=owner) for token, owner in bids),
            )
        )
    held = dict.fromkeys(table.players, ("1", "2", "3")) | {SKYBORNE: ()}
    held |= {"blue": tuple(hand.split())} | {n: tuple(h.split()) for n, h in hands.items()}
    left = Counter(CARDS.supply(special=False) + CARDS.supply(special=True))
    left -= Counter(bid.token for one in quests for bid in one.bids)
    left -= Counter(token for hand_ in held.values() for token in hand_)
    rest = sorted(left.elements())
    return replace(
        table,
        row=tuple(quests),
        hands=MappingProxyType(held),
        bag=tuple(token for token in rest if not CARDS.tokens[token].special),
        pile=CARDS.specials(tuple(rest)),
    )


def played(table: Table, *words: str) -> Table:
    """Play ``token@quest`` words, marked with ``!`` where a ship is on it."""
    return take_turn(table, placements(*words), random.Random(7), never)


def placements(*words: str) -> list[Placement]:
    return [
        Placement(token=token, quest=quest.rstrip("!"), mine=quest.endswith("!"))
        for token, quest in (word.split("@") for word in words)
    ]


ROW = {"cloud-gate": "", "storm-eye": ""}


# Setup


@pytest.mark.parametrize(("players", "quests"), [(5, 10), (4, 9), (3, 8), (2, 7)])
def test_quests_are_removed_by_the_number_of_players(players: int, quests: int) -> None:
    table = table_of(players)
    assert len(table.row) + len(table.deck) == quests
    assert len({one.quest.id for one in table.row} | set(table.deck)) == quests


@pytest.mark.parametrize(("players", "shown"), [(2, 2), (3, 2), (4, 3), (5, 4)])
def test_quests_are_revealed_by_the_number_of_players(players: int, shown: int) -> None:
    assert len(table_of(players).row) == shown


@pytest.mark.parametrize("players", [1, 6])
def test_two_to_five_play(players: int) -> None:
    with pytest.raises(RuleError, match=f"expected 2 to 5 players, got {players}"):
        set_up([f"p{i}" for i in range(players)], CARDS, random.Random(1))


def test_everybody_draws_three_regular_tokens_and_has_three_ships() -> None:
    table = table_of(2)
    for name in table.players:
        assert len(table.hands[name]) == 3
        assert not CARDS.specials(table.hands[name])
        assert table.ships(name) == 3
        assert table.points[name] == 0
    assert len(table.bag) == 32 - 6


@pytest.mark.parametrize(("players", "extra"), [(2, 0), (3, 1), (4, 1), (5, 0)])
def test_at_three_and_four_the_last_player_draws_a_special_token(players: int, extra: int) -> None:
    table = table_of(players)
    held = [len(CARDS.specials(table.hands[name])) for name in table.players]
    assert held == [0] * (players - 1) + [extra]
    assert len(table.pile) == 16 - extra


# Gameplay


def test_turns_go_clockwise_from_the_first_player() -> None:
    table = arranged(ROW)
    assert table.active == "blue"
    table = played(table, "5@cloud-gate!", "5@storm-eye")
    assert table.active == "red"


def test_tokens_go_to_one_quest_or_to_two() -> None:
    one = played(arranged(ROW), "5@cloud-gate!", "5@cloud-gate")
    assert [len(each.bids) for each in one.row] == [2, 0]
    two = played(arranged(ROW), "5@cloud-gate", "5@storm-eye!")
    assert [len(each.bids) for each in two.row] == [1, 1]


def test_tokens_fill_the_slots_in_order() -> None:
    table = arranged({"cloud-gate": "7@sky", "storm-eye": ""}, "5 6 4")
    after = played(table, "6@cloud-gate!", "4@cloud-gate")
    assert [bid.token for bid in after.row[0].bids] == ["7", "6", "4"]


def test_one_bid_is_marked_and_the_other_is_the_skybornes() -> None:
    after = played(arranged(ROW), "5@cloud-gate!", "5@storm-eye")
    assert [one.bids[0].owner for one in after.row] == ["blue", SKYBORNE]
    assert after.ships("blue") == 2


@pytest.mark.parametrize(
    "words", [("5@cloud-gate", "5@storm-eye"), ("5@cloud-gate!", "5@storm-eye!")]
)
def test_with_a_ship_exactly_one_bid_is_marked(words: tuple[str, ...]) -> None:
    with pytest.raises(RuleError, match=r"blue: has 3 ships .* expected one marked"):
        check_turn(arranged(ROW), placements(*words))


def test_without_a_ship_both_bids_are_the_skybornes() -> None:
    row = {"cloud-gate": "7@blue 6@blue", "storm-eye": "4@blue"}
    table = arranged(row)
    assert table.ships("blue") == 0
    with pytest.raises(RuleError, match=r"blue: has 0 ships .* expected both the Skyborne's"):
        check_turn(table, placements("5@cloud-gate!", "5@storm-eye"))
    after = played(table, "5@cloud-gate", "5@storm-eye")
    assert [one.bids[-1].owner for one in after.row] == [SKYBORNE, SKYBORNE]


def test_tokens_on_eyes_lie_face_up_and_on_blanks_face_down() -> None:
    """cloud-gate has eyes on slots 1, 2 and 4."""
    table = arranged({"cloud-gate": "7@sky 6@red 4@sky 3@red", "storm-eye": ""})
    assert table.row[0].seen_by("blue") == ("7", "6", "?", "3")


def test_own_face_down_bids_may_be_looked_at_the_skybornes_not() -> None:
    """thunder-keep has blanks only."""
    table = arranged({"thunder-keep": "7@blue 6@sky 4@red", "storm-eye": ""})
    assert table.row[0].seen_by("blue") == ("7", "?", "?")
    assert table.row[0].seen_by("red") == ("?", "?", "4")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("5@cloud-gate!",), "expected 2 bids, got 1"),
        (("5@cloud-gate!", "5@cloud-gate", "5@storm-eye"), "expected 2 bids, got 3"),
        (("9@cloud-gate!", "5@cloud-gate"), "9 is not in hand"),
        (("5@sun-spire!", "5@cloud-gate"), "no quest 'sun-spire' in the row"),
    ],
)
def test_a_turn_that_is_not_allowed_is_refused(words: tuple[str, ...], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        check_turn(arranged(ROW), placements(*words))


def test_a_token_is_played_once_only() -> None:
    with pytest.raises(RuleError, match="4 is not in hand"):
        check_turn(arranged(ROW, "4 5 6"), placements("4@cloud-gate!", "4@storm-eye"))


def test_a_bid_on_a_full_quest_is_refused() -> None:
    table = arranged({"cloud-gate": "7@sky 6@sky 4@sky 4@red", "storm-eye": ""})
    with pytest.raises(RuleError, match="5@cloud-gate: the quest is full"):
        check_turn(table, placements("5@cloud-gate!", "5@cloud-gate"))


def test_with_one_slot_left_in_the_row_one_token_is_placed() -> None:
    """The rulebook is silent; see rules.toml."""
    table = replace(arranged({"cloud-gate": "7@sky 6@sky 4@sky 4@red"}), deck=())
    after = played(table, "5@cloud-gate!")
    assert after.over
    with pytest.raises(RuleError, match="the game is over"):
        check_turn(after, [])


def test_hands_are_drawn_up_to_three_regular_tokens() -> None:
    after = played(arranged(ROW), "5@cloud-gate!", "5@storm-eye")
    assert len(after.hands["blue"]) == 3


def test_special_tokens_do_not_count_toward_the_hand() -> None:
    after = played(arranged(ROW, "5 5 5 x2 star1"), "x2@cloud-gate!", "5@storm-eye")
    hand = after.hands["blue"]
    assert CARDS.specials(hand) == ("star1",)
    assert len(hand) == 4


def test_a_full_quest_pays_is_replaced_and_gives_ships_and_tokens_back() -> None:
    """cloud-gate: -3, 6 and 3."""
    table = arranged({"cloud-gate": "7@blue x2@red 4@sky", "storm-eye": "10@red"})
    expected = table.deck[0]
    after = played(table, "5@cloud-gate!", "5@cloud-gate")
    assert dict(after.points) == {"blue": -6, "red": 0 + 6, SKYBORNE: 12}
    assert [one.quest.id for one in after.row] == ["storm-eye", expected]
    assert after.deck == table.deck[1:]
    assert after.ships("blue") == 3
    assert after.pile.count("x2") == table.pile.count("x2") + 1
    regular = [*after.bag, *after.hands["blue"]]
    assert Counter(regular)["7"] == Counter([*table.bag, "7"])["7"]


def test_with_an_empty_pile_no_quest_is_drawn() -> None:
    table = replace(arranged({"cloud-gate": "7@blue 6@red 4@sky", "storm-eye": ""}), deck=())
    after = played(table, "5@cloud-gate!", "5@cloud-gate")
    assert [one.quest.id for one in after.row] == ["storm-eye"]
    assert not after.over


def test_both_bids_are_placed_before_anything_is_resolved() -> None:
    """The first bid fills cloud-gate; the second goes to the quest beside it, not a new one."""
    table = arranged({"cloud-gate": "7@blue 6@red 4@sky 3@sky", "storm-eye": ""})
    with pytest.raises(RuleError, match="no quest"):
        check_turn(table, placements("5@cloud-gate!", f"5@{table.deck[0]}"))
    after = played(table, "5@cloud-gate!", "5@storm-eye")
    assert len(after.row[0].bids) == 1


def test_two_quests_filled_by_one_turn_are_both_resolved() -> None:
    table = arranged(
        {"cloud-gate": "7@blue 6@red 4@sky 3@sky", "storm-eye": "8@sky 4@sky 1@red 0@sky"}
    )
    after = played(table, "5@cloud-gate!", "5@storm-eye")
    assert dict(after.points) == {"blue": -3, "red": 3 + (3 + -2), SKYBORNE: 6 + 8}
    assert len(after.row) == 2


# Special tokens


def test_a_reward_with_the_icon_draws_the_next_special_token() -> None:
    """aurora-arch: the second place draws one."""
    table = arranged({"aurora-arch": "9@red 7@blue 2@sky", "storm-eye": ""})
    after = played(table, "5@aurora-arch!", "5@aurora-arch")
    assert after.points["blue"] == 6
    assert CARDS.specials(after.hands["red"]) == (table.pile[0],)
    assert after.points["red"] == 2


def test_the_fourth_special_token_makes_its_owner_discard_one_of_their_choice() -> None:
    table = arranged(
        {"aurora-arch": "9@red 7@blue 2@sky", "storm-eye": ""}, red="1 2 3 x2 star1 star3"
    )
    asked = []

    def discard(name: str, tokens: tuple[str, ...]) -> str:
        asked.append((name, tokens))
        return "x2"

    bids = placements("5@aurora-arch!", "5@aurora-arch")
    after = take_turn(table, bids, random.Random(7), discard)
    drawn = table.pile[0]
    assert asked == [("red", ("x2", "star1", "star3", drawn))]
    assert CARDS.specials(after.hands["red"]) == ("star1", "star3", drawn)
    assert after.pile.count("x2") == table.pile.count("x2") + 1


def test_a_token_that_was_not_offered_cannot_be_discarded() -> None:
    table = arranged(
        {"aurora-arch": "9@red 7@blue 2@sky", "storm-eye": ""}, red="1 2 3 x2 star1 star3"
    )
    bids = placements("5@aurora-arch!", "5@aurora-arch")
    with pytest.raises(RuleError, match="red: 5 cannot be discarded"):
        take_turn(table, bids, random.Random(7), lambda name, tokens: "5")


def test_the_skyborne_keeps_all_its_special_tokens() -> None:
    table = arranged(
        {"aurora-arch": "9@red 0@blue 6@sky", "storm-eye": ""},
        "0 1 5",
        sky="star1 star2 star2 star3",
    )
    after = played(table, "1@aurora-arch!", "0@aurora-arch")
    assert after.hands[SKYBORNE] == ("star1", "star2", "star2", "star3", table.pile[0])


def test_where_the_pile_is_too_small_the_better_place_draws_first() -> None:
    """The rulebook is silent; see rules.toml. Tied players draw clockwise from the active one."""
    table = arranged({"aurora-arch": "9@red 4@blue 0@sky", "storm-eye": ""}, "5 5 5")
    table = replace(table, pile=table.pile[:1])
    after = played(table, "5@aurora-arch!", "5@aurora-arch")  # red and blue tie: 9 and 9
    assert CARDS.specials(after.hands["blue"]) == table.pile
    assert not CARDS.specials(after.hands["red"])


@pytest.mark.parametrize("seed", range(10))
def test_the_bag_never_runs_dry_with_five_players(seed: int) -> None:
    """Four quests one short of full and five hands are 31 of the 32 regular tokens."""
    table = table_of(5, seed)
    rng = random.Random(seed)
    while not table.over:
        name, room = table.active, {one.quest.id: 5 - len(one.bids) for one in table.row}
        bids = []
        regular = [token for token in table.hands[name] if not CARDS.tokens[token].special]
        for token in regular[: min(2, sum(room.values()))]:
            quest = max(room, key=lambda each: room[each])  # so that all quests fill up together
            room[quest] -= 1
            mine = not bids and table.ships(name) > 0
            bids.append(Placement(token=token, quest=quest, mine=mine))
        table = take_turn(table, bids, rng, lambda _, tokens: tokens[0])
        regular = [t for t in table.hands[name] if not CARDS.tokens[t].special]
        assert len(regular) == 3
