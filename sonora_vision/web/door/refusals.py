"""Refusals in the visitor's language.

The rooms below the pages say in English why something cannot be done, with values put in. Here
each of these sentences is known as a phrase, so that it can be found again and translated; one that
is not known is shown as it is.
"""

from __future__ import annotations

import re
from functools import cache

from sonora_vision.errors import SonoraError
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext, phrase
from sonora_vision.web.wording.seeing import SEEN
from sonora_vision.web.wording.teaching import TAUGHT

PHRASES = (
    phrase("action id: expected up to 64 letters, digits and _.:-"),
    phrase("Board Zones: %(disc)s counts for one of %(sections)s, not %(section)s"),
    phrase("Bullseye!: %(disc)s lies on the board"),
    phrase("Cliff-Dweller Ruins: %(color)s records first"),
    phrase("Cliff-Dweller Ruins are recorded by all before any other section"),
    phrase("color: expected one of %(colors)s, got %(got)s"),
    phrase("colors and first player stay once a round was read; names may change"),
    phrase("disc %(index)s is %(disc)s, and that is not in doubt"),
    phrase("disc %(index)s: there is no such disc in this round's reading"),
    phrase("first: expected one of %(colors)s, got %(got)s"),
    phrase("no disc is %(color)s; they are %(colors)s"),
    phrase("nobody plays %(color)s in this game"),
    phrase("nobody plays %(color)s; the colors are %(colors)s"),
    phrase("number: expected one of %(numbers)s, got %(number)s"),
    phrase("number: say which number is on the disc"),
    phrase("order: expected colors of %(colors)s; got %(got)s."),
    phrase("order: expected each color once."),
    phrase("place: expected one on the board or at most %(most)s mm beside it, got %(got)s mm"),
    phrase("place: expected two numbers of mm"),
    phrase("players: expected different colors of %(colors)s"),
    phrase("players: expected each in a seat of their own, in the order of the seats"),
    phrase("reading: expected the board %(board)s, got %(got)s"),
    phrase("record %(section)s first"),
    phrase("repair: %(disc)s was swapped; undo the swap first"),
    phrase("repair: expected a disc to add or the index of one to change"),
    phrase("rounds: the game is over; undo its end to play on"),
    phrase("rounds: this is round %(number)s already"),
    phrase("settle your open discs first; repair one that is there twice"),
    phrase("Swap Bonus: needs two discs, got %(disc)s twice"),
    phrase("Swap Bonus: %(disc)s is not on the board; swap two discs that lie on it"),
    phrase("Swap Bonus: %(disc)s is in doubt; settle it first"),
    phrase("that disc is %(owner)s's; you play %(color)s"),
    phrase("that is for the table's host to do"),
    phrase("that is for %(owner)s to do; you play %(color)s"),
    phrase("the board of this round is not read yet"),
    phrase("the game is over"),
    phrase("the round goes on until everyone has finished writing"),
    phrase("the round is being written down; undo a 'ready' first"),
    phrase("the round is being written down; undo that first"),
    phrase("the table is busy; try again"),
    phrase("there is no camera; choose a photograph"),
    phrase("there is no disc of %(number)s; they are %(numbers)s"),
    phrase("there is no picture of this disc"),
    phrase("there is no such game"),
    phrase("there is no such photograph; choose one of those shown"),
    phrase("there is no such picture"),
    phrase("there is nothing to record in %(section)s"),
    phrase("no photograph came with the form; choose one"),
    phrase("this action was sent before, as another; load the page again"),
    phrase("this game was begun already"),
    phrase("this picture is damaged"),
    phrase("this picture is not kept any more"),
    phrase("this round was recorded without a picture"),
    phrase("too many acts in this game: its host alone goes on, or begins another"),
    phrase("undo: later acts are built on it; undo them first"),
    phrase("undo: later acts are built on it (%(why)s); undo them first"),
    phrase("undo: only what happened in this round can be undone"),
    phrase("undo: the making of a game, and new codes, cannot be undone"),
    phrase("undo: there is no such act, or it is undone already"),
    phrase("writing begins when everyone is ready"),
    phrase("you are ready already; undo that first"),
    phrase("you may undo what you did yourself"),
    phrase("you play %(color)s; the host repairs other discs"),
    phrase("%(disc)s has nothing to settle; repair it instead"),
    phrase("%(disc)s lies elsewhere; each disc is there once"),
    phrase("%(file)s: no zip, or damaged; choose an exported game"),
    *SEEN,
    *TAUGHT,
)
"""Every sentence; what stands in it: colors, discs, sections, and what needs no translation."""

