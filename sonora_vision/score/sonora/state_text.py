"""A sheet's marks as one line of text, and whether they could have come about.

``ruins: A5^ B3 C7_ D4x rival 7-3 | canyon: a9+b9 c10 !k9+l9 | creek: a1 a2* !l7 | ``
``mudcracks: i1 i2 box1-2 o3+2 | bonuses: reflick 2-1 swap 1-0 fox 1-0``

Buildings carry their count of crossed hexes and ``^`` for a circled top reward, ``_`` for a
circled bottom one, ``x`` for a top one that is crossed out. Shapes are squares joined by ``+``. A
creek space with ``*`` is circled. ``!`` is the rival's; ``o3+2`` are its circles around a node.
Bonuses are icons circled and, of those, crossed off. What is drawn in before the game is not
written, and ``bonuses`` left out are those of the start.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sonora_vision.errors import UsageError
from sonora_vision.score.sonora.sheet import bits
from sonora_vision.score.sonora.state import ICONS, Setting, SheetState, new_sheet
from sonora_vision.score.sonora.state_check import impossible

_PARTS = ("ruins", "canyon", "creek", "mudcracks", "bonuses")


def state_text(setting: Setting, state: SheetState) -> str:
    """Write a sheet's marks so that `parse_state` reads them back."""
    words = {
        "ruins": _ruins_words(setting, state),
        "canyon": _canyon_words(setting, state),
        "creek": _creek_words(setting, state),
        "mudcracks": _mudcracks_words(setting, state),
        "bonuses": [
            f"{icon} {state.bonuses[i]}-{state.spent[i]}"
            for i, icon in enumerate(ICONS)
            if (state.bonuses[i], state.spent[i]) != (setting.rules.start_bonuses.get(icon, 0), 0)
        ],
    }
    return " | ".join(f"{part}: {' '.join(words[part])}" for part in _PARTS if words[part])


def parse_state(setting: Setting, line: str) -> SheetState:
    """Read a sheet's marks.

    Raises
    ------
    UsageError
        If a word is wrong, or the marks could not have come about by the rules.
    """
    state = new_sheet(setting)
    seen: set[str] = set()
    readers = {
        "ruins": _read_ruins,
        "canyon": _read_canyon,
        "creek": _read_creek,
        "mudcracks": _read_mudcracks,
        "bonuses": _read_bonuses,
    }
    for part in line.split("|") if line.strip() else []:
        name, colon, rest = (piece.strip() for piece in part.partition(":"))
        if not colon or name not in readers or name in seen:
            raise _wrong(part.strip(), f"expected one each of {', '.join(_PARTS)}, as 'ruins: A5'")
        seen.add(name)
        state = readers[name](setting, state, rest.split())
    if why := impossible(setting, state):
        raise UsageError(f"sheet: {why}")
    return state


def _ruins_words(setting: Setting, state: SheetState) -> list[str]:
    """Write the buildings that carry a mark."""
    words = []
    for i, building in enumerate(setting.sheet.ruins.buildings):
        flags = (state.top, "^"), (state.bottom, "_"), (state.top_out & ~state.bottom, "x")
        flag = "".join(sign for mask, sign in flags if mask >> i & 1)
        if state.hexes[i] or flag:
            words.append(f"{building.name}{state.hexes[i]}{flag}")
    if state.rival_hexes:
        words += ["rival", f"{state.rival_hexes}-{state.rival_hexes_crossed}"]
    return words


def _canyon_words(setting: Setting, state: SheetState) -> list[str]:
    """Write the shapes in the order drawn."""
    name = setting.sheet.canyon.name
    return [
        sign + "+".join(name(square) for square in bits(mask))
        for sign, shapes in (("", state.shapes), ("!", state.rival_shapes))
        for mask in shapes
    ]


def _creek_words(setting: Setting, state: SheetState) -> list[str]:
    """Write the spaces."""
    words = []
    for i, space in enumerate(setting.sheet.creek.spaces):
        if state.circled >> i & 1:
            words.append(f"{space.name}*")
        elif state.crossed >> i & 1 and i != setting.sheet.creek.start:
            words.append(space.name)
        elif state.rival_creek >> i & 1:
            words.append(f"!{space.name}")
    return words


def _mudcracks_words(setting: Setting, state: SheetState) -> list[str]:
    """Write nodes, boxes and the rival's circles."""
    mud = setting.sheet.mudcracks
    return [
        *(mud.nodes[i].name for i in bits(state.nodes) if i != mud.start),
        *(f"box{i + 1}-{count}" for i, count in enumerate(state.boxes) if count),
        *(f"{mud.nodes[i].name}+{count}" for i, count in enumerate(state.circles) if count),
    ]


