"""A JSON document read key by key, with every mistake in it named at once.

A document is a JSON object that states its ``kind`` and ``schema``. A :class:`Record` hands out
its values and notes every mistake on the way, so that one error text names them all; a key that
nobody asked for is a mistake too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sonora_vision.errors import FileFormatError

Choice = TypeVar("Choice", bound=str)

_LARGEST_NUMBER = 1e12
"""No length, time or probability is larger; beyond it, float arithmetic stops being exact."""

_SHOWN_CHARACTERS = 60
"""Length to which a wrong value is cut in a message."""


class Mistakes:
    """All that is wrong in one document, gathered before anything is raised.

    Parameters
    ----------
    where : str
        The document, as messages name it.
    advice : str
        What to do about it, where that is not to mend what is named.
    """

    def __init__(self, where: str, advice: str = "") -> None:
        self.where = where
        self._advice = advice
        self._lines: list[str] = []

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, key: str, expected: str, got: object) -> None:
        """Note a mistake at a key such as ``zones[2].shape``."""
        self.say(key, f"expected {expected}, got {shown(got)}")

    def say(self, key: str, text: str) -> None:
        """Note a mistake in words of its own."""
        self._lines.append(f"{key}: {text}")

    def raise_any(self) -> None:
        """Raise if there were mistakes.

        Raises
        ------
        FileFormatError
            Naming every mistake in one line.
        """
        if self._lines:
            raise FileFormatError(
                f"{self.where}: " + "; ".join(filter(None, [*self._lines, self._advice]))
            )


class Record:
    """One JSON object, read key by key.

    Every getter notes a mistake and returns a harmless stand-in, so that the reading goes on to
    the next mistake. Whoever builds from a record calls :meth:`Mistakes.raise_any` before the
    result leaves, so no stand-in ever does.

    Parameters
    ----------
    values : mapping of str to object
        The parsed JSON object.
    mistakes : Mistakes
        Where mistakes are noted; shared by all records of a document.
    path : str
        The record's own key within the document, empty for the document itself.
    """

    def __init__(self, values: Mapping[str, Any], mistakes: Mistakes, path: str = "") -> None:
        self.mistakes = mistakes
        self.path = path
        self._values = values
        self._asked: set[str] = set()

    def key(self, name: str) -> str:
        """Full name of a key, as messages give it."""
        return f"{self.path}.{name}" if self.path else name

    def wrong(self, name: str, expected: str, got: object) -> None:
        """Note a mistake at one of this record's keys."""
        self.mistakes.add(self.key(name), expected, got)

    def has(self, name: str) -> bool:
        """Whether an optional key is there (null counts as absent)."""
        self._asked.add(name)
        return self._values.get(name) is not None

    def is_null(self, name: str) -> bool:
        """Whether a key is there and null; a missing key is not, and its getter will say so."""
        return name in self._values and self.has(name) is False

    def close(self) -> None:
        """Note every key that nobody asked for."""
        for name in self._values:
            if name not in self._asked:
                known = ", ".join(sorted(self._asked))
                self.mistakes.say(self.key(name), f"unknown key (known here: {known})")

    def everything(self) -> Mapping[str, Any]:
        """Return all values, of an object whose keys are anybody's."""
        self._asked.update(self._values)
        return dict(self._values)

    def text(self, name: str) -> str:
        """Return a text that is not blank."""
        value = self._take(name, "a text")
        if isinstance(value, str) and value.strip():
            return value
        self._refuse(name, "a text that is not empty", value)
        return "?"

    def one_of(self, name: str, choices: Sequence[Choice]) -> Choice:
        """Return one of the given words."""
        expected = "one of " + ", ".join(choices)
        value = self._take(name, expected)
        for choice in choices:
            if value == choice:
                return choice
        self._refuse(name, expected, value)
        return choices[0]

    def flag(self, name: str, *, default: bool) -> bool:
        """Return true or false; the default where the key is absent."""
        if not self.has(name):
            return default
        value = self._values[name]
        if not isinstance(value, bool):
            self.wrong(name, "true or false", value)
        return bool(value)

    def number(
        self,
        name: str,
        *,
        above: float | None = None,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> float:
        """Return a number within its bounds."""
        expected = "a number" + _bounds(above, at_least, at_most)
        value = self._take(name, expected)
        if is_number(value) and _within(float(value), above, at_least, at_most):
            return float(value)
        self._refuse(name, expected, value)
        return 1.0

    def integer(self, name: str, *, at_least: int | None = None) -> int:
        """Return a whole number."""
        expected = "a whole number" + _bounds(None, at_least, None)
        value = self._take(name, expected)
        if is_integer(value) and _within(value, None, at_least, None):
            return int(value)
        self._refuse(name, expected, value)
        return 1

    def point(self, name: str) -> tuple[float, float]:
        """Return a point [x, y]."""
        value = self._take(name, "a point [x, y]")
        if is_point(value):
            return float(value[0]), float(value[1])
        self._refuse(name, "a point [x, y]", value)
        return 0.0, 0.0

    def points(self, name: str, *, at_least: int = 3) -> tuple[tuple[float, float], ...]:
        """Return a list of points; empty if it is wrong."""
        expected = f"a list of at least {at_least} points [x, y]"
        value = self._take(name, expected)
        if not isinstance(value, list) or len(value) < at_least:
            self._refuse(name, expected, value)
            return ()
        wrong = [index for index, item in enumerate(value) if not is_point(item)]
        for index in wrong:
            self.wrong(f"{name}[{index}]", "a point [x, y]", value[index])
        return () if wrong else tuple((float(x), float(y)) for x, y in value)

    def items(self, name: str, expected: str) -> list[Any]:
        """Return a list of anything; the caller judges the items."""
        value = self._take(name, expected)
        if isinstance(value, list):
            return value
        self._refuse(name, expected, value)
        return []

    def texts(self, name: str, *, at_least: int = 0) -> tuple[str, ...]:
        """Return a list of texts."""
        expected = "a list of texts" + (f" (at least {at_least})" if at_least else "")
        values = self.items(name, expected)
        for index, value in enumerate(values):
            if not isinstance(value, str) or not value.strip():
                self.wrong(f"{name}[{index}]", "a text that is not empty", value)
        if len(values) < at_least and isinstance(self._values.get(name), list):
            self.wrong(name, expected, values)
        return tuple(str(value) for value in values)

    def words(self, name: str, choices: Sequence[Choice]) -> tuple[Choice, ...]:
        """Return a list of words, each one of the given ones."""
        expected = "one of " + ", ".join(choices)
        found = []
        for index, value in enumerate(self.items(name, "a list of words")):
            known = [choice for choice in choices if choice == value]
            if not known:
                self.wrong(f"{name}[{index}]", expected, value)
            found += known
        return tuple(found)

    def record(self, name: str) -> Record:
        """Return an object within this one."""
        value = self._take(name, "an object")
        if not isinstance(value, dict):
            self._refuse(name, "an object", value)
            return Record({}, Mistakes(self.mistakes.where), self.key(name))
        return Record(value, self.mistakes, self.key(name))

    def records(self, name: str) -> Iterator[Record]:
        """Yield the objects of a list."""
        for index, value in enumerate(self.items(name, "a list of objects")):
            if isinstance(value, dict):
                yield Record(value, self.mistakes, f"{self.key(name)}[{index}]")
            else:
                self.wrong(f"{name}[{index}]", "an object", value)

    def _take(self, name: str, expected: str) -> Any:
        self._asked.add(name)
        if name not in self._values:
            self.mistakes.say(self.key(name), f"missing (expected {expected})")
        return self._values.get(name)

    def _refuse(self, name: str, expected: str, got: object) -> None:
        """Note a wrong value, unless the key is absent, which is noted already."""
        if name in self._values:
            self.wrong(name, expected, got)


def open_document(values: Mapping[str, Any], where: str, *, kind: str, schema: int) -> Record:
    """Check what a document says of itself and return it as a record.

    Parameters
    ----------
    values : mapping of str to object
        The parsed JSON object.
    where : str
        The file, as messages name it.
    kind : str
        The kind that is wanted, such as ``sonora-vision/board``.
    schema : int
        The newest schema that the caller can read.

    Raises
    ------
    FileFormatError
        If the document is of another kind or of a schema that this program does not know.
    """
    mistakes = Mistakes(where)
    document = Record(values, mistakes)
    document.one_of("kind", [kind])
    mistakes.raise_any()  # of another kind, every other key would be wrong too
    found = document.integer("schema", at_least=1)
    if found > schema:
        mistakes.say(
            "schema",
            f"expected {schema}, got {found}: a newer Sonora Vision wrote this file; "
            "update the program",
        )
    mistakes.raise_any()
    return document


def is_number(value: object) -> bool:
    """Whether a JSON value is a number of sensible size (true and false are not)."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= _LARGEST_NUMBER  # false for a NaN too
    )


def is_integer(value: object) -> bool:
    """Whether a JSON value is a whole number (true and false are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_point(value: object) -> bool:
    """Whether a JSON value is a point [x, y]."""
    return isinstance(value, list) and len(value) == 2 and all(is_number(item) for item in value)


def _within(
    value: float, above: float | None, at_least: float | None, at_most: float | None
) -> bool:
    return (
        (above is None or value > above)
        and (at_least is None or value >= at_least)
        and (at_most is None or value <= at_most)
    )


def _bounds(above: float | None, at_least: float | None, at_most: float | None) -> str:
    words = []
    if above is not None:
        words.append(f"above {above:g}")
    if at_least is not None:
        words.append(f"at least {at_least:g}")
    if at_most is not None:
        words.append(f"at most {at_most:g}")
    return " " + " and ".join(words) if words else ""


def shown(value: object) -> str:
    """Show a wrong value on one line, cut short."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
