"""Files of older schemas, brought up to date in memory, one step at a time.

A step is a pure function from the document of one schema to that of the next; loading never
writes. To change a format: raise its schema, and add the step from the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sonora_vision.errors import FileFormatError

Document = Mapping[str, Any]
Migration = Callable[[Document], Document]


def migrated(
    document: Document, where: str, *, schema: int, migrations: Mapping[int, Migration]
) -> Document:
    """Return a document in the newest schema.

    Parameters
    ----------
    document
        Holds its ``schema``.
    where
        The file, as messages name it.
    schema
        The newest one.
    migrations
        For each older schema that is still read, the step to the next.

    Raises
    ------
    FileFormatError
        Where the schema is newer, or too old, or no number.
    """
    now = document.get("schema")
    if not isinstance(now, int) or isinstance(now, bool) or now > schema:
        newer = isinstance(now, int) and not isinstance(now, bool)
        advice = "update Sonora Vision" if newer else "calibrate again"
        raise FileFormatError(f"{where}: schema: expected {schema}, got {now!r}; {advice}")
    while now < schema:
        step = migrations.get(now)
        if step is None:
            raise FileFormatError(f"{where}: schema: expected {schema}, got {now}; calibrate again")
        document = {**step(document), "schema": now + 1}
        now += 1
    return document
