"""The pages' words in other languages: whole, up to date, and with the same values in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask import Flask

from sonora_vision.web.door.refusals import PHRASES, told
from sonora_vision.web.wording.language import LANGUAGES

PACKAGE = Path(__file__).parents[2] / "sonora_vision"
TRANSLATIONS = PACKAGE / "web" / "translations"
OTHERS = list(LANGUAGES)[1:]
KEYWORDS = {"gettext": None, "ngettext": (1, 2), "_": None, "lazy_gettext": None, "phrase": None}
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
REFUSALS = {"RuleError", "ForbiddenError", "NoPictureError", "NoGameError", "TakenError"}
UNSAID = {
    "log: expected the making of a game as the first event",
    "undoing is a matter of the whole log",
    "?: not an event of a round",
    "?: expected sections of ?, got ?",
    "event ?: ?",
    "game ?: event ? is there already",
}
"""What no visitor can bring about, and what wraps another refusal."""


def catalog(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def singular(message_id: str | tuple[str, ...] | list[str]) -> str:
    return message_id if isinstance(message_id, str) else message_id[0]


@pytest.fixture(scope="module")
def said() -> set[str]:
    """Every text that a page or a module of the pages marks for translation."""
    found = extract_from_dir(PACKAGE / "web", method_map=METHODS, keywords=KEYWORDS)
    return {singular(message) for _, _, message, _, _ in found}


@pytest.mark.filterwarnings("ignore:.*Skipping f-string")
@pytest.mark.parametrize("language", OTHERS)
def test_everything_is_translated_and_nothing_else_is_there(language: str, said: set[str]) -> None:
    there = catalog(language)
    ids = {singular(message.id) for message in there if message.id}
    assert said - ids == set(), "run `make words`, then translate what is new"
    assert ids - said == set(), "run `make words`"
    for message in there:
        texts = [message.string] if isinstance(message.string, str) else list(message.string)
        assert all(texts), f"{message.id}: not translated"
        assert not message.fuzzy, f"{message.id}: fuzzy"


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_values_of_its_original(language: str) -> None:
    for message in catalog(language):
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else message.id
        many = (message.string,) if isinstance(message.string, str) else message.string
        for text in many:
            assert values(text) in [values(each) for each in ids], message.id


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_program_reads_is_what_the_translators_wrote(language: str) -> None:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        compiled = {singular(m.id): list(m.string) for m in read_mo(file) if m.id}
    written = {singular(m.id): list(m.string) for m in catalog(language) if m.id}
    assert compiled == written, "run `make words`"


def test_every_refusal_of_the_table_can_be_said_in_another_language() -> None:
    known = {_VALUE.sub("?", phrase) for phrase in PHRASES}
    assert set(refused()) - known - UNSAID == set(), "add it to PHRASES of web/door/refusals.py"


_VALUE = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def values(text: str) -> list[str]:
    return sorted(_VALUE.findall(text))


def refused() -> Iterator[str]:
    """What the table refuses, with a question mark for each value."""
    for path in [*(PACKAGE / "table").glob("*.py"), PACKAGE / "score" / "sonora" / "position.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in REFUSALS
            ):
                text = pattern(node.args[0])
                if text is not None:
                    # a color and a number, or x and y, are one value there
                    yield text.replace("? ?", "?").replace("?, ?", "?")


def pattern(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(p.value) if isinstance(p, ast.Constant) else "?" for p in parts)
        case _:
            return None


@pytest.mark.parametrize(
    ("said", "spanish"),
    [
        ("orange 4 lies elsewhere; each disc is there once", "naranja 4 está en otro lugar"),
        ("that is for blue to do; you play red", "eso le toca al azul; tú juegas con el rojo"),
        ("record canyon first", "primero anota: Cañón"),
        (
            "undo: later acts are built on it (event 7: writing begins when everyone is ready); "
            "undo them first",
            "(event 7: se anota cuando todos están listos)",
        ),
        ("shot.jpg: the picture is blurred: centers and numbers are less sure; focus, hold still, "
         "or give more light", "shot.jpg: la foto está borrosa"),
        ("12 % of the board is overexposed: colors and numbers are lost there; give less light, "
         "or a shorter exposure", "el 12 % del tablero está sobreexpuesto"),
        ("what nobody has translated", "what nobody has translated"),
    ],
)  # fmt: skip
def test_a_refusal_is_found_again_with_its_values(app: Flask, said: str, spanish: str) -> None:
    with app.test_request_context(headers={"Accept-Language": "es"}):
        assert spanish in told(said)
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert told(said).lower() == said.lower()
