"""Draws tables with playing cards and tells where every corner index is; for training only.

    python tools/cards/scenes.py OUT --count 2500 --fonts FONTS [--photos PHOTOS] [--packs PACKS] [--seed 1]

Writes `OUT/001000000.jpg` and so on and, beside each, a JSON file: indices with card, the number of the card in the
scene, centre, the way up, height and how much of each can be seen; `right` is the vector across, as long as the way up
where nothing is slanted. `--photos`: labels folders (cards or dice) whose openly licensed photographs without cards
serve as tables. `--packs`: folders of packs that `printed.py` has prepared, used in a share of the scenes.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from faces import JOKER, PX_PER_MM, RANKS, SUITS, Array, Face, Pack, Rng, lettering, load_fonts
from printed import PrintedPack, load_packs

SIZES_PX = ((720, 720), (840, 630), (630, 840))
"""Width and height: as squares, and as telephones take photographs."""
OPEN = ("Apache-2.0", "CC0", "MIT")


LAYOUTS = {"scattered": 0.27, "heap": 0.17, "fan": 0.2, "row": 0.14, "column": 0.1, "spread": 0.12}
"""How often cards lie which way."""

AnyPack = Pack | PrintedPack


@dataclass(frozen=True)
class Choice:
    """What scenes are made from."""

    fonts: list[Path]
    photos: list[Array]
    printed: list[PrintedPack]
    printed_share: float
    layouts: list[str]
    tilt_deg: float


def scene(rng: Rng, choice: Choice) -> tuple[Array, list[dict[str, object]]]:
    """A picture and its indices."""
    fonts = choice.fonts
    size = SIZES_PX[rng.integers(len(SIZES_PX))]
    table = _table(rng, size, choice.photos, fonts)
    px_per_mm = float(np.exp(rng.uniform(np.log(1.1), np.log(5.0))))
    camera = _camera(rng, size, px_per_mm, choice.tilt_deg)
    canvas, owner = table.astype(np.float32), np.zeros(table.shape[:2], np.int32)
    packs = [_pack(rng, choice) for _ in range(1 if rng.random() < 0.9 else 2)]
    for _ in range(int(rng.integers(0, 4))):
        _clutter(canvas, owner, rng, px_per_mm, fonts)
    laid: list[tuple[Face | None, Array]] = []
    hands = [_dealt(rng, joker=isinstance(pack, Pack)) for pack in packs]
    backs = 0.25 if rng.random() < 0.2 else 0.04
    for pose in _layout(rng, size, px_per_mm, choice.layouts):
        number = int(rng.integers(len(packs)))
        matrix = camera @ pose @ _centred(packs[number])
        if rng.random() < backs:
            picture, face = packs[number].back(rng), None
        else:
            face = packs[number].face(next(hands[number]))
            picture = face.bgra
        laid.append((face, matrix))
        _lay(canvas, owner, picture, matrix, len(laid), rng)
    for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2]))):
        _clutter(canvas, owner, rng, px_per_mm, fonts, above=True)
    truth = [
        entry
        for number, (face, matrix) in enumerate(laid, 1)
        if face
        for entry in _indices(face, matrix, owner == number, number)
    ]
    return _lit(canvas, rng), truth


def _pack(rng: Rng, choice: Choice) -> AnyPack:
    if choice.printed and rng.random() < choice.printed_share:
        return choice.printed[rng.integers(len(choice.printed))]
    return Pack(rng, choice.fonts)


def _dealt(rng: Rng, joker: bool) -> Iterator[str]:
    """The cards of a shuffled pack, in some of which jokers are many; then those of a further one."""
    jokers = int(rng.choice([0, 2, 2, 8])) if joker else 0
    while True:
        cards = [rank + suit for rank in RANKS for suit in SUITS]
        cards += [JOKER] * jokers
        yield from rng.permutation(cards).tolist()


def _centred(pack: AnyPack) -> Array:
    """From pixels of a face to millimetres around its middle."""
    return np.array([[1 / PX_PER_MM, 0, -pack.width_mm / 2], [0, 1 / PX_PER_MM, -pack.height_mm / 2], [0, 0, 1]])


def _camera(rng: Rng, size: tuple[int, int], px_per_mm: float, most_deg: float) -> Array:
    """From millimetres on the table, around the middle of the picture, to its pixels."""
    tilt = min(np.radians(abs(rng.normal(0, 20)) if rng.random() < 0.6 else rng.uniform(0, 60)), np.radians(most_deg))
    distance = max(size) / px_per_mm * rng.uniform(1.0, 2.5)
    plane = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt) / distance, 1]])
    squeeze = np.diag([np.exp(rng.normal(0, 0.2)), 1, 1]) if rng.random() < 0.3 else np.eye(3)
    return (
        _moved(size[0] / 2, size[1] / 2)
        @ np.diag([px_per_mm, px_per_mm, 1])
        @ _turned(rng.normal(0, 0.15))
        @ squeeze
        @ plane
        @ _turned(rng.uniform(0, 6.3))
    )


def _moved(x: float, y: float) -> Array:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _turned(turn: float) -> Array:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])


def _layout(rng: Rng, size: tuple[int, int], px_per_mm: float, layouts: list[str]) -> list[Array]:
    """Poses of cards in millimetres, the lowest first."""
    reach = min(size) / px_per_mm / 2
    shares = np.array([LAYOUTS[name] for name in layouts])
    kind = rng.choice(layouts, p=shares / shares.sum())
    turn, x, y = rng.uniform(0, 6.3), *rng.uniform(-0.35, 0.35, 2) * reach
    base = _moved(x, y) @ _turned(turn)
    count = int(rng.integers(1, 9))
    if kind == "fan":
        step, pivot = np.radians(rng.uniform(5, 16)), rng.uniform(60, 160)
        poses = [
            base @ _moved(0, pivot) @ _turned((k - count / 2) * step + rng.normal(0, 0.02)) @ _moved(0, -pivot)
            for k in range(count)
        ]
    elif kind in ("row", "column"):
        gap = rng.uniform(8, 30) if rng.random() < 0.6 else rng.uniform(64, 90)
        way = (gap, 0.0) if kind == "row" else (0.0, gap + 6)
        poses = [
            base
            @ _moved(k * way[0] + rng.normal(0, 1.5), k * way[1] + rng.normal(0, 1.5))
            @ _turned(rng.normal(0, 0.04))
            for k in range(count)
        ]
    elif kind == "heap":
        poses = [base @ _moved(*rng.normal(0, 35, 2)) @ _turned(rng.uniform(0, 6.3)) for _ in range(count)]
    else:
        many = int(np.clip((2 * reach / 95) ** 2 * rng.uniform(0.3, 0.9), 1, 18))
        poses = []
        for _ in range(many * 8):
            at = rng.uniform(-1, 1, 2) * reach
            if kind == "spread" or all(np.hypot(*(at - pose[:2, 2])) > 85 for pose in poses):
                poses.append(_moved(*at) @ _turned(rng.uniform(0, 6.3)))
            if len(poses) >= many:
                break
    if rng.random() < 0.2:
        poses += [
            _moved(*rng.uniform(-1, 1, 2) * reach) @ _turned(rng.uniform(0, 6.3))
            for _ in range(int(rng.integers(1, 4)))
        ]
    if rng.random() < 0.3 and kind in ("fan", "row", "column"):
        poses = poses[::-1]
    return poses


def _lay(canvas: Array, owner: Array, bgra: Array, matrix: Array, number: int, rng: Rng) -> None:
    """Lays a card on the table with the shadow at its edge."""
    shrink = 1
    corners = (
        np.array([[0, 0, 1], [bgra.shape[1], 0, 1], [bgra.shape[1], bgra.shape[0], 1], [0, bgra.shape[0], 1]])
        @ matrix.T
    )
    if (corners[:, 2] <= 0.2).any():
        return
    area = cv2.contourArea((corners[:, :2] / corners[:, 2:]).astype(np.float32))
    while bgra.shape[0] * bgra.shape[1] / shrink**2 > 4 * max(area, 100):
        shrink *= 2
    if shrink > 1:
        small = cv2.resize(bgra, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        matrix = matrix @ np.diag([bgra.shape[1] / small.shape[1], bgra.shape[0] / small.shape[0], 1.0])
        bgra = small
    # Only the part of the table around the card is worked on.
    corners = corners[:, :2] / corners[:, 2:]
    limits = canvas.shape[1::-1]
    left, top = np.floor(corners.min(axis=0) - 14).clip(0, limits).astype(int)
    right, bottom = np.ceil(corners.max(axis=0) + 14).clip(0, limits).astype(int)
    if right - left < 2 or bottom - top < 2:
        return
    spot, size = np.s_[top:bottom, left:right], (int(right - left), int(bottom - top))
    layer = cv2.warpPerspective(bgra, _moved(-left, -top) @ matrix, size, flags=cv2.INTER_LINEAR)
    alpha = layer[..., 3:].astype(np.float32) / 255
    way = rng.normal(0, 2.5, 2)
    shade = cv2.GaussianBlur(alpha[..., 0], (0, 0), rng.uniform(0.8, 3.5))
    shade = cv2.warpAffine(shade, np.array([[1, 0, way[0]], [0, 1, way[1]]]), size)
    pixels = layer[..., :3].astype(np.float32) * rng.uniform(0.85, 1.0)
    if rng.random() < 0.3:
        pixels = _glossy(pixels, corners - (left, top), rng)
    canvas[spot] = canvas[spot] * (1 - rng.uniform(0.1, 0.6) * shade[..., None]) * (1 - alpha) + pixels * alpha
    owner[spot][alpha[..., 0] > 0.5] = number


def _glossy(pixels: Array, corners: Array, rng: Rng) -> Array:
    """A card that lies a little curved: darker to one side, and where a lamp is mirrored veiled in white."""
    middle, reach = corners.mean(axis=0), np.hypot(*np.ptp(corners, axis=0)) / 2
    turn = rng.uniform(0, 6.3)
    y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]].astype(np.float32)
    across = ((x - middle[0]) * np.cos(turn) + (y - middle[1]) * np.sin(turn)) / reach
    pixels = pixels * (1 - rng.uniform(0, 0.25) * across[..., None])
    if rng.random() < 0.5:
        band = np.exp(-(((across - rng.uniform(-0.8, 0.8)) / rng.uniform(0.1, 0.6)) ** 2))[..., None]
        veil = rng.uniform(0.1, 0.75) * band
        pixels = pixels * (1 - veil) + rng.uniform(200, 255) * veil
    return np.asarray(pixels.clip(0, 255), np.float32)


def _indices(face: Face, matrix: Array, visible: Array, number: int) -> list[dict[str, object]]:
    entries = []
    for index in face.indices:
        centre, up = np.array(index.centre), np.array(index.up)
        across = np.array([-up[1], up[0]])
        tall, wide = up * index.height / 2, across * index.width / 2
        outline = np.array([centre + tall - wide, centre + tall + wide, centre - tall + wide, centre - tall - wide])
        # As far to the right as to the top: told in the picture, the two vectors say how the index is slanted.
        right = across * index.height / 2
        points = np.vstack([outline, centre, centre + tall, centre - tall, centre + right, centre - right])
        seen = np.column_stack([points, np.ones(len(points))]) @ matrix.T
        if (seen[:, 2] < 0.2).any():
            continue
        seen = seen[:, :2] / seen[:, 2:]
        mask = np.zeros(visible.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(seen[:4]).astype(np.int32)], 1)
        # What lies outside the picture is not seen either.
        area = max(cv2.contourArea(seen[:4].astype(np.float32)), 1.0)
        shown = min(
            1.0,
            float((visible & (mask > 0)).sum())
            / max(area, float(mask.sum()) if _inside(seen[:4], visible.shape) else area),
        )
        rise, aside = seen[5] - seen[6], seen[7] - seen[8]
        entries.append(
            {
                "card": face.card,
                "number": number,
                "centre_px": [round(float(v), 2) for v in seen[4]],
                "up": [round(float(v), 4) for v in rise / max(np.hypot(*rise), 1e-6)],
                "height_px": round(float(np.hypot(*rise)), 2),
                "right": [round(float(v), 4) for v in aside / max(np.hypot(*rise), 1e-6)],
                "seen": round(shown, 3),
            }
        )
    return entries


def _inside(points: Array, shape: tuple[int, ...]) -> bool:
    return bool((points >= 0).all() and (points < shape[1::-1]).all())


# --- tables, things and light -----------------------------------------------------------------


def _table(rng: Rng, size: tuple[int, int], photos: list[Array], fonts: list[Path]) -> Array:
    width, height = size
    kind = rng.choice(
        ["plain", "grain", "checked", "striped", "cloth", "print", "photo"], p=[0.12, 0.2, 0.1, 0.1, 0.13, 0.1, 0.25]
    )
    base = rng.uniform(20, 235, 3) if rng.random() < 0.5 else np.array([40, 90, 40]) * rng.uniform(0.5, 1.6)
    other = np.clip(base + rng.normal(0, 50, 3), 0, 255)
    if rng.random() < 0.3:
        # Tables and papers as white as the cards on them, which then have hardly an edge.
        kind, base = rng.choice(["plain", "grain", "cloth"]), rng.uniform(190, 255) - rng.uniform(0, 25, 3)
        other = base - rng.uniform(0, 20)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    turn = rng.uniform(0, 6.3)
    u, v = x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn)
    if kind == "photo" and photos:
        photo = photos[rng.integers(len(photos))]
        photo = np.ascontiguousarray(np.rot90(photo, int(rng.integers(4))))
        shrink = min(photo.shape[0] / height, photo.shape[1] / width) * rng.uniform(0.4, 1)
        part = int(height * shrink), int(width * shrink)
        top, left = (int(rng.integers(0, whole - cut + 1)) for whole, cut in zip(photo.shape, part, strict=False))
        return cv2.resize(photo[top : top + part[0], left : left + part[1]], size)
    if kind == "checked":
        period = rng.uniform(6, 120)
        mix = ((np.sin(u * 3.14 / period) * np.sin(v * 3.14 / period)) > 0).astype(np.float32)
    elif kind == "striped":
        period = rng.uniform(4, 80)
        mix = 0.5 + 0.5 * np.sin(u * 6.28 / period)
    elif kind == "grain":
        coarse = cv2.resize(rng.random((8, 90)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
        mix = cv2.warpAffine(
            coarse,
            cv2.getRotationMatrix2D((width / 2, height / 2), float(np.degrees(turn)), 1.6),
            size,
            borderMode=cv2.BORDER_REFLECT,
        )
    elif kind == "cloth":
        cells = int(rng.integers(30, 400))
        mix = cv2.resize(rng.random((cells, cells)).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    else:
        mix = cv2.resize(rng.random((5, 5)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC) * 0.4
    table = base + (other - base) * mix[..., None] + rng.normal(0, rng.uniform(0, 6), (height, width, 1))
    if kind == "print":
        table = np.full((height, width, 3), rng.integers(180, 245), np.uint8)
        for _ in range(int(rng.integers(5, 60))):
            _write(
                table, rng, fonts, rng.integers(-40, max(size), 2), float(np.exp(rng.uniform(np.log(8), np.log(90))))
            )
        table = cv2.warpAffine(
            table,
            cv2.getRotationMatrix2D((width / 2, height / 2), float(np.degrees(turn)), 1.45),
            size,
            borderMode=cv2.BORDER_REFLECT,
        )
    return np.clip(table, 0, 255)


def _clutter(canvas: Array, owner: Array, rng: Rng, px_per_mm: float, fonts: list[Path], above: bool = False) -> None:
    """Chips, fingers, pens, papers and boxes; those above the cards hide them."""
    mask = np.zeros(owner.shape, np.uint8)
    at = rng.uniform(0, owner.shape[::-1])
    kind = rng.choice(["chip", "hand", "pen", "paper", "box"], p=[0.35, 0.25, 0.15, 0.15, 0.1])
    layer = np.zeros(canvas.shape, np.uint8)
    if kind == "chip":
        for _ in range(int(rng.integers(1, 6))):
            radius = rng.uniform(15, 21) * px_per_mm
            spot = at + rng.normal(0, 35 * px_per_mm, 2)
            _chip(layer, mask, rng, spot, radius)
    elif kind == "hand":
        skin = np.array(
            [[120, 150, 205], [95, 125, 185], [150, 180, 230], [45, 70, 115], [30, 45, 80]][rng.integers(5)]
        ) * rng.uniform(0.8, 1.1)
        turn, thick = rng.uniform(0, 6.3), rng.uniform(13, 18) * px_per_mm
        for finger in range(int(rng.integers(1, 5))):
            angle = turn + 0.22 * finger
            first = at + np.array([np.cos(angle + 1.57), np.sin(angle + 1.57)]) * thick * 1.05 * finger
            last = first + np.array([np.cos(angle), np.sin(angle)]) * 90 * px_per_mm
            tone = (skin * rng.uniform(0.9, 1.05)).tolist()
            for target, colour in ((layer, tone), (mask, 255)):
                cv2.line(
                    target,
                    first.astype(int).tolist(),
                    last.astype(int).tolist(),
                    colour,
                    max(2, int(thick)),
                    cv2.LINE_AA,
                )
            nail = (skin * 0.8 + 60).tolist()
            tip = first + np.array([np.cos(angle), np.sin(angle)]) * thick * 0.1
            cv2.ellipse(
                layer,
                tip.astype(int).tolist(),
                (int(thick * 0.3) + 1, int(thick * 0.22) + 1),
                np.degrees(angle),
                0,
                360,
                nail,
                -1,
                cv2.LINE_AA,
            )
        layer = cv2.GaussianBlur(layer, (0, 0), 1.5)
    elif kind == "pen":
        last = at + rng.normal(0, 90 * px_per_mm, 2)
        for target, colour in ((layer, rng.uniform(0, 255, 3).tolist()), (mask, 255)):
            cv2.line(
                target,
                at.astype(int).tolist(),
                last.astype(int).tolist(),
                colour,
                max(2, int(rng.uniform(3, 9) * px_per_mm)),
                cv2.LINE_AA,
            )
    else:
        turn = rng.uniform(0, 6.3)
        half = rng.uniform(20, 110, 2) * px_per_mm / 2
        corners = (
            np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
            * half
            @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            + at
        )
        colour = rng.uniform(200, 255, 3) if kind == "paper" else rng.uniform(0, 255, 3)
        cv2.fillPoly(layer, [corners.astype(np.int32)], colour.tolist(), cv2.LINE_AA)
        cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA)
        size = rng.uniform(2, 14) * px_per_mm
        for line in range(int(rng.integers(1, 7))):
            start = at + np.array([-half[0] * 0.8, -half[1] * 0.8 + line * size * 1.4])
            _write(layer, rng, fonts, start, size)
        layer[mask == 0] = 0
    alpha = mask.astype(np.float32)[..., None] / 255
    shade = cv2.GaussianBlur(mask, (0, 0), 4.0).astype(np.float32)[..., None] / 255
    canvas *= 1 - 0.4 * shade
    canvas[:] = canvas * (1 - alpha) + layer * alpha
    if above:
        owner[mask > 127] = -1


def _write(canvas: Array, rng: Rng, fonts: list[Path], at: Array, size: float) -> None:
    """A line of letters, so many pixels high."""
    text = "".join(rng.choice(list("AKQJ1234567890RDVEOSHTNILCabcdeghkmnoprst"), int(rng.integers(1, 12))))
    if fonts:
        mask = lettering(text, fonts[rng.integers(len(fonts))], 0.0)
        mask = cv2.resize(mask, None, fx=size / mask.shape[0], fy=size / mask.shape[0], interpolation=cv2.INTER_AREA)
    else:
        mask = np.zeros((int(size * 2), int(size * 14)), np.uint8)
        cv2.putText(mask, text, (0, int(size * 1.5)), cv2.FONT_HERSHEY_DUPLEX, size / 22, 255, 2, cv2.LINE_AA)
    left, top = int(at[0]), int(at[1])
    cut = (
        mask[max(-top, 0) : max(canvas.shape[0] - top, 0), max(-left, 0) : max(canvas.shape[1] - left, 0), None].astype(
            np.float32
        )
        / 255
    )
    spot = canvas[max(top, 0) : max(top, 0) + cut.shape[0], max(left, 0) : max(left, 0) + cut.shape[1]]
    ink = rng.uniform(0, 120, 3) if rng.random() < 0.7 else np.array([40, 30, 200])
    spot[:] = spot * (1 - cut) + ink * cut


def _chip(layer: Array, mask: Array, rng: Rng, spot: Array, radius: float) -> None:
    middle, colour = spot.astype(int).tolist(), rng.uniform(0, 255, 3).tolist()
    cv2.circle(layer, middle, int(radius), colour, -1, cv2.LINE_AA)
    cv2.circle(mask, middle, int(radius), 255, -1, cv2.LINE_AA)
    pale, start = rng.uniform(180, 255, 3).tolist(), rng.uniform(0, 60)
    for step in range(6):
        cv2.ellipse(
            layer,
            middle,
            (int(radius * 0.88), int(radius * 0.88)),
            0,
            start + step * 60,
            start + step * 60 + 22,
            pale,
            max(2, int(radius * 0.22)),
            cv2.LINE_AA,
        )
    cv2.circle(layer, middle, int(radius * 0.6), pale if rng.random() < 0.5 else colour, -1, cv2.LINE_AA)
    cv2.putText(
        layer,
        str(rng.choice(["5", "10", "25", "100", "1", "A"])),
        (spot + radius * np.array([-0.3, 0.25])).astype(int).tolist(),
        cv2.FONT_HERSHEY_TRIPLEX,
        radius / 34,
        rng.uniform(0, 150, 3).tolist(),
        max(1, int(radius / 18)),
        cv2.LINE_AA,
    )


def _lit(canvas: Array, rng: Rng) -> Array:
    """Lamps and their shadows, a lens and a sensor."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32) / max(height, width) - 0.5
    light = np.full((height, width), rng.uniform(0.6, 1.3), np.float32)
    turn = rng.uniform(0, 6.3)
    light *= 1 + rng.uniform(0, 0.7) * (x * np.cos(turn) + y * np.sin(turn))
    if rng.random() < 0.25:
        across = (x * np.cos(turn * 3) + y * np.sin(turn * 3) + rng.uniform(-0.3, 0.3)) * rng.uniform(4, 120)
        light *= 1 - rng.uniform(0.2, 0.65) / (1 + np.exp(-np.clip(across, -30, 30)))
    tint = np.exp(rng.normal(0, 0.06, 3) + np.array([-1, 0, 1]) * abs(rng.normal(0, 0.1)))
    picture = canvas * light[..., None] * tint
    if rng.random() < 0.15:
        spot = rng.uniform(-0.5, 0.5, 2)
        glare = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (2 * rng.uniform(0.02, 0.12) ** 2))
        picture = picture + rng.uniform(60, 220) * glare[..., None]
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.1))
    picture = picture + rng.normal(0, rng.uniform(0, 5), picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def load_photos(folders: list[Path]) -> list[Array]:
    """Openly licensed photographs that show no card."""
    photos = []
    for folder in folders:
        for photo in json.loads((folder / "labels.json").read_text())["photos"]:
            licence = photo.get("licence") or photo["source"]["licence"]
            if licence.startswith(OPEN) and not photo.get("cards"):
                bgr = cv2.imread(str(folder / photo["file"]))
                scale = min(1.0, 1200 / max(bgr.shape[:2]))
                photos.append(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return photos


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=2500)
    parser.add_argument("--fonts", type=Path, nargs="*", default=[])
    parser.add_argument("--photos", type=Path, nargs="*", default=[])
    parser.add_argument("--packs", type=Path, nargs="*", default=[])
    parser.add_argument("--packs-share", type=float, default=0.3)
    parser.add_argument("--layouts", nargs="*", choices=LAYOUTS, default=list(LAYOUTS))
    parser.add_argument("--tilt", type=float, default=60.0, help="at most so many degrees")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    choice = Choice(
        load_fonts(args.fonts),
        load_photos(args.photos),
        load_packs(args.packs),
        args.packs_share,
        args.layouts,
        args.tilt,
    )
    for number in range(args.count):
        rng = np.random.default_rng([args.seed, number])
        picture, indices = scene(rng, choice)
        path = args.out / f"{args.seed:03}{number:06}.jpg"
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
        path.with_suffix(".json").write_text(json.dumps({"indices": indices}))


if __name__ == "__main__":
    main()
