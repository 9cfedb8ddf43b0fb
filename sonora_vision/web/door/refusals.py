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
    phrase("%(file)s: expected a JPEG or PNG photograph, got something else; choose another file"),
    phrase("%(file)s: expected at most %(most)s megapixels, got more; make the picture smaller"),
    phrase("%(file)s: the file is empty; choose a JPEG or PNG photograph"),
    phrase("%(file)s: the JPEG is cut short (no end marker); copy it again"),
    phrase("%(file)s: the picture cannot be decoded; it may be damaged; copy it again"),
    phrase("%(file)s: no zip, or damaged; choose an exported game"),
    # what the camera waits for
    phrase("something reaches over the board's edge; take it away"),
    phrase("something reaches in over the board: take it away"),
    phrase("something moves on the board: wait until it lies still"),
    phrase("the light changes: wait until it is steady"),
    phrase("the camera moves: let it come to rest"),
    phrase("the board moves: let it lie"),
    phrase("the board is being turned: let it lie"),
    phrase("the picture is not sharp: clean the lens, or focus it again"),
    phrase("the picture is too bright: dim the lamp or shorten the exposure"),
    phrase("the camera gives no picture: check its cable"),
    phrase("the board could not be read"),
    phrase("the camera has not given enough pictures yet"),
    # what is wrong with a picture
    phrase("the taught board was not found; is it this board, wholly in view, and sharp?"),
    phrase(
        "the picture is blurred: centers and numbers are less sure; focus, hold still, or give "
        "more light"
    ),
    phrase(
        "%(share)s %% of the board is overexposed: colors and numbers are lost there; give less "
        "light, or a shorter exposure"
    ),
    phrase(
        "a light shines on %(share)s %% of the board: colors are less sure there; move the lamp, "
        "or shade the window"
    ),
    phrase(
        "the picture is dark (half of the board under grey level %(level)s of 255): colors are "
        "less sure; give more light, or a longer exposure"
    ),
    phrase(
        "something lies over the board (%(covered)s of its %(taught)s taught details are hidden, "
        "not by discs): discs under it are not seen; take it away, photograph again"
    ),
    phrase(
        "%(share)s %% of the board is out of the picture: discs there are not seen; move the "
        "board or the camera"
    ),
    phrase("%(file)s: %(why)s"),
)
"""Every sentence; what stands in it: colors, discs, sections, and what needs no translation."""

_VALUE = re.compile(r"%\((\w+)\)s")


def told(error: SonoraError | str) -> str:
    """Say why something cannot be done, in the visitor's language where it is known there."""
    said = str(error)
    for known in PHRASES:
        found = _pattern(known).fullmatch(said)
        if found is not None:
            values = {name: _value(name, value) for name, value in found.groupdict().items()}
            return gettext(known, **values)
    return said


@cache
def _pattern(known: str) -> re.Pattern[str]:
    """Return what finds a phrase with values in it; a quoted value may lose its quotes."""
    parts = _VALUE.split(known)
    return re.compile(
        "".join(
            re.escape(part.replace("%%", "%")) if at % 2 == 0 else f"'?(?P<{part}>.+?)'?"
            for at, part in enumerate(parts)
        ),
        re.DOTALL,
    )


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
        case "disc":
            color, _, number = value.rpartition(" ")
            return f"{terms.color(color)} {number}".strip()
        case "why":
            return told(value)
        case "file":
            return value.rpartition("/")[2]  # where it lies is for the log alone
        case _:
            return value
