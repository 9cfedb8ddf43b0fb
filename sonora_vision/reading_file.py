"""A reading as a file: what was seen on one photograph, for people, programs and later editing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sonora_vision.calibrate.file_format import json_text, read_json, write_text_atomically
from sonora_vision.document import Mistakes, Record, open_document
from sonora_vision.observation import (
    DOUBT_REASONS,
    STATES,
    VIAS,
    Contact,
    Disc,
    Missing,
    MultiplierGap,
    Origin,
    Point,
    Pose,
    Reading,
    State,
    ZoneShare,
)

KIND = "sonora-vision/reading"
SCHEMA = 1


def load_reading(path: Path) -> Reading:
    """Read a reading, edited by hand or not.

    Raises
    ------
    FileFormatError
        If the file cannot be read or its content is wrong; every mistake is named.
    """
    return reading_from_json(read_json(path), str(path))


def save_reading(path: Path, reading: Reading) -> None:
    """Write a reading, whole or not at all.

    Raises
    ------
    FileFormatError
        If the place cannot be written.
    """
    write_text_atomically(path, json_text(reading_to_json(reading)))


def reading_from_json(values: Mapping[str, Any], where: str) -> Reading:
    """Build a reading from its JSON object.

    Parameters
    ----------
    values : mapping of str to object
        The parsed reading.
    where : str
        The file, as messages name it.

    Raises
    ------
    FileFormatError
        Naming every mistake: its key, what was expected, what was found.
    """
    document = open_document(values, where, kind=KIND, schema=SCHEMA)
    reading = Reading(
        image=document.text("image"),
        board=document.text("board"),
        pose=_pose(document.record("pose")),
        discs=tuple(_disc(record) for record in document.records("discs")),
        missing=tuple(_missing(record) for record in document.records("missing")),
        warnings=document.texts("warnings"),
        origin=_origin(document.record("made_from")) if document.has("made_from") else None,
    )
    document.close()
    document.mistakes.raise_any()
    return reading


def reading_to_json(reading: Reading) -> dict[str, Any]:
    """Return the JSON object that :func:`reading_from_json` reads.

    Lengths are rounded to a micrometer, pixels to a hundredth: far below what a camera can tell.
    """
    values: dict[str, Any] = {
        "kind": KIND,
        "schema": SCHEMA,
        "image": reading.image,
        "board": reading.board,
        "pose": {
            "corners_px": [_rounded(corner, 2) for corner in reading.pose.corners_px],
            "turn_deg": round(reading.pose.turn_deg, 2) % 360,
            "fit_px": round(reading.pose.fit_px, 3),
        },
        "discs": [_disc_to_json(disc) for disc in reading.discs],
        "missing": [{"color": disc.color, "number": disc.number} for disc in reading.missing],
        "warnings": list(reading.warnings),
    }
    if reading.origin is not None:
        values["made_from"] = asdict(reading.origin)
    return values


def disc_from_json(values: Mapping[str, Any], where: str) -> Disc:
    """Build one disc from its JSON object, as it stands in a reading.

    Raises
    ------
    FileFormatError
        Naming every mistake.
    """
    record = Record(values, Mistakes(where))
    disc = _disc(record)
    record.mistakes.raise_any()
    return disc


def disc_to_json(disc: Disc) -> dict[str, Any]:
    """Return the JSON object that :func:`disc_from_json` reads."""
    return _disc_to_json(disc)


def _origin(record: Record) -> Origin:
    origin = Origin(
        photo=record.text("photo"), profile=record.text("profile"), game=record.text("game")
    )
    record.close()
    return origin


def _pose(record: Record) -> Pose:
    pose = Pose(
        corners_px=record.points("corners_px"),
        turn_deg=record.number("turn_deg", at_least=0, at_most=360),
        fit_px=record.number("fit_px", at_least=0),
    )
    record.close()
    return pose


def _disc(record: Record) -> Disc:
    state = record.one_of("state", STATES)
    disc = Disc(
        color=record.text("color"),
        number=_number(record),
        center_mm=record.point("center_mm"),
        sigma_mm=record.number("sigma_mm", at_least=0),
        top_px=record.point("top_px"),
        state=state,
        via=record.one_of("via", VIAS),
        sections=record.texts("sections"),
        margin_mm=None if record.is_null("margin_mm") else record.number("margin_mm"),
        p=record.number("p", at_least=0, at_most=1),
        doubts=record.words("doubts", DOUBT_REASONS),
        contact=_contact(record.record("contact"), state) if record.has("contact") else None,
    )
    if len(set(disc.sections)) < len(disc.sections):
        record.wrong("sections", "each section once", list(disc.sections))
    if not disc.doubts and (disc.via == "none") == bool(disc.sections):
        expected = "[]" if disc.sections else "at least one section"
        record.wrong("sections", f"{expected} for via {disc.via}", list(disc.sections))
    record.close()
    return disc


def _disc_to_json(disc: Disc) -> dict[str, Any]:
    values: dict[str, Any] = {
        "color": disc.color,
        "number": disc.number,
        "center_mm": _rounded(disc.center_mm, 3),
        "sigma_mm": round(disc.sigma_mm, 3),
        "top_px": _rounded(disc.top_px, 2),
        "state": disc.state,
        "via": disc.via,
        "sections": list(disc.sections),
        "margin_mm": None if disc.margin_mm is None else round(disc.margin_mm, 3),
        "p": round(disc.p, 4),
        "doubts": list(disc.doubts),
    }
    if disc.contact is not None:
        values["contact"] = _contact_to_json(disc.contact)
    return values


def _contact(record: Record, state: State) -> Contact:
    contact = Contact(
        state=state,
        zones=tuple(_zone_share(item) for item in record.records("zones")),
        multipliers=tuple(_gap(item) for item in record.records("multipliers")),
        launch_share=record.number("launch_share", at_least=0, at_most=1),
    )
    record.close()
    return contact


def _contact_to_json(contact: Contact) -> dict[str, Any]:
    zones = []
    for zone in contact.zones:
        values: dict[str, Any] = {"section": zone.section, "share": zone.share}
        if zone.value is not None:
            values["value"] = zone.value
        zones.append(values)
    return {
        "zones": zones,
        "multipliers": [
            {"section": gap.section, "animal": gap.animal, "gap_mm": gap.gap_mm}
            for gap in contact.multipliers
        ],
        "launch_share": contact.launch_share,
    }


def _zone_share(record: Record) -> ZoneShare:
    share = ZoneShare(
        section=record.text("section"),
        share=record.number("share", at_least=0, at_most=1),
        value=record.integer("value", at_least=0) if record.has("value") else None,
    )
    record.close()
    return share


def _gap(record: Record) -> MultiplierGap:
    gap = MultiplierGap(
        section=record.text("section"),
        animal=record.text("animal"),
        gap_mm=record.number("gap_mm"),
    )
    record.close()
    return gap


def _missing(record: Record) -> Missing:
    missing = Missing(color=record.text("color"), number=_number(record))
    record.close()
    return missing


def _number(record: Record) -> int | None:
    """Return a disc's number, or None where it is null: it cannot be told."""
    return None if record.is_null("number") else record.integer("number", at_least=1)


def _rounded(point: Point, digits: int) -> list[float]:
    return [round(coordinate, digits) for coordinate in point]
