"""The formats of readings and allocations, as the document of the API describes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sonora_vision.observation import DoubtReason, State, Via
from sonora_vision.score.allocation import ChoiceWhy, UnscoredWhy

Point = Annotated[list[float], Field(min_length=2, max_length=2)]


class _Format(BaseModel):
    model_config = ConfigDict(extra="allow")


class PoseFormat(_Format):
    """Where the board is on the photograph."""

    corners_px: list[Point]
    """The outline's corners in its order."""
    turn_deg: float = Field(ge=0, le=360)
    """How far the board is turned, clockwise seen in the image."""
    fit_px: float = Field(ge=0)


class MissingFormat(_Format):
    """A disc of the inventory that was not seen."""

    color: str
    number: int | None


class DiscFormat(_Format):
    """A disc as it was read."""

    color: str
    number: int | None
    """None where it cannot be told."""
    center_mm: Point
    """Of the footprint, in the board's frame."""
    sigma_mm: float = Field(ge=0)
    top_px: Point
    """Center of the top face in the image."""
    state: State
    via: Via
    sections: list[str]
    """Several where a choice or a doubt is open, none where it does not score."""
    margin_mm: float | None
    """How far it would have to move for that to change."""
    p: float = Field(ge=0, le=1)
    """Probability that color, number and sections are all right."""
    doubts: list[DoubtReason]


class ReadingFormat(_Format):
    """What was seen on one photograph."""

    kind: Literal["sonora-vision/reading"]
    schema_: Literal[1] = Field(alias="schema")
    image: str
    board: str
    pose: PoseFormat
    discs: list[DiscFormat]
    missing: list[MissingFormat]
    warnings: list[str]


class ValueFormat(_Format):
    """A disc of a section that adds values up."""

    number: int
    value: int
    """The number, doubled on a multiplier."""
    multiplier: bool


class SumFormat(_Format):
    """A section that adds values up."""

    total: int
    discs: list[ValueFormat]


class CanyonFormat(_Format):
    """A disc of the Canyon."""

    number: int
    shapes: Literal[1, 2]


class CreekFormat(_Format):
    """A disc of the Creek."""

    number: int
    paths: Literal[1, 2]


class ChoiceFormat(_Format):
    """A disc that its owner may place."""

    number: int
    why: ChoiceWhy
    sections: list[str]


class DoubtFormat(_Format):
    """A disc that the camera could not tell for certain."""

    number: int | None
    reasons: list[DoubtReason]
    sections: list[str]


class UnscoredFormat(_Format):
    """A disc that counts for nothing."""

    number: int | None
    why: UnscoredWhy


class PlayerFormat(_Format):
    """What one player records."""

    color: str
    ruins: SumFormat
    canyon: list[CanyonFormat]
    creek: list[CreekFormat]
    mudcracks: SumFormat
    choices: list[ChoiceFormat]
    doubts: list[DoubtFormat]
    unscored: list[UnscoredFormat]


class AllocationFormat(_Format):
    """What every player records; open choices and doubts count in no total."""

    kind: Literal["sonora-vision/allocation"]
    schema_: Literal[1] = Field(alias="schema")
    board: str
    order: list[str]
    """Colors in turn order."""
    warnings: list[str]
    ruins_order: list[str]
    """Colors with a settled Ruins disc, who records first comes first."""
    players: list[PlayerFormat]
