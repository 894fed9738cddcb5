"""The game as it goes on: its state, the stream of changes, joining, and commands."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from web import permits
from web.house import House
from web.hub import Snapshot
from web.intake import body, flag, one_of, query, table, text, whole
from web.limits import Streams
from web.people import LONGEST_NAME, MOST_SEATS, REPORTS, People, Refused, Who, clean_name
from web.text import LANGUAGES
from web.tokens import is_own, leaving, needs_host, token, who

STREAM = "/api/stream"
HEARTBEAT_S = 10.0
LOOK_S = 1.0
"""How often a quiet stream looks whether anybody is still there."""
PAUSE_S = 0.2
"""Between two updates on one stream."""
MOST_PIECES = 100
"""A game numbers the pieces that are chosen among; none has more."""


def live(house: House, people: People, streams: Streams) -> Blueprint:
    views = Blueprint("live", __name__)
    _add_watching(views, house, people, streams)
    _add_tokens(views, house, people)

    @views.post("/api/commands")
    def command() -> ResponseReturnValue:
        sent = body(command=text(40), args=table)
        _command(house, people, sent["command"], sent["args"])
        return jsonify(version=house.hub.version)

    return views


def _add_watching(views: Blueprint, house: House, people: People, streams: Streams) -> None:
    @views.get("/api/state")
    def state() -> ResponseReturnValue:
        return Response(house.hub.snapshot(who().seat).body, content_type="application/json")

    @views.get(STREAM)
    def stream() -> ResponseReturnValue:
        address, asking = request.remote_addr or "", who()
        if not streams.take(address, is_own(), asking != Who()):
            return jsonify(error="web.too_many"), 503, {"Retry-After": "5"}
        with ExitStack() as cleaning:
            cleaning.callback(streams.give_back, address)
            cleaning.enter_context(people.watching(asking.seat))
            viewer = partial(_seat_of, people, token())
            response = Response(_updates(house, viewer, leaving()), content_type="text/event-stream")
            response.call_on_close(cleaning.pop_all().close)
        return response

    @views.get("/api/placements")
    def placements() -> ResponseReturnValue:
        seat = who().seat
        if seat is None:
            raise Refused("people.token_needed")
        found = house.table.placements(seat, query("piece", 0, MOST_PIECES - 1))
        if found is None:
            raise Refused("web.gone_on")
        return jsonify(found)

    @views.get("/api/boards/<board>/picture.jpg")
    def picture(board: str) -> ResponseReturnValue:
        return _jpeg(house.table.picture(board))

    @views.get("/api/boards/<board>/wrong.jpg")
    def wrong(board: str) -> ResponseReturnValue:
        return _jpeg(house.table.wrong(board))

    @views.get("/api/question/<int(max=9):number>.jpg")
    def candidate(number: int) -> ResponseReturnValue:
        return _jpeg(house.table.candidate(number))


def _jpeg(found: bytes | None) -> Response:
    if found is None:
        raise Refused("web.not_found")
    return Response(found, content_type="image/jpeg")


def _seat_of(people: People, given: str | None) -> int | None:
    return people.who(given).seat


def _updates(house: House, viewer: Callable[[], int | None], has_left: Callable[[], bool]) -> Iterator[str]:
    """Server-sent events: the whole state first, then what changed, and a sign of life when nothing did.

    Whoever reads slowly is told less often, and always what is newest; whoever has lost a seat, what all may know.
    """
    seat = viewer()
    snapshot = house.hub.snapshot(seat)
    yield _event("state", snapshot, snapshot.body)
    while True:
        time.sleep(PAUSE_S)
        quiet_s = 0.0
        while not house.hub.wait(snapshot.version, LOOK_S):
            if has_left():
                return
            quiet_s += LOOK_S
            if quiet_s >= HEARTBEAT_S:
                quiet_s = 0.0
                yield "event: beat\ndata: {}\n\n"
        was, before = seat, snapshot
        seat = viewer()
        snapshot = house.hub.snapshot(seat)
        changes = house.hub.patch(before, snapshot) if seat == was else None
        yield _event("state", snapshot, snapshot.body) if changes is None else _event("changes", snapshot, changes)


def _event(name: str, snapshot: Snapshot, data: str) -> str:
    return f"id: {snapshot.version}\nevent: {name}\ndata: {data}\n\n"


def _add_tokens(views: Blueprint, house: House, people: People) -> None:
    @views.post("/api/join")
    def join() -> ResponseReturnValue:
        sent = body(
            seat=whole(0, MOST_SEATS - 1),
            name=text(4 * LONGEST_NAME),
            colour=one_of(*house.colours),
            language=one_of(*LANGUAGES),
        )
        _require_free_name(house, {sent["seat"], who().seat}, sent["name"])
        given, seat = people.join(**sent, token=token())
        house.table.command("sit", {"seat": seat.seat, "name": seat.name})  # or there is no game to sit down in
        return jsonify(token=given, seat=seat.seat, name=seat.name)

    @views.post("/api/leave")
    def leave() -> ResponseReturnValue:
        body()
        seat = who().seat
        if seat is None:
            raise Refused("people.token_needed")
        people.leave(seat)
        return jsonify({})

    @views.post("/api/host")
    def become_host() -> ResponseReturnValue:
        house.gate.check(body(pin=text(20))["pin"], request.remote_addr or "", is_own())
        return jsonify(token=people.make_host())

    @views.post("/api/host/leave")
    @needs_host
    def leave_host() -> ResponseReturnValue:
        body()
        people.leave_host(token() or "")
        return jsonify({})

    @views.get("/api/me")
    def me() -> ResponseReturnValue:
        asking = who()
        if asking.host:
            house.gate.trust(request.remote_addr or "")
        return jsonify(seat=asking.seat, host=asking.host, pin=house.gate.pin if asking.host else None)


def _require_free_name(house: House, own: set[int | None], name: str) -> None:
    """Two of one name could not be told apart. Raises Refused."""
    others = [other for n, other in enumerate(house.hub.players()) if n not in own]
    if clean_name(name).casefold() in (other.casefold() for other in others):
        raise Refused("people.name_taken", name=clean_name(name))


def _command(house: House, people: People, name: str, args: Mapping[str, Any]) -> None:
    """Raises Refused."""
    asking = who()
    shown: Mapping[str, Any] = house.hub.part("table", asking.seat) or {}
    permits.check(asking, name, args, shown, house.table.mover)
    seat, seq = asking.seat, shown.get("last_seq", 0)
    match name:
        case "ask_undo" if seat is not None:
            people.ask_undo(seat, seq)
        case "report" if seat is not None:
            people.report(seat, _argument(args, "what", one_of(*REPORTS)), seq)
        case "ask_undo" | "report":
            raise Refused("people.token_needed")
        case "grant_undo":
            people.take_undo(asking, seq)
            _do(house, "undo", {})
        case "refuse_undo":
            people.drop_undo()
        case "free_seat":
            people.leave(_argument(args, "seat", whole(0, MOST_SEATS - 1)))
        case "open_joining":
            people.open_joining(_argument(args, "open", flag))
        case "clear_reports":
            people.clear_reports()
        case _:
            _do(house, name, args, seat)


def _argument(args: Mapping[str, Any], name: str, check: Any) -> Any:
    try:
        return check(args.get(name))
    except ValueError as error:
        raise Refused("web.bad_input", where=name, wanted=str(error)) from None


def _do(house: House, name: str, args: Mapping[str, Any], seat: int | None = None) -> None:
    refusal = house.table.command(name, args, seat)
    if refusal is not None:
        raise Refused(refusal.key, **refusal.facts)
