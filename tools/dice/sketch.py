"""Draws dice in milliseconds: plain shapes instead of light, but no two alike.

The path tracer of render.py makes few pictures an hour; these fill up the variety of colours, makes,
slants, tables and of things that look like dice and are none.
"""

import string

import cv2
import numpy as np
from data import Array, Die, Picture, Rng

SIZE = 320
FINE = 2
"""Drawn so many times larger, then averaged."""
FACES = (((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 1, 0), (1, 0, 0), (0, 0, 1)))
AROUND = np.linspace(0, 2 * np.pi, 17)[:-1]


class Eye:
    """A camera at a slant: projects points on and above the table to pixels."""

    def __init__(self, rng: Rng) -> None:
        self.slant = np.radians(
            rng.choice([rng.uniform(0, 12), rng.uniform(12, 35), rng.uniform(35, 58)], p=[0.4, 0.3, 0.3])
        )
        self.upright = self.slant > np.radians(33) or rng.random() < 0.4
        roll = rng.normal(0, 0.12) if self.upright else rng.uniform(-np.pi, np.pi)
        lean = np.array(
            [[1, 0, 0], [0, -np.cos(self.slant), -np.sin(self.slant)], [0, np.sin(self.slant), -np.cos(self.slant)]]
        )
        turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        self.axes = turn @ lean
        self.away = rng.uniform(12, 60)
        self.zoom = rng.uniform(26, 50) * self.away

    def px(self, points: Array) -> Array:
        seen = np.asarray(points) @ self.axes.T
        return seen[..., :2] / (seen[..., 2:] + self.away) * self.zoom + SIZE / 2

    def toward(self, point: Array) -> Array:
        way = -self.away * self.axes[2] - point
        return np.asarray(way / np.linalg.norm(way))


