"""The discs of a round: as they were read, put right, settled and swapped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from sonora_vision.errors import RuleError
from sonora_vision.observation import Disc, Missing, Reading, Via
from sonora_vision.score.sonora import position
from sonora_vision.table.events import SECTIONS, Bullseye, Settled


@dataclass(frozen=True, kw_only=True)
class Place:
    """A disc of the reading, and what its owner said of it."""

    disc: Disc
    """As read, put right by hand or swapped."""
    settled: Settled | None = None
    repaired: bool = False
    photo_number: int | None = None
    """The number that the photograph shows here, where a swap has put another."""

    @property
    def open(self) -> bool:
        """Whether its owner has yet to say what it counts for, or what it is."""
        return self.settled is None and asks(self.disc)

    @property
    def now(self) -> Disc:
        """The disc with what was settled put in: what an allocation counts."""
        said = self.settled
        if said is None:
            return self.disc
        return replace(
            self.disc,
            color=said.color,
            number=said.number,
            via=self._via(said),
            sections=() if said.section is None else (said.section,),
            doubts=(),
        )

    def _via(self, said: Settled) -> Via:
        """Return what the disc counts by; the owner's word counts where the camera had none."""
        if said.section is None:
            return "none"
        if self.disc.via == "hole" or not unplaced(self.disc):
            return self.disc.via
        return "multiplier" if said.on_multiplier else "zone"


def unplaced(disc: Disc) -> bool:
    """Whether the camera could not tell for certain where a disc lies."""
    return not {"color", "number"} >= set(disc.doubts)


def unnamed(disc: Disc) -> bool:
    """Whether the camera could not tell for certain which disc it is."""
    return disc.number is None or bool({"color", "number"} & set(disc.doubts))


def asks(disc: Disc) -> bool:
    """Whether a disc as read needs a word of its owner."""
    return len(disc.sections) > 1 or bool(disc.doubts) or disc.number is None


