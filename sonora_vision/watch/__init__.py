"""Watching a board: frames in, states and readings out, and what each flick did."""

from __future__ import annotations
