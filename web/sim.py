"""The simulated table by hand: dice, pieces and pens, and everything that can go wrong."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, render_template
from flask.typing import ResponseReturnValue

from web.intake import BadInput, Check, flag, number, one_of, read_json, whole
from web.people import MOST_SEATS, Refused
from web.refusal import Refusal
from web.tokens import who

DEVICES = ("camera", "lights", "buttons", "sound")
THINGS = ("pen", "marker", "token", "phone", "mug")
BUTTONS = ("confirm", "undo", "next")
MOST_POINTS, MOST_PIECES, LARGEST_MM, LONGEST_NAME = 400, 12, 600.0, 60


class SimDoor(Protocol):
    """The simulated table, from the threads of the web server."""

    def state(self) -> dict[str, Any] | None:
        """What lies there; None while there is no game."""

    def act(self, name: str, args: Mapping[str, Any]) -> Refusal | None: ...

    def regions(self, board: str) -> dict[str, Any] | None:
        """Where everything is on a board, in millimetres, how it is marked, and which pieces may lie there."""

    def pieces(self) -> dict[str, Any] | None:
        """How each loose piece looks."""

    def camera(self) -> bytes | None:
        """A JPEG of what its camera sees."""

    def print_of(self, board: str) -> bytes | None:
        """A PNG of a clean board."""

    def face_of(self, piece: str, face: str) -> bytes | None:
        """A PNG of a piece with this face up."""


def path(value: Any) -> Sequence[tuple[float, float]]:
    """A line in millimetres from a board's top left corner."""
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_POINTS:
        raise ValueError(f"[[x, y] × 1…{MOST_POINTS}]")
    place = number(-LARGEST_MM, LARGEST_MM)
    if not all(isinstance(point, list) and len(point) == 2 for point in value):
        raise ValueError("[x, y]")
    return [(place(x), place(y)) for x, y in value]


def name(value: Any) -> str:
    """Of a board, a region or a piece; whether there is such a one is for the table to say."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME:
        raise ValueError('"…"')
    return value


def name_or_none(value: Any) -> str | None:
    """Of the board and the region where a die is put; nothing: beside the boards."""
    return None if value is None else name(value)


def piece(value: Any) -> tuple[str, str]:
    """A piece, and its face that is up."""
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError('["piece", "face"]')
    return name(value[0]), name(value[1])


def pieces(value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, list) or len(value) > MOST_PIECES:
        raise ValueError(f'[["piece", "face"] × 0…{MOST_PIECES}]')
    return [piece(one) for one in value]


def seats(value: Any) -> list[int]:
    if not isinstance(value, list) or len(value) > MOST_SEATS:
        raise ValueError(f"[0…{MOST_SEATS - 1}]")
    seat = whole(0, MOST_SEATS - 1)
    return [seat(one) for one in value]


ACTIONS: Mapping[str, Mapping[str, Check]] = {
    "roll": {},
    "put": {"die": whole(0, 99), "board": name_or_none, "region": name_or_none},
    "bring": {"value": whole(1, 6), "board": name_or_none, "region": name_or_none},
    "take": {"die": whole(0, 99)},
    "knock": {"die": whole(0, 99)},
    "stroke": {"board": name, "points": path},
    "erase": {"board": name, "points": path},
    "wipe": {"board": name},
    "hand": {"board": name, "on": flag},
    "lamp": {"level": number(0.0, 1.5)},
    "daylight": {"level": number(0.0, 1.5)},
    "cover": {"on": flag},
    "bump": {},
    "nudge": {"board": name},
    "cable": {"device": one_of(*DEVICES), "on": flag},
    "arrange": {"board": name, "region": name, "pieces": pieces},
    "move": {"piece": piece, "board": name, "region": name, "to_board": name, "to_region": name},
    "lay": {"thing": one_of(*THINGS)},
    "press": {"button": one_of(*BUTTONS), "long": flag},
    "bots": {"seats": seats},
}


def sim_pages(door: SimDoor) -> Blueprint:
    views = Blueprint("sim", __name__)

    @views.get("/sim")
    def page() -> str:
        return render_template("sim.html", devices=DEVICES, things=THINGS, buttons=BUTTONS)

    @views.get("/api/sim")
    def state() -> ResponseReturnValue:
        found = door.state()
        if found is None:
            raise Refused("sim.no_game")
        return jsonify(found)

    @views.post("/api/sim")
    def act() -> ResponseReturnValue:
        if who().seat is None and not who().host:
            raise Refused("people.token_needed")
        action, args = _action(read_json())
        refusal = door.act(action, args)
        if refusal is not None:
            raise Refused(refusal.key, **refusal.facts)
        return jsonify({})

    @views.get("/api/sim/camera.jpg")
    def camera() -> ResponseReturnValue:
        return _picture(door.camera(), "image/jpeg")

    @views.get("/api/sim/boards/<board>.png")
    def print_of(board: str) -> ResponseReturnValue:
        return _picture(door.print_of(board), "image/png")

    @views.get("/api/sim/boards/<board>.json")
    def regions(board: str) -> ResponseReturnValue:
        return _found(door.regions(board))

    @views.get("/api/sim/pieces.json")
    def kinds() -> ResponseReturnValue:
        return _found(door.pieces())

    @views.get("/api/sim/pieces/<piece>/<face>.png")
    def face_of(piece: str, face: str) -> ResponseReturnValue:
        return _picture(door.face_of(piece, face), "image/png")

    return views


def _action(sent: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Raises BadInput."""
    action = sent.get("action")
    if not isinstance(action, str) or action not in ACTIONS:
        raise BadInput("action", " | ".join(ACTIONS))
    checks = ACTIONS[action]
    if unknown := sent.keys() - checks.keys() - {"action"}:
        raise BadInput(sorted(unknown)[0][:40], "—")
    args = {}
    for key, check in checks.items():
        try:
            args[key] = check(sent.get(key))
        except ValueError as error:
            raise BadInput(key, str(error)) from None
    return action, args


def _found(told: dict[str, Any] | None) -> Response:
    if told is None:
        raise Refused("web.not_found")
    return jsonify(told)


def _picture(found: bytes | None, kind: str) -> Response:
    if found is None:
        raise Refused("web.not_found")
    return Response(found, content_type=kind)