def _read_ruins(setting: Setting, state: SheetState, words: list[str]) -> SheetState:
    """Read the buildings."""
    hexes, marks = list(state.hexes), {"^": 0, "_": 0, "x": 0}
    if "rival" in words:
        at = words.index("rival")
        circled, crossed = _pair(" ".join(words[at : at + 2]), words[at + 1 : at + 2])
        state = state._replace(rival_hexes=circled, rival_hexes_crossed=crossed)
        words = words[:at] + words[at + 2 :]
    for word in words:
        found = re.fullmatch(r"(.*?)(\d+)([\^_x]?)", word)
        if found is None:
            raise _wrong(word, "expected a building, its hexes and perhaps ^, _ or x, as B9^")
        i = _known(word, "building", setting.sheet.ruins.by_name, found[1])
        hexes[i] = int(found[2])
        if found[3]:
            marks[found[3]] |= 1 << i
    return state._replace(hexes=tuple(hexes), top=marks["^"], bottom=marks["_"],
        top_out=marks["_"] | marks["x"],
    )  # fmt: skip


def _read_canyon(setting: Setting, state: SheetState, words: list[str]) -> SheetState:
    """Read the shapes."""
    names = setting.sheet.canyon.names
    for word in words:
        squares = {_known(word, "square", names, name) for name in word.lstrip("!").split("+")}
        mask = sum(1 << square for square in squares)
        if word.startswith("!"):
            state = state._replace(
                rival_shapes=(*state.rival_shapes, mask),
                rival_canyon=state.rival_canyon | mask,
            )
        else:
            state = state._replace(shapes=(*state.shapes, mask), canyon=state.canyon | mask)
    return state


def _read_creek(setting: Setting, state: SheetState, words: list[str]) -> SheetState:
    """Read the spaces."""
    names = setting.sheet.creek.by_name
    for word in words:
        bit = 1 << _known(word, "space", names, word.strip("!*"))
        if word.startswith("!"):
            state = state._replace(rival_creek=state.rival_creek | bit)
        elif word.endswith("*"):
            state = state._replace(circled=state.circled | bit)
        else:
            state = state._replace(crossed=state.crossed | bit)
    return state


def _read_mudcracks(setting: Setting, state: SheetState, words: list[str]) -> SheetState:
    """Read nodes, boxes and circles."""
    mud = setting.sheet.mudcracks
    boxes, circles, nodes = list(state.boxes), list(state.circles), state.nodes
    columns = {f"box{i + 1}": i for i in range(len(boxes))}
    for word in words:
        if "-" in word:
            name, _, count = word.partition("-")
            boxes[_known(word, "column", columns, name)] = _number(word, count)
        elif "+" in word:
            name, _, count = word.partition("+")
            circles[_known(word, "node", mud.by_name, name)] = _number(word, count)
        else:
            nodes |= 1 << _known(word, "node", mud.by_name, word)
    return state._replace(boxes=tuple(boxes), circles=tuple(circles), nodes=nodes)


def _read_bonuses(setting: Setting, state: SheetState, words: list[str]) -> SheetState:
    """Read the icons."""
    del setting
    circled, spent = list(state.bonuses), list(state.spent)
    index: dict[str, int] = {icon: i for i, icon in enumerate(ICONS)}
    for name, *pair in zip(words[::2], words[1::2], strict=False):
        i = _known(name, "bonus", index, name)
        circled[i], spent[i] = _pair(f"{name} {pair[0]}", pair)
    if len(words) % 2:
        raise _wrong(words[-1], "expected circled and crossed off, as 'swap 2-1'")
    return state._replace(bonuses=tuple(circled), spent=tuple(spent))


def _pair(word: str, pair: list[str]) -> tuple[int, int]:
    """Read ``circled-crossed``."""
    first, dash, second = (pair[0] if pair else "").partition("-")
    if not dash:
        raise _wrong(word, "expected circled and crossed off, as '2-1'")
    return _number(word, first), _number(word, second)


def _number(word: str, text: str) -> int:
    """Read a number."""
    if not text.isascii() or not text.isdigit():
        raise _wrong(word, f"expected a number, got {text!r}")
    return int(text)


def _known(word: str, what: str, known: Mapping[str, int], name: str) -> int:
    """Look a name up on the sheet."""
    found = known.get(name)
    if found is None:
        raise _wrong(word, f"off the sheet: no {what} is called {name!r}")
    return found


def _wrong(word: str, what: str) -> UsageError:
    """Say what is wrong with a word of the line."""
    return UsageError(f"sheet: {word!r}: {what}")
