"""A table to act on from code: roll, put, draw, wipe, bump, switch the lamp, pull a cable.

The same seed, clock and actions always give the same table. Actions may come from any thread.
"""

import itertools
import math
import random
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from hardware.ports import Colour, Condition, Status
from hardware.sim.freehand import Cloth, check_path, runs_into, with_stroke
from hardware.sim.state import (
    PENS,
    InkKind,
    Outline,
    Pen,
    Place,
    PointMm,
    SimBoard,
    SimCameraPose,
    SimDie,
    SimHand,
    SimInk,
    SimPiece,
    SimStroke,
    SimTableState,
    SimThing,
    ThingKind,
)

# Who sits where: back and front on the right, front and back on the left; from the fifth on, farther out.
SIDES = ((1, -1), (1, 1), (-1, 1), (-1, -1))
SEAT_MM, GAP_MM = (300.0, 165.0), 20.0
# Rolled dice come to rest before and behind what lies in the middle, a die's width apart at least.
ROLL_X_MM, ROLL_Y_MM, ROLL_GAP_MM = (-90.0, -45.0, 0.0, 45.0, 90.0), 190.0, 90.0
REST_MM, KNOCKED_MM = 8.0, 10.0
# Where dice are put on a region, from its middle: side by side, about straight. A small one has room for one die.
SIDE_BY_SIDE_MM = ((-13.0, 0.0), (13.0, 0.0), (0.0, -21.0), (0.0, 21.0), (26.0, -21.0))
MOST_TRIES = 20  # to find a place where no other die lies
ASIDE_MM, STRAIGHT_DEG, DIE_MM = 1.0, 15.0, 16.0
PIECE_OFF_MM, PIECE_STRAIGHT_DEG = 1.2, 3.0
MARK_S, LEAVING_S, BRUSHING_S = 0.8, 0.5, 1.0
PEN_MM, ERASER_MM = 0.9, 8.0


PieceFace = tuple[str, str]
"""A piece of the kit, and which of its faces is up."""


def laid_out(boards: Sequence[SimBoard]) -> tuple[SimBoard, ...]:
    """What all share in the middle, one below the other; the others around it, turned to who sits there."""
    shared = [board for board in boards if board.owner is None]
    widest = max((board.width_mm for board in boards if board.owner is not None), default=0.0)
    highest = max((board.height_mm for board in boards if board.owner is not None), default=0.0)
    far_x = max(SEAT_MM[0], (max((board.width_mm for board in shared), default=0.0) + widest) / 2 + GAP_MM)
    far_y = max(SEAT_MM[1], highest / 2 + GAP_MM)
    top = -(sum(board.height_mm + GAP_MM for board in shared) - GAP_MM) / 2
    lying: Counter[int] = Counter()
    laid = []
    for board in boards:
        if board.owner is None:
            laid.append(replace(board, x_mm=0.0, y_mm=top + board.height_mm / 2, turn_deg=0.0))
            top += board.height_mm + GAP_MM
            continue
        farther, (right, down) = board.owner // len(SIDES), SIDES[board.owner % len(SIDES)]
        x = right * (far_x + farther * (widest + GAP_MM))
        y = down * (far_y + lying[board.owner] * (highest + GAP_MM))  # a second one of the same seat lies behind
        lying[board.owner] += 1
        laid.append(replace(board, x_mm=x, y_mm=y, turn_deg=180.0 if down < 0 else 0.0))
    return tuple(laid)


