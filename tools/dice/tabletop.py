"""Draws training pictures with the project's own renderer: dice among the boards of a kit, tokens, pens and hands.

    .venv/bin/python tools/dice/tabletop.py KIT OUT --count 250

Same files as render.py. They teach that markers, printed faces and tokens are no dice. About a second a picture.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from vision.layout import load_layout
from vision.render import (
    Camera,
    Die,
    Hand,
    Lamp,
    Lights,
    PlacedBoard,
    Renderer,
    Scene,
    Sensor,
    TableTop,
    Thing,
    by_hand,
    load_pictures,
)
from vision.render.camera import px_per_mm
from vision.render.scene import TABLE_KINDS, THING_KINDS

Rng = np.random.Generator
SIZE_PX = (560, 420)
DIE_COLOURS = [
    ((235, 238, 240), (25, 25, 25)),
    ((30, 30, 30), (240, 240, 240)),
    ((40, 40, 190), (240, 240, 240)),
    ((160, 80, 30), (240, 240, 240)),
    ((60, 140, 50), (235, 235, 235)),
    ((60, 190, 230), (20, 20, 20)),
    ((120, 170, 205), (30, 40, 50)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kit", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=250)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    layout = load_layout(args.kit)
    renderer = Renderer(layout, load_pictures(layout))
    boards = [(board.id, list(board.regions)) for board in layout.boards]
    for number in range(args.count):
        rng = np.random.default_rng(70_000 + number)
        scene = table(rng, boards)
        shot = renderer.render(scene)
        dice = [
            {
                "value": die.value,
                "centre_px": seen.centre_px,
                "edge_px": die.size_mm * px_per_mm(scene.camera, np.array([*die.centre_mm, die.size_mm])),
            }
            for die, seen in zip(scene.dice, shot.truth.dice, strict=True)
            if seen.visible > 0.6
        ]
        cv2.imwrite(str(args.out / f"{number:05}.jpg"), shot.frame_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
        (args.out / f"{number:05}.json").write_text(json.dumps({"slant_deg": scene.camera.tilt_deg, "dice": dice}))


def table(rng: Rng, boards: list[tuple[str, list[str]]]) -> Scene:
    """A few dice on and around one or two boards, on cloths whose pattern may be as large as a die."""
    # Half of them from as far as a camera over a whole table, with the noise of a dim room.
    far = rng.random() < 0.5
    across_mm = rng.uniform(350, 560) if far else rng.uniform(150, 300)
    distance = rng.uniform(500, 1100)
    tilt = float(rng.choice([rng.uniform(0, 10), rng.uniform(10, 45)]))
    camera = Camera(
        SIZE_PX,
        tuple(rng.uniform(-60, 60, 2)),
        distance,
        tilt,
        0.0,
        rng.uniform(-8, 8),
        SIZE_PX[0] / across_mm * distance,
    )
    chosen = [boards[index] for index in rng.permutation(len(boards))[:2]]
    if rng.random() < 0.5:
        chosen[0] = next(board for board in boards if board[0] == "hq")
    placed = tuple(
        PlacedBoard(
            name,
            (200.0 * place + rng.uniform(-50, 50), rng.uniform(-50, 50)),
            rng.uniform(0, 360),
            _marks(rng, regions),
        )
        for place, (name, regions) in enumerate(dict(chosen).items())
    )
    things = tuple(
        Thing(str(rng.choice(THING_KINDS)), tuple(rng.uniform(-130, 130, 2)), rng.uniform(0, 360), _bgr(rng))
        for _ in range(4)
    )
    scene = Scene(placed, _dice(rng), things, camera=camera)
    # A third of them in a room so dim that the camera's noise is as strong as the print.
    dim = rng.random() < 0.35
    level = rng.uniform(0.06, 0.4) if dim else rng.uniform(0.4, 1.2)
    lamp = Lamp(
        (rng.uniform(-900, 900), rng.uniform(-900, 900), rng.uniform(600, 2400)),
        power=rng.uniform(0.3, 1),
        size_mm=rng.uniform(50, 900),
    )
    hands = (Hand(tuple(rng.uniform(-110, 110, 2)), rng.uniform(0, 360)),) if rng.random() < 0.15 else ()
    return replace(
        scene,
        hands=hands,
        table=TableTop(str(rng.choice(TABLE_KINDS)), _bgr(rng), _bgr(rng), rng.uniform(8, 60), rng.uniform(0, 0.5)),
        lights=Lights(level=level, ambient=rng.uniform(0.2, 0.7), lamps=(lamp,)),
        sensor=Sensor(
            noise=rng.uniform(4, 16) if dim else rng.uniform(0, 9 if far else 5),
            blotches=rng.beta(1, 2),
            blur_px=rng.uniform(0, 0.8),
            motion_px=rng.uniform(0, 4) if dim and rng.random() < 0.5 else 0.0,
            motion_deg=rng.uniform(0, 180),
            sharpening=rng.uniform(0, 1),
            jpeg_quality=int(rng.integers(70, 96)),
        ),
        seed=int(rng.integers(1 << 30)),
    )


def _marks(rng: Rng, regions: list[str]):  # type: ignore[no-untyped-def]
    cells = [region for region in regions if region.startswith("r") and "." not in region]
    count = min(len(cells), int(rng.integers(0, 12)))
    return tuple(by_hand(str(cell), "cross", seed=int(rng.integers(999))) for cell in rng.permutation(cells)[:count])


def _dice(rng: Rng) -> tuple[Die, ...]:
    body, pips = DIE_COLOURS[rng.integers(len(DIE_COLOURS))] if rng.random() < 0.7 else (_bgr(rng), (245, 245, 245))
    dice: list[Die] = []
    for _ in range(int(rng.integers(0, 9))):
        at = rng.uniform(-100, 100, 2)
        if all(np.hypot(*(at - other.centre_mm)) > 24 for other in dice):
            size, rounded = rng.uniform(12, 18), rng.uniform(0.1, 0.9)
            dice.append(
                Die(
                    int(rng.integers(1, 7)),
                    tuple(at),
                    rng.uniform(0, 360),
                    size,
                    body,
                    pips,
                    rounded,
                    rng.uniform(0, 0.6),
                )
            )
    return tuple(dice)


def _bgr(rng: Rng) -> tuple[float, float, float]:
    return tuple(float(part) for part in rng.uniform(15, 235, 3))  # type: ignore[return-value]


if __name__ == "__main__":
    main()
