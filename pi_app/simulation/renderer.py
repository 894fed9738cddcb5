"""Draws the simulated table as its camera sees it: turns the table's plain state into a scene and renders it."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import cv2
import numpy as np

from hardware.ports import Picture
from hardware.sim.state import PENS, Pen, PointMm, SimBoard, SimDie, SimHand, SimInk, SimPiece, SimTableState, View
from hardware.sim.table import laid_out
from pi_app.engine.contract import Surface
from pi_app.perception.faces import face_picture
from vision.catalogue import CARD, ROUND
from vision.kit.kit import Kit
from vision.layout import Layout
from vision.render import (
    Camera,
    Die,
    Glare,
    Hand,
    Lamp,
    Lights,
    Mark,
    Piece,
    PlacedBoard,
    Renderer,
    Scene,
    Sensor,
    Stroke,
    TableTop,
    Thing,
    by_hand,
    in_section,
    pen_point,
    put_on,
)
from vision.render.cards import card_face
from vision.render.scene import on_table

PRINT_PX_PER_MM = 6.0  # three times what the camera sees; the printer's twelve would only cost time
PLAIN_BGR = (190.0, 190.0, 190.0)
WOOD = TableTop("wood", (90.0, 125.0, 165.0), (70.0, 105.0, 150.0), 40.0, 0.1)
SENSOR_NOISE, COVERED_GREY = 1.5, 4
PEN_BGR: dict[Pen, tuple[float, float, float]] = {
    "black": (40.0, 40.0, 40.0),
    "blue": (190.0, 90.0, 30.0),
    "red": (40.0, 40.0, 200.0),
    "green": (70.0, 150.0, 50.0),
}
THING_BGR = {
    "pen": (60.0, 60.0, 190.0),
    "marker": PEN_BGR["black"],
    "token": (60.0, 170.0, 220.0),
    "phone": (70.0, 60.0, 50.0),
    "mug": (180.0, 120.0, 40.0),
}
SEEN_MM = (650.0, 360.0)  # how far from the middle of the table the usual camera sees
# The strip's mirror image on the glossy boards: weak beside the lamp, and gone in the dark of a held strip.
GLOW_STRENGTH, SEAT_GLOW_MM, REGION_GLOW_MM = 0.12, 110.0, 30.0


class SimRenderer:
    """`draw` is what the simulated camera asks for its pictures. Any thread may draw."""

    def __init__(self, layout: Layout, pictures_bgr: Mapping[str, Picture]) -> None:
        self.layout = layout
        self._pictures = dict(pictures_bgr)
        # A renderer remembers what stood still, per size of picture: one for the small stream, one for the full.
        self._renderers: dict[tuple[int, int], Renderer] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, kit: Kit) -> "SimRenderer":
        """For the boards of a kit, as they are printed."""
        pictures = {}
        for board in kit.layout.boards:
            drawn = kit.draw(board)
            size = round(board.width_mm * PRINT_PX_PER_MM), round(board.height_mm * PRINT_PX_PER_MM)
            rgb = np.array(drawn.resize(size).convert("RGB"))
            pictures[board.id] = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)
        faces = face_picture(kit)
        if faces is not None:
            fine = PRINT_PX_PER_MM / faces.px_per_mm
            smaller = cv2.resize(faces.bgr, None, fx=fine, fy=fine, interpolation=cv2.INTER_AREA)
            pictures[kit.layout.catalogue.image] = np.asarray(smaller, np.uint8)
        return cls(kit.layout, pictures)

    def print_of(self, board: str) -> bytes | None:
        """A clean board as a PNG."""
        if board not in self._pictures:
            return None
        half = cv2.resize(self._pictures[board], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        return _png(np.asarray(half, np.uint8))

    def face_of(self, piece: str, face: str) -> bytes | None:
        """A face of a piece as a PNG, cut out as the piece is; in its plain colour where no face is printed."""
        kind = self.layout.catalogue.kinds.get(piece)
        if kind is None or face not in kind.shown:
            return None
        if face in kind.faces:
            x, y, width, height = (round(side * PRINT_PX_PER_MM) for side in kind.faces[face])
            seen = self._pictures[self.layout.catalogue.image][y : y + height, x : x + width]
        elif kind.shape == CARD:
            seen = card_face(kind.id, PRINT_PX_PER_MM)
            height, width = seen.shape[:2]
        else:
            width, height = (round(side * PRINT_PX_PER_MM) for side in kind.size_mm[:2])
            seen = np.full((height, width, 3), kind.colour_bgr or PLAIN_BGR, np.uint8)
        solid = np.full(seen.shape[:2], 0 if kind.shape in ROUND else 255, np.uint8)
        if kind.shape in ROUND:
            cv2.ellipse(solid, ((width / 2, height / 2), (width, height), 0.0), 255, -1, cv2.LINE_AA)
        return _png(np.dstack([seen, solid]))

    def middle_of(self, lying: SimPiece) -> PointMm:
        """Where the middle of a piece is on its board."""
        x, y = np.mean(self.layout.board(lying.at[0]).regions[lying.at[1]], axis=0) + self._off(lying)
        return float(x), float(y)

    def _off(self, lying: SimPiece) -> PointMm:
        """From the middle of its region. What is told by its face fills a place of which that is the upper part, and
        of a card it is the left upper one."""
        x, y = (spot + off for spot, off in zip(lying.spot_mm, lying.off_mm, strict=True))
        kind = self.layout.catalogue.kinds[lying.kind]
        (left, top), _, (right, bottom), _ = self.layout.board(lying.at[0]).regions[lying.at[1]]
        if kind.told_by_face or kind.shape == CARD:
            y += (kind.size_mm[1] - (bottom - top)) / 2
        if kind.shape == CARD:
            x += (kind.size_mm[0] - (right - left)) / 2
        return x, y

    def boards(self, surfaces: Iterable[Surface]) -> list[SimBoard]:
        """What a game puts on the table, with the sizes and regions of the kit."""
        printed = [(self.layout.board(surface.id), surface.owner) for surface in surfaces]
        return [SimBoard(at.id, at.width_mm, at.height_mm, owner, at.regions) for at, owner in printed]

    def draw(self, state: SimTableState, view: View) -> Picture:
        """The camera's picture."""
        if state.lens_covered:
            width, height = view.size_px
            return np.full((height, width, 3), COVERED_GREY, np.uint8)
        scene = self.scene(state, view)
        with self._lock:
            renderer = self._renderers.setdefault(view.size_px, Renderer(self.layout, self._pictures))
            return np.asarray(renderer.render(scene).frame_bgr, np.uint8)

    def scene(self, state: SimTableState, view: View) -> Scene:
        """The same table in the renderer's words."""
        boards = {board.id: self._board(board, state, view.at_s) for board in state.boards}
        return Scene(
            boards=tuple(boards.values()),
            dice=tuple(self._die(die, boards) for die in state.dice),
            pieces=tuple(self._pieces(state, boards)),
            things=(*self._pens(state, boards, view.at_s), *_things(state, view.at_s)),
            hands=tuple(self._hands(state, boards, view.at_s)),
            camera=_camera(state, view),
            table=WOOD,
            lights=self._lights(state, boards, view.exposure),
            sensor=Sensor(noise=SENSOR_NOISE * max(1.0, view.exposure), blur_px=0.6 * view.size_px[0] / 2304),
            seed=state.seed,
            moment=view.moment,
        )

    def _board(self, board: SimBoard, state: SimTableState, at_s: float) -> PlacedBoard:
        inks = [ink for ink in state.inks if ink.board == board.id and ink.drawn(at_s) > 0]
        marks = tuple(_mark(ink, at_s) for ink in inks)
        drawn = [stroke for stroke in state.strokes if stroke.board == board.id]
        strokes = tuple(Stroke(stroke.points_mm, stroke.pen, stroke.width_mm) for stroke in drawn)
        return PlacedBoard(board.id, (board.x_mm, board.y_mm), board.turn_deg, marks, strokes)

    def _die(self, die: SimDie, boards: Mapping[str, PlacedBoard]) -> Die:
        x, y = 0.0, 0.0
        if die.at is not None:
            board, region = die.at
            x, y = in_section(boards[board], self.layout.board(board), region)
        return Die(die.value, (x + die.x_mm, y + die.y_mm), die.turn_deg)

    def _pieces(self, state: SimTableState, boards: Mapping[str, PlacedBoard]) -> Iterator[Piece]:
        """What is told by its face lies beneath the others, a card beneath those on the places after its own."""
        kinds = self.layout.catalogue.kinds
        beneath: dict[tuple[str, str], float] = {}
        numbers = {(board.id, region): n for board in self.layout.boards for n, region in enumerate(board.regions)}

        def order(piece: SimPiece) -> tuple[bool, int]:
            kind = kinds[piece.kind]
            return not kind.told_by_face, numbers[piece.at] if kind.shape == CARD else 0

        for lying in sorted(state.pieces, key=order):
            board_id, region = lying.at
            kind = kinds[lying.kind]
            place = board_id, region.partition(".")[2]
            yield put_on(
                boards[board_id],
                self.layout.board(board_id),
                region,
                lying.kind,
                off_mm=self._off(lying),
                turn_deg=lying.turn_deg,
                face=lying.face,
                base_mm=beneath.get(place, 0.0),
            )
            if kind.told_by_face:
                beneath[place] = kind.size_mm[2]

    def _hands(self, state: SimTableState, boards: Mapping[str, PlacedBoard], at_s: float) -> Iterator[Hand]:
        for hand in state.hands:
            if hand.there(at_s) and hand.board in boards:
                yield self._hand(hand, state, boards[hand.board], at_s)

    def _hand(self, hand: SimHand, state: SimTableState, placed: PlacedBoard, at_s: float) -> Hand:
        board = self.layout.board(placed.board_id)
        # The arm comes from the side of the table where this board's player sits.
        from_deg = placed.rotation_deg + 75.0
        if hand.at_mm is not None:
            x, y = on_table(placed, board, np.array([hand.at_mm]))[0]
            return Hand((float(x), float(y)), from_deg, writing=hand.writing)
        begun = [ink for ink in state.inks if ink.board == hand.board and ink.begin_s <= at_s]
        if hand.writing and begun:
            ink = begun[-1]
            tip = pen_point(_mark(ink, at_s), placed, board, state.seed)
            return Hand(tip, from_deg, writing=True, pen_bgr=PEN_BGR[ink.pen])
        if hand.region is not None:
            return Hand(in_section(placed, board, hand.region), from_deg)
        return Hand(placed.centre_mm, from_deg)

    def _pens(self, state: SimTableState, boards: Mapping[str, PlacedBoard], at_s: float) -> Iterator[Thing]:
        """Each player's pen, beside a board to draw on while nobody writes with it."""
        writing = {hand.board for hand in state.hands if hand.writing and hand.there(at_s)}
        for board in state.boards:
            drawn = self.layout.board(board.id).drawn_regions
            if drawn and board.owner is not None and board.id not in writing:
                beside = np.array([[board.width_mm / 2, board.height_mm + 14.0]])
                x, y = on_table(boards[board.id], self.layout.board(board.id), beside)[0]
                colour = PEN_BGR[PENS[(board.owner + 1) % len(PENS)]]
                yield Thing("marker", (float(x), float(y)), board.turn_deg + 4.0, colour)

    def _lights(self, state: SimTableState, boards: Mapping[str, PlacedBoard], exposure: float) -> Lights:
        lamps = (Lamp((150.0, -250.0, 2100.0), power=0.6 * state.lamp, uneven=0.3),) if state.lamp > 0 else ()
        glares = tuple(self._glares(state, boards))
        return Lights(level=exposure, ambient=0.4 * state.daylight, lamps=lamps, glares=glares)

    def _glares(self, state: SimTableState, boards: Mapping[str, PlacedBoard]) -> Iterator[Glare]:
        """A seat's zone shines on its boards, a zone that is called like a region of a board there."""
        for zone, (red, green, blue) in state.glow.items():
            if not red + green + blue:
                continue
            bgr = (float(blue), float(green), float(red))
            for board in state.boards:
                if board.owner is not None and zone == f"seat.{board.owner + 1}":
                    yield Glare((board.x_mm, board.y_mm), SEAT_GLOW_MM, GLOW_STRENGTH, bgr)
                elif board.owner is None and zone in board.regions:
                    centre = in_section(boards[board.id], self.layout.board(board.id), zone)
                    yield Glare(centre, REGION_GLOW_MM, GLOW_STRENGTH, bgr)


