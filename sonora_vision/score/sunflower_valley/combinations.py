"""What towns, farmers, mountains and lakes score for the cards around them."""

from __future__ import annotations

from collections import Counter

from sonora_vision.score.game import ScoreRow
from sonora_vision.score.sunflower_valley.cards import Card
from sonora_vision.score.sunflower_valley.rules import rules
from sonora_vision.score.sunflower_valley.valley import Cell, Valley

HEADING = "Valley Cards and Combinations"


def counts_as(card: Card, need: str) -> bool:
    """Whether a card can stand for a need: farmers are fields too."""
    return card.is_field if need == "field" else card.type == need


def is_complete(valley: Valley, cell: Cell) -> bool:
    """Whether all that the card's combination asks for lies around it."""
    card = valley.grid[cell]
    around = [neighbor for _, neighbor in valley.around(cell)]
    return bool(card.needs) and all(
        sum(counts_as(neighbor, need) for neighbor in around) >= count
        for need, count in Counter(card.needs).items()
    )


def combination_row(valley: Valley, label: str, kind: str) -> ScoreRow:
    """Score each complete combination of one type of card, once a card."""
    total, why = 0, []
    for cell in valley.of_type(kind):
        card = valley.grid[cell]
        if not card.needs:
            continue
        needs = " + ".join(card.needs)
        if is_complete(valley, cell):
            total += card.points
            used = (
                neighbor
                for neighbor, other in valley.around(cell)
                if any(counts_as(other, need) for need in card.needs)
            )
            why.append(f"{valley.name(cell)}: {card.points} for {needs} ({valley.names(used)})")
        else:
            why.append(f"{valley.name(cell)}: 0, {needs} is not complete")
    rule = f"rule: {HEADING}: a complete combination around the card scores, once"
    return ScoreRow(label=label, value=total, why=(*why, rule))


def mountains_row(valley: Valley) -> ScoreRow:
    """Score each mountain by how many fields lie around it."""
    total, why = 0, []
    for cell in valley.of_type("mountain"):
        fields = [neighbor for neighbor, card in valley.around(cell) if card.is_field]
        points = rules().mountain[len(fields)]
        total += points
        count = f"{len(fields)} field{'' if len(fields) == 1 else 's'}"
        which = f" ({valley.names(fields)})" if fields else ""
        why.append(f"{valley.name(cell)}: {points} for {count}{which}")
    ladder = ", ".join(str(points) for points in rules().mountain[1:])
    rule = f"rule: {HEADING}: {ladder} for one to four fields around a mountain"
    return ScoreRow(label="Mountains", value=total, why=(*why, rule))


def lakes_row(valley: Valley) -> ScoreRow:
    """Score each lake for itself."""
    lakes = valley.of_type("lake")
    why = [f"{len(lakes)} x {rules().lake}: {valley.names(lakes)}"] if lakes else []
    rule = f"rule: {HEADING}: each lake scores {rules().lake}"
    return ScoreRow(label="Lakes", value=rules().lake * len(lakes), why=(*why, rule))
