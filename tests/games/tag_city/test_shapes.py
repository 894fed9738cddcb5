"""Squares, masks and shapes, and where they fit."""

import pytest

from pi_app.games.tag_city.rules.shapes import bits, compile_shape, orientations_of, square_name


@pytest.mark.parametrize(
    ("cell", "name"), [((0, 0), "A1"), ((7, 11), "L8"), ((-1, 2), "C0"), ((0, -66), "1/-65"), ((2, 10**6), "3/1000001")]
)
def test_every_square_has_a_name_even_outside_the_city(cell: tuple[int, int], name: str) -> None:
    assert square_name(cell) == name


@pytest.mark.parametrize(
    ("cells", "count"),
    [
        ([(0, 0)], 1),
        ([(0, 0), (0, 1)], 2),
        ([(0, 0), (0, 1), (1, 0), (1, 1)], 1),
        ([(0, 0), (0, 1), (1, 1), (1, 2)], 4),
        ([(0, 0), (1, 0), (2, 0), (2, 1)], 8),
    ],
)
def test_a_shape_has_as_many_orientations_as_it_looks(cells: list[tuple[int, int]], count: int) -> None:
    assert len(orientations_of(cells)) == count


def test_a_shape_lies_in_an_empty_city_in_every_way_exactly_once() -> None:
    domino = compile_shape("domino", [(0, 0), (0, 1)], False, rows=3, cols=4)
    assert len(domino.placements) == 3 * 3 + 2 * 4
    assert all(len(bits(mask)) == 2 for mask in domino.placements)
    assert domino.masks == {cells: mask for mask, cells in domino.placements.items()}