class SimTable:
    """The one simulated table that camera, lights, buttons and sound share."""

    def __init__(self, seed: int, now: Callable[[], float], boards: Sequence[SimBoard] = ()) -> None:
        """`boards` lie wherever they are put: see `laid_out`."""
        self._state = SimTableState(boards=laid_out(boards), seed=seed)
        self._now, self._random, self._lock = now, random.Random(seed), threading.RLock()
        middle = [abs(board.y_mm) + board.height_mm / 2 for board in self._state.boards if board.owner is None]
        roll_y = max([ROLL_Y_MM, *(half + ROLL_GAP_MM for half in middle)])
        self._rolled_mm = [(x, y) for x in ROLL_X_MM for y in (-roll_y, roll_y)]
        self._broken: dict[str, Status] = {}
        self._stalled: set[str] = set()

    @property
    def state(self) -> SimTableState:
        return self._state

    @property
    def at_s(self) -> float:
        """The table's own time, which may leap."""
        return self._now()

    # --- dice ---------------------------------------------------------------------------------

    def roll(self, count: int, values: Sequence[int] | None = None, keep: Collection[int] = ()) -> tuple[int, ...]:
        """Rolls `count` dice instead of those that lie there, but for those to `keep`; tells what they show.

        They get the lowest numbers that are free. Raises ValueError if there is no room for so many.
        """
        with self._lock:
            kept = [die for die in self._state.dice if die.number in keep]
            thrown = tuple(values) if values is not None else tuple(self._random.choices(range(1, 7), k=count))
            spots = self._random.sample(self._rolled_mm, count)
            free = (number for number in itertools.count() if number not in keep)
            dice = [
                SimDie(number, value, self._about(x, REST_MM), self._about(y, REST_MM), self._turn())
                for number, value, (x, y) in zip(free, thrown, spots, strict=False)
            ]
            self._change(dice=(*kept, *dice), taken=())
        return thrown

    def throw(self, values: Sequence[int], at: Place) -> None:
        """Throws dice that show these values onto a region, instead of those that lie on the table."""
        with self._lock:
            thrown: list[SimDie] = []
            for number, value in enumerate(values):
                x, y = self._free_spot(at, thrown)
                thrown.append(SimDie(number, value, x, y, self._turn(), at))
            known = (*self._state.dice, *self._state.taken)
            held = tuple(SimDie(n, die.value, 0.0, 0.0) for n, die in enumerate(known[len(thrown) :], len(thrown)))
            self._change(dice=tuple(thrown), taken=held)

    def _free_spot(self, at: Place, others: Sequence[SimDie]) -> PointMm:
        """Anywhere on a region, from its middle, where no other die lies."""
        outline = self._regions(at[0])[at[1]]
        half = [max(0.0, (max(axis) - min(axis)) / 2 - DIE_MM * 0.75) for axis in zip(*outline, strict=True)]
        tried = [(self._about(0.0, half[0]), self._about(0.0, half[1])) for _ in range(MOST_TRIES)]
        free = (spot for spot in tried if all(math.dist(spot, (o.x_mm, o.y_mm)) > 1.6 * DIE_MM for o in others))
        return next(free, tried[0])

    def put(self, number: int, at: Place | None) -> None:
        """Puts a die on a region, beside those that lie there; without one, beside what lies in the middle."""
        with self._lock:
            others = [(die.x_mm, die.y_mm) for die in self._state.dice if die.at == at and die.number != number]
            spots = self._spots(at) if at is not None else sorted(self._rolled_mm, key=lambda spot: spot[::-1])
            free = [spot for spot in spots if all(math.dist(spot, other) > DIE_MM for other in others)]
            x, y = (self._about(middle, ASIDE_MM) for middle in (free or spots)[0])
            turn = self._about(0.0, STRAIGHT_DEG)
            self._change_die(number, lambda die: replace(die, x_mm=x, y_mm=y, turn_deg=turn, at=at))

    def _spots(self, at: Place) -> Sequence[PointMm]:
        """Where dice lie on a region, from its middle."""
        outline = self._regions(at[0]).get(at[1])
        if outline is None:
            return SIDE_BY_SIDE_MM
        half = max(max(axis) - min(axis) for axis in zip(*outline, strict=True)) / 2
        return [(x, y) for x, y in SIDE_BY_SIDE_MM if max(abs(x), abs(y)) <= half] or [(0.0, 0.0)]

    def bring(self, value: int, at: Place | None) -> int:
        """Puts a die back that was taken, showing `value`; tells its number.

        It is one that was taken with this value, or else any: dice are alike.
        """
        with self._lock:
            known = (*self._state.dice, *self._state.taken)
            number = 1 + max((die.number for die in known), default=-1)
            alike = sorted(self._state.taken, key=lambda die: die.value != value)
            self._change(dice=(*self._state.dice, SimDie(number, value, 0.0, 0.0)), taken=tuple(alike[1:]))
            self.put(number, at)
            return number

    def take(self, number: int) -> None:
        """Takes a die off the table, into somebody's hand."""
        with self._lock:
            taken = self._die(number)
            others = tuple(die for die in self._state.dice if die is not taken)
            self._change(dice=others, taken=(*self._state.taken, taken))

    def knock(self, number: int) -> None:
        """Knocks a die over: it shows another face, a little aside."""
        with self._lock:
            others = [
                value for value in range(1, 7) if value not in (self._die(number).value, 7 - self._die(number).value)
            ]
            value = self._random.choice(others)
            self._change_die(
                number,
                lambda die: replace(
                    die,
                    value=value,
                    x_mm=self._about(die.x_mm, KNOCKED_MM),
                    y_mm=self._about(die.y_mm, KNOCKED_MM),
                    turn_deg=self._turn(),
                ),
            )

    # --- pieces -------------------------------------------------------------------------------

    def lay_pieces(
        self,
        at: Place,
        wanted: Sequence[PieceFace],
        spots: Sequence[PointMm] | Callable[[str, Sequence[SimPiece]], PointMm],
        turned: bool = True,
    ) -> None:
        """Brings a region to these pieces: those that lie there already stay, others come and go.

        They are put on the first free spots, from the middle of the region, or where a function of the piece and of
        those that lie there says; as carelessly as people do. What is not `turned` in any way lies about straight.
        """
        with self._lock:
            lacking, kept = Counter(wanted), []
            for piece in self._state.pieces:
                if piece.at == at and lacking[piece.kind, piece.face] <= 0:
                    continue
                if piece.at == at:
                    lacking[piece.kind, piece.face] -= 1
                kept.append(piece)
            for kind, face in lacking.elements():
                there = [piece for piece in kept if piece.at == at]
                if callable(spots):
                    spot = spots(kind, there)
                else:
                    taken = [piece.spot_mm for piece in there]
                    spot = next((spot for spot in spots if spot not in taken), spots[-1])
                off = self._about(0.0, PIECE_OFF_MM), self._about(0.0, PIECE_OFF_MM)
                turn = self._turn() if turned else self._about(0.0, PIECE_STRAIGHT_DEG)
                kept.append(SimPiece(kind, face, at, spot, off, turn))
            self._change(pieces=tuple(kept))

    # --- boards, pens and hands ---------------------------------------------------------------

    def draw(
        self, board: str, marks: Sequence[tuple[str, InkKind]], mark_s: float = MARK_S, care: float = 0.6
    ) -> float:
        """Draws marks (region and kind) one after another with a hand over the board, from now on.

        Tells when the hand will be gone. With `mark_s` 0 all is there at once, and no hand.
        """
        with self._lock:
            begin = self._now()
            # Who sits there goes on after what is still being drawn.
            begin = max([begin, *(ink.end_s for ink in self._state.inks if ink.board == board)])
            pen = self.pen(board)
            inks = [
                SimInk(board, region, kind, pen, begin + n * mark_s, begin + (n + 1) * mark_s, care, seed=self._seed())
                for n, (region, kind) in enumerate(marks)
            ]
            self._change(inks=(*self._state.inks, *inks))
            if not mark_s or not marks:
                return begin
            gone = inks[-1].end_s + LEAVING_S
            self._add_hand(SimHand(board, begin, gone, writing=True))
            return gone

    def wipe(self, board: str, regions: Collection[str] | None = None, trace: float = 0.0) -> None:
        """Wipes a board, or some regions of it; `trace` is the share of the ink that stays, smeared."""
        with self._lock:
            kept = [
                replace(ink, left=trace) if ink.board == board and (regions is None or ink.region in regions) else ink
                for ink in self._state.inks
            ]
            outlines = self._regions(board)
            wiped = [outline for region, outline in outlines.items() if regions is None or region in regions]
            strokes = [
                stroke for stroke in self._state.strokes if stroke.board != board or not runs_into(stroke, wiped)
            ]
            self._change(inks=tuple(ink for ink in kept if ink.left > 0), strokes=tuple(strokes))

    def pen(self, board: str) -> Pen:
        """The pen that lies at a board: of who sits there, or the one that all share."""
        owners = [one.owner for one in self._state.boards if one.id == board and one.owner is not None]
        return PENS[(owners[0] + 1) % len(PENS)] if owners else PENS[0]

    def stroke(
        self, board: str, points_mm: Sequence[PointMm], pen: Pen | None = None, width_mm: float = PEN_MM
    ) -> None:
        """Draws a line free hand, as it is being drawn: one that begins where the last one ended goes on with it.

        A hand is seen there, until a moment after the last point. Raises ValueError for a line without points, or if
        there is too much ink.
        """
        with self._lock:
            check_path(points_mm)
            new = SimStroke(board, tuple(points_mm), pen or self.pen(board), width_mm)
            self._change(strokes=with_stroke(self._state.strokes, new))
            self._hold_hand(board, new.points_mm[-1], writing=True)

    def erase(self, board: str, points_mm: Sequence[PointMm], radius_mm: float = ERASER_MM) -> None:
        """Wipes along a path: lines are cut where it passes, and marks that it touches are gone.

        Raises ValueError for a path without points.
        """
        with self._lock:
            check_path(points_mm)
            cloth, outlines = Cloth(board, points_mm, radius_mm), self._regions(board)
            self._change(
                inks=tuple(ink for ink in self._state.inks if not cloth.wipes(ink, outlines)),
                strokes=tuple(part for stroke in self._state.strokes for part in cloth.leaves(stroke)),
            )
            self._hold_hand(board, points_mm[-1], writing=False)

    def reach(self, board: str, region: str | None = None) -> None:
        """Holds a hand over a board, until `withdraw`."""
        self._add_hand(SimHand(board, self._now(), region=region))

    def brush(self, board: str, region: str | None = None) -> None:
        """A hand is over a board for a moment, as of somebody who does something there."""
        now = self._now()
        self._add_hand(SimHand(board, now, now + BRUSHING_S, region=region))

    def withdraw(self, board: str) -> None:
        """Takes away the hands over a board."""
        with self._lock:
            self._change(hands=tuple(hand for hand in self._state.hands if hand.board != board))

    def lay(self, kind: ThingKind, x_mm: float, y_mm: float, turn_deg: float = 0.0, for_s: float = math.inf) -> None:
        """Puts something down that is neither board nor die, for so long."""
        with self._lock:
            begin = self._now()
            present = [thing for thing in self._state.things if thing.end_s > begin]
            self._change(things=(*present, SimThing(kind, x_mm, y_mm, turn_deg, begin, begin + for_s)))

    def move_board(self, board: str, x_mm: float = 0.0, y_mm: float = 0.0, turn_deg: float = 0.0) -> None:
        """Pushes a board by so much."""
        with self._lock:
            self._change(
                boards=tuple(
                    replace(b, x_mm=b.x_mm + x_mm, y_mm=b.y_mm + y_mm, turn_deg=b.turn_deg + turn_deg)
                    if b.id == board
                    else b
                    for b in self._state.boards
                )
            )

    # --- light and camera ---------------------------------------------------------------------

    def set_lamp(self, level: float) -> None:
        """Switches the lamp off (0), on (1) or dims it."""
        self._change(lamp=level)

    def set_daylight(self, level: float) -> None:
        self._change(daylight=level)

    def set_glow(self, glow: Mapping[str, Colour]) -> None:
        """What the LED strip shines on the table now."""
        self._change(glow=dict(glow))

    def bump_camera(self, x_mm: float = 0.0, y_mm: float = 0.0, turn_deg: float = 0.0, tilt_deg: float = 0.0) -> None:
        """Moves the camera by so much."""
        with self._lock:
            at = self._state.camera
            pose = SimCameraPose(at.x_mm + x_mm, at.y_mm + y_mm, at.turn_deg + turn_deg, at.tilt_deg + tilt_deg)
            self._change(camera=pose)

    def cover_lens(self, covered: bool = True) -> None:
        self._change(lens_covered=covered)

    # --- cables -------------------------------------------------------------------------------

    def unplug(self, device: str) -> None:
        """Pulls the cable of camera, lights, buttons or sound."""
        self.fail(Status(device, Condition.LOST, {"why": "unplugged"}))

    def fail(self, status: Status) -> None:
        """Makes a device fail in any other way."""
        self._broken[status.device] = status

    def stall(self, device: str) -> None:
        """The device is there and says nothing more."""
        self._stalled.add(device)

    def plug(self, device: str) -> None:
        """Puts the cable back; all is well again."""
        self._broken.pop(device, None)
        self._stalled.discard(device)

    def status(self, device: str) -> Status:
        return self._broken.get(device, Status(device))

    def stalled(self, device: str) -> bool:
        return device in self._stalled

    # --- how it is done -----------------------------------------------------------------------

    def _change(self, **parts: object) -> None:
        with self._lock:
            self._state = replace(self._state, **parts)  # type: ignore[arg-type]

    def _regions(self, board: str) -> Mapping[str, Outline]:
        return next((one.regions for one in self._state.boards if one.id == board), {})

    def _die(self, number: int) -> SimDie:
        """Raises ValueError for a die that is not on the table."""
        for die in self._state.dice:
            if die.number == number:
                return die
        raise ValueError(f"die {number} is not on the table")

    def _change_die(self, number: int, change: Callable[[SimDie], SimDie]) -> None:
        with self._lock:
            changed = change(self._die(number))
            self._change(dice=tuple(changed if die.number == number else die for die in self._state.dice))

    def _add_hand(self, hand: SimHand) -> None:
        with self._lock:
            present = [other for other in self._state.hands if other.end_s > self._now()]
            self._change(hands=(*present, hand))

    def _hold_hand(self, board: str, at_mm: PointMm, writing: bool) -> None:
        """The hand of who draws free hand; it goes away by itself."""
        now = self._now()
        others = [hand for hand in self._state.hands if hand.board != board or hand.at_mm is None]
        self._change(hands=(*others, SimHand(board, now, now + LEAVING_S, writing=writing, at_mm=at_mm)))

    def _about(self, value: float, spread: float) -> float:
        return value + self._random.uniform(-spread, spread)

    def _turn(self) -> float:
        return self._random.uniform(0.0, 360.0)

    def _seed(self) -> int:
        return self._random.getrandbits(30)
