"""Older documents reach the newest schema one step at a time, or are refused."""

from __future__ import annotations

import pytest

from sonora_vision.calibrate.migrate import migrated
from sonora_vision.errors import FileFormatError

STEPS = {
    1: lambda old: {"schema": 1, "length_mm": old["length_cm"] * 10},
    2: lambda old: {"schema": 2, "sides_mm": [old["length_mm"]]},
}


def test_every_step_is_taken_in_order() -> None:
    old = {"schema": 1, "length_cm": 4}
    assert migrated(old, "a", schema=3, migrations=STEPS) == {"schema": 3, "sides_mm": [40]}
    assert old == {"schema": 1, "length_cm": 4}


def test_the_newest_is_left_as_it_is() -> None:
    newest = {"schema": 3, "sides_mm": [1]}
    assert migrated(newest, "a", schema=3, migrations=STEPS) is newest


@pytest.mark.parametrize(
    ("schema", "advice"),
    [
        (4, "update Sonora Vision"),
        (0, "calibrate again"),
        ("3", "calibrate again"),
        (True, "calibrate"),
    ],
)
def test_others_are_refused_with_advice(schema: object, advice: str) -> None:
    with pytest.raises(FileFormatError, match=rf"a.profile: schema: expected 3, got .*; {advice}"):
        migrated({"schema": schema}, "a.profile", schema=3, migrations=STEPS)
