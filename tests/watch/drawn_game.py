"""A drawn game: two rounds of flicks with hands, knocks, a pushed and turned board, and a lamp.

Every picture comes from the drawing of boards in perspective, with shadows, lens and noise; every
reading is the truth of the scene, shaken a little. So what is tried is the watcher alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from sonora_vision.camera.source import Frame, Pixels, Still
from sonora_vision.observation import Disc, Missing, Pose, Reading
from tests.drawing.boards import random_board
from tests.drawing.camera import Camera, overhead_camera, random_lens
from tests.drawing.light import random_light
from tests.drawing.looks import random_look
from tests.drawing.placement import PlacedDisc
from tests.drawing.scene import Stage, set_stage
from tests.drawing.solids import Solid
from tests.drawing.things import hand

DiscId = tuple[str, int]
RATE_HZ = 10.0
"""As a Pi camera at full size gives them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """What is to be seen for a while."""

    discs: dict[DiscId, PlacedDisc]
    stage: Stage
    seconds: float
    hands: Sequence[Solid] = ()


@dataclass(kw_only=True)
class Script:
    """The scenes of a game, and what a watcher must make of them."""

    scenes: list[Scene] = field(default_factory=list)
    flicks: list[DiscId] = field(default_factory=list)
    """Every flick of a disc that came to rest on the board, in order."""
    knocked_off: list[DiscId] = field(default_factory=list)
    cleared: int = 0


