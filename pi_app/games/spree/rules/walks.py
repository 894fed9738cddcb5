"""Walks that never go straight back.

What can be done next depends on where somebody is and where he has just come from: a *stand*. Stands are numbered:
first every square without a square before it, then every step from one square to the next. For every stand one search
tells the shortest walks to all others; it is made when it is first asked for, and kept.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

FAR = 10_000
"""More steps than any walk has."""

Path = tuple[int, ...]
"""The squares after the start."""


class Tree(NamedTuple):
    """The shortest walks from one stand."""

    order: tuple[int, ...]
    """All other stands, the nearest first."""
    within: tuple[int, ...]
    """How many of them are at most so many steps away; the last number is for all that are further."""
    steps: tuple[int, ...]
    """To every stand, FAR where there is no way."""
    parents: tuple[int, ...]
    """The stand before it on the way."""
    nearest: tuple[int, ...]
    """To every square, the fewest steps."""
    arrivals: tuple[int, ...]
    """Of every square, the stand that is reached first."""


class Walks:
    """All walks over squares with these neighbours."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        count = len(neighbours)
        steps = [(before, at) for before in range(count) for at in neighbours[before]]
        self.squares = (*range(count), *(at for _, at in steps))
        """Of every stand."""
        self.stand = {(-1, square): square for square in range(count)}
        """By the square before it (-1 for none) and its own."""
        self.stand |= {step: number for number, step in enumerate(steps, count)}
        befores = (*[-1] * count, *(before for before, _ in steps))
        self.onward = tuple(
            tuple(self.stand[at, to] for to in neighbours[at] if to != before)
            for at, before in zip(self.squares, befores, strict=True)
        )
        """The stands that one step leads to."""
        self.arrivals: list[list[int]] = [[] for _ in range(count)]
        """Of every square, the stands on it that a step leads to."""
        for stand in range(count, len(self.squares)):
            self.arrivals[self.squares[stand]].append(stand)
        self._trees: list[Tree | None] = [None] * len(self.squares)

    def tree(self, stand: int) -> Tree:
        found = self._trees[stand]
        if found is None:
            found = self._trees[stand] = self._search(stand)
        return found

    def _search(self, start: int) -> Tree:
        steps, parents = [FAR] * len(self.squares), [start] * len(self.squares)
        nearest, arrivals = [FAR] * len(self.arrivals), [start] * len(self.arrivals)
        steps[start] = nearest[self.squares[start]] = 0
        order = [start]
        for stand in order:
            taken = steps[stand] + 1
            for onward in self.onward[stand]:
                if steps[onward] == FAR:
                    steps[onward], parents[onward] = taken, stand
                    order.append(onward)
                    if taken < nearest[self.squares[onward]]:
                        nearest[self.squares[onward]], arrivals[self.squares[onward]] = taken, onward
        reached = [steps[stand] for stand in order[1:]]
        within = tuple(bisect_right(reached, most) for most in range(max(reached, default=0) + 1))
        return Tree(tuple(order[1:]), within, tuple(steps), tuple(parents), tuple(nearest), tuple(arrivals))

    def reached(self, stand: int, steps: int) -> int:
        """How many stands can be reached with so many steps."""
        within = self.tree(stand).within
        return within[min(steps, len(within) - 1)]

    def path(self, start: int, end: int) -> Path:
        """The shortest walk from one stand to another."""
        parents, squares, path = self.tree(start).parents, self.squares, []
        while end != start:
            path.append(squares[end])
            end = parents[end]
        return tuple(reversed(path))

    def through(self, start: int, stops: Sequence[int], most: Sequence[int]) -> list[Path] | int:
        """The shortest walk past these squares in this order, in legs that end on them.

        `most` are the steps that may have been used up when each of them is reached. If there is no such walk: how many
        steps would be needed up to the first that is too far.
        """
        layers: list[dict[int, tuple[int, int]]] = [{start: (0, start)}]
        for square, allowed in zip(stops, most, strict=True):
            layer: dict[int, tuple[int, int]] = {}
            for stand, (used, _) in layers[-1].items():
                steps = self.tree(stand).steps
                if self.squares[stand] == square and used < layer.get(stand, (FAR, 0))[0]:
                    layer[stand] = used, stand
                for arrival in self.arrivals[square]:
                    total = used + steps[arrival]
                    if arrival != stand and total < layer.get(arrival, (FAR, 0))[0]:
                        layer[arrival] = total, stand
            near = {stand: way for stand, way in layer.items() if way[0] <= allowed}
            if not near:
                return min((used for used, _ in layer.values()), default=FAR)
            layers.append(near)
        return self._legs(layers)

    def _legs(self, layers: Sequence[dict[int, tuple[int, int]]]) -> list[Path]:
        end = min(layers[-1], key=lambda stand: layers[-1][stand][0])
        legs = []
        for layer in reversed(layers[1:]):
            before = layer[end][1]
            legs.append(self.path(before, end))
            end = before
        return legs[::-1]
