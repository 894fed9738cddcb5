"""Hands and clutter as bodies: how long a finger is and what a pen looks like."""

from itertools import pairwise

import numpy as np

from vision.render.noise import Array
from vision.render.scene import Colour, Hand, Thing
from vision.render.solids import Capsule, Point3, Prism

Body = Capsule | Prism

WHITE: Colour = (215.0, 218.0, 220.0)
DARK: Colour = (25.0, 25.0, 28.0)
COFFEE: Colour = (15.0, 25.0, 40.0)

# Hands: (towards the arm, to the side, up) in mm from the tip of the longest finger or of the pen.
FLAT_FINGERS: tuple[tuple[Point3, Point3, Point3, float], ...] = (
    ((6, -24, 7), (42, -25, 17), (84, -22, 22), 8.5),
    ((0, 0, 7), (42, -1, 19), (82, -2, 23), 9.0),
    ((7, 22, 7), (46, 20, 17), (87, 16, 22), 8.5),
    ((30, 42, 7), (62, 38, 14), (98, 31, 20), 7.0),
    ((78, -62, 8), (104, -48, 14), (138, -22, 20), 10.0),
)
WRITING_FINGERS: tuple[tuple[Point3, Point3, Point3, float], ...] = (
    ((24, 2, 24), (48, -14, 44), (86, -8, 48), 8.5),
    ((30, 12, 18), (52, 8, 40), (90, 8, 46), 8.5),
    ((44, 20, 11), (62, 24, 28), (94, 22, 40), 8.0),
    ((58, 27, 9), (74, 34, 20), (100, 33, 32), 7.0),
    ((28, -8, 24), (56, -30, 34), (104, -24, 34), 9.5),
)
FLAT_WRIST: tuple[Point3, ...] = ((176, -11, 26), (176, 12, 26))
WRITING_WRIST: tuple[Point3, ...] = ((172, -2, 30), (172, 16, 28))
ARM_END_MM = 620.0
SLEEVE_FROM_MM = 250.0
SCREEN_MM = 95.0


def hand_bodies(hand: Hand) -> list[Capsule]:
    """The capsules of a hand with its arm and sleeve, and its pen when it writes."""
    place = _Placing(hand.tip_mm, hand.from_deg, hand.height_mm, mirrored=not hand.left)
    fingers = WRITING_FINGERS if hand.writing else FLAT_FINGERS
    wrist = WRITING_WRIST if hand.writing else FLAT_WRIST
    spread = 1.0 if hand.writing else 0.75 + 0.5 * hand.spread
    bodies: list[Capsule] = []
    for tip, joint, knuckle, radius in fingers:
        spread_tip = (tip[0], tip[1] * spread, tip[2])
        bodies += [
            Capsule(place(spread_tip), place(joint), (radius * 0.82, radius), hand.skin_bgr),
            Capsule(place(joint), place(knuckle), (radius, radius * 1.25), hand.skin_bgr),
        ]
        bodies += [Capsule(place(knuckle), place(end), (radius * 1.5, 17.0), hand.skin_bgr) for end in wrist]
        if not hand.writing:
            bodies.append(_nail(place, spread_tip, joint, radius, hand.skin_bgr))
    elbow = (ARM_END_MM, 30.0, 60.0)
    cuff = (SLEEVE_FROM_MM, 8.0, 40.0)
    bodies += [
        Capsule(place((176, 1, 28)), place(elbow), (26.0, 38.0), hand.skin_bgr),
        Capsule(place(cuff), place(elbow), (38.0, 62.0), hand.sleeve_bgr),
    ]
    if hand.writing:
        bodies += _held_pen(place, hand)
    return bodies