def sketch(rng: Rng) -> Picture:
    """One picture with up to a dozen dice and other things."""
    eye = Eye(rng)
    canvas = _background(rng)
    canvas = cv2.resize(canvas, (SIZE * FINE, SIZE * FINE), interpolation=cv2.INTER_LINEAR)
    # Some tables are empty: their pattern is what must not be taken for dice.
    spots = _spots(rng, int(rng.integers(1, 16)) if rng.random() < 0.8 else 0)
    spots.sort(key=lambda spot: float(eye.axes[2] @ [*spot[0], 0]), reverse=True)
    light = rng.normal((0, 0, 1.6), 1)
    light[2] = abs(light[2])
    light /= np.linalg.norm(light)
    makes = [_make(rng) for _ in range(int(rng.integers(1, 4)))]
    dice = []
    is_thing = rng.random(len(spots)) < 0.25
    # Things lie under the dice, or a printed row would cover one whose value is told.
    for (at, half, spin), thing in zip(spots, is_thing, strict=True):
        if thing:
            _thing(canvas, eye, rng, at, half, spin, light)
    for (at, half, spin), thing in zip(spots, is_thing, strict=True):
        if thing:
            continue
        make = makes[rng.integers(len(makes))]
        value = int(rng.integers(1, 7))
        _cube(canvas, eye, rng, at, half, spin, light, make, _faces_of(value, rng))
        middle = np.array([*at, 2 * half])
        centre = eye.px(middle)
        depth = float(middle @ eye.axes[2]) + eye.away
        if (centre > -half).all() and (centre < SIZE + half).all():
            dice.append(Die(value, (float(centre[0]), float(centre[1])), 2 * half * eye.zoom / depth))
    bgr = cv2.resize(canvas, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    return Picture(bgr, tuple(dice), bool(eye.slant < 0.25))


def _colour(rng: Rng) -> Array:
    value = rng.uniform(0.05, 1)
    grey = np.ones(3) * value
    vivid = rng.uniform(0, 1, 3)
    share = rng.choice([0.08, rng.uniform(0.3, 1)])
    return np.asarray(grey * (1 - share) + vivid / max(vivid.max(), 0.2) * value * share, np.float32)


def _make(rng: Rng) -> dict[str, Array | float | bool]:
    """Colours and proportions of one set of dice."""
    light = np.float32(rng.uniform(0.75, 1)) * np.array([rng.uniform(0.8, 1), rng.uniform(0.93, 1), 1], np.float32)
    dark = np.float32(rng.uniform(0, 0.2)) * np.ones(3, np.float32)
    while True:
        body, pips = _colour(rng), _colour(rng)
        kind = rng.random()
        if kind < 0.3:
            body, pips = light, dark
        elif kind < 0.42:
            body, pips = dark, light
        elif kind < 0.7:
            pips = light
        elif kind < 0.82:
            pips = dark
        if abs(float(body.mean() - pips.mean())) > 0.2 or float(np.abs(body - pips).max()) > 0.45:
            break
    radius = rng.uniform(0.12, 0.24)
    return {
        "body": body,
        "pips": pips,
        "round": rng.uniform(0.05, 0.4),
        "step": rng.uniform(0.42, 0.6),
        "radius": radius,
        "one": radius * (rng.uniform(1.2, 2.2) if rng.random() < 0.35 else 1),
        "straight": rng.random() < 0.25,
        "clear": rng.uniform(0.1, 0.65) if rng.random() < 0.25 else 0.0,
        "red": rng.random() < 0.1,
        "hollow": rng.uniform(-0.3, 0.3) if rng.random() < 0.6 else 0.0,
    }


def _faces_of(value: int, rng: Rng) -> list[int]:
    """The value on top, then those on the sides along x and y, as on a real die."""
    sides = [side for side in range(1, 7) if side not in (value, 7 - value)]
    first = int(rng.choice(sides))
    second = int(rng.choice([side for side in sides if side not in (first, 7 - first)]))
    return [value, first, second]


def _spots(rng: Rng, count: int) -> list[tuple[Array, float, float]]:
    spots: list[tuple[Array, float, float]] = []
    touching = rng.random() < 0.4
    half_all = rng.uniform(0.4, 0.6)
    for _ in range(count * 8):
        half = half_all * (rng.uniform(0.75, 1.3) if rng.random() < 0.4 else 1)
        at, spin = rng.uniform(-4.5, 4.5, 2), rng.uniform(0, 2 * np.pi)
        gap = 1.42
        if touching and spots and rng.random() < 0.7:
            beside, other, spin = spots[rng.integers(len(spots))]
            way = np.array([np.cos(spin), np.sin(spin)])
            way = way if rng.random() < 0.5 else np.array([-way[1], way[0]])
            slide = np.array([-way[1], way[0]]) * rng.choice([0, rng.normal(0, 0.4)]) * half
            at, gap = beside + way * rng.choice([-1, 1]) * (half + other) * rng.uniform(1, 1.08) + slide, 0.98
        if all(np.hypot(*(at - spot)) > (half + other) * gap for spot, other, _ in spots):
            spots.append((at, half, spin))
        if len(spots) == count:
            break
    return spots


def _fill(canvas: Array, points: Array, colour: Array) -> None:
    fixed = np.round(points * FINE * 16).astype(np.int32)
    cv2.fillPoly(canvas, [fixed], _ink(colour), cv2.LINE_AA, 4)


def _ink(colour: Array) -> tuple[float, ...]:
    return tuple(float(part) * 255 for part in colour)


def _pips(value: int, step: float, straight: bool = False) -> list[tuple[float, float]]:
    corners = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
    places = {1: [], 2: corners[:2], 3: corners[:2], 4: corners, 5: corners, 6: [*corners, (-1, 0), (1, 0)]}[value]
    if straight and value == 2:
        places = [(-0.8, 0), (0.8, 0)]
    if value % 2:
        places = [*places, (0, 0)]
    return [(u * step, v * step) for u, v in places]


def _cube(canvas, eye, rng, at, half, spin, light, make, faces, marks="pips") -> None:  # type: ignore[no-untyped-def]
    cos, sin = np.cos(spin), np.sin(spin)
    own = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1.0]])
    middle = np.array([*at, half])
    _shadow(canvas, eye, rng, at, half, own, light)
    view = eye.toward(middle)
    edge = make["round"]
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * (1 - edge)
    inner = eye.px(corners @ own * half + middle)
    scale = half * eye.zoom / eye.away
    hull = cv2.convexHull(
        (inner[:, None] + edge * scale * np.column_stack([np.cos(AROUND), np.sin(AROUND)]))
        .reshape(-1, 2)
        .astype(np.float32)
    )
    under = canvas.copy() if make["clear"] else None
    rim = make["body"] * np.float32(rng.uniform(0.6, 1.1))
    _fill(canvas, hull[:, 0], rim)
    fill_light = rng.uniform(0.25, 0.6)
    for (normal, u, v), value in zip(FACES, faces, strict=True):
        out = np.array(normal, float) @ own
        if out @ view < 0:
            out = -out
        if out @ view < 0.06:
            continue
        along, across = np.array(u, float) @ own, np.array(v, float) @ own
        lit = fill_light + (1 - fill_light) * max(0.0, float(out @ light))
        ground = middle + out * half
        flat = 1 - edge * 0.75
        soft = 0.35 * edge
        ring = np.column_stack([np.cos(AROUND), np.sin(AROUND)]) * soft
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (flat - soft)
        outline = cv2.convexHull((square[:, None] + ring).reshape(-1, 2).astype(np.float32))[:, 0]
        place = lambda flat_points: eye.px(ground + half * (flat_points[:, :1] * along + flat_points[:, 1:] * across))  # noqa: B023, E731
        _fill(canvas, place(outline), make["body"] * np.float32(lit))
        ink = make["pips"] * np.float32(lit)
        if make["red"] and value in (1, 4):
            ink = np.array([0.1, 0.1, 0.8], np.float32) * lit
        if marks == "pips":
            _draw_pips(canvas, rng, place, value, make, ink)
        elif marks == "strokes":
            for _ in range(int(rng.integers(1, 6))):
                ends = rng.uniform(-0.6, 0.6, (2, 2))
                side = (ends[1] - ends[0])[::-1] * (1, -1)
                side = side / max(np.linalg.norm(side), 1e-6) * rng.uniform(0.04, 0.14)
                _fill(canvas, place(np.array([ends[0] + side, ends[1] + side, ends[1] - side, ends[0] - side])), ink)
    if under is not None:
        x0, y0 = np.maximum((hull[:, 0].min(0) * FINE).astype(int), 0)
        x1, y1 = np.maximum((hull[:, 0].max(0) * FINE).astype(int), 0)
        part = np.s_[y0:y1, x0:x1]
        canvas[part] = canvas[part] * (1 - make["clear"]) + under[part] * make["body"] * make["clear"]
    if rng.random() < 0.3:
        spot = eye.px(middle + rng.uniform(-1, 1, 3) * half * (1, 1, 0) + (0, 0, half))
        glow = (
            spot
            + np.column_stack([np.cos(AROUND), np.sin(AROUND) * rng.uniform(0.3, 1)]) * rng.uniform(0.05, 0.3) * scale
        )
        _fill(canvas, glow, np.ones(3) * rng.uniform(0.8, 1))