@dataclass(frozen=True, kw_only=True)
class Tabletop:
    """All discs of a round; reads as a table that can be allocated."""

    board: str
    places: tuple[Place | None, ...]
    """By index in the reading, then those added by hand; None where one was taken away."""
    gone: tuple[Missing, ...]
    """The inventory's discs that were not seen."""
    bullseyes: tuple[Bullseye, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def discs(self) -> tuple[Disc, ...]:
        """Every disc as it counts now, announced bullseyes included."""
        return (
            *(place.now for place in self.places if place is not None),
            *(_in_hand(each) for each in self.bullseyes),
        )

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """Discs of the inventory that are nowhere, as they are settled now."""
        there = {(disc.color, disc.number) for disc in self.discs}
        return tuple(each for each in self.gone if (each.color, each.number) not in there)

    @property
    def twice(self) -> frozenset[tuple[str, int | None]]:
        """Discs that nobody doubts and that yet lie there twice, which none can."""
        firm = [place.now for place in self.places if place is not None and not place.open]
        count = Counter((d.color, d.number) for d in (*firm, *map(_in_hand, self.bullseyes)))
        return frozenset(key for key, times in count.items() if times > 1)

    def repaired(self, index: int | None, disc: Disc | None) -> Tabletop:
        """Put a disc right, add one (no index) or take one away (no disc).

        Raises
        ------
        RuleError
            If there is no such disc, or it was swapped: the picture shows it elsewhere.
        """
        if index is None:
            if disc is None:
                raise RuleError("repair: expected a disc to add or the index of one to change")
            return replace(self, places=(*self.places, Place(disc=disc, repaired=True)))
        was = self.place(index)
        if was.photo_number is not None:
            raise RuleError(
                f"repair: {was.now.color} {was.now.number} was swapped; undo the swap first"
            )
        changed = None if disc is None else Place(disc=disc, repaired=True)
        return replace(self, places=_with(self.places, index, changed))

    def settled(self, said: Settled) -> Tabletop:
        """Let an owner settle a choice or a doubt."""
        place = self.place(said.disc)
        disc = place.disc
        if not asks(disc):
            raise RuleError(f"{disc.color} {disc.number} has nothing to settle; repair it instead")
        allowed: tuple[str | None, ...] = disc.sections or (None,)
        if unplaced(disc):
            allowed = (*SECTIONS, None)
        if said.section not in allowed:
            raise RuleError(
                f"Board Zones: {said.color} {said.number} counts for one of "
                f"{', '.join(str(each or 'nothing') for each in allowed)}, "
                f"not {said.section or 'nothing'}"
            )
        if not unnamed(disc) and (said.color, said.number) != (disc.color, disc.number):
            raise RuleError(
                f"disc {said.disc} is {disc.color} {disc.number}, and that is not in doubt"
            )
        if unnamed(disc) and self._elsewhere(said):
            raise RuleError(f"{said.color} {said.number} lies elsewhere; each disc is there once")
        return replace(self, places=_with(self.places, said.disc, replace(place, settled=said)))

    def _elsewhere(self, said: Settled) -> bool:
        """Whether the disc that an owner says this is certainly lies in another place."""
        others = [
            place.now
            for index, place in enumerate(self.places)
            if place is not None and index != said.disc and not unnamed(place.now)
        ]
        discs = (*others, *map(_in_hand, self.bullseyes))
        return (said.color, said.number) in {(disc.color, disc.number) for disc in discs}

    def swapped(self, color: str, number: int, other: int) -> Tabletop:
        """Swap two discs of a color; what the rules leave open at the places is open again."""
        firm = tuple(None if place is None else _firm(place) for place in self.places)
        exchanged = iter(
            position.swap((p.disc for p in firm if p is not None), color, number, other)
        )
        places: list[Place | None] = []
        for place in firm:
            if place is None:
                places.append(None)
                continue
            disc = next(exchanged)
            moved = disc.number != place.disc.number
            if not moved:
                places.append(place)
                continue
            shown = place.disc.number if place.photo_number is None else place.photo_number
            places.append(replace(place, disc=disc, settled=None, photo_number=shown))
        return replace(self, places=tuple(places))

    def place(self, index: int) -> Place:
        """Return a disc's place; raises `RuleError` where there is none."""
        place = self.places[index] if 0 <= index < len(self.places) else None
        if place is None:
            raise RuleError(f"disc {index}: there is no such disc in this round's reading")
        return place


def tabletop(reading: Reading, bullseyes: Iterable[Bullseye] = ()) -> Tabletop:
    """Return the discs of a reading as they were read."""
    announced = tuple(bullseyes)
    taken = {(each.color, each.number) for each in announced}
    return Tabletop(
        board=reading.board,
        places=tuple(
            # an announced bullseye that still lies in the hole is one disc, not two
            None
            if disc.state == "in_hole" and (disc.color, disc.number) in taken
            else Place(disc=disc)
            for disc in reading.discs
        ),
        gone=reading.missing,
        bullseyes=announced,
        warnings=reading.warnings,
    )


def _firm(place: Place) -> Place:
    """Bake what the camera could not tell and its owner did into the disc."""
    if place.settled is None or not (place.disc.doubts or place.disc.number is None):
        return place
    return replace(place, disc=place.now, settled=None)


def _in_hand(said: Bullseye) -> Disc:
    """Return an announced bullseye as a disc of the table."""
    return Disc(
        color=said.color,
        number=said.number,
        center_mm=(0.0, 0.0),
        sigma_mm=0.0,
        top_px=(0.0, 0.0),
        state="in_hole",
        via="hole",
        sections=(said.section,),
        margin_mm=None,
        p=1.0,
    )


def _with(
    places: tuple[Place | None, ...], index: int, place: Place | None
) -> tuple[Place | None, ...]:
    return (*places[:index], place, *places[index + 1 :])
