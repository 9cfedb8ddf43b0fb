"""What is drawn on the cards: SVG fragments on a card of 100 by 100, and icons around (0, 0)."""

from __future__ import annotations

from collections.abc import Iterable

CARD = 100.0
_SIDE = {"n": (50, 0), "e": (100, 50), "s": (50, 100), "w": (0, 50)}

_PETALS = "".join(
    f'<ellipse cy="-7.2" rx="2.7" ry="4.6" fill="{color}" transform="rotate({angle})"/>'
    for color, first in (("#e89a12", 22.5), ("#f9c22b", 0))
    for angle in (first + 45 * turn for turn in range(8))
)

DEFS = f"""
<linearGradient id="meadow" x2="0" y2="1"><stop stop-color="#c3dc8c"/><stop offset="1"
 stop-color="#9cc46a"/></linearGradient>
<linearGradient id="soil" x2="0" y2="1"><stop stop-color="#93b957"/><stop offset="1"
 stop-color="#6f9a3f"/></linearGradient>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#9fcbe4"/><stop offset="0.75"
 stop-color="#e6f1ee"/></linearGradient>
<linearGradient id="water" x2="0" y2="1"><stop stop-color="#8fd0e6"/><stop offset="1"
 stop-color="#3f92bd"/></linearGradient>
<linearGradient id="plaza" x2="0" y2="1"><stop stop-color="#f3e3b3"/><stop offset="1"
 stop-color="#dfc584"/></linearGradient>
<g id="flower">{_PETALS}<circle r="4.6" fill="#5d3516"/><circle r="2.5" fill="#8a5726"/></g>
<g id="sheep"><g fill="#3d3029"><rect x="-9" y="5" width="3.4" height="11" rx="1.5"/><rect x="5"
 y="5" width="3.4" height="11" rx="1.5"/></g><g fill="#fffdf6"><circle cx="-8" cy="1" r="8.5"/>
<circle cx="-2" cy="-5" r="8.5"/><circle cx="7" cy="-4" r="8"/><circle cx="10" cy="3" r="7.5"/>
<circle cx="1" cy="4" r="9"/></g><ellipse cx="-16" cy="-2" rx="5.4" ry="6.6" fill="#3d3029"
 transform="rotate(14 -16 -2)"/><ellipse cx="-11.5" cy="-6.5" rx="3.6" ry="1.9" fill="#3d3029"
 transform="rotate(24 -11.5 -6.5)"/><circle cx="-17.5" cy="-3.6" r="1.1" fill="#fffdf6"/></g>
<g id="peak"><path d="M-24 17 L-5 -18 L13 17Z" fill="#7d8798"/><path d="M-5 -18 L13 17 L-1 17
 L-6 2Z" fill="#646e80"/><path d="M-5 -18 L-12.5 -4 L-8 -6.5 L-4.5 -2.5 L-1 -6.5 L2.4 -3.7Z"
 fill="#fff"/><path d="M0 17 L13 -5 L25 17Z" fill="#929cab"/><path d="M13 -5 L25 17 L15 17
 L12 5Z" fill="#788292"/><path d="M13 -5 L8.2 3 L11.3 1.6 L13.6 4.4 L17.6 3.4Z" fill="#fff"/></g>
<g id="pond"><path d="M-23 2 C-22 -9 -8 -10 0 -9 C10 -13 23 -7 23 2 C22 11 8 12 -1 11
 C-12 13 -23 11 -23 2Z" fill="url(#water)"/><g fill="none" stroke="#e8f7fb" stroke-width="1.8"
 stroke-linecap="round"><path d="M-14 -1 q3 -3 6 0 t6 0"/><path d="M1 5 q3 -3 6 0 t6 0"/></g></g>
<g id="house"><rect x="-9" y="-3" width="18" height="14" fill="#fff6e2"/><path d="M-12 -2 L0 -13
 L12 -2Z" fill="#c9503c"/><path d="M0 -13 L12 -2 L5 -2Z" fill="#ad3f2e"/><rect x="-2.6" y="3"
 width="5.2" height="8" fill="#7a4a2b"/><rect x="-7.4" y="0.5" width="3.6" height="3.6"
 fill="#8fb9cf"/><rect x="3.8" y="0.5" width="3.6" height="3.6" fill="#8fb9cf"/></g>
<g id="church"><rect x="-6" y="-14" width="12" height="30" fill="#fff6e2"/><path d="M-8.5 -13
 L0 -30 L8.5 -13Z" fill="#a93a2c"/><path d="M0 -36 V-29 M-2.6 -33.4 H2.6" stroke="#5a4632"
 stroke-width="1.6"/><circle cy="-6" r="3.1" fill="#8fb9cf"/><path d="M-3 16 V9 a3 3 0 0 1 6 0
 V16Z" fill="#7a4a2b"/></g>
<g id="tree"><rect x="-1.4" y="2" width="2.8" height="7" fill="#7a5230"/><circle cy="-3" r="6.5"
 fill="#5f9141"/><circle cx="-2" cy="-5" r="3.6" fill="#7aab55"/></g>
<g id="farmer"><path d="M14 -20 V22 M9 -20 V-11 Q9 -8 14 -8 Q19 -8 19 -11 V-20" fill="none"
 stroke="#7a5230" stroke-width="2.2" stroke-linecap="round"/><path d="M-9 22 V4 Q-9 -4 0 -4 Q9 -4
 9 4 V22 H2 V10 H-2 V22Z" fill="#3f6d9c"/><path d="M-8.6 2 Q-8 -4.5 0 -4.5 Q8 -4.5 8.6 2 L14 4"
 fill="none" stroke="#d8503f" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>
<rect x="-5" y="-1" width="10" height="9" rx="2" fill="#3f6d9c"/><circle cy="-11" r="6.5"
 fill="#f2c9a0"/><ellipse cy="-14.5" rx="13" ry="3.4" fill="#e3b650"/><path d="M-7 -15 Q-6 -23 0
 -23 Q6 -23 7 -15Z" fill="#efc968"/><path d="M-7 -15.5 H7" stroke="#b5482f" stroke-width="2"/></g>
<g id="villager"><circle cy="-4" r="2.9" fill="#4b3a2c"/><path d="M-4.6 6 Q-4.6 -0.4 0 -0.4 Q4.6
 -0.4 4.6 6Z" fill="#4b3a2c"/></g>
<g id="engine"><circle r="17" fill="#fffaf0" stroke="#8d2f23" stroke-width="2.4"/><rect x="-10"
 y="-3.5" width="14" height="8" rx="2.5" fill="#c5402e"/><rect x="1" y="-9" width="9.5"
 height="13.5" rx="1.5" fill="#a5301f"/><rect x="3" y="-6.6" width="5.4" height="4.6"
 fill="#fdebc8"/><rect x="-8.4" y="-9" width="4" height="6" fill="#3b3532"/><path d="M-9.6 -9
 h6.4" stroke="#3b3532" stroke-width="2.4" stroke-linecap="round"/><g fill="#3b3532"><circle
 cx="-6" cy="6" r="3.4"/><circle cx="1" cy="6" r="3.4"/><circle cx="7.4" cy="6" r="3.4"/></g></g>
"""

