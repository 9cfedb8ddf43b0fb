"""What happened, in a line for the history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sonora_vision.table.events import (
    Bullseye,
    CodesRenewed,
    Event,
    Finished,
    Logged,
    Made,
    NextRound,
    Ready,
    Recorded,
    Repaired,
    Seated,
    Settled,
    Swapped,
    Ticked,
    Undone,
)
from sonora_vision.table.game import Game
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext


@dataclass(frozen=True, kw_only=True)
class Told:
    """One line of the history."""

    at: datetime
    words: str
    undone: bool


def history(game: Game, log: list[Logged], *, last: int) -> list[Told]:
    """Return the last things that happened, newest first."""
    gone = {entry.event.seq for entry in log if isinstance(entry.event, Undone)}
    shown = [entry for entry in log if not isinstance(entry.event, Undone)][-last:]
    names = {player.color: player.name for player in game.players}
    return [
        Told(
            at=datetime.fromisoformat(entry.at),
            words=_words(entry.event, names.get(entry.actor, ""), names),
            undone=entry.seq in gone,
        )
        for entry in reversed(shown)
    ]


def _words(event: Event, actor: str, names: dict[str, str]) -> str:
    who = actor or gettext("The host")
    match event:
        case Made():
            return gettext("The game was begun")
        case Seated():
            return gettext("Players or rounds were changed")
        case Recorded():
            return gettext("The board was read")
        case Repaired(now=None):
            return gettext("%(who)s took a disc away", who=who)
        case Repaired():
            return gettext("%(who)s put a disc right", who=who)
        case Bullseye(color=color, number=number, section=section):
            return gettext(
                "%(who)s: bullseye, %(disc)s for %(section)s",
                who=names.get(color, color),
                disc=terms.disc(color, number),
                section=terms.section(section),
            )
        case Settled(color=color, number=number, section=section):
            return gettext(
                "%(who)s settled %(disc)s: %(section)s",
                who=who,
                disc=terms.disc(color, number),
                section=terms.sections(() if section is None else (section,)),
            )
        case Swapped(color=color, number=number, other=other):
            return gettext(
                "%(who)s swapped %(one)s and %(other)s",
                who=names.get(color, color),
                one=number,
                other=other,
            )
        case Ticked(color=color, section=section, done=done):
            name = names.get(color, color)
            if done:
                return gettext(
                    "%(who)s recorded %(section)s", who=name, section=terms.section(section)
                )
            return gettext(
                "%(who)s took %(section)s back", who=name, section=terms.section(section)
            )
        case Ready(color=color):
            return gettext("%(who)s is ready", who=names.get(color, color))
        case Finished(color=color):
            return gettext("%(who)s has finished writing", who=names.get(color, color))
        case NextRound():
            return gettext("The round was closed")
        case CodesRenewed():
            return gettext("The players' codes were renewed")
        case Undone():
            return gettext("Something was undone")
