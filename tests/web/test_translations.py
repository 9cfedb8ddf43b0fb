"""The pages' words in other languages: whole, up to date, and with the same values in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask import Flask

from sonora_vision.web.door.refusals import PHRASES, find_phrase, told
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
    # files that only the command line is given, and what stands in a phrase
    "?: expected the keys ?; got ?",
    "?: squares: expected two whole numbers of 3 or more; got ?",
    "?: dictionary: expected the name of an OpenCV marker dictionary such as DICT_5X5_250; got ?",
    "?: expected 0 < marker_mm < square_mm; got ?",
    "?: ?",
    "the board that was drawn",
    "?: expected ? or more across",
    "? times as ?",
}
"""What no visitor can bring about, and what wraps another refusal."""
FAULTS = (
    "calibrate/find_board.py",
    "calibrate/lens.py",
    "calibrate/migrate.py",
    "calibrate/one_photo.py",
    "calibrate/photo.py",
    "calibrate/profile.py",
    "calibrate/wizard/*.py",
    "detect/*.py",
    "camera/[!cp]*.py",  # what is asked for as the program starts is said where it was started
    "camera/pi.py",
    "camera/pi_pixels.py",
    "web/live/*.py",
    "web/wizard/*.py",
    "web/photos/store.py",
)
"""Where what is raised may come to be read on a page."""
SENTENCES = (
    "calibrate/wizard/*.py",
    "detect/trust.py",
    "detect/ageing.py",
)
"""Where every text is shown on a page."""


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


@pytest.mark.parametrize("pattern", [*FAULTS, *SENTENCES])
def test_every_fault_and_advice_can_be_said_in_another_language(pattern: str) -> None:
    said = faults(pattern) if pattern in FAULTS else sentences(pattern)
    unknown = {text for text in said if not is_phrase(text)}
    assert unknown - UNSAID == set(), "add it to SEEN or TAUGHT of web/wording"


def is_phrase(text: str) -> bool:
    """Whether a text with question marks for its values is a phrase with these values."""
    found = find_phrase(text)
    return found is not None and all(
        re.fullmatch(r"[? x,]+", value) or name == "key" or (name == "words" and is_phrase(value))
        for name, value in found[1].items()
    )


def faults(pattern: str) -> Iterator[str]:
    """What is raised in the modules of that pattern, with a question mark for each value."""
    for node in nodes(pattern):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            text = pattern_of(node.args[0])
            if node.func.id.endswith("Error") and node.func.id != "ValueError" and text is not None:
                yield text


def sentences(pattern: str) -> Iterator[str]:
    """Every text of more than a word in the modules of that pattern, docstrings left out."""
    within = {
        id(part)
        for node in nodes(pattern)
        if isinstance(node, ast.JoinedStr | ast.Expr)
        for part in ast.walk(node)
        if part is not node and not isinstance(part, ast.Call)
    }
    for node in nodes(pattern):
        text = pattern_of(node) if isinstance(node, ast.expr) and id(node) not in within else None
        if text is not None and re.search(r"[a-z]{2}\S* |\S [a-z]{2}", text):
            yield text


def nodes(pattern: str) -> Iterator[ast.AST]:
    found = [path for path in PACKAGE.glob(pattern) if path.is_file()]
    assert found, pattern
    for path in found:
        yield from ast.walk(tree(path))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


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
                text = pattern_of(node.args[0])
                if text is not None:
                    # a color and a number, or x and y, are one value there
                    yield text.replace("? ?", "?").replace("?, ?", "?")


def pattern_of(node: ast.expr) -> str | None:
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
        ("lens: show the target, or choose to do without; discs: type how high a disc is; orange: "
         "no 3, 4 yet; tap it on the picture",
         "objetivo: muestra el patrón o elige prescindir de él; discos: escribe la altura de un "
         "disco; naranja: falta 3, 4; tócalo en la foto"),
        ("shot.jpg: blurred: focus, and hold still; the board is cut off: raise the camera, or "
         "move it; take it again",
         "shot.jpg: borrosa: enfoca y sujeta quieta la cámara; el tablero está cortado: sube la "
         "cámara o muévela; tómala otra vez"),
        ("live: the printed target is hardly in it (3 of its corners); show more of it, flat, in "
         "even light", "en vivo: el patrón impreso apenas aparece (3 de sus esquinas)"),
        ("the light has changed since teaching (2.7 times as dark, of another tint): colors are "
         "less sure; bring the lamp back, or teach again in this light",
         "(2.7 veces más oscura, de otro tono)"),
        ("found more than once, though each exists once: orange 4, teal 1",
         "naranja 4, turquesa 1"),
        ("exactly over the lizard circle of ruins", "sobre el círculo del lagarto (Ruinas)"),
        ("a launch corner: expected 0.2 to 50 mm, measured with a ruler; got 'much'",
         "zona de lanzamiento: se esperan de 0.2 a 50 mm, medidos con una regla, no much"),
        ("the board that was drawn: zones[1]: expected to lie within the outline (x 0 to 400, y 0 "
         "to 300 mm), got a shape that reaches out of it (x 5 to 500, y 0 to 300 mm); "
         "zones[2].value: missing (rule lowest compares values)",
         "se sale de él (x de 5 a 500, y de 0 a 300 mm); zones[2].value: falta"),
        ("clicks: colors: no red disc; click one of each color, or take red off the board",
         "puntos: colores: falta el disco rojo; marca uno de cada color"),
        ("/dev/video0: gives no pictures any more; check its cable and plug it in again",
         "/dev/video0: ya no da imágenes; revisa su cable"),
        ("; ".join(["nobody: said: this"] * 40), "nobody: said: this"),
        ("what nobody has translated", "what nobody has translated"),
    ],
)  # fmt: skip
def test_a_refusal_is_found_again_with_its_values(app: Flask, said: str, spanish: str) -> None:
    with app.test_request_context(headers={"Accept-Language": "es"}):
        assert spanish in told(said)
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert told(said).lower().replace("'", "") == said.lower().replace("'", "")
