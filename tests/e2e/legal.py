"""Legal moves, as somebody finds them who only has what the dashboard shows to all."""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.browser.person import open_dice

Cells = list[list[int]]


def next_move(shown: Any, first: bool) -> dict[str, Any] | None:
    """A legal move of the game on the table; None without a game that goes on. `first` chooses among the simplest."""
    game, which = shown.get("game"), 0 if first else -1
    if game is None or game["result"] is not None:
        return None
    if game["phase"] == "leader":
        return {"type": "game_started", "leader": 0}
    if game["phase"] == "roll":
        return {"type": "dice_rolled", "values": [1, 2, 3, 4, 5][: len(game["boards"]) + 1]}
    if game["phase"] == "place":
        loose = next(die for die in game["dice"] if not die["section"])
        fitting = [section["section"] for section in game["sections"] if loose["value"] in section["faces"]]
        return {"type": "die_placed", "die": loose["die"], "section": fitting[which]}
    seat, die = game["to_act"][0], open_dice(game)[0]
    shape = game["sections"][game["dice"][die]["section"] - 1]["shape"]
    found = list(_placements(game["shapes"][shape]["cells"], game["boards"][seat]["painted"]))
    told = {"player": seat, "die": die}
    if found:
        return {"type": "shape_painted", **told, "shape": shape, "cells": found[which], "drone": None}
    free = [bubble["bubble"] for bubble in game["boards"][seat]["bubbles"] if bubble["mark"] == "empty"]
    return {"type": "social_checked", **told, "bubble": free[0] if free else None}


def _placements(shape: Cells, painted: Sequence[str]) -> Iterator[Cells]:
    """Wherever it fits, turned as it is listed."""
    height, width = (max(cell[axis] for cell in shape) + 1 for axis in (0, 1))
    for down in range(len(painted) - height + 1):
        for right in range(len(painted[0]) - width + 1):
            cells = [[row + down, col + right] for row, col in shape]
            if all(painted[row][col] != "#" for row, col in cells):
                yield cells
