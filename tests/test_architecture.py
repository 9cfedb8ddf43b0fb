"""Which room may import which: seeing and judging never meet, and pixels stay out of the rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "sonora_vision"

BASE = {"errors", "geometry", "observation", "document"}

ROOMS: dict[str, set[str]] = {
    "__init__": set(),
    "errors": set(),
    "geometry": {"errors"},
    "observation": {"errors", "geometry"},
    "document": {"errors"},
    "calibrate": BASE,
    "camera": {"errors"},
    "detect": BASE | {"calibrate"},
    "score": BASE,
    "reading_file": BASE | {"calibrate"},
    "truth_file": BASE | {"calibrate"},
    "evaluate": BASE | {"truth_file"},
    "reliability": set(),
    "one_core": set(),
    "teaching": BASE | {"calibrate", "detect"},
    "clicked": BASE | {"calibrate", "detect"},
    "ruling": BASE | {"calibrate", "detect"},
    "report": BASE | {"calibrate", "detect", "ruling"},
    "table": BASE | {"calibrate", "detect", "score", "ruling", "reading_file"},
    "pipeline": BASE | {"calibrate", "detect", "score", "ruling", "report"},
}
"""Each room and the rooms it may import; rooms not listed are the shells, which may import all."""

ONLY_IN = {
    "picamera2": {"camera"},
    "libcamera": {"camera"},
    "flask": {"web"},
    "sqlalchemy": {"table"},
    "alembic": {"table"},
    "waitress": {"commands", "web"},
    "click": {"cli", "commands"},
}
"""Libraries that one room alone knows."""

NOT_IN_SCORE = {"numpy", "cv2", "scipy", "skimage", "shapely", "click", "rich", "flask"}


def _modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every module that a file imports, at its top or within a function.

    What is imported for the type checker alone is a name in an annotation and ties no rooms.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import hides its room"
            assert node.module is not None
            if node.module == "sonora_vision":
                for alias in node.names:
                    yield f"sonora_vision.{alias.name}", node.lineno
            else:
                yield node.module, node.lineno


def _room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    strays = [
        f"{path.relative_to(PACKAGE)}:{line} imports {name}"
        for path in _modules()
        if _room(path) == room
        for name, line in _imports(path)
        if name.startswith("sonora_vision.")
        and name.split(".")[1] not in ROOMS[room] | {room, "__version__"}
    ]
    assert strays == []


def test_every_listed_room_exists() -> None:
    there = {_room(path) for path in _modules()}
    assert set(ROOMS) <= there


def test_score_knows_no_pixels_and_no_pages() -> None:
    strays = [
        f"{path.relative_to(PACKAGE)}:{line} imports {name}"
        for path in _modules()
        if _room(path) == "score"
        for name, line in _imports(path)
        if name.split(".")[0] in NOT_IN_SCORE
    ]
    assert strays == []


def test_one_game_never_imports_another() -> None:
    games = {path.name for path in (PACKAGE / "score").iterdir() if path.is_dir()}
    strays = []
    for path in _modules():
        parts = path.relative_to(PACKAGE).parts
        if parts[0] != "score" or len(parts) < 3:
            continue
        for name, line in _imports(path):
            words = name.split(".")
            if words[:2] == ["sonora_vision", "score"] and len(words) > 2:
                other = words[2]
                if other in games and other != parts[1]:
                    strays.append(f"{path.relative_to(PACKAGE)}:{line} imports {name}")
    assert strays == []


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_a_library_stays_in_its_room(library: str) -> None:
    strays = [
        f"{path.relative_to(PACKAGE)}:{line} imports {name}"
        for path in _modules()
        if _room(path) not in ONLY_IN[library]
        for name, line in _imports(path)
        if name.split(".")[0] == library
    ]
    assert strays == []


def test_modules_are_short_enough_to_read() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in _modules()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 350
    }
    assert long == {}
