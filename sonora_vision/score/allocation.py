"""The allocation: what each player records in this Write phase, and its file format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

from sonora_vision.document import Record, open_document
from sonora_vision.observation import DOUBT_REASONS, DoubtReason, State, Via

ChoiceWhy = Literal["half", "hole", "two_multipliers"]
UnscoredWhy = Literal["off_board", "launch_corner", "missing"]

KIND = "sonora-vision/allocation"
SCHEMA = 1


class Placed(Protocol):
    """A disc and what it counts for; `sonora_vision.observation.Disc` is one."""

    @property
    def color(self) -> str: ...  # noqa: D102 - see Disc
    @property
    def number(self) -> int | None: ...  # noqa: D102
    @property
    def state(self) -> State: ...  # noqa: D102
    @property
    def via(self) -> Via: ...  # noqa: D102
    @property
    def sections(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def doubts(self) -> tuple[DoubtReason, ...]: ...  # noqa: D102


class Absent(Protocol):
    """A disc that is not to be seen; `sonora_vision.observation.Missing` is one."""

    @property
    def color(self) -> str: ...  # noqa: D102
    @property
    def number(self) -> int | None: ...  # noqa: D102


class Table(Protocol):
    """Discs to be allocated: a `Reading`, or a typed `Position`."""

    @property
    def board(self) -> str: ...  # noqa: D102
    @property
    def discs(self) -> Sequence[Placed]: ...  # noqa: D102
    @property
    def missing(self) -> Sequence[Absent]: ...  # noqa: D102
    @property
    def warnings(self) -> Sequence[str]: ...  # noqa: D102


@dataclass(frozen=True, kw_only=True)
class ValuedDisc:
    """A disc of a section that adds values up (Ruins, Mudcracks)."""

    number: int
    value: int
    """The number, doubled on a multiplier."""
    multiplier: bool


@dataclass(frozen=True, kw_only=True)
class Sum:
    """The discs of a section that adds values up."""

    discs: tuple[ValuedDisc, ...] = ()

    @property
    def total(self) -> int:
        """Sum of the discs' values."""
        return sum(disc.value for disc in self.discs)


@dataclass(frozen=True, kw_only=True)
class CanyonDisc:
    """A disc of the Canyon."""

    number: int
    shapes: int
    """1, or 2 on a multiplier."""


@dataclass(frozen=True, kw_only=True)
class CreekDisc:
    """A disc of the Creek."""

    number: int
    paths: int
    """1, or 2 on a multiplier."""


@dataclass(frozen=True, kw_only=True)
class OpenChoice:
    """A disc that the rules let its owner place."""

    number: int
    why: ChoiceWhy
    sections: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OpenDoubt:
    """A disc that the camera could not tell for certain."""

    number: int | None
    reasons: tuple[DoubtReason, ...]
    sections: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Unscored:
    """A disc that counts for nothing."""

    number: int | None
    why: UnscoredWhy


@dataclass(frozen=True, kw_only=True)
class PlayerAllocation:
    """What one player records."""

    color: str
    name: str | None = None
    ruins: Sum = Sum()
    canyon: tuple[CanyonDisc, ...] = ()
    creek: tuple[CreekDisc, ...] = ()
    mudcracks: Sum = Sum()
    choices: tuple[OpenChoice, ...] = ()
    doubts: tuple[OpenDoubt, ...] = ()
    unscored: tuple[Unscored, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Allocation:
    """What every player records, and who records Ruins first."""

    board: str
    order: tuple[str, ...]
    """Colors in turn order."""
    ruins_order: tuple[str, ...]
    """Colors with a settled Ruins disc, who records first comes first."""
    players: tuple[PlayerAllocation, ...]
    warnings: tuple[str, ...] = ()

    def player(self, color: str) -> PlayerAllocation:
        """Return the part of the player of ``color``; `KeyError` where there is none."""
        for player in self.players:
            if player.color == color:
                return player
        raise KeyError(color)

    def to_json(self) -> dict[str, Any]:
        """Return the allocation as JSON values."""
        return {
            "kind": KIND,
            "schema": SCHEMA,
            "board": self.board,
            "order": list(self.order),
            "warnings": list(self.warnings),
            "ruins_order": list(self.ruins_order),
            "players": [_player_json(player) for player in self.players],
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any], where: str = "allocation") -> Allocation:
        """Check ``values`` strictly and return them as a value.

        Raises
        ------
        FileFormatError
            Naming every mistake; ``where`` says of what.
        """
        document = open_document(values, where, kind=KIND, schema=SCHEMA)
        allocation = cls(
            board=document.text("board"),
            order=document.texts("order"),
            ruins_order=document.texts("ruins_order"),
            players=tuple(_player(player) for player in document.records("players")),
            warnings=document.texts("warnings"),
        )
        document.close()
        document.mistakes.raise_any()
        return allocation