def _draw_pips(canvas, rng, place, value, make, ink) -> None:  # type: ignore[no-untyped-def]
    radius = make["one"] if value == 1 else make["radius"]
    for u, v in _pips(value, make["step"], make["straight"]):
        ring = np.column_stack([np.cos(AROUND), np.sin(AROUND)])
        _fill(canvas, place(ring * radius + (u, v)), ink)
        if make["hollow"]:
            tint = np.clip(ink + make["hollow"], 0, 1)
            _fill(canvas, place(ring * radius * 0.6 + (u, v) + rng.normal(0, 0.15, 2) * radius), tint)


def _shadow(canvas, eye, rng, at, half, own, light) -> None:  # type: ignore[no-untyped-def]
    if rng.random() < 0.15:
        return
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (0, 1.7)]) * half @ own + [*at, 0]
    fall = corners - np.minimum(corners[:, 2:] / max(light[2], 0.25), 6 * half) * light
    fall[:, 2] = 0
    hull = cv2.convexHull(eye.px(fall).astype(np.float32))[:, 0]
    x0, y0 = np.clip((hull.min(0) * FINE - 12).astype(int), 0, SIZE * FINE)
    x1, y1 = np.clip((hull.max(0) * FINE + 12).astype(int), 0, SIZE * FINE)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillPoly(mask, [np.round(hull * FINE - (x0, y0)).astype(np.int32)], float(rng.uniform(0.15, 0.75)))
    mask = cv2.blur(mask, (int(rng.choice([1, 5, 13])),) * 2)
    canvas[y0:y1, x0:x1] = canvas[y0:y1, x0:x1] * (1 - mask[..., None])


