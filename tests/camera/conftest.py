"""The tests on virtual cameras run in a Debian root of their own: see `make test-camera`."""

from __future__ import annotations

collect_ignore = ["virtual"]
