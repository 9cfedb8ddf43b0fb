"""How the command line looks: tables on standard output, progress on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from sonora_vision.score.allocation import Allocation, OpenChoice, PlayerAllocation, Sum
from sonora_vision.score.game import ScoreSheet

_STDERR = 2
_PIPED_COLUMNS = 110
"""Width where the output is no terminal: a row for a player without wrapping."""

_DOUBT_STYLE = "yellow"
_CHOICE_STYLE = "cyan"


@cache
def keep_stderr_to_ourselves() -> None:
    """Leave standard error to this program: C libraries say there, nameless, what we say by name.

    That is decoders mostly, of a damaged picture. Where standard error is not the process's own
    (in a test, in a notebook), nothing is done. Processes that are started later inherit it.
    """
    try:
        if sys.stderr.fileno() != _STDERR:
            return
    except (OSError, ValueError, AttributeError):
        return
    ours = os.dup(_STDERR)
    sys.stderr = open(  # noqa: SIM115 - open for as long as the process lives
        ours, "w", buffering=1, encoding=sys.stderr.encoding, errors="backslashreplace"
    )
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _STDERR)
    os.close(nowhere)


def results() -> Console:
    """Return the console for results."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _PIPED_COLUMNS
    return console


@contextmanager
def progress(*, counted: bool) -> Iterator[Progress]:
    """Show progress on standard error; nothing at all where that is no terminal.

    Parameters
    ----------
    counted : bool
        Whether to show how many of how many, rather than a share of one long task.
    """
    console = Console(stderr=True)
    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn() if counted else TextColumn("{task.percentage:3.0f}%"),
        TimeRemainingColumn(),
    ]
    with Progress(
        *columns, console=console, disable=not console.is_terminal, transient=True
    ) as bar:
        yield bar


def allocation_table(allocation: Allocation, *, title: str) -> Table:
    """Lay out what each player records, a row a player, in turn order."""
    table = plain_table(title)
    for heading in (
        "player",
        "Ruins (order)",
        "Canyon",
        "Creek",
        "Mudcracks",
        "to settle",
        "not scored",
    ):
        table.add_column(heading)
    for player in allocation.players:
        table.add_row(
            Text(player.color if player.name is None else f"{player.name} ({player.color})"),
            _ruins(player, allocation.ruins_order),
            ", ".join(
                f"{disc.number}" + (" twice" if disc.shapes == 2 else "") for disc in player.canyon
            ),
            ", ".join(
                f"{disc.number}" + (" twice" if disc.paths == 2 else "") for disc in player.creek
            ),
            _sum(player.mudcracks),
            _open(player),
            Text(", ".join(f"{disc.number or '?'} {_words(disc.why)}" for disc in player.unscored)),
        )
    return table


def outcome_table(outcome: Allocation | ScoreSheet, *, title: str) -> Table:
    """Lay out what a reading is worth to each player."""
    if isinstance(outcome, Allocation):
        return allocation_table(outcome, title=title)
    return score_table(outcome, title=title)


def score_table(sheet: ScoreSheet, *, title: str) -> Table:
    """Lay out a score sheet, a column a player, the winners marked."""
    table = Table(title=Text(title), title_justify="left", title_style="bold", show_footer=True)
    table.add_column("", footer="Total")
    for player in sheet.players:
        wins = player.player in sheet.winners
        table.add_column(
            Text(player.player + (" (wins)" if wins else "")),
            footer=str(player.total),
            justify="right",
            style="bold" if wins else "",
        )
    labels = dict.fromkeys(row.label for player in sheet.players for row in player.rows)
    for label in labels:
        values = [
            "".join(str(row.value) for row in player.rows if row.label == label)
            for player in sheet.players
        ]
        table.add_row(Text(label), *values)
    return table


def plain_table(title: str, *headings: str) -> Table:
    """Return an empty table in the program's one style."""
    return Table(
        *headings,
        title=Text(title),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_header=any(headings) or not headings,
        pad_edge=False,
    )


def figure_table(rows: Iterable[tuple[str, str]], *, title: str) -> Table:
    """Lay out names and figures."""
    table = plain_table(title, "", "")
    for name, value in rows:
        table.add_row(Text(name), Text(value))
    return table


def _ruins(player: PlayerAllocation, ruins_order: tuple[str, ...]) -> str:
    """Give the total, its parts, and whose turn it is to record it."""
    if player.color not in ruins_order:
        return ""
    return f"{_sum(player.ruins)} ({_ordinal(ruins_order.index(player.color) + 1)})"


def _sum(section: Sum) -> str:
    """Write a section that adds up, as ``13 = 2+3+2x4``."""
    if not section.discs:
        return ""
    parts = [f"2x{disc.number}" if disc.multiplier else f"{disc.number}" for disc in section.discs]
    plain = len(parts) == 1 and not section.discs[0].multiplier
    return f"{section.total}" if plain else f"{section.total} = {'+'.join(parts)}"


def _open(player: PlayerAllocation) -> Text:
    """List what the owner must settle before it counts."""
    lines = [
        Text(f"{choice.number}: {_choice(choice)}", _CHOICE_STYLE) for choice in player.choices
    ]
    for doubt in player.doubts:
        call = " or ".join(doubt.sections) or "no section"
        text = f"{doubt.number or '?'}: {call}? doubt: {', '.join(doubt.reasons)}"
        lines.append(Text(text, _DOUBT_STYLE))
    return Text("\n").join(lines)


def _choice(choice: OpenChoice) -> str:
    if choice.why == "hole":
        return "bullseye, choose a section"
    return f"choose {' or '.join(choice.sections)}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _ordinal(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")