_VALUE = re.compile(r"%\((\w+)\)s")
_SHORT = {"color", "owner", "disc", "numbers", "key"}
"""Values in which no part of a sentence is, nor in those that end in ``_words``."""
_LONGEST = 1000
"""Characters of what is looked for; nothing that is said here is longer."""
_PARTS = 4
"""Semicolons and one that a sentence may have."""


def told(error: SonoraError | str) -> str:
    """Say why something cannot be done, in the visitor's language where it is known there."""
    said = str(error)
    if len(said) > _LONGEST:
        return said
    found = find_phrase(said)
    if found is not None:
        known, values = found
        return gettext(known, **{name: _value(name, value) for name, value in values.items()})
    if len(several := _sentences(said)) > 1:
        return "; ".join(told(each) for each in several)
    file, colon, why = said.partition(": ")
    return f"{_value('file', file)}: {told(why)}" if colon else said


def find_phrase(said: str) -> tuple[str, dict[str, str]] | None:
    """Return the phrase that a sentence is, and the values in it; None where it is not known."""
    for known in PHRASES:
        found = _pattern(known).fullmatch(said)
        if found is not None:
            return known, found.groupdict()
    return None


def _sentences(said: str) -> list[str]:
    """Part known sentences at semicolons, of which they have some within; nothing if one is not."""
    parts, found = said.split("; "), []
    while parts:
        tried = ("; ".join(parts[:count]) for count in range(1, min(len(parts), _PARTS) + 1))
        known = next((each for each in tried if find_phrase(each) is not None), None)
        if known is None:
            return []
        found.append(known)
        parts = parts[known.count("; ") + 1 :]
    return found


@cache
def _pattern(known: str) -> re.Pattern[str]:
    """Return what finds a phrase with values in it; a quoted value may lose its quotes."""
    found = ""
    named: set[str] = set()
    for at, part in enumerate(_VALUE.split(known)):
        if at % 2 == 0:
            found += re.escape(part.replace("%%", "%"))
        elif part in named:
            found += f"'?(?P={part})'?"
        else:
            short = part in _SHORT or part.endswith("_words")
            found += f"'?(?P<{part}>{'[^:;]+?' if short else '.+?'})'?"
            named.add(part)
    return re.compile(found, re.DOTALL)


def _value(name: str, value: str) -> str:
    """Translate a value by what it is."""
    words = re.split(r", (?:or )?| or ", value)
    match name:
        case "color" | "owner":
            return terms.color(value)
        case "colors":
            return ", ".join(terms.color(word) for word in words)
        case "section" | "sections":
            return ", ".join(
                gettext("nothing") if w == "nothing" else terms.section(w) for w in words
            )
        case "animal":
            return terms.animal(value)
        case "disc":
            return _disc(value)
        case "discs":
            return ", ".join(_disc(word) for word in words)
        case "file" if value == "live":
            return told(value)
        case "file":
            return value.rpartition("/")[2]  # where it lies is for the log alone
        case "comma_words":
            return ", ".join(told(word) for word in value.split(", "))
        case _ if name == "why" or name.endswith("words"):
            return told(value)
        case _:
            return value


def _disc(value: str) -> str:
    color, _, number = value.rpartition(" ")
    return f"{terms.color(color or number)} {number if color else ''}".strip()
