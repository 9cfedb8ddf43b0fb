"""Accessibility checked by axe-core, which `make test` fetches with npm where there is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
NOT_THERE = "*** NOT TESTED WITH axe-core: it is not installed (npm install --no-save axe-core) ***"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong with a page: the rule, and where."""
    if not AXE.exists():
        pytest.skip(NOT_THERE)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # A target that happens to lie under the bar, which stays in view, is no small target.
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    found: dict[str, Any] = page.evaluate(
        "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", _RULES
    )
    return [
        f"{each['id']}: {node['html'][:120]} ({_why(node)})"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    checks = node["any"] or node["all"] or node["none"]
    return str(checks[0]["message"])
