"""What people and lamps are shown."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pi_app.engine.kinds import EMPTY
from pi_app.games.tag_city.edition.drawing import city_drawing
from pi_app.games.tag_city.rules.deciding import end_reasons, legal_moves
from pi_app.games.tag_city.rules.judging import acting, allowed_sections, bubbles_open, dice_left, drone_slots
from pi_app.games.tag_city.rules.model import Board, Feature, Printed, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.rules.shapes import square_name
from pi_app.games.tag_city.rules.sheet import score_breakdown
from pi_app.games.tag_city.rules.sight import CIRCLED, bubble_mark, city_board, feature_marks

NO_DISTRICT = {"strong": "#6e6e78", "tint": "#dcdce1"}


def view(state: State, viewer: int | None) -> dict[str, Any]:
    """The whole table as JSON values. `options` is filled for a seat that may act."""
    printed = state.printed
    return {
        "game": "tag_city",
        "profile": {"name": printed.name, "source": printed.source},
        "city": {
            "rows": printed.rows,
            "cols": printed.cols,
            "cells": list(printed.districts),
            "districts": dict(printed.district_names),
            "drawing": _drawing(printed),
        },
        "phase": state.phase,
        "round": state.round,
        "leader": state.leader,
        "to_act": list(acting(state)),
        "seat": viewer,
        "dice": [
            {"die": i, "value": die.value, "section": die.section or None, "taken_by": die.taken_by}
            for i, die in enumerate(state.dice)
        ],
        "sections": [
            {
                "section": n,
                "shape": shape,
                "faces": [face for face, touching in printed.values.items() if n in touching],
                "dice": [i for i in dice_left(state) if state.dice[i].section == n],
            }
            for n, shape in enumerate(printed.sections, 1)
        ],
        "shapes": {
            shape_id: {
                "cells": [list(cell) for cell in printed.cells(printed.shapes[shape_id].orientations[0].mask)],
                "small": printed.shapes[shape_id].small,
            }
            for shape_id in printed.in_play
        },
        "boards": [_board_view(state, s) for s in range(len(state.players))],
        "options": _options(state, viewer) if viewer in acting(state) else None,
        "end_reasons": list(state.result.reasons if state.result else end_reasons(state)),
        "result": None
        if state.result is None
        else {"scores": list(state.result.scores), "winners": list(state.result.winners)},
    }


@lru_cache(maxsize=16)
def _drawing(printed: Printed) -> dict[str, Any]:
    """How a city board looks, in the order in which its districts are printed."""
    city = json.loads(printed.key[0])["city"]
    return city_drawing({**city, "districts": {letter: city["districts"][letter] for letter in printed.district_names}})


def _board_view(state: State, seat: int) -> dict[str, Any]:
    printed, board = state.printed, state.boards[seat]
    return {
        "seat": seat,
        "player": state.players[seat],
        "board": city_board(seat),
        "painted": [
            "".join("#" if board.painted >> (r * printed.cols + c) & 1 else "." for c in range(printed.cols))
            for r in range(printed.rows)
        ],
        "features": [_feature_view(state, board, i, f) for i, f in enumerate(printed.features)],
        "drone": [
            {"slot": n, "value": value, "mark": CIRCLED if board.drone >> (n - 1) & 1 else EMPTY}
            for n, value in enumerate(printed.drone, 1)
        ],
        "bubbles": [
            {"bubble": n, "value": value, "mark": bubble_mark(state, board, n)}
            for n, value in enumerate(printed.bubbles, 1)
        ],
        "score": score_breakdown(state, seat),
    }


def _feature_view(state: State, board: Board, index: int, feature: Feature) -> dict[str, Any]:
    missing = state.printed.cells(feature.mask & ~board.painted)
    return {
        "feature": feature.id,
        "high": feature.high,
        "low": feature.low,
        "missing": [square_name(cell) for cell in missing],
        "scored": "high" if board.high >> index & 1 else "low" if board.low >> index & 1 else None,
        "marks": feature_marks(state, board, index),
        "first": [seat for seat, other in enumerate(state.boards) if other.high >> index & 1],
    }


def _options(state: State, seat: int | None) -> dict[str, Any] | None:
    """What this seat may do: where dice may go, or which shapes its dice give and in how many ways they fit."""
    if seat is None or state.phase not in ("place", "draft", "last"):
        return None
    if state.phase == "place":
        unplaced = [i for i, die in enumerate(state.dice) if not die.section]
        return {"place": [{"die": i, "sections": list(allowed_sections(state, i))} for i in unplaced]}
    printed = state.printed
    free = printed.city & ~state.boards[seat].painted
    by_shape: dict[str, list[int]] = {shape: [] for shape in printed.in_play}
    for die in dice_left(state):
        by_shape[printed.sections[state.dice[die].section - 1]].append(die)
    slots = drone_slots(state, seat)
    return {
        "dice": dice_left(state),
        "shapes": [
            {"shape": fit.shape.id, "dice": by_shape[fit.shape.id], "placements": fit.count, "drone": bool(slots)}
            for fit in printed.fitter.fits(free)
        ],
        "drone": [{"slot": n, "value": printed.drone[n - 1]} for n in slots],
        "social": [{"bubble": n, "value": 0 if n is None else printed.bubbles[n - 1]} for n in bubbles_open(state)],
    }


def mosaic(state: State, seat: int) -> list[list[str]]:
    """A city as it was painted, square by square, in the colours that are printed; what stayed free is pale."""
    printed, painted, looks = state.printed, state.boards[seat].painted, _drawing(state.printed)["looks"]
    return [
        [
            looks.get(letter, NO_DISTRICT)["strong" if painted >> (row * printed.cols + col) & 1 else "tint"]
            for col, letter in enumerate(letters)
        ]
        for row, letters in enumerate(printed.districts)
    ]


def placements(state: State, seat: int, piece: int) -> dict[str, Any] | None:
    """Shape by shape, each placement as its squares, and the bubbles."""
    if not 0 <= piece < len(state.dice):
        return None
    shapes: dict[tuple[str, int | None], list[list[list[int]]]] = {}
    social = []
    for move in legal_moves(state, seat):
        if isinstance(move, ShapePainted) and move.die == piece:
            shapes.setdefault((move.shape, move.drone), []).append([list(cell) for cell in move.cells])
        elif isinstance(move, SocialChecked) and move.die == piece:
            social.append(move.bubble)
    return {
        "shapes": [{"shape": shape, "drone": drone, "placements": at} for (shape, drone), at in shapes.items()],
        "social": social,
    }


# --- for lamps --------------------------------------------------------------------------------


def lights(state: State) -> Mapping[str, str]:
    """Zone to role: whose turn it is, which sections offer a die, how the table stands."""
    turn, result = acting(state), state.result
    zones = {f"seat.{seat}": "turn" if seat in turn else "calm" for seat in range(len(state.players))}
    if result is not None:
        zones |= {f"seat.{seat}": "winner" for seat in result.winners}
    open_sections = {state.dice[i].section for i in dice_left(state) if state.phase != "place"}
    for section in range(1, len(state.printed.sections) + 1):
        zones[f"section.{section}"] = "open" if section in open_sections else "calm"
    zones["status"] = "over" if result is not None else "play"
    return zones
