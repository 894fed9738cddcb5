"""Curved outlines: through their points, as wide as they say, closed where they should be."""

import math

import pytest

from vision.kit.curves import mirrored, oval, path, ribbon, rounded, smooth, star

CORNERS = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


def test_curves_go_through_their_points() -> None:
    assert set(CORNERS) <= set(smooth(CORNERS))
    assert set(CORNERS) <= set(path(CORNERS))
    assert path(CORNERS)[0] == CORNERS[0]
    assert path(CORNERS)[-1] == CORNERS[-1]


def test_a_ribbon_is_as_wide_as_it_says() -> None:
    left, right = ribbon(((0, 0), (5, 0), (10, 0)), 4, 2)[:3], ribbon(((0, 0), (5, 0), (10, 0)), 4, 2)[:2:-1]
    assert [math.dist(a, b) for a, b in zip(left, right, strict=True)] == pytest.approx([4, 3, 2])


def test_a_ribbon_may_stand_still() -> None:
    assert len(ribbon(((1, 1), (1, 1)), 2)) == 4


def test_an_oval_has_its_radii_and_may_be_turned() -> None:
    xs, ys = zip(*oval((5, 5), 4, 2, turn=90), strict=True)
    assert (max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx((4, 8))


def test_a_rounded_box_stays_within_the_box() -> None:
    xs, ys = zip(*rounded(1, 2, 10, 6, 2), strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((1, 11, 2, 8))


def test_a_star_has_its_first_point_on_top() -> None:
    points = star((0, 0), 5, 2)
    assert len(points) == 10
    assert points[0] == pytest.approx((0, -5))


def test_a_mirrored_outline_goes_round_the_same_way() -> None:
    assert mirrored(CORNERS, 5) == ((10, 10), (0, 10), (0, 0), (10, 0))
