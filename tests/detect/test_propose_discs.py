"""Discs that nobody described, against what the sample rig's owner answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sonora_vision.calibrate.answers import Answers, load_answers
from sonora_vision.calibrate.find_board import find_board
from sonora_vision.calibrate.photo import load_photo
from sonora_vision.calibrate.profile import Profile, load_profile
from sonora_vision.calibrate.taught import photo_scale, teach_board
from sonora_vision.detect.general_digits import NumberReader
from sonora_vision.detect.propose_discs import ProposedDiscs, propose_discs
from sonora_vision.detect.scene import Scene, set_scene


@pytest.fixture(scope="module")
def profile(sample_profile: Path) -> Profile:
    return load_profile(sample_profile)


@pytest.fixture(scope="module")
def answers(sample_rig: Path, profile: Profile) -> Answers:
    return load_answers(sample_rig / "teach" / "answers.json", profile.board)


@pytest.fixture(scope="module")
def scene(profile: Profile, answers: Answers) -> Scene:
    """The picture of all discs, at a scale that knows nothing of their size."""
    board = replace(profile.board, discs=replace(profile.board.discs, radius_mm=14.0))
    taught = teach_board(load_photo(answers.empty.image), profile.pose, board)
    picture = load_photo(answers.discs_image)
    pose, _ = find_board(picture, profile.lens, taught.features, photo_scale(profile.pose, taught))
    return set_scene(picture, pose, taught, board.discs.height_mm)


@pytest.fixture(scope="module")
def proposed(scene: Scene, profile: Profile) -> ProposedDiscs:
    found = propose_discs(scene, profile.board.discs.numbers, NumberReader.load())
    assert found is not None
    return found


def test_every_disc_is_found_once_with_its_number(
    proposed: ProposedDiscs, answers: Answers
) -> None:
    places = np.array([disc.px for disc in proposed.discs])
    nearest = [int(np.linalg.norm(places - a.px, axis=1).argmin()) for a in answers.discs]
    apart_px = [
        float(np.linalg.norm(places[k] - a.px)) for k, a in zip(nearest, answers.discs, strict=True)
    ]
    assert sorted(nearest) == list(range(20))
    assert max(apart_px) < 8.0  # a disc's radius is 27 pixels, a click is good to 2
    assert [proposed.discs[k].number for k in nearest] == [a.number for a in answers.discs]


def test_discs_of_one_color_are_one_group(proposed: ProposedDiscs, answers: Answers) -> None:
    places = np.array([disc.px for disc in proposed.discs])
    pairs = {
        (a.color, proposed.discs[int(np.linalg.norm(places - a.px, axis=1).argmin())].color)
        for a in answers.discs
    }
    assert len(pairs) == 4
    assert len({mine for _, mine in pairs}) == 4


def test_the_diameter_is_measured(proposed: ProposedDiscs, profile: Profile) -> None:
    assert proposed.radius_mm == pytest.approx(profile.board.discs.radius_mm, abs=0.3)


def test_plain_discs_have_no_numbers(scene: Scene) -> None:
    plain = propose_discs(scene, (), NumberReader.load())
    assert plain is not None
    assert {disc.number for disc in plain.discs} == {None}


def test_an_empty_board_proposes_nothing(profile: Profile, answers: Answers) -> None:
    empty = load_photo(answers.empty.image)
    scene = set_scene(empty, profile.pose, profile.taught, profile.board.discs.height_mm)
    assert propose_discs(scene, (1, 2), NumberReader.load()) is None