_ICONS = {
    "field": ("flower", 0.62),
    "sheep": ("sheep", 0.33),
    "mountain": ("peak", 0.29),
    "lake": ("pond", 0.31),
}


def use(name: str, x: float, y: float, scale: float = 1.0) -> str:
    """Place one of the drawings in DEFS."""
    return f'<use href="#{name}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'


def icon(need: str, x: float, y: float) -> str:
    """Draw what a combination asks for, on a light disc."""
    name, scale = _ICONS[need]
    return f'<circle cx="{x:g}" cy="{y:g}" r="7.9" fill="#d9eab0"/>' + use(name, x, y, scale)


def scene(kind: str, *, start: bool, railroads: str = "") -> str:
    """Draw the ground of a card, its railroads on that, and what stands there."""
    if kind == "field":
        flowers = "".join(
            use("flower", 20 + 30 * c, 20 + 30 * r) for r in range(3) for c in range(3)
        )
        return _ground("soil") + _furrows() + flowers
    if kind == "farmer":
        flowers = "".join(use("flower", x, y, 0.85) for x in (15, 85) for y in (17, 43, 69))
        return _ground("soil") + _furrows() + flowers + use("farmer", 48, 41, 1.25)
    if kind == "sheep":
        flock = use("sheep", 66, 32, 0.85) + use("sheep", 42, 64, 1.35)
        return _ground("meadow") + _grass(((16, 22), (84, 62), (20, 86), (74, 86))) + flock
    if kind == "mountain":
        hills = '<path d="M0 74 Q28 58 52 70 T100 64 V100 H0Z" fill="#8fb865"/>'
        return _ground("sky") + use("peak", 49, 47, 1.9) + hills + use("tree", 16, 72)
    if kind == "lake":
        trees = use("tree", 15, 22, 1.2) + use("tree", 84, 18) + use("tree", 27, 15)
        return _ground("meadow") + trees + use("pond", 50, 56, 1.85)
    if kind == "railroad":
        grass = _grass(((14, 16), (86, 20), (16, 84), (82, 84)))
        return _ground("meadow") + grass + railroads
    houses = use("house", 27, 36, 1.15) + use("house", 75, 34) + use("house", 70, 57, 1.2)
    church = use("church", 50, 46, 1.05) if start else use("house", 42, 58, 1.25)
    return _ground("plaza" if start else "meadow") + railroads + houses + church


