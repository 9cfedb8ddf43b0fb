"""Sheet files: the house sheet is in order, and every mistake of an owner's is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sonora_vision.errors import FileFormatError
from sonora_vision.score.sonora.sheet_file import house_sheet, load_sheet, parse_sheet

TOML = house_sheet().toml


def mistakes(*changes: tuple[str, str]) -> str:
    """Return what is said of the house sheet with some text replaced."""
    text = TOML
    for old, new in changes:
        assert old in text, f"the test replaces what is not there: {old}"
        text = text.replace(old, new, 1)
    with pytest.raises(FileFormatError) as caught:
        parse_sheet(text, "my.toml")
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_house_sheet_says_that_it_is_one() -> None:
    assert house_sheet().name == "House sheet"
    assert "not the published sheet" in house_sheet().source


def test_overlapping_buildings() -> None:
    at = re.search(r'id = "B"\nat = \[(\d+), (\d+)\]', TOML)
    assert at is not None
    moved = f'id = "B"\nat = [1, {at[2]}]'
    assert "building B overlaps building A at column" in mistakes((at[0], moved))


def test_disconnected_creek() -> None:
    said = mistakes(('    "a2 c1 c2 c3 c4",\n', ""), ('    "m3 k1 k2 n3",\n', ""))
    assert "creek.ways: c1, c2, c3, c4, n1" in said
    assert "not connected with the start; join them" in said


def test_unknown_bonus() -> None:
    said = mistakes(('bonus = "reflick" }\nbottom', 'bonus = "wolf" }\nbottom'))
    assert "ruins.building[0].top.bonus: expected one of fox, owl" in said
    assert 'got "wolf"' in said


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("schema = 1", "schema = 9", "newer Sonora Vision wrote this file"),
        ("sonora-vision/sheet", "sonora-vision/board", "kind: expected one of sonora-vision/sheet"),
        ('name = "House sheet"\n', "", "name: missing"),
        ('name = "House sheet"', 'name = "House sheet"\ncolor = "red"', "color: unknown key"),
        ("reflick = 8", "reflick = 0", "bonus_area.reflick: expected at least 1"),
        ("fox = 2", 'fox = "two"', "discovery_area.fox: expected a whole number"),
        ('id = "B"', 'id = "A"', 'expected a name of its own, got "A"'),
        ('id = "B"', 'id = "B2"', "expected a name of letters"),
        ('rows = [" ##", "###", "####"]', 'rows = ["##", "", "####"]', "a text that is not empty"),
        ('rows = [" ##", "###", "####"]', 'rows = ["##  #", "###"]', "more than one piece"),
        ('rows = [" ##", "###", "####"]', 'rows = ["x#"]', "only # and spaces"),
        ('"SSSS..b...O..."', '"SSSS..b.Q.O..."', "a known letter in column 9"),
        ('letter = "F"', 'letter = "FF"', "one character"),
        ('letter = "F"', 'letter = "a"', "letter 'a' is a cactus too"),
        ("points = [1, 2, 3, 5, 7, 9]", "points = [1, 9, 3]", "whole numbers that never fall"),
        ('rows = ["###.", ".###"]', 'rows = ["##", "#."]', "the same shape as one of value 2"),
        ('rows = ["###.", ".###"]', 'rows = ["#.#"]', "in more than one piece"),
        ("value = 5\nrows", "value = 4\nrows", "no shape of value 5"),
        ('start = "x"\nrival', 'start = "q"\nrival', "the name of a point"),
        ('"s7"]', '"zz"]', 'creek.rival: expected names of spaces, got "zz"'),
        ('"m3 k1 k2 n3"', '"m3 k1 k9 n3"', 'names of points, got "k9"'),
        ('"m3 k1 k2 n3"', '"m3 k1 k1 k2 n3"', "k1 is joined to itself"),
        ('name = "b3", at = [24, 28.5], points = 1', 'name = "b3", at = [24], points = 1',
         "a point [x, y]"),
        ('name = "b3", at = [24, 28.5], points = 1',
         'name = "b3", at = [24, 28.5], points = 1, bonus = "fox"', "points or a bonus, not both"),
        ('name = "b3"', 'name = "b4"', "a word of its own"),
        ('nodes = "x i1 i2"', 'nodes = "x i1 i4"', "nodes that are joined to each other"),
        ('nodes = "x i1 i2"', 'nodes = "x i1"', "3 different nodes"),
        ('nodes = "x i2 i3"', 'nodes = "x i1 i2"', "two areas between the same three nodes"),
        ('nodes = "x i1 i2", cactus = "small"', 'nodes = "x i1 i2"', "a bonus or a cactus"),
        ('cactus = "small"', 'cactus = "tiny"', "one of small, medium, large"),
        ("boxes = 2", "boxes = 0", "at least 1"),
        ('{ name = "i1", at = [46.5, 19.5], value = 3 }', '{ name = "i1", at = [46.5, 19.5] }',
         "mudcracks.nodes[1].value: missing"),
    ],
)  # fmt: skip
def test_mistakes_are_named(old: str, new: str, what: str) -> None:
    assert what in mistakes((old, new))


def test_cut_off_square() -> None:
    said = mistakes(
        ('"       .c.D..b"', '"       .c.D. b"'), ('"      a......."', '"      a...... "')
    )
    assert "canyon.rows: square n1 is cut off from the start" in said


def test_a_building_too_few() -> None:
    last, after = TOML.index('[[ruins.building]]\nid = "H"'), TOML.index("# A square a char")
    with pytest.raises(FileFormatError, match=r"ruins\.building: expected 8 buildings, got 7"):
        parse_sheet(TOML[:last] + TOML[after:], "my.toml")


def test_every_mistake_is_named_at_once() -> None:
    said = mistakes(("boxes = 2", "boxes = 0"), ('cactus = "small"', 'cactus = "tiny"'))
    assert "boxes" in said
    assert "tiny" in said


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        load_sheet(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("= 3", encoding="utf-8")
    with pytest.raises(FileFormatError, match="not TOML"):
        load_sheet(bad)
    bad.write_bytes(b"\xff")
    with pytest.raises(FileFormatError, match="UTF-8"):
        load_sheet(bad)
    good = tmp_path / "good.toml"
    good.write_text(TOML, encoding="utf-8")
    assert load_sheet(good) == house_sheet()
