"""Playing cards drawn with a few shapes of OpenCV, laid on a table and looked at from any side: the truth for tests."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.markers import Floats, Image

PX_PER_MM = 8
WIDTH_MM, HEIGHT_MM = 63, 88
RED, BLACK, GREEN, BLUE = (30, 20, 200), (25, 25, 25), (40, 120, 30), (190, 90, 20)
TWO_COLOURS = {"S": BLACK, "C": BLACK, "H": RED, "D": RED}
FOUR_COLOURS = {"S": BLACK, "C": GREEN, "H": RED, "D": BLUE}
FELT = (70, 110, 50)


@dataclass(frozen=True)
class Laid:
    """A card on the table: the place of its middle in millimetres, and its turn."""

    card: str
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True)
class Pack:
    colours: dict[str, tuple[int, int, int]]
    rank_mm: float = 9.0
    letters: tuple[tuple[str, str], ...] = ()
    """What courts are called where it is not J, Q and K."""


ORDINARY = Pack(TWO_COLOURS)
JUMBO = Pack(TWO_COLOURS, 15.0)
FOUR_COLOURED = Pack(FOUR_COLOURS)
FRENCH = Pack(TWO_COLOURS, letters=(("J", "V"), ("Q", "D"), ("K", "R")))


def table(
    cards: Sequence[Laid],
    pack: Pack = ORDINARY,
    px_per_mm: float = 3.0,
    size_px: tuple[int, int] = (900, 700),
    tilt_deg: float = 0.0,
    ground: Image | None = None,
) -> Image:
    """The table with its cards, the later ones above the earlier."""
    width, height = size_px
    frame = np.full((height, width, 3), FELT, np.uint8) if ground is None else ground.copy()
    camera = _camera(px_per_mm, size_px, tilt_deg)
    for laid in cards:
        face = face_of(laid.card, pack)
        to_table = _moved(laid.x_mm, laid.y_mm) @ _turned(laid.turn_deg) @ _moved(-WIDTH_MM / 2, -HEIGHT_MM / 2)
        matrix = camera @ to_table @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
        # Averaged before it is thinned out, as a lens does.
        shrink = max(1, int(PX_PER_MM / px_per_mm))
        small = cv2.resize(face, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        matrix = matrix @ np.diag([shrink, shrink, 1.0])
        layer = cv2.warpPerspective(small, matrix, size_px, flags=cv2.INTER_LINEAR)
        alpha = layer[..., 3:].astype(np.float32) / 255
        frame = np.asarray(frame * (1 - alpha) + layer[..., :3] * alpha, np.uint8)
    return frame


def seen_at(laid: Laid, px_per_mm: float = 3.0, size_px: tuple[int, int] = (900, 700), tilt_deg: float = 0.0) -> Floats:
    """Where the middle of a card is in the picture."""
    x, y, w = _camera(px_per_mm, size_px, tilt_deg) @ (laid.x_mm, laid.y_mm, 1.0)
    return np.array([x / w, y / w])


def face_of(card: str, pack: Pack) -> Image:
    """The face of a card with an alpha channel for its round corners."""
    size = (WIDTH_MM * PX_PER_MM, HEIGHT_MM * PX_PER_MM)
    face = np.full((size[1], size[0], 3), 250, np.uint8)
    if card == "*":
        cv2.ellipse(face, (size[0] // 2, size[1] // 2), (80, 160), 0, 0, 360, (60, 160, 220), -1, cv2.LINE_AA)
        index, ink = _joker(pack), BLACK
    else:
        rank, suit = card[:-1], card[-1]
        ink = pack.colours[suit]
        index = _index(dict(pack.letters).get(rank, rank), suit, pack)
        if rank in "JQK":
            cv2.rectangle(face, (130, 60), (size[0] - 130, size[1] - 60), (160, 60, 30), 3)
            cv2.rectangle(face, (170, 200), (size[0] - 170, size[1] - 200), (60, 190, 230), -1)
        else:
            _print(face, _pip(suit, 14.0), (size[0] / 2, size[1] / 2), ink)
    across, down = 2.0 * PX_PER_MM + index.shape[1] / 2, 3.5 * PX_PER_MM + index.shape[0] / 2
    _print(face, index, (across, down), ink)
    _print(face, index[::-1, ::-1], (size[0] - across, size[1] - down), ink)
    alpha = np.zeros((size[1], size[0]), np.uint8)
    radius = 3 * PX_PER_MM
    cv2.rectangle(alpha, (radius, 0), (size[0] - 1 - radius, size[1] - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (size[0] - 1, size[1] - 1 - radius), 255, -1)
    for x in (radius, size[0] - 1 - radius):
        for y in (radius, size[1] - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.dstack([face, alpha])


def _index(text: str, suit: str, pack: Pack) -> Image:
    return _stacked(
        [_text(text, pack.rank_mm, 0.62 * (1.3 if text == "10" else 1.0)), _pip(suit, 0.62 * pack.rank_mm)], 10
    )


def _joker(pack: Pack) -> Image:
    return _stacked([_text(letter, 0.45 * pack.rank_mm, 0.8) for letter in "JOKER"], 4)


def _stacked(parts: list[Image], gap: int) -> Image:
    wide = max(part.shape[1] for part in parts)
    rows = []
    for part in parts:
        left = (wide - part.shape[1]) // 2
        rows += [np.pad(part, ((0, 0), (left, wide - part.shape[1] - left))), np.zeros((gap, wide), np.uint8)]
    return np.vstack(rows[:-1])


def _text(text: str, height_mm: float, slimness: float) -> Image:
    mask = np.zeros((200, 260), np.uint8)
    cv2.putText(mask, text, (30, 150), cv2.FONT_HERSHEY_DUPLEX, 4.0, 255, 12, cv2.LINE_AA)
    height = round(height_mm * PX_PER_MM)
    return np.asarray(cv2.resize(_trimmed(mask), (round(height * slimness), height), interpolation=cv2.INTER_AREA))


def _pip(suit: str, height_mm: float) -> Image:
    mask = np.zeros((220, 220), np.uint8)
    if suit == "D":
        cv2.fillPoly(mask, [np.array([[110, 20], [180, 110], [110, 200], [40, 110]])], 255, cv2.LINE_AA)
    elif suit == "C":
        for centre in ((110, 65), (65, 130), (155, 130)):
            cv2.circle(mask, centre, 43, 255, -1, cv2.LINE_AA)
    else:
        for centre in ((70, 75), (150, 75)):
            cv2.circle(mask, centre, 45, 255, -1, cv2.LINE_AA)
        cv2.fillPoly(mask, [np.array([[30, 95], [190, 95], [110, 200]])], 255, cv2.LINE_AA)
        cv2.fillPoly(mask, [np.array([[60, 60], [160, 60], [160, 110], [60, 110]])], 255, cv2.LINE_AA)
    if suit == "S":
        mask = mask[::-1].copy()
    if suit in "SC":
        cv2.fillPoly(mask, [np.array([[104, 100], [116, 100], [145, 205], [75, 205]])], 255, cv2.LINE_AA)
    cut = _trimmed(mask)
    height = round(height_mm * PX_PER_MM)
    return np.asarray(
        cv2.resize(cut, (round(height * cut.shape[1] / cut.shape[0]), height), interpolation=cv2.INTER_AREA)
    )


def _trimmed(mask: Image) -> Image:
    left, top, width, height = cv2.boundingRect(mask)
    return mask[top : top + height, left : left + width]


def _print(face: Image, mask: Image, middle: tuple[float, float], ink: tuple[int, int, int]) -> None:
    left, top = round(middle[0] - mask.shape[1] / 2), round(middle[1] - mask.shape[0] / 2)
    spot = face[top : top + mask.shape[0], left : left + mask.shape[1]]
    share = mask[..., None].astype(np.float32) / 255
    spot[:] = spot * (1 - share) + np.array(ink) * share


def _camera(px_per_mm: float, size_px: tuple[int, int], tilt_deg: float) -> Floats:
    tilt, distance = np.radians(tilt_deg), 1.6 * max(size_px) / px_per_mm
    plane = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt) / distance, 1]])
    return np.asarray(_moved(size_px[0] / 2, size_px[1] / 2) @ np.diag([px_per_mm, px_per_mm, 1.0]) @ plane)


def _moved(x: float, y: float) -> Floats:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _turned(turn_deg: float) -> Floats:
    turn = np.radians(turn_deg)
    return np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
