"""Night tram: whoever moves it wants it to halt where only they know, and the others may brake.

Everybody draws a ticket with a stop on it and keeps it hidden. In turn, the tram (a die that shows its six) goes on by
one to three stops; before it does, anybody else may brake by marking a box of their own: then it goes on by one. At the
last stop the night is over: a ticket is worth five points for every halt at its stop, a used brake costs one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pi_app.engine.contract import LUCK, BadData, Chances, IllegalMove, Outcome, ScoreRow, Seen, Setup, Surface
from pi_app.engine.events import Event, GameEnded, Record, Undone
from pi_app.engine.kinds import EMPTY
from pi_app.engine.setup import Options, check_options, check_players, complete_options

PLAYERS = range(2, 9)
OPTIONS: Options = {"brakes": (2, 1, 3)}
TRAM, MARKED, FARTHEST = "6", "marked", 3
HALT, BRAKE = 5, -1
"""What they are worth."""


@dataclass(frozen=True)
class GameStarted(Event):
    type: ClassVar[str] = "game_started"
    first: int


@dataclass(frozen=True)
class TicketDrawn(Event):
    """`ticket` is the stop on it; None for whoever may not know."""

    type: ClassVar[str] = "ticket_drawn"
    player: int
    ticket: int | None


@dataclass(frozen=True)
class TramMoved(Event):
    type: ClassVar[str] = "tram_moved"
    player: int
    stop: int


@dataclass(frozen=True)
class Braked(Event):
    type: ClassVar[str] = "braked"
    player: int
    box: int


@dataclass(frozen=True)
class TicketShown(Event):
    type: ClassVar[str] = "ticket_shown"
    player: int
    ticket: int
    points: int


MOVES = (GameStarted, TicketDrawn, TramMoved, Braked)
EVENTS: Mapping[str, type[Event]] = {event.type: event for event in (*MOVES, TicketShown, GameEnded, Undone)}


@dataclass(frozen=True)
class State:
    stops: int
    copies: tuple[int, ...]
    """Tickets by their stop, as many as there are of each."""
    boxes: int
    brakes: tuple[int, ...]
    """By seat, the boxes that are marked, as a mask."""
    tickets: tuple[int, ...] = ()
    turn: int | None = None
    tram: int = 1
    halts: tuple[int, ...] = ()
    slow: bool = False
    points: tuple[int, ...] = ()
    """By seat, once tickets are shown."""
    result: GameEnded | None = None


def start(setup: Setup) -> State:
    problems = check_options(setup.options, OPTIONS) + check_players(setup.players, PLAYERS)
    if problems:
        raise BadData(problems)
    tickets = {int(stop): copies for stop, copies in setup.profile["tickets"].items()}
    deck = tuple(stop for stop, copies in sorted(tickets.items()) for _ in range(copies))
    boxes = complete_options(setup.options, OPTIONS)["brakes"]
    return State(setup.profile["stops"], deck, boxes, (0,) * len(setup.players))


def must(state: State) -> tuple[int, ...]:
    if state.turn is None or len(state.tickets) < len(state.brakes):
        return (LUCK,)
    return (state.turn,) if state.result is None else ()


def may(state: State) -> tuple[int, ...]:
    if state.slow or must(state) != (state.turn,):
        return ()
    return tuple(seat for seat in range(len(state.brakes)) if seat != state.turn and free_boxes(state, seat))


def free_boxes(state: State, seat: int) -> list[int]:
    return [box for box in range(1, state.boxes + 1) if not state.brakes[seat] >> box & 1]


def legal_moves(state: State, seat: int) -> Sequence[Event]:
    if seat in may(state):
        return [Braked(seat, box) for box in free_boxes(state, seat)]
    if seat not in must(state):
        return ()
    if seat == LUCK:
        return chances(state).moves
    farthest = min(state.stops, state.tram + (1 if state.slow else FARTHEST))
    return [TramMoved(seat, stop) for stop in range(state.tram + 1, farthest + 1)]


def chances(state: State) -> Chances:
    if state.turn is None:
        return Chances([GameStarted(seat) for seat in range(len(state.brakes))])
    left = list(state.copies)
    for drawn in state.tickets:
        left.remove(drawn)
    kinds = sorted(set(left))
    return Chances([TicketDrawn(len(state.tickets), stop) for stop in kinds], [left.count(stop) for stop in kinds])


def mover(state: State, move: Event) -> int | None:
    """A ticket is told by whoever holds it."""
    return LUCK if isinstance(move, GameStarted) else getattr(move, "player", None)


def decide(state: State, move: Event) -> tuple[Event, ...]:
    seat = getattr(move, "player", LUCK)
    if move not in legal_moves(state, LUCK if isinstance(move, GameStarted | TicketDrawn) else seat):
        raise IllegalMove(f"not_{move.type}" if isinstance(move, MOVES) else "not_a_move", player=max(seat, 0))
    if not isinstance(move, TramMoved) or move.stop != state.stops:
        return (move,)
    halts = [*state.halts, move.stop]
    worth = [(seat, ticket, HALT * halts.count(ticket)) for seat, ticket in enumerate(state.tickets)]
    events: list[Event] = [move, *(TicketShown(*shown) for shown in worth)]
    for event in events:
        state = apply(state, event)
    best = max(scores(state))
    winners = tuple(seat for seat, points in enumerate(scores(state)) if points == best)
    return (*events, GameEnded(("last_stop",), scores(state), winners))


def apply(state: State, event: Event) -> State:
    if isinstance(event, GameStarted):
        return replace(state, turn=event.first)
    if isinstance(event, TicketDrawn):
        return replace(state, tickets=(*state.tickets, event.ticket or 0))
    if isinstance(event, TramMoved):
        turn = (event.player + 1) % len(state.brakes)
        return replace(state, tram=event.stop, turn=turn, halts=(*state.halts, event.stop), slow=False)
    if isinstance(event, Braked):
        brakes = [mask | (1 << event.box) * (seat == event.player) for seat, mask in enumerate(state.brakes)]
        return replace(state, brakes=tuple(brakes), slow=True)
    if isinstance(event, TicketShown):
        return replace(state, points=(*state.points, event.points))
    assert isinstance(event, GameEnded)
    return replace(state, result=event)


def scores(state: State) -> tuple[int, ...]:
    """Without tickets until they are shown."""
    points = (*state.points, *[0] * (len(state.brakes) - len(state.points)))
    return tuple(won + BRAKE * mask.bit_count() for won, mask in zip(points, state.brakes, strict=True))


def outcome(state: State) -> Outcome | None:
    ended = state.result
    return None if ended is None else Outcome(ended.scores, ended.winners, ended.reasons)


def sheet(setup: Setup, records: Iterable[Record]) -> Iterator[ScoreRow]:
    for record in records:
        event = record.event
        if isinstance(event, Braked):
            yield ScoreRow(record.seq, record.at, 1, event.player, "brake", f"brake.{event.box}", "", BRAKE)
        if isinstance(event, TicketShown):
            yield ScoreRow(record.seq, record.at, 1, event.player, "ticket", f"stop.{event.ticket}", "", event.points)


# --- on the table -----------------------------------------------------------------------------


def surfaces(setup: Setup) -> tuple[Surface, ...]:
    return (*(Surface(f"sheet-{seat + 1}", seat) for seat in range(len(setup.players))), Surface("line", pieces=True))


def expected_sight(state: State, surface: str) -> dict[str, str]:
    if surface == "line":
        return {f"stop.{n}": TRAM if n == state.tram else EMPTY for n in range(1, state.stops + 1)}
    marked = state.brakes[int(surface.removeprefix("sheet-")) - 1]
    return {f"brake.{box}": MARKED if marked >> box & 1 else EMPTY for box in range(1, state.boxes + 1)}


def trace(state: State, move: Event) -> Seen:
    if isinstance(move, TramMoved):
        return {"line": {f"stop.{state.tram}": EMPTY, f"stop.{move.stop}": TRAM}}
    return {f"sheet-{move.player + 1}": {f"brake.{move.box}": MARKED}} if isinstance(move, Braked) else {}


def attempt(state: State, seen: Seen) -> Event | None:
    at = [int(region.removeprefix("stop.")) for region, kind in seen.get("line", {}).items() if kind != EMPTY]
    if must(state) == (state.turn,) and len(at) == 1 and at != [state.tram]:
        return TramMoved(must(state)[0], at[0])
    for surface, regions in seen.items():
        new = [r for r, kind in regions.items() if surface != "line" and expected_sight(state, surface).get(r) != kind]
        if len(new) == 1:
            return Braked(int(surface.removeprefix("sheet-")) - 1, int(new[0].removeprefix("brake.")))
    return None


def view(state: State, viewer: int | None) -> dict[str, Any]:
    """Everybody's tickets are known to themselves; at the end to all."""
    is_open = outcome(state) is not None
    moves = legal_moves(state, viewer) if viewer is not None else ()
    return {
        "stops": state.stops,
        "tram": state.tram,
        "slow": state.slow,
        "boxes": state.boxes,
        "brakes": [[box for box in range(1, state.boxes + 1) if mask >> box & 1] for mask in state.brakes],
        "tickets": [ticket if is_open or seat == viewer else None for seat, ticket in enumerate(state.tickets)],
        "options": [{"type": move.type, **vars(move)} for move in moves],
        "surfaces": {
            "line": expected_sight(state, "line"),
            **{
                f"sheet-{seat + 1}": expected_sight(state, f"sheet-{seat + 1}")
                | ({"ticket": f"{ticket}"} if is_open or seat == viewer else {})
                for seat, ticket in enumerate(state.tickets)
            },
        },
    }
