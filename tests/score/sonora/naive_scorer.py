"""A second scorer, written from the rulebook alone: it reads the sheet's file and a line of marks.

It shares no code with the program, walks no masks, and knows nothing of how the marks were made.
"""

from __future__ import annotations

import tomllib
from typing import Any

CACTUS = {"small": 2, "medium": 4, "large": 6}
BEYOND = 5


def naive_points(sheet_toml: str, marks: str) -> dict[str, int]:
    """Return the points of each section."""
    sheet = tomllib.loads(sheet_toml)
    parts = {"ruins": "", "canyon": "", "creek": "", "mudcracks": ""}
    for part in filter(None, marks.split(" | ")):
        name, _, words = part.partition(": ")
        parts[name] = words
    return {
        "ruins": _ruins(sheet, parts["ruins"].split()),
        "canyon": _canyon(sheet, parts["canyon"].split()),
        "creek": _creek(sheet, parts["creek"].split()),
        "mudcracks": _mudcracks(sheet, parts["mudcracks"].split()),
    }


def _ruins(sheet: dict[str, Any], words: list[str]) -> int:
    total = 0
    for building in sheet["ruins"]["building"]:
        for word in words:
            if word[0] == building["id"]:
                if word.endswith("^"):
                    total += building["top"]["points"]
                if word.endswith("_"):
                    total += building["bottom"]["points"]
    return total


def _canyon(sheet: dict[str, Any], words: list[str]) -> int:
    found: dict[str, int] = {}
    for word in words:
        if not word.startswith("!"):
            for square in word.split("+"):
                column, row = "abcdefghijklmnopqrstuvwxyz".index(square[0]), int(square[1:]) - 1
                letter = sheet["canyon"]["rows"][row][column]
                found[letter] = found.get(letter, 0) + 1
    total = 0
    for cactus in sheet["canyon"]["cacti"]:
        n, table = found.get(cactus["letter"], 0), cactus["points"]
        if n > len(table):
            total += table[-1] + BEYOND * (n - len(table))
        elif n:
            total += table[n - 1]
    return total


def _creek(sheet: dict[str, Any], words: list[str]) -> int:
    points = {space["name"]: space.get("points", 0) for space in sheet["creek"]["spaces"]}
    return sum(points[word[:-1]] for word in words if word.endswith("*"))


def _mudcracks(sheet: dict[str, Any], words: list[str]) -> int:
    marked = {word for word in words if "-" not in word and "+" not in word}
    marked.add(sheet["mudcracks"]["start"])
    return sum(
        CACTUS[area["cactus"]]
        for area in sheet["mudcracks"]["areas"]
        if "cactus" in area and set(area["nodes"].split()) <= marked
    )