def _player_json(player: PlayerAllocation) -> dict[str, Any]:
    """Return one player as JSON values."""
    named = {} if player.name is None else {"name": player.name}
    return {
        "color": player.color,
        **named,
        "ruins": _sum_json(player.ruins),
        "canyon": [vars(disc) for disc in player.canyon],
        "creek": [vars(disc) for disc in player.creek],
        "mudcracks": _sum_json(player.mudcracks),
        "choices": [{**vars(c), "sections": list(c.sections)} for c in player.choices],
        "doubts": [
            {**vars(d), "reasons": list(d.reasons), "sections": list(d.sections)}
            for d in player.doubts
        ],
        "unscored": [vars(disc) for disc in player.unscored],
    }


def _sum_json(section: Sum) -> dict[str, Any]:
    """Return an added-up section as JSON values."""
    return {"total": section.total, "discs": [vars(disc) for disc in section.discs]}


def _player(record: Record) -> PlayerAllocation:
    """Check one player."""
    player = PlayerAllocation(
        color=record.text("color"),
        name=record.text("name") if record.has("name") else None,
        ruins=_sum(record.record("ruins")),
        canyon=tuple(
            CanyonDisc(number=_number(disc), shapes=_once_or_twice(disc, "shapes"))
            for disc in _closed(record, "canyon")
        ),
        creek=tuple(
            CreekDisc(number=_number(disc), paths=_once_or_twice(disc, "paths"))
            for disc in _closed(record, "creek")
        ),
        mudcracks=_sum(record.record("mudcracks")),
        choices=tuple(
            OpenChoice(
                number=_number(disc),
                why=disc.one_of("why", get_args(ChoiceWhy)),
                sections=disc.texts("sections"),
            )
            for disc in _closed(record, "choices")
        ),
        doubts=tuple(
            OpenDoubt(
                number=_number_or_null(disc),
                reasons=disc.words("reasons", DOUBT_REASONS),
                sections=disc.texts("sections"),
            )
            for disc in _closed(record, "doubts")
        ),
        unscored=tuple(
            Unscored(number=_number_or_null(disc), why=disc.one_of("why", get_args(UnscoredWhy)))
            for disc in _closed(record, "unscored")
        ),
    )
    record.close()
    return player


def _closed(record: Record, name: str) -> Iterator[Record]:
    """Yield the objects of a list, each closed once it is read."""
    for item in record.records(name):
        yield item
        item.close()


def _sum(record: Record) -> Sum:
    """Check an added-up section; values and total must be what the discs give."""
    discs = []
    for disc in _closed(record, "discs"):
        number = _number(disc)
        if not disc.has("multiplier"):
            disc.wrong("multiplier", "true or false", None)
        doubled = disc.flag("multiplier", default=False)
        value = 2 * number if doubled else number
        _must_be(disc, "value", value)
        discs.append(ValuedDisc(number=number, value=value, multiplier=doubled))
    section = Sum(discs=tuple(discs))
    _must_be(record, "total", section.total)
    record.close()
    return section


def _must_be(record: Record, name: str, expected: int) -> None:
    """Note a number that is not what the rest gives."""
    if (got := record.integer(name)) != expected:
        record.wrong(name, str(expected), got)


def _number(record: Record) -> int:
    """Read a disc's number."""
    return record.integer("number", at_least=1)


def _number_or_null(record: Record) -> int | None:
    """Read a disc's number, or null for one that cannot be told."""
    return None if record.is_null("number") else _number(record)


def _once_or_twice(record: Record, name: str) -> int:
    """Read 1, or 2 for a disc on a multiplier."""
    count = record.integer(name)
    if count not in (1, 2):
        record.wrong(name, "1 or 2", count)
    return count
