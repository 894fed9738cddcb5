"""Pieces as people put them down in the course of a game: which, where, and how carelessly."""

from collections.abc import Iterator

import numpy as np

from vision.layout import CARDS, TILE, BoardLayout, Layout
from vision.render import Piece, PlacedBoard, put_on

FANNED_MM = 16.0
CARELESS_MM = 4.0  # nobody puts a piece farther off its ring
MATERIALS = ("matte", "glossy", "wood")


def pieces_on(boards: tuple[PlacedBoard, ...], layout: Layout, rng: np.random.Generator) -> tuple[Piece, ...]:
    """What lies on the boards at some moment."""
    material = str(rng.choice(MATERIALS))
    return tuple(
        piece for placed in boards for piece in _on_board(placed, layout, layout.board(placed.board_id), material, rng)
    )


def _on_board(
    placed: PlacedBoard, layout: Layout, board: BoardLayout, material: str, rng: np.random.Generator
) -> Iterator[Piece]:
    turned: set[str] = set()
    for region in board.piece_regions:
        held = layout.catalogue.held(board.id, region)
        own = region.partition(".")[2]
        together = layout.catalogue.most(board.id, region) > 1 and all(kind.lies for kind in held)
        if board.readers[region] == CARDS:
            yield from _cards(placed, layout, board, region, rng)
        elif together:
            yield from _scattered(placed, layout, board, region, rng)
        elif held[0].told_by_face:
            if rng.random() < 0.4:
                turned.add(own)
                (_, top), _, (_, bottom), _ = board.regions[region]
                # The region is the upper part of the piece.
                x, y = rng.normal(0, 0.5, 2).clip(-1.2, 1.2)
                off, turn = (float(x), float(y) + (held[0].size_mm[1] - bottom + top) / 2), float(rng.normal(0, 1))
                yield put_on(placed, board, region, held[0].id, off_mm=off, turn_deg=turn, face="finished")
        elif board.readers[region] == TILE:
            if rng.random() < 0.5:
                kind, quarter = held[int(rng.integers(len(held)))], 90 * int(rng.integers(4))
                yield put_on(placed, board, region, kind.id, off_mm=_off(rng, 1.5), turn_deg=quarter + _turn(rng))
        elif held[0].lies and held[0].code is not None:
            if rng.random() < (0.9 if own in turned else 0.15):
                kind, base = held[int(rng.integers(len(held)))], 2.0 if own in turned else 0.0
                turn = float(rng.uniform(0, 360))
                yield put_on(placed, board, region, kind.id, off_mm=_off(rng, 1.2, 3.0), turn_deg=turn, base_mm=base)
        else:
            most = layout.catalogue.most(board.id, region)
            yield from _standing(placed, layout, board, region, _count(region, most, rng), material, rng)


def _cards(
    placed: PlacedBoard, layout: Layout, board: BoardLayout, region: str, rng: np.random.Generator
) -> Iterator[Piece]:
    """Cards upright on their places, each over the one before; the later the place, the rarer."""
    name, _, number = region.partition(".")
    if rng.random() > {"stop": 0.6 ** float(number or 0), "place": 1.0 - 0.09 * float(number or 0)}.get(name, 0.8):
        return
    held = layout.catalogue.held(board.id, region)
    kind = held[int(rng.integers(len(held)))]
    width, height = (float(side) for side in np.ptp(board.regions[region], axis=0))
    count = 2 if layout.catalogue.most(board.id, region) > 1 and rng.random() < 0.3 else 1
    for n in range(count):
        x, y = rng.normal(0, 0.8, 2).clip(-1.5, 1.5)
        off = float(x) + (kind.size_mm[0] - width) / 2 + FANNED_MM * n, float(y) + (kind.size_mm[1] - height) / 2
        yield put_on(placed, board, region, kind.id, off_mm=off, turn_deg=float(rng.normal(0, 1.5)))


def _scattered(
    placed: PlacedBoard, layout: Layout, board: BoardLayout, region: str, rng: np.random.Generator
) -> Iterator[Piece]:
    """Flat pieces with codes: one on every eighth square, now and then two side by side."""
    held = layout.catalogue.held(board.id, region)
    count = int(rng.choice([0, 1, 2], p=[0.88, 0.09, 0.03]))
    for n in range(count):
        kind = held[int(rng.integers(len(held)))]
        away = 0.0 if count == 1 else (n - 0.5) * (kind.size_mm[1] if kind.size_mm[0] > kind.size_mm[1] else 19.0)
        x, y = _off(rng, 1.0, 1.5)
        upright = count == 2 and kind.size_mm[0] > kind.size_mm[1]
        turn = float(rng.uniform(0, 360)) if count == 1 else 90.0 * upright + float(rng.normal(0, 3))
        yield put_on(placed, board, region, kind.id, off_mm=(x + away, y), turn_deg=turn)


def _count(region: str, most: int, rng: np.random.Generator) -> int:
    if region.startswith("track"):  # four markers on fifty fields, now and then two on one
        return int(rng.choice([0, 1, 2, 3], p=[0.9, 0.07, 0.02, 0.01]))
    if most == 1:
        return int(rng.random() < 0.5)
    shares = [0.5, 0.25, 0.25] if most == 2 else [0.3, 0.2, 0.2, 0.15, 0.1, 0.05]
    return int(rng.choice(len(shares), p=shares))


def _standing(
    placed: PlacedBoard,
    layout: Layout,
    board: BoardLayout,
    region: str,
    count: int,
    material: str,
    rng: np.random.Generator,
) -> Iterator[Piece]:
    held = layout.catalogue.held(board.id, region)
    for off in _spots(np.ptp(board.regions[region], axis=0), held[0].size_mm[0], count, rng):
        kind = held[int(rng.integers(len(held)))]
        yield put_on(placed, board, region, kind.id, off_mm=off, turn_deg=float(rng.uniform(0, 360)), material=material)


def _spots(size_mm: np.ndarray, width_mm: float, count: int, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Where pieces stand in a region, from its middle: on the two rings of a space, or where there is room."""
    width, height = (float(side) for side in size_mm)
    rings = width > 1.7 * height and count <= 2
    spots: list[tuple[float, float]] = []
    for _ in range(300):
        if len(spots) == count:
            break
        if rings:
            side = [-1, 1][len(spots)] if count == 2 else int(rng.choice([-1, 1]))
            x, y = _off(rng, 1.5)
            x += side * width / 4
        elif count == 1:
            x, y = _off(rng, 1.5, min(CARELESS_MM, (height - 0.5 * width_mm) / 2))
        else:
            room = np.maximum(np.array([width, height]) / 2 - 0.55 * width_mm, 0)
            x, y = (float(n) for n in rng.uniform(-room, room))
        if all(np.hypot(x - a, y - b) > 1.03 * width_mm for a, b in spots):
            spots.append((x, y))
    return spots


def _off(rng: np.random.Generator, usual_mm: float, most_mm: float = CARELESS_MM) -> tuple[float, float]:
    x, y = rng.normal(0, usual_mm, 2)
    much = max(1.0, float(np.hypot(x, y)) / most_mm)
    return float(x / much), float(y / much)


def _turn(rng: np.random.Generator) -> float:
    return float(np.clip(rng.normal(0, 5), -12, 12))
