"""Finds out what ails a rig: each check says ok, or what to do."""

from __future__ import annotations
