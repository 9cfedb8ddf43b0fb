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
from sonora_vision.detect.disc_radius import measure_radius
from sonora_vision.detect.general_digits import NumberReader
from sonora_vision.detect.propose_discs import ProposedDiscs, group_by_color, propose_discs
from sonora_vision.detect.rays import RimParams
from sonora_vision.detect.rim import fit_rims
from sonora_vision.detect.scene import Scene, set_scene
from tests.drawing import random_rig, taught_rows
from tests.drawn import spec, true_pose


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


def test_the_radius_is_measured_to_one_percent(
    proposed: ProposedDiscs, profile: Profile, answers: Answers
) -> None:
    true_mm = profile.board.discs.radius_mm
    assert proposed.radius_mm == pytest.approx(true_mm, rel=0.04)
    board = replace(profile.board, discs=replace(profile.board.discs, radius_mm=1.04 * true_mm))
    taught = teach_board(load_photo(answers.empty.image), profile.pose, board)
    picture = load_photo(answers.discs_image)
    pose, _ = find_board(picture, profile.lens, taught.features, photo_scale(profile.pose, taught))
    closer = set_scene(picture, pose, taught, board.discs.height_mm)
    at_mm = closer.pose.to_board(np.array([d.px for d in proposed.discs]), closer.height_mm)
    measured = measure_radius(closer, closer.view.to_px(at_mm), board.discs.radius_mm)
    assert measured == pytest.approx(true_mm, rel=0.01)


def test_the_rim_counts_and_not_the_ring_within_it() -> None:
    rig = random_rig(INLAID)
    empty, _ = rig.taught([], 0)
    laid = taught_rows(rig.board, np.random.default_rng([INLAID, 3]))
    picture, truth = rig.taught(laid, 1)
    board = spec(rig)
    rough = replace(board, discs=replace(board.discs, radius_mm=13.0))
    pose = true_pose(rig.camera)
    taught = teach_board(empty, pose, rough)
    at, _ = find_board(picture, pose.lens, taught.features, photo_scale(pose, taught))
    scene = set_scene(picture, at, taught, board.discs.height_mm)
    proposed = propose_discs(scene, board.discs.numbers, NumberReader.load())
    assert proposed is not None
    assert proposed.radius_mm == pytest.approx(rig.board["discs"]["radius"], rel=0.06)
    places = np.array([disc.px for disc in proposed.discs])
    near = [np.linalg.norm(places - disc["top_px"], axis=1).min() for disc in truth["discs"]]
    assert sum(apart < 8.0 for apart in near) >= 12


INLAID = 12
"""A seed whose green and teal discs have a face that is lighter than their rim."""


def test_a_line_printed_near_the_rim_is_not_measured() -> None:
    rig = random_rig(RINGED)
    empty, _ = rig.taught([], 0)
    picture, truth = rig.taught(taught_rows(rig.board, np.random.default_rng([RINGED, 3])), 1)
    board, pose = spec(rig), true_pose(rig.camera)
    taught = teach_board(empty, pose, board)
    at, _ = find_board(picture, pose.lens, taught.features, photo_scale(pose, taught))
    scene = set_scene(picture, at, taught, board.discs.height_mm)
    rough = scene.view.to_px(np.array([disc["center_mm"] for disc in truth["discs"]]))
    centers = np.array([rim.center_px for rim in fit_rims(scene, rough, RimParams())])
    measured = measure_radius(scene, centers, board.discs.radius_mm)
    assert measured == pytest.approx(rig.board["discs"]["radius"], rel=0.02)


RINGED = 66
"""A seed whose discs have a line around their face, at nine tenths of their radius."""


def test_a_color_in_poor_light_is_no_color_of_its_own() -> None:
    """Five discs each of blue, white and pink, as log colors; one blue lies in a warm shine."""
    blue, white, pink = [4.7, 4.5, 4.4], [5.0, 5.1, 5.15], [4.6, 4.4, 5.1]
    seen = np.array([blue] * 5 + [white] * 5 + [pink] * 5)
    seen += np.random.default_rng(0).normal(0, 0.02, seen.shape)
    seen[2] = [4.74, 4.27, 3.9]
    groups = group_by_color(seen, 5)
    assert [len(set(groups[i : i + 5])) for i in (0, 5, 10)] == [1, 1, 1]
    assert len(set(groups)) == 3


def test_plain_discs_have_no_numbers(scene: Scene) -> None:
    plain = propose_discs(scene, (), NumberReader.load())
    assert plain is not None
    assert {disc.number for disc in plain.discs} == {None}


def test_an_empty_board_proposes_nothing(profile: Profile, answers: Answers) -> None:
    empty = load_photo(answers.empty.image)
    scene = set_scene(empty, profile.pose, profile.taught, profile.board.discs.height_mm)
    assert propose_discs(scene, (1, 2), NumberReader.load()) is None
