"""A reading survives being saved, and says what is wrong when edited wrongly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sonora_vision.errors import FileFormatError
from sonora_vision.observation import Contact, Missing, MultiplierGap, Origin, ZoneShare
from sonora_vision.reading_file import (
    load_reading,
    reading_from_json,
    reading_to_json,
    save_reading,
)
from tests.builders import disc, reading


def _values() -> dict[str, Any]:
    return reading_to_json(reading(disc(), missing=(Missing(color="red", number=2),)))


def _refusal(values: dict[str, Any]) -> str:
    with pytest.raises(FileFormatError) as caught:
        reading_from_json(values, "r.json")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_reading_survives_being_saved_and_loaded(tmp_path: Path) -> None:
    contact = Contact(
        state="stacked",
        zones=(ZoneShare(section="ruins", share=0.5), ZoneShare(section="sky", share=0.5, value=3)),
        multipliers=(MultiplierGap(section="canyon", animal="fox", gap_mm=-1.25),),
        launch_share=0.125,
    )
    whole = reading(
        disc(number=None, doubts=("number", "zone"), sections=("creek", "ruins")),
        disc(state="off_board", via="none", sections=(), margin_mm=None),
        disc(state="stacked", contact=contact),
        missing=(Missing(color="blue", number=2), Missing(color="red", number=None)),
        warnings=("a hand is in the picture",),
        origin=Origin(photo="a1", profile="b2", game="sonora"),
    )
    save_reading(tmp_path / "r.json", whole)
    assert load_reading(tmp_path / "r.json") == whole


def test_a_reading_has_the_keys_of_the_format() -> None:
    values = _values()
    assert set(values) == {
        "kind", "schema", "image", "board", "pose", "discs", "missing", "warnings",
    }  # fmt: skip
    assert set(values["pose"]) == {"corners_px", "turn_deg", "fit_px"}
    assert set(values["discs"][0]) == {
        "color", "number", "center_mm", "sigma_mm", "top_px", "state", "via", "sections",
        "margin_mm", "p", "doubts",
    }  # fmt: skip


def test_an_exact_half_stays_exact(tmp_path: Path) -> None:
    third = 1 / 3
    zones = tuple(ZoneShare(section=name, share=third) for name in ("a", "b", "c"))
    contact = Contact(state="flat", zones=zones, multipliers=())
    save_reading(tmp_path / "r.json", reading(disc(contact=contact)))
    loaded = load_reading(tmp_path / "r.json").discs[0].contact
    assert loaded is not None
    assert [zone.share for zone in loaded.zones] == [third] * 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"color": ""}, "discs[0].color: expected a text"),
        ({"number": 0}, "discs[0].number: expected a whole number at least 1, got 0"),
        ({"number": "3"}, 'discs[0].number: expected a whole number at least 1, got "3"'),
        ({"center_mm": [1, 2, 3]}, "discs[0].center_mm: expected a point"),
        ({"state": "flying"}, "discs[0].state: expected one of flat, standing"),
        ({"via": "luck"}, "discs[0].via: expected one of zone, multiplier, hole, none"),
        ({"sections": "ruins"}, "discs[0].sections: expected a list of texts"),
        ({"sections": ["ruins", "ruins"]}, "discs[0].sections: expected each section once"),
        ({"sections": []}, "discs[0].sections: expected at least one section for via zone"),
        ({"via": "none"}, "discs[0].sections: expected [] for via none"),
        ({"p": 1.2}, "discs[0].p: expected a number at least 0 and at most 1, got 1.2"),
        ({"doubts": ["mood"]}, "discs[0].doubts[0]: expected one of color, number, zone"),
        ({"zone": "ruins"}, "discs[0].zone: unknown key"),
        ({"contact": {"zones": []}}, "discs[0].contact.multipliers: missing"),
    ],
)
def test_a_wrong_disc_is_named(change: dict[str, Any], said: str) -> None:
    values = _values()
    values["discs"][0] |= change
    assert said in _refusal(values)


@pytest.mark.parametrize("key", ["color", "number", "margin_mm", "sections", "doubts", "p"])
def test_a_key_that_is_missing_from_a_disc_is_named(key: str) -> None:
    values = _values()
    del values["discs"][0][key]
    assert f"discs[0].{key}: missing" in _refusal(values)


def test_another_document_is_no_reading() -> None:
    assert "kind: expected one of sonora-vision/reading" in _refusal(
        {"kind": "sonora-vision/board"}
    )


def test_a_newer_reading_asks_for_a_newer_program() -> None:
    assert "schema: expected 1, got 2: a newer Sonora Vision" in _refusal(_values() | {"schema": 2})
