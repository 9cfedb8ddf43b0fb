"""Soar: bid on quests against the others and the Skyborne."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sonora_vision.score.game import ScoreSheet
from sonora_vision.score.soar.cards import KIND, CardSet, house_set, read_cards
from sonora_vision.score.soar.picture import draw
from sonora_vision.score.soar.position import parse
from sonora_vision.score.soar.scoresheet import score


@dataclass(frozen=True, kw_only=True)
class Soar:
    """The game's capabilities, with one edition's quests and tokens."""

    name: str = "soar"
    title: str = "Soar"
    cards_kind: str = KIND
    cards: CardSet | None = None
    """None for the house set, which is read when it is first needed."""

    def with_cards(self, document: Mapping[str, Any], where: str) -> Soar:
        """Return the game with the cards of a card file; raises `FileFormatError`."""
        return Soar(cards=read_cards(document, where))

    def describe_cards(self) -> str:
        """Say in one line which cards these are."""
        cards = self.cards or house_set()
        regular, special = (len(cards.supply(special=kind)) for kind in (False, True))
        return (
            f"{cards.name}: {len(cards.quests)} quests, {regular} bid tokens, {special} special "
            f"bid tokens; source: {cards.source}"
        )

    def score_position(self, line: str) -> ScoreSheet:
        """Score a position; raises `UsageError` or `RuleError` naming the place in the line."""
        cards = self.cards or house_set()
        return score(parse(line, cards), cards, self.name)

    def draw_position(self, line: str) -> str:
        """Draw a position as an SVG document; raises as `score_position` does."""
        cards = self.cards or house_set()
        return draw(parse(line, cards), cards)


GAME = Soar()
