"""Walks a second time, without a line of the program: the drawing is read character by character, and every walk that
never goes straight back is tried."""

from collections.abc import Iterator, Sequence

Square = tuple[int, int]
"""Row and column from 0."""


def name(square: Square) -> str:
    return f"{chr(65 + square[1])}{square[0] + 1}"


def squares(drawing: Sequence[str]) -> dict[Square, str]:
    """What is drawn on every square."""
    rows, columns = len(drawing) // 2, len(drawing[0]) // 4
    return {(r, c): drawing[2 * r + 1][4 * c + 1 : 4 * c + 4] for r in range(rows) for c in range(columns)}


def doors(drawing: Sequence[str], square: Square) -> Iterator[Square]:
    """Where one step leads."""
    drawn, (row, column) = squares(drawing), square
    middle_y, middle_x = 2 * row + 1, 4 * column + 2
    for down, across in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        between = drawing[middle_y + down][middle_x + 2 * across]
        to = (row + down, column + across)
        if between == " " and drawn[to] != " F ":
            yield to


def steps_map(drawing: Sequence[str]) -> dict[Square, list[Square]]:
    return {square: list(doors(drawing, square)) for square, sign in squares(drawing).items() if sign != " F "}


def walks(near: dict[Square, list[Square]], start: Square, before: Square | None, most: int) -> Iterator[list[Square]]:
    """Every walk of one to so many steps."""
    if most == 0:
        return
    for to in near[start]:
        if to != before:
            yield [to]
            for rest in walks(near, to, start, most - 1):
                yield [to, *rest]


def comes_past(path: Sequence[Square], stops: Sequence[Square]) -> bool:
    """Whether a walk comes past squares in this order and ends on the last one."""
    left = list(stops)
    for square in path:
        while left and square == left[0]:
            left.pop(0)
    return not left and path[-1] == stops[-1]


def in_sight(drawing: Sequence[str], square: Square) -> Iterator[tuple[Square, int]]:
    """All that can be seen from a square, with how many squares away it is."""
    for down, across in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        (row, column), away = square, 0
        while drawing[2 * row + 1 + down][4 * column + 2 + 2 * across] == " ":
            row, column, away = row + down, column + across, away + 1
            yield (row, column), away
