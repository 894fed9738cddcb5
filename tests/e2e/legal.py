"""Legal moves, as somebody finds them who only has the dashboard's API."""

from typing import Any

from tests.browser.site import Site


def next_move(site: Site, shown: Any, first: bool) -> dict[str, Any] | None:
    """A legal move of the game on the table; None without a game that goes on. `first` chooses among the simplest."""
    game = shown.get("game")
    if game is None or game["result"] is not None:
        return None
    if game["phase"] == "leader":
        return {"type": "game_started", "leader": 0}
    if game["phase"] == "roll":
        return {"type": "dice_rolled", "values": [1, 2, 3, 4, 5][: len(game["boards"]) + 1]}
    options = shown["options"]
    if game["phase"] == "place":
        placed = options[str(game["leader"])]["place"][0]
        return {"type": "die_placed", "die": placed["die"], "section": placed["sections"][0 if first else -1]}
    seat = game["to_act"][0]
    die = options[str(seat)]["dice"][0]
    shapes = site.get(f"/api/placements?seat={seat}&die={die}")["shapes"]
    if not shapes:
        return {
            "type": "social_checked",
            "player": seat,
            "die": die,
            "bubble": options[str(seat)]["social"][0]["bubble"],
        }
    shape = shapes[0]
    told = {"type": "shape_painted", "player": seat, "die": die, "shape": shape["shape"], "drone": shape["drone"]}
    return {**told, "cells": shape["placements"][0 if first else -1]}
