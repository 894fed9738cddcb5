"""Playing cards as an ordinary pack shows them, drawn by code: index, pips, courts and jokers."""

from functools import lru_cache

import cv2
import numpy as np

from vision.render.noise import Array

CARD_MM = (63.0, 88.0)
CORNER_MM = 3.0
_FINE = 10  # pixels per mm that everything is drawn with before it is made smaller
_STOCK, _RED, _BLACK, _GOLD, _BLUE = (250, 252, 252), (35, 25, 200), (30, 28, 28), (70, 180, 225), (150, 80, 40)
_RANK_MM, _PIP_MM, _INDEX_AT_MM = 9.0, 6.5, (7.0, 4.0)
_L, _M, _R = 0.0, 0.5, 1.0
_SIX = [(x, y) for x in (_L, _R) for y in (0.0, 0.5, 1.0)]
_EIGHT = [(x, y) for x in (_L, _R) for y in (0.0, 1 / 3, 2 / 3, 1.0)]
_PIPS = {
    "A": [(_M, 0.5)],
    "2": [(_M, 0.0), (_M, 1.0)],
    "3": [(_M, 0.0), (_M, 0.5), (_M, 1.0)],
    "4": [(x, y) for x in (_L, _R) for y in (0.0, 1.0)],
    "5": [*((x, y) for x in (_L, _R) for y in (0.0, 1.0)), (_M, 0.5)],
    "6": _SIX,
    "7": [*_SIX, (_M, 0.25)],
    "8": [*_SIX, (_M, 0.25), (_M, 0.75)],
    "9": [*_EIGHT, (_M, 0.5)],
    "10": [*_EIGHT, (_M, 1 / 6), (_M, 5 / 6)],
}
"""Where the pips of a rank are, from the top left of a card's inner area to its bottom right."""
_INNER_MM = ((20.0, 17.0), (43.0, 71.0))


def card_face(card: str, px_per_mm: float) -> Array:
    """The face of a card (`QH`, `joker`) as BGR, at about so many pixels per mm. Raises ValueError for no such card."""
    face = _drawn(card)
    size = max(2, round(CARD_MM[0] * px_per_mm)), max(2, round(CARD_MM[1] * px_per_mm))
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA))


@lru_cache(maxsize=64)
def _drawn(card: str) -> Array:
    face = np.full((round(CARD_MM[1] * _FINE), round(CARD_MM[0] * _FINE), 3), _STOCK, np.uint8)
    if card == "joker":
        index, ink = _stacked([_text(letter, 5.0, 0.8) for letter in "JOKER"], 0.4), _BLACK
        _jester(face)
    else:
        rank, suit = card[:-1], card[-1:]
        if suit not in "SHDC" or not suit or rank not in (*_PIPS, *"JQK"):
            raise ValueError(f"there is no card '{card[:20]}'")
        ink = _RED if suit in "HD" else _BLACK
        slim = 0.82 if rank == "10" else 0.62
        index = _stacked([_text(rank, _RANK_MM, slim), _pip(suit, _PIP_MM)], 1.0)
        if rank in _PIPS:
            _pips(face, rank, suit, ink)
        else:
            _court(face, rank, suit, ink)
    at = _INDEX_AT_MM[0] * _FINE, _INDEX_AT_MM[1] * _FINE + index.shape[0] / 2
    _print_twice(face, index, at, ink)
    return face


# --- what is on it ----------------------------------------------------------------------------


def _pips(face: Array, rank: str, suit: str, ink: tuple[int, int, int]) -> None:
    (left, top), (right, bottom) = _INNER_MM
    pip = _pip(suit, 26.0 if rank == "A" else 11.0)
    for across, down in _PIPS[rank]:
        at = (left + across * (right - left)) * _FINE, (top + down * (bottom - top)) * _FINE
        _print(face, pip[::-1, ::-1] if down > 0.5 else pip, at, ink)


