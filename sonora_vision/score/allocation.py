"""The allocation: what each player records in this Write phase, and its file format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol, get_args

from sonora_vision.errors import FileFormatError
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
    def from_json(cls, document: object) -> Allocation:
        """Check ``document`` strictly and return it; raises `FileFormatError` for any mistake."""
        top = _object(document, "allocation", _TOP)
        if top["kind"] != KIND:
            raise _wrong("kind", KIND, top["kind"])
        if top["schema"] != SCHEMA:
            raise _wrong("schema", f"{SCHEMA} (a newer program wrote this?)", top["schema"])
        return cls(
            board=_text(top["board"], "board"),
            order=_texts(top["order"], "order"),
            ruins_order=_texts(top["ruins_order"], "ruins_order"),
            players=tuple(
                _player(item, f"players[{i}]")
                for i, item in enumerate(_list(top["players"], "players"))
            ),
            warnings=_texts(top["warnings"], "warnings"),
        )


_TOP = frozenset({"kind", "schema", "board", "order", "warnings", "ruins_order", "players"})
_PLAYER = frozenset(field.name for field in fields(PlayerAllocation))


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


def _player(item: object, at: str) -> PlayerAllocation:
    """Check one player."""
    got = _object(item, at, _PLAYER, optional=frozenset({"name"}))
    return PlayerAllocation(
        color=_text(got["color"], f"{at}.color"),
        name=_text(got["name"], f"{at}.name") if "name" in got else None,
        ruins=_sum(got["ruins"], f"{at}.ruins"),
        canyon=tuple(
            CanyonDisc(number=_number(d["number"], p), shapes=_one_of(d["shapes"], p, (1, 2)))
            for d, p in _objects(got["canyon"], f"{at}.canyon", {"number", "shapes"})
        ),
        creek=tuple(
            CreekDisc(number=_number(d["number"], p), paths=_one_of(d["paths"], p, (1, 2)))
            for d, p in _objects(got["creek"], f"{at}.creek", {"number", "paths"})
        ),
        mudcracks=_sum(got["mudcracks"], f"{at}.mudcracks"),
        choices=tuple(
            OpenChoice(
                number=_number(d["number"], p),
                why=_one_of(d["why"], f"{p}.why", get_args(ChoiceWhy)),
                sections=_texts(d["sections"], f"{p}.sections"),
            )
            for d, p in _objects(got["choices"], f"{at}.choices", {"number", "why", "sections"})
        ),
        doubts=tuple(
            OpenDoubt(
                number=None if d["number"] is None else _number(d["number"], p),
                reasons=tuple(
                    _one_of(r, f"{p}.reasons", DOUBT_REASONS)
                    for r in _list(d["reasons"], f"{p}.reasons")
                ),
                sections=_texts(d["sections"], f"{p}.sections"),
            )
            for d, p in _objects(got["doubts"], f"{at}.doubts", {"number", "reasons", "sections"})
        ),
        unscored=tuple(
            Unscored(
                number=None if d["number"] is None else _number(d["number"], p),
                why=_one_of(d["why"], f"{p}.why", get_args(UnscoredWhy)),
            )
            for d, p in _objects(got["unscored"], f"{at}.unscored", {"number", "why"})
        ),
    )


def _sum(item: object, at: str) -> Sum:
    """Check an added-up section; its total must be the sum of its discs."""
    got = _object(item, at, frozenset({"total", "discs"}))
    discs = []
    for d, p in _objects(got["discs"], f"{at}.discs", {"number", "value", "multiplier"}):
        number = _number(d["number"], p)
        doubled = _one_of(d["multiplier"], f"{p}.multiplier", (False, True))
        value = _one_of(d["value"], f"{p}.value", (2 * number if doubled else number,))
        discs.append(ValuedDisc(number=number, value=value, multiplier=doubled))
    section = Sum(discs=tuple(discs))
    _one_of(got["total"], f"{at}.total", (section.total,))
    return section


def _wrong(at: str, expected: str, got: object) -> FileFormatError:
    """Say what is wrong where."""
    return FileFormatError(f"allocation: {at}: expected {expected}, got {got!r}")


def _object(
    item: object, at: str, keys: frozenset[str], optional: frozenset[str] = frozenset()
) -> Mapping[str, Any]:
    """Check an object's keys."""
    if not isinstance(item, Mapping):
        raise _wrong(at, "an object", item)
    if missing := keys - optional - item.keys():
        raise FileFormatError(f"allocation: {at}: missing {', '.join(sorted(missing))}")
    if unknown := item.keys() - keys:
        raise FileFormatError(f"allocation: {at}: unknown {', '.join(sorted(map(str, unknown)))}")
    return item


def _objects(item: object, at: str, keys: set[str]) -> list[tuple[Mapping[str, Any], str]]:
    """Check a list of objects, each with where it is."""
    return [
        (_object(each, f"{at}[{i}]", frozenset(keys)), f"{at}[{i}]")
        for i, each in enumerate(_list(item, at))
    ]


def _list(item: object, at: str) -> list[Any]:
    """Check a list."""
    if not isinstance(item, list):
        raise _wrong(at, "a list", item)
    return item


def _text(item: object, at: str) -> str:
    """Check a text."""
    if not isinstance(item, str):
        raise _wrong(at, "a text", item)
    return item


def _texts(item: object, at: str) -> tuple[str, ...]:
    """Check a list of texts."""
    return tuple(_text(each, at) for each in _list(item, at))


def _number(item: object, at: str) -> int:
    """Check a disc's number."""
    if type(item) is not int or item < 1:
        raise _wrong(at, "a whole number from 1", item)
    return item


def _one_of(item: Any, at: str, allowed: tuple[Any, ...]) -> Any:
    """Check that a value is one of a few; True is not 1."""
    if not any(type(item) is type(value) and item == value for value in allowed):
        raise _wrong(at, " or ".join(repr(value) for value in allowed), item)
    return item