def track(sides: Iterable[str], *, express: bool) -> str:
    """Draw one piece of railroad between the sides that it joins."""
    ends = sorted(sides)
    if len(ends) == 2:
        (x0, y0), (x1, y1) = (_SIDE[side] for side in ends)
        paths = [f"M{x0} {y0} Q50 50 {x1} {y1}"]
    else:
        paths = [f"M{_SIDE[side][0]} {_SIDE[side][1]} L50 50" for side in ends]
    return rails(" ".join(paths), express=express)


def stub(side: str, *, express: bool) -> str:
    """Draw the short way from a town's border to its houses."""
    x, y = _SIDE[side]
    return rails(f"M{x} {y} L{x + (50 - x) * 0.3:g} {y + (50 - y) * 0.3:g}", express=express)


def rails(path: str, *, express: bool) -> str:
    """Draw ballast, sleepers and two rails along a path."""
    ballast = "#f2a33a" if express else "#d9c9a6"

    def stroke(color: str, width: float, dash: str = "") -> str:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width:g}"{dashes}/>'

    return (
        stroke(ballast, 24)
        + stroke("#7d5836", 19, "3.6 5.5")
        + stroke("#4d5359", 12.4)
        + stroke(ballast, 8.6)
        + stroke("#7d5836", 8.6, "3.6 5.5")
    )


def _ground(fill: str) -> str:
    return f'<rect width="100" height="100" fill="url(#{fill})"/>'


def _furrows() -> str:
    lines = "".join(f"M0 {y} H100" for y in (5, 35, 65, 95))
    return f'<path d="{lines}" stroke="#5d8534" stroke-width="5" stroke-opacity="0.45"/>'


def _grass(spots: Iterable[tuple[int, int]]) -> str:
    blades = "".join(f"M{x} {y} q-2 -5 -4 -6 M{x} {y} v-8 M{x} {y} q2 -5 4 -6" for x, y in spots)
    return f'<path d="{blades}" fill="none" stroke="#6f9f48" stroke-width="1.8"/>'
