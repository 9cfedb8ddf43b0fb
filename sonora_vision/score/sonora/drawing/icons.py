"""Icons, colors and words of a drawn sheet."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

INK = "#3a2a20"
SECTION_COLORS = {
    "ruins": "#c8643c",
    "canyon": "#d2913a",
    "creek": "#3f7f93",
    "mudcracks": "#8a6a4f",
}

ANIMAL_OF = {"ruins": "lizard", "canyon": "fox", "creek": "owl", "mudcracks": "rabbit"}
CACTUS_OF_SIZE = {"small": 0, "medium": 1, "large": 2}


@cache
def symbols() -> str:
    """Return the definitions of all icons, from icons.svg."""
    drawing = files(__package__).joinpath("icons.svg").read_text(encoding="utf-8")
    return "".join(re.findall(r"<symbol.*?</symbol>", drawing, flags=re.DOTALL))


def icon(name: str, center_x: float, center_y: float, size: float) -> str:
    """Draw an icon around a point, in mm."""
    left, top = center_x - size / 2, center_y - size / 2
    return (
        f'<use href="#{name}" x="{left:.2f}" y="{top:.2f}" width="{size:.2f}" height="{size:.2f}"/>'
    )


def text(x: float, y: float, size: float, words: object, **more: str) -> str:
    """Write words centered on a point, in mm."""
    attributes = {"text-anchor": "middle", "dominant-baseline": "central", "fill": INK, **more}
    written = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" {written}>{words}</text>'