def _court(face: Array, rank: str, suit: str, ink: tuple[int, int, int]) -> None:
    """Head and robe, twice, one on its head."""
    height, width = face.shape[:2]
    left, top = 15 * _FINE, 9 * _FINE
    half = face[top : height // 2, left : width - left]
    half[:] = (225, 240, 248)
    middle, floor = half.shape[1] // 2, half.shape[0]
    robe = np.array([[0, floor], [middle - 70, 190], [middle + 70, 190], [2 * middle, floor]])
    cv2.fillPoly(half, [robe], ink, cv2.LINE_AA)
    cv2.fillPoly(half, [np.array([[middle - 26, 190], [middle + 26, 190], [middle, floor]])], _GOLD, cv2.LINE_AA)
    cv2.ellipse(half, ((middle, 140), (96, 116), 0.0), (185, 205, 238), -1, cv2.LINE_AA)
    for x in (-20, 20):
        cv2.circle(half, (middle + x, 136), 6, _BLACK, -1, cv2.LINE_AA)
    cv2.ellipse(half, (middle, 160), (18, 9), 0, 10, 170, _BLACK, 3, cv2.LINE_AA)
    crown = {"K": (-60, -30, 0, 30, 60), "Q": (-45, 0, 45), "J": (-30,)}[rank]
    cv2.rectangle(half, (middle - 62, 78), (middle + 62, 98), _GOLD, -1)
    for x in crown:
        cv2.fillPoly(half, [np.array([[middle + x - 17, 80], [middle + x + 17, 80], [middle + x, 30]])], _GOLD)
    _print(half, _pip(suit, 7.0), (46.0, 52.0), ink)
    low = height - height // 2
    face[low : height - top, left : width - left] = half[::-1, ::-1]
    cv2.rectangle(face, (left, top), (width - left, height - top), _BLUE, 3)


def _jester(face: Array) -> None:
    height, width = face.shape[:2]
    middle, down = width // 2, height // 2
    for x, colour in ((-120, _RED), (0, _GOLD), (120, _BLUE)):
        cap = np.array([[middle - 90, down - 40], [middle + 90, down - 40], [middle + x, down - 240]])
        cv2.fillPoly(face, [cap], colour, cv2.LINE_AA)
        cv2.circle(face, (middle + x, down - 245), 16, _GOLD, -1, cv2.LINE_AA)
    cv2.ellipse(face, ((middle, down + 20), (190, 220), 0.0), (185, 205, 238), -1, cv2.LINE_AA)
    for x in (-40, 40):
        cv2.circle(face, (middle + x, down), 11, _BLACK, -1, cv2.LINE_AA)
    cv2.ellipse(face, (middle, down + 45), (50, 30), 0, 10, 170, _RED, 6, cv2.LINE_AA)
    for x, colour in ((-90, _BLUE), (-30, _GOLD), (30, _RED), (90, _BLUE)):
        ruff = np.array([[middle + x - 45, down + 125], [middle + x + 45, down + 125], [middle + x, down + 230]])
        cv2.fillPoly(face, [ruff], colour, cv2.LINE_AA)


# --- shapes -----------------------------------------------------------------------------------


def _text(text: str, height_mm: float, slimness: float) -> Array:
    mask = np.zeros((200, 260), np.uint8)
    cv2.putText(mask, text, (30, 150), cv2.FONT_HERSHEY_DUPLEX, 4.0, (255,), 13, cv2.LINE_AA)
    return _fitted(mask, height_mm, slimness)


def _pip(suit: str, height_mm: float) -> Array:
    mask = np.zeros((220, 220), np.uint8)
    if suit == "D":
        cv2.fillPoly(mask, [np.array([[110, 20], [180, 110], [110, 200], [40, 110]])], (255,), cv2.LINE_AA)
    elif suit == "C":
        for centre in ((110, 65), (65, 130), (155, 130)):
            cv2.circle(mask, centre, 43, (255,), -1, cv2.LINE_AA)
    else:
        for centre in ((70, 75), (150, 75)):
            cv2.circle(mask, centre, 45, (255,), -1, cv2.LINE_AA)
        cv2.fillPoly(mask, [np.array([[30, 95], [190, 95], [110, 200]])], (255,), cv2.LINE_AA)
        cv2.fillPoly(mask, [np.array([[60, 60], [160, 60], [160, 110], [60, 110]])], (255,), cv2.LINE_AA)
    if suit == "S":
        mask = np.ascontiguousarray(mask[::-1])
    if suit in "SC":
        cv2.fillPoly(mask, [np.array([[104, 100], [116, 100], [145, 205], [75, 205]])], (255,), cv2.LINE_AA)
    return _fitted(mask, height_mm)


def _fitted(mask: Array, height_mm: float, slimness: float | None = None) -> Array:
    """What is on a mask and nothing around it, so high; as wide as it is drawn, or so much of its height."""
    left, top, width, height = cv2.boundingRect(mask)
    high = round(height_mm * _FINE)
    size = round(high * (width / height if slimness is None else slimness)), high
    return np.asarray(cv2.resize(mask[top : top + height, left : left + width], size, interpolation=cv2.INTER_AREA))


def _stacked(parts: list[Array], gap_mm: float) -> Array:
    wide = max(part.shape[1] for part in parts)
    rows: list[Array] = []
    for part in parts:
        left = (wide - part.shape[1]) // 2
        rows += [np.pad(part, ((0, 0), (left, wide - part.shape[1] - left)))]
        rows += [np.zeros((round(gap_mm * _FINE), wide), np.uint8)]
    return np.vstack(rows[:-1])


def _print_twice(face: Array, mask: Array, at: tuple[float, float], ink: tuple[int, int, int]) -> None:
    height, width = face.shape[:2]
    _print(face, mask, at, ink)
    _print(face, mask[::-1, ::-1], (width - at[0], height - at[1]), ink)


def _print(face: Array, mask: Array, middle: tuple[float, float], ink: tuple[int, int, int]) -> None:
    left, top = round(middle[0] - mask.shape[1] / 2), round(middle[1] - mask.shape[0] / 2)
    spot = face[top : top + mask.shape[0], left : left + mask.shape[1]]
    share = mask[..., None].astype(np.float32) / 255
    spot[:] = (spot * (1 - share) + np.array(ink) * share).astype(np.uint8)