def _thing(canvas, eye, rng, at, half, spin, light) -> None:  # type: ignore[no-untyped-def]
    """A plain cube, a cube with strokes, a coin, a ring, a drawn face, a domino, beads, letters."""
    kind = rng.choice(
        ["cube", "strokes", "coin", "ring", "drawn", "domino", "beads", "letters", "marker", "boxes", "boxes", "boxes"]
    )
    make = _make(rng)
    circle = np.column_stack([np.cos(AROUND), np.sin(AROUND), np.zeros(16)])
    floor = np.array([*at, 0.0])
    if kind in ("cube", "strokes"):
        _cube(canvas, eye, rng, at, half, spin, light, make, [1, 2, 3], "none" if kind == "cube" else "strokes")
    elif kind == "coin":
        _fill(canvas, eye.px(circle * half + floor), make["body"])
        _fill(canvas, eye.px(circle * half * rng.uniform(0.2, 0.9) + floor), make["pips"])
    elif kind == "ring":
        fixed = np.round(eye.px(circle * half + floor) * FINE).astype(np.int32)
        cv2.polylines(canvas, [fixed], True, _ink(make["body"]), int(rng.integers(1, 10)), cv2.LINE_AA)
    elif kind == "drawn":
        turn = np.array([[np.cos(spin), np.sin(spin), 0], [-np.sin(spin), np.cos(spin), 0]])
        rim = np.round(eye.px(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn + floor) * FINE).astype(
            np.int32
        )
        cv2.polylines(canvas, [rim], True, _ink(make["pips"]), int(rng.integers(1, 4)), cv2.LINE_AA)
        fixed = np.round(eye.px(circle * half * rng.uniform(1.5, 2) + floor) * FINE).astype(np.int32)
        cv2.polylines(canvas, [fixed], True, _ink(make["pips"]), int(rng.integers(1, 4)), cv2.LINE_AA)
        for u, v in _pips(int(rng.integers(1, 7)), 0.5):
            _fill(canvas, eye.px(circle * half * 0.17 + floor + np.array([u, v]) * half @ turn), make["pips"])
    elif kind == "domino":
        turn = np.array([[np.cos(spin), np.sin(spin), 0], [-np.sin(spin), np.cos(spin), 0]])
        _fill(canvas, eye.px(np.array([[-1, -2], [1, -2], [1, 2], [-1, 2]]) * half @ turn + floor), make["body"])
        _fill(
            canvas,
            eye.px(np.array([[-0.9, -0.05], [0.9, -0.05], [0.9, 0.05], [-0.9, 0.05]]) * half @ turn + floor),
            make["pips"],
        )
        for end in (-1, 1):
            for u, v in _pips(int(rng.integers(1, 7)), 0.5):
                _fill(canvas, eye.px(circle * half * 0.17 + floor + np.array([u, v + end]) * half @ turn), make["pips"])
    elif kind == "beads":
        for _ in range(int(rng.integers(2, 9))):
            spot = floor + np.append(rng.uniform(-1.2, 1.2, 2) * half, 0)
            _fill(canvas, eye.px(circle * half * rng.uniform(0.1, 0.3) + spot), make["pips"])
    elif kind == "boxes":
        _boxes(canvas, eye, rng, floor, half, spin)
    elif kind == "marker":
        _marker(canvas, eye, rng, floor, half, spin)
    else:
        _write(canvas, rng, eye.px(floor) * FINE, make["pips"], int(rng.integers(1, 5)))


def _marker(canvas: Array, eye: Eye, rng: Rng, floor: Array, half: float, spin: float) -> None:
    """A printed square code: black with a few white cells, on white."""
    turn = np.array([[np.cos(spin), np.sin(spin), 0], [-np.sin(spin), np.cos(spin), 0]]) * half * rng.uniform(0.8, 2)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    white, black = np.ones(3) * rng.uniform(0.8, 1), np.ones(3) * rng.uniform(0, 0.15)
    _fill(canvas, eye.px(square * 1.3 @ turn + floor), white)
    _fill(canvas, eye.px(square @ turn + floor), black)
    for row, column in zip(*np.nonzero(rng.random((4, 4)) < 0.5), strict=True):
        cell = (square / 6) + (np.array([column, row]) - 1.5) / 3
        _fill(canvas, eye.px(cell @ turn + floor), white)


