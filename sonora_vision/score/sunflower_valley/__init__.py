"""Sunflower Valley: grow a valley of cards, each for the cards around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sonora_vision.score.game import ScoreSheet
from sonora_vision.score.sunflower_valley.cards import KIND, CardSet, house_set, read_cards
from sonora_vision.score.sunflower_valley.picture import draw
from sonora_vision.score.sunflower_valley.position import parse
from sonora_vision.score.sunflower_valley.scoresheet import score


@dataclass(frozen=True, kw_only=True)
class SunflowerValley:
    """The game's capabilities, with one edition's cards."""

    name: str = "sunflower-valley"
    title: str = "Sunflower Valley"
    cards_kind: str = KIND
    cards: CardSet | None = field(default=None)
    """None for the house set, which is read when it is first needed."""

    def with_cards(self, document: Mapping[str, Any], where: str) -> SunflowerValley:
        """Return the game with the cards of a card file; raises `FileFormatError`."""
        return SunflowerValley(cards=read_cards(document, where))

    def describe_cards(self) -> str:
        """Say in one line which cards these are."""
        cards = self.cards or house_set()
        faces = len(cards.starts())
        return (
            f"{cards.name}: {len(cards.deck())} Valley cards, {faces} faces of Starting Towns; "
            f"source: {cards.source}"
        )

    def score_position(self, line: str) -> ScoreSheet:
        """Score a position; raises `UsageError` or `RuleError` naming the place in the line."""
        return score(parse(line, self.cards or house_set()), self.name)

    def draw_position(self, line: str) -> str:
        """Draw a position as an SVG document; raises as `score_position` does."""
        return draw(parse(line, self.cards or house_set()))


GAME = SunflowerValley()
