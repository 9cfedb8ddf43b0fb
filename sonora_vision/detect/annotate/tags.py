"""A disc's label on an annotated board: its color and number, what it counts for, and why."""

from __future__ import annotations

from collections.abc import Mapping

from sonora_vision.detect.annotate.canvas import Lettering, text_width_px
from sonora_vision.detect.annotate.captions import details, headline, is_choice
from sonora_vision.detect.annotate.labels import Box
from sonora_vision.detect.annotate.legend import write_badge
from sonora_vision.detect.annotate.palette import CHOICE, DOUBT, INK, PAPER, WHITE, Rgb
from sonora_vision.observation import Disc


class Tag:
    """One disc's label; ``size_px`` is its width and height."""

    def __init__(
        self, disc: Disc, text_px: float, *, brief: bool = False, names: Mapping[str, str]
    ) -> None:
        self.disc = disc
        self._text_px = text_px
        self._small_px = text_px * 0.74
        self._words = headline(disc)
        self._lines = [] if brief else [", ".join([disc.color, *details(disc)])]
        if brief:
            self._words = _brief_words(disc, names)
        elif disc.doubts:
            self._lines.append("? " + ", ".join(disc.doubts))
        elif is_choice(disc):
            self._lines.append("owner chooses")
        widths = [text_width_px(self._words, text_px) * 1.05]
        widths += [text_width_px(line, self._small_px) for line in self._lines]
        self._badge_px = text_px * 1.45
        pad_px = text_px * 0.3
        self.size_px = (
            self._badge_px + max(widths) + text_px * 1.25,
            max(
                self._badge_px + 2 * pad_px,
                text_px * 1.55 + len(self._lines) * self._small_px * 1.2,
            ),
        )

    def write(self, lettering: Lettering, place: Box, colors: Mapping[str, Rgb]) -> None:
        """Write the label at its place."""
        left, top, right, bottom = place
        text_px, disc = self._text_px, self.disc
        edge = DOUBT if disc.doubts else CHOICE if is_choice(disc) else INK
        lettering.box((left - 3, top - 3, right + 3, bottom + 3), edge, radius_px=text_px * 0.42)
        lettering.box(place, PAPER, radius_px=text_px * 0.36)
        pad = text_px * 0.3
        number = "?" if "number" in disc.doubts and disc.number is None else disc.number
        write_badge(lettering, (left + pad, top + pad), self._badge_px, disc.color, number)
        x = left + pad + self._badge_px + text_px * 0.4
        y = top + text_px * (1.12 if self._lines else 1.38)
        color = colors.get(disc.sections[0], WHITE) if len(disc.sections) == 1 else WHITE
        if disc.doubts and not self._lines:
            color = DOUBT
        lettering.text((x, y), self._words, color, size_px=text_px, bold=True)
        for line in self._lines:
            y += self._small_px * 1.22
            marked = line.startswith("? ")
            lettering.text((x, y), line, DOUBT if marked else WHITE, size_px=self._small_px)


def _brief_words(disc: Disc, names: Mapping[str, str]) -> str:
    if disc.doubts:
        return "?"
    if is_choice(disc):
        return names.get("choose", "choose")
    return names.get(disc.sections[0], headline(disc)) if disc.sections else headline(disc)