def _png(picture: Picture) -> bytes:
    _, encoded = cv2.imencode(".png", picture)
    return encoded.tobytes()


def _things(state: SimTableState, at_s: float) -> Iterator[Thing]:
    for thing in state.things:
        if thing.there(at_s):
            yield Thing(thing.kind, (thing.x_mm, thing.y_mm), thing.turn_deg, THING_BGR[thing.kind])


def _mark(ink: SimInk, at_s: float) -> Mark:
    mark = by_hand(ink.region, ink.kind, ink.pen, care=ink.care, seed=ink.seed)
    ghost = ink.left if ink.left < 1 else 0.0
    return replace(mark, progress=ink.drawn(at_s), ghost=ghost)


def _camera(state: SimTableState, view: View) -> Camera:
    """The renderer's usual camera at this size, moved as it was bumped; over a larger table it hangs higher."""
    usual, pose = Camera(), state.camera
    reach = [
        (abs(board.x_mm) + board.width_mm / 2, abs(board.y_mm) + board.height_mm / 2)
        for board in laid_out(state.boards)
    ]
    larger = max([1.0, *(side / seen for sides in reach for side, seen in zip(sides, SEEN_MM, strict=True))])
    return Camera(
        size_px=view.size_px,
        aim_mm=(pose.x_mm, pose.y_mm),
        distance_mm=usual.distance_mm * larger,
        tilt_deg=pose.tilt_deg,
        roll_deg=pose.turn_deg,
        focal_px=usual.focal_px * view.size_px[0] / usual.size_px[0],
    )