class Director:
    """Writes the script of a game.

    Parameters
    ----------
    seed : int
        Board, look, lens and flicks come from it.
    size_px : tuple of int
        Of the frames.
    steps : int
        Pictures of each hand and of each slide.
    """

    def __init__(self, seed: int, *, size_px: tuple[int, int], steps: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.board: dict[str, Any] = random_board(self.rng, name="drawn")
        self._look = random_look(self.rng, self.board)
        self._lens = random_lens(self.rng, *size_px)
        self._steps = steps
        self._width, self._height = self.board["outline"][2]
        self._turn_deg, self._shift_mm = 3.0, np.zeros(2)
        self._light = random_light(self.rng, self.board, self._camera(), "diffuse")
        self._stage = self._set()
        self._discs: dict[DiscId, PlacedDisc] = {}
        self.script = Script()

    def rest(self, seconds: float = 1.2) -> None:
        self._scene(seconds)

    def flick(self, who: DiscId, *, knock: str = "") -> None:
        """A hand flicks a disc from a corner; it comes to rest free, or knocks another one."""
        corner = int(self.rng.integers(4))
        start = self._corner_mm(corner)
        end = self._free_spot()
        victim, victim_end = None, None
        if knock and self._discs:
            victim = list(self._discs)[int(self.rng.integers(len(self._discs)))]
            angle = float(self.rng.uniform(0.0, 2.0 * math.pi))
            beside = (
                1.5
                * float(self.board["discs"]["radius"])
                * np.array([math.cos(angle), math.sin(angle)])
            )
            end = np.array(self._discs[victim].center_mm) + beside
            victim_end = self._free_spot() if knock == "push" else None
        self._reach(start, corner)
        others = dict(self._discs)
        for share in np.linspace(0.35, 0.9, self._steps):
            at = start + share * (end - start)
            self._discs = {**others, who: self._placed(who, at)}
            self._scene(0.1)
        self._discs = {**others, who: self._placed(who, end)}
        if victim is not None:
            del self._discs[victim]
            if victim_end is not None:
                self._discs[victim] = self._placed(victim, victim_end)
            else:
                self.script.knocked_off.append(victim)
        self.script.flicks.append(who)
        self.rest()

    def hover(self) -> None:
        """A hand that points at something and touches nothing."""
        self._reach(np.array([self._width / 2, self._height / 2]), int(self.rng.integers(4)))
        self.rest()

    def push_board(self) -> None:
        """The board slides a little way and turns by a few degrees."""
        for _ in range(2):
            self._turn_deg += float(self.rng.uniform(1.0, 2.5))
            self._shift_mm = self._shift_mm + self.rng.uniform(4.0, 9.0, 2)
            self._stage = self._set()
            self._scene(0.2)
        self.rest(1.6)

    def turn_board(self) -> None:
        """A round's end: the board is turned by a quarter."""
        self._turn_deg += 90.0
        self._stage = self._set()
        self.rest(1.6)

    def switch_lamp(self) -> None:
        """A lamp goes on: brighter, and from another side."""
        brighter = min(1.2, self._light.exposure * 1.25)
        if brighter < 1.1 * self._light.exposure:
            brighter = 0.8 * self._light.exposure
        self._light = replace(self._light, exposure=brighter)
        self._stage = self._set()
        self.rest(1.6)

    def clear(self) -> None:
        """Hands take all discs off."""
        self._reach(np.array([self._width / 2, self._height / 2]), 0)
        self._discs = {}
        self.script.cleared += 1
        self.rest()

    def _reach(self, tip_mm: Any, corner: int) -> None:
        """A hand that comes in over a corner of the board and goes again."""
        away = self._corner_mm(corner) - np.array([self._width / 2, self._height / 2])
        from_deg = math.degrees(math.atan2(away[1], away[0])) + float(self.rng.uniform(-25, 25))
        back = np.array([math.cos(math.radians(from_deg)), math.sin(math.radians(from_deg))])
        seed = int(self.rng.integers(1 << 30))
        poses = [
            hand(tip_mm + share * 90.0 * back, from_deg, np.random.default_rng(seed))
            for share in np.linspace(1.0, 0.0, self._steps + 1)[1:]
        ]
        if self._steps == 1:
            self._scene(0.4, hands=poses[0])
            return
        for solids in [*poses, *poses[-2::-1]]:
            self._scene(0.2, hands=solids)

    def _scene(self, seconds: float, hands: Sequence[Solid] = ()) -> None:
        scene = Scene(discs=dict(self._discs), stage=self._stage, seconds=seconds, hands=hands)
        self.script.scenes.append(scene)

    def _camera(self) -> Camera:
        looks_at = np.array([self._width / 2, self._height / 2]) + self._shift_mm
        across, down = (n / self._lens.focal_px for n in self._lens.size_px)
        distance = 1.2 * max(self._width / across, self._height / down, self._width / down)
        return overhead_camera(
            self._lens, looks_at_mm=looks_at, distance_mm=distance, turn_deg=self._turn_deg
        )

    def _set(self) -> Stage:
        return set_stage(self.board, self._look, self._camera(), self._light, supersample=1)

    def _corner_mm(self, corner: int) -> Any:
        inset = 22.0
        x = inset if corner in (0, 3) else self._width - inset
        y = inset if corner in (0, 1) else self._height - inset
        return np.array([x, y])

    def _placed(self, who: DiscId, at_mm: Any) -> PlacedDisc:
        where = (float(at_mm[0]), float(at_mm[1]))
        turn = float(self.rng.uniform(0, 360))
        kept = self._discs.get(who)
        turn = turn if kept is None else kept.turn_deg
        return PlacedDisc(color=who[0], number=who[1], center_mm=where, turn_deg=turn)

    def _free_spot(self) -> Any:
        """A place on the flat of the board, apart from every disc and from the hole."""
        radius = float(self.board["discs"]["radius"])
        taken = [np.array(d.center_mm) for d in self._discs.values()]
        if self.board["hole"]:
            taken.append(np.array(self.board["hole"]["center"]))
        while True:
            spot = self.rng.uniform([70, 70], [self._width - 70, self._height - 70])
            if all(float(np.hypot(*(spot - t))) > 3.0 * radius for t in taken):
                return spot


def write_game(seed: int = 4, *, size_px: tuple[int, int] = (320, 240), steps: int = 1) -> Director:
    """Write two rounds: 20 discs each, knocks, reflicks, hovering hands, pushes and a lamp."""
    director = Director(seed, size_px=size_px, steps=steps)
    colors = director.board["discs"]["colors"]
    director.rest(2.0)
    for round_number in (1, 2):
        discs = [(c, n) for n in range(1, 6) for c in colors]
        director.rng.shuffle(discs)
        for turn, who in enumerate(discs):
            disc = (str(who[0]), int(who[1]))
            director.flick(disc, knock={5: "push", 9: "off", 14: "push"}.get(turn, ""))
            if turn == 9:  # who was knocked off flicks again
                director.flick(director.script.knocked_off[-1])
            if turn in (3, 12):
                director.hover()
            if turn == 7:
                director.push_board()
            if turn == 16:
                director.switch_lamp()
        if round_number == 1:
            director.clear()
            director.turn_board()
    return director


class DrawnCamera:
    """The script as a camera, and its truth as a reader."""

    name = "a drawn game"
    live = False

    def __init__(self, director: Director) -> None:
        self._board = director.board
        self._scenes = director.script.scenes
        self._rng = np.random.default_rng(9)
        self._scene: Scene | None = None
        self._truth: dict[str, Any] = {}
        self._pixels: Pixels = np.zeros((1, 1, 3), np.uint8)
        self._at_s = 0.0
        self.read_under_hands = 0

    def frames(self) -> Iterator[Frame]:
        number = 0
        for scene in self._scenes:
            self._scene = scene
            clean, self._truth = scene.stage.draw(
                list(scene.discs.values()), self._rng, hands=scene.hands
            )
            for _ in range(max(1, round(scene.seconds * RATE_HZ))):
                self._at_s = number / RATE_HZ
                grain = self._rng.normal(0.0, 1.5, clean.shape).astype(np.float32)
                self._pixels = np.asarray(cv2.add(clean, grain, dtype=cv2.CV_8U), np.uint8)
                yield Frame(pixels_bgr=self._pixels, at_s=self._at_s, number=number)
                number += 1

    def still(self) -> Still:
        return Still(pixels_bgr=self._pixels, at_s=self._at_s, name="still")

    def close(self) -> None: ...

    def read(self, _pixels: Pixels, name: str) -> Reading:
        """The truth of the scene, each centre shaken by 0.3 mm."""
        assert self._scene is not None
        self.read_under_hands += bool(self._scene.hands)
        discs = tuple(self._disc(record) for record in self._truth["discs"])
        seen = {(d.color, d.number) for d in discs}
        inventory = [(c, n) for c in self._board["discs"]["colors"] for n in range(1, 6)]
        missing = tuple(Missing(color=c, number=n) for c, n in inventory if (c, n) not in seen)
        corners = tuple((float(x), float(y)) for x, y in self._truth["corners_px"])
        pose = Pose(corners_px=corners, turn_deg=self._truth["board_deg"] % 360.0, fit_px=0.3)
        return Reading(image=name, board="drawn", pose=pose, discs=discs, missing=missing)

    def _disc(self, record: dict[str, Any]) -> Disc:
        x, y = np.array(record["center_mm"]) + self._rng.normal(0.0, 0.3, 2)
        return Disc(
            color=record["color"],
            number=record["number"],
            center_mm=(float(x), float(y)),
            sigma_mm=0.3,
            top_px=tuple(record["top_px"]),
            state=record["state"],
            via=record["assignment"]["via"],
            sections=tuple(record["assignment"]["sections"]),
            margin_mm=record["margin_mm"],
            p=0.99,
        )