def _boxes(canvas: Array, eye: Eye, rng: Rng, floor: Array, half: float, spin: float) -> None:
    """A printed row of small squares with a number or letter in each: from afar much like ones and twos."""
    turn = np.array([[np.cos(spin), np.sin(spin), 0], [-np.sin(spin), np.cos(spin), 0]]) * half * rng.uniform(0.6, 1.2)
    paper, ink = _make(rng)["body"], np.ones(3) * rng.uniform(0, 0.4)
    shape = canvas.shape[1::-1]
    for place in range(int(rng.integers(1, 4))):
        box = np.full((48, 48, 3), _ink(paper), np.uint8)
        cv2.rectangle(box, (0, 0), (47, 47), _ink(ink), int(rng.integers(0, 5)) or -1 if rng.random() < 0.05 else 2)
        text = "".join(rng.choice(list(string.digits + "AB+-x"), int(rng.integers(1, 3))))
        size = rng.uniform(0.6, 1.3) / len(text) ** 0.5
        cv2.putText(
            box,
            text,
            (int(24 - 10 * size * len(text)), int(24 + 10 * size)),
            0,
            size,
            _ink(ink),
            int(rng.integers(2, 5)),
            cv2.LINE_AA,
        )
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) + np.array([2.4 * place, 0])
        onto = (eye.px(corners @ turn + floor) * FINE).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [47, 0], [47, 47], [0, 47]], np.float32), onto)
        mask = cv2.warpPerspective(np.full((48, 48), 255, np.uint8), matrix, shape) > 127
        canvas[mask] = cv2.warpPerspective(box, matrix, shape)[mask]


def _write(canvas: Array, rng: Rng, at: Array, ink: Array, letters: int) -> None:
    text = "".join(rng.choice(list(string.ascii_letters + string.digits + ".:;oO08%"), letters))
    where = (int(at[0]) - 20 * letters, int(at[1]))
    size, thick = rng.uniform(0.4, 2.5), int(rng.integers(1, 6))
    cv2.putText(canvas, text, where, int(rng.integers(0, 8)), size, _ink(ink), thick, cv2.LINE_AA)


def _rough(rng: Rng) -> Array:
    """Cork, carpet, stone, fur: speckle of several sizes."""
    share = np.full((SIZE, SIZE), 0.5, np.float32)
    for cell in np.exp(rng.uniform(np.log(1.2), np.log(30), int(rng.integers(1, 5)))):
        wide = cell * rng.choice([1.0, rng.uniform(1, 4)])
        speckle = rng.normal(0, 1, (int(SIZE / cell) + 1, int(SIZE / wide) + 1)).astype(np.float32)
        if rng.random() < 0.4:
            speckle = (speckle > rng.uniform(0, 2)).astype(np.float32) - 0.3
        share += cv2.resize(speckle, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC) * rng.uniform(0.05, 0.4)
    return share


def _background(rng: Rng) -> Array:
    """A table: plain, grained, dotted, striped, woven, written on."""
    first, second = _colour(rng), _colour(rng)
    if rng.random() < 0.6:
        second = first * np.float32(rng.uniform(0.5, 1.4))
    y, x = np.mgrid[:SIZE, :SIZE].astype(np.float32)
    turn, step = rng.uniform(0, np.pi), float(np.exp(rng.uniform(np.log(5), np.log(60))))
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    kind = rng.choice(
        ["plain", "grain", "rough", "dots", "stripes", "weave", "check"], p=[0.22, 0.2, 0.22, 0.1, 0.08, 0.1, 0.08]
    )
    if kind == "grain":
        coarse = rng.normal(0, 1, (max(2, int(SIZE / step)), max(2, int(SIZE / step / rng.choice([1, 8]))))).astype(
            np.float32
        )
        share = cv2.resize(coarse, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC) * 0.3 + 0.5
    elif kind == "rough":
        share = _rough(rng)
    elif kind == "dots":
        share = (
            np.hypot(u % step - step / 2, (v + (u // step % 2) * step / 2 * rng.integers(2)) % step - step / 2)
            < step * rng.uniform(0.15, 0.4)
        ) * 1.0
    elif kind == "stripes":
        share = (u % step < step * rng.uniform(0.2, 0.8)) * 1.0
    elif kind == "weave":
        share = np.abs(np.sin(np.pi * u / step)) * 0.5 + np.abs(np.sin(np.pi * v / step)) * 0.5
    elif kind == "check":
        share = ((u // step + v // step) % 2) * 1.0
    else:
        share = np.full((SIZE, SIZE), 0.5)
    canvas = ((first + (second - first) * share.astype(np.float32)[..., None]).clip(0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(3, 40))):
            _write(canvas, rng, rng.uniform(0, SIZE, 2), _colour(rng), int(rng.integers(1, 9)))
    rough = rng.normal(0, 255 * rng.choice([0.005, 0.03, 0.08]), (SIZE, SIZE, 1)).astype(np.float32)
    slope = 1 + rng.uniform(-0.5, 0.5) * (x / SIZE - 0.5) + rng.uniform(-0.5, 0.5) * (y / SIZE - 0.5)
    return np.ascontiguousarray(((canvas + rough) * slope[..., None]).clip(0, 255).astype(np.uint8))