def thing_bodies(thing: Thing) -> list[Body]:
    """The bodies of a thing, in the order of painting."""
    place = _Placing(thing.centre_mm, thing.rotation_deg, 0.0)
    if thing.kind == "pen":
        return [Capsule(place((-70, 0, 5)), place((62, 0, 5)), (5.0, 5.0), thing.bgr)]
    if thing.kind == "marker":
        return [
            Capsule(place((-60, 0, 7)), place((60, 0, 7)), (7.0, 7.0), WHITE),
            Capsule(place((20, 0, 7.3)), place((62, 0, 7.3)), (7.4, 7.0), thing.bgr),
            Capsule(place((-62, 0, 7.3)), place((-54, 0, 7.3)), (6.5, 7.2), thing.bgr),
        ]
    if thing.kind == "mug":
        rim = [Prism(_ring(place, radius), z, z, bgr) for radius, z, bgr in ((37, 95, DARK), (36, 80, COFFEE))]
        handle = Capsule(place((42, 0, 50)), place((66, 0, 55)), (7.0, 7.0), thing.bgr)
        return [handle, Prism(_ring(place, 42), 0, 95, thing.bgr), *rim]
    if thing.kind == "phone":
        screen = Prism(_box(place, 34, 68), 8, 8, thing.bgr)
        return [Prism(_box(place, 37, 74), 0, 8, DARK), screen]
    if thing.kind == "screen":
        # Three panels of cardboard, folded towards their owner, who sits where y grows.
        folds = ((-105.0, 45.0), (-80.0, 0.0), (80.0, 0.0), (105.0, 45.0))
        return [Prism(_wall(place, *ends), 0, SCREEN_MM, thing.bgr) for ends in pairwise(folds)]
    if thing.kind == "disc":
        return [Prism(_ring(place, 7), 0, 4, thing.bgr)]
    if thing.kind == "cube":
        return [Prism(_box(place, 7, 7), 0, 14, thing.bgr)]
    corner = ((-12, -8), (12, -8), (12, 8), (4, 8), (4, 0), (-12, 0))
    return [Prism(tuple(place((x, y, 0.0))[:2] for x, y in corner), 0, 4, thing.bgr)]


class _Placing:
    """Turns points around a thing's own origin into table points."""

    def __init__(
        self, origin_mm: tuple[float, float], turn_deg: float, height_mm: float, *, mirrored: bool = False
    ) -> None:
        turn = np.radians(turn_deg)
        self._along = np.array([np.cos(turn), np.sin(turn)])
        self._side = np.array([-np.sin(turn), np.cos(turn)]) * (-1 if mirrored else 1)
        self._origin, self._height = np.array(origin_mm), height_mm

    def __call__(self, point: Point3) -> Point3:
        x, y = self._origin + point[0] * self._along + point[1] * self._side
        return float(x), float(y), point[2] + self._height


def _nail(place: _Placing, tip: Point3, joint: Point3, radius: float, skin_bgr: Colour) -> Capsule:
    begin, way = np.array(tip), np.array(joint) - np.array(tip)
    way = way / np.linalg.norm(way)
    bgr: Array = np.minimum(np.array(skin_bgr) * 0.75 + 60, 255)
    colour: Colour = (float(bgr[0]), float(bgr[1]), float(bgr[2]))
    ends = [begin + way * reach + (0, 0, radius * 0.45) for reach in (-1.5, 4.0)]
    first, last = (place((float(x), float(y), float(z))) for x, y, z in ends)
    return Capsule(first, last, (radius * 0.5, radius * 0.5), colour)


def _held_pen(place: _Placing, hand: Hand) -> list[Capsule]:
    lift = -hand.height_mm  # the tip touches the board while the hand hovers
    point, shoulder, end = (0.0, 0.0, 1.0 + lift), (12.0, -3.0, 15.0), (104.0, -16.0, 96.0)
    return [
        Capsule(place(point), place(shoulder), (1.2, 5.5), DARK),
        Capsule(place(shoulder), place(end), (6.0, 6.5), hand.pen_bgr),
    ]


def _ring(place: _Placing, radius_mm: float) -> tuple[tuple[float, float], ...]:
    angles = np.arange(0, 2 * np.pi, np.pi / 16)
    return tuple(place((radius_mm * float(np.cos(a)), radius_mm * float(np.sin(a)), 0.0))[:2] for a in angles)


def _box(place: _Placing, half_x: float, half_y: float) -> tuple[tuple[float, float], ...]:
    corners = ((-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y))
    return tuple(place((x, y, 0.0))[:2] for x, y in corners)


def _wall(
    place: _Placing, begin: tuple[float, float], end: tuple[float, float], half_mm: float = 0.8
) -> tuple[tuple[float, float], ...]:
    """The outline of a thin wall between two points."""
    along = np.subtract(end, begin) / np.hypot(*np.subtract(end, begin))
    side = half_mm * np.array([-along[1], along[0]])
    corners = (np.add(begin, -side), np.add(end, -side), np.add(end, side), np.add(begin, side))
    return tuple(place((float(x), float(y), 0.0))[:2] for x, y in corners)
