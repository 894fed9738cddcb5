"""How well dice are found on tables with so little light that the sensor's noise is as strong as the print.

    .venv/bin/python -m tests.bench.dark_dice TABLES [--light 0.5] [--noise 9] [--motion 3]

Takes photorealistic pictures of tables with their truth (`TABLES/index.json`, and `kit` in the same folder), leaves
them a share of their light and adds what a sensor and a moving camera then do. Per grade: dice, those found, those read
as another value, and dice read where none lies; by the table's reader, which knows the clean table in the same light,
and by the reader of any picture, which knows nothing.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.dice import SeenDie, read_dice
from vision.layout import load_layout
from vision.markers import Image
from vision.pictures import load_picture
from vision.read import Reader
from vision.render.strokes import line_kernel

GAMMA = 2.2
JPEG_QUALITY = 85


def darkened(picture: Image, light: float, noise: float, motion_px: float, rng: np.random.Generator) -> Image:
    """The picture with a share of its light, seen by a moving sensor.

    `noise` is its standard deviation where light is encoded by a square root and so has the same noise of photons
    everywhere, in grey levels.
    """
    linear = (picture.astype(np.float32) / 255) ** GAMMA * light
    if motion_px > 1:
        linear = np.asarray(cv2.filter2D(linear, -1, line_kernel(motion_px, float(rng.uniform(0, 180)))))
    grain = rng.standard_normal((*linear.shape[:2], 1)).astype(np.float32)
    tints = cv2.GaussianBlur(rng.standard_normal(linear.shape).astype(np.float32), (0, 0), 0.8)
    measured = np.sqrt(linear) * 255 + noise * (0.75 * grain + 0.66 * tints / tints.std())
    seen = (measured.clip(0, 255) / 255) ** (2 / GAMMA) * 255
    data = cv2.imencode(".jpg", seen.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def judged(seen: Sequence[SeenDie], truth: list[dict[str, Any]]) -> Counter[str]:
    """A die counts as found where it is told, at the value that it has."""
    tally = Counter(dice=len(truth))
    for die in seen:
        near = [true for true in truth if np.hypot(*np.subtract(die.centre_px, true["centre_px"])) < true["radius_px"]]
        tally["found" if near and near[0]["value"] == die.value else "misread" if near else "false"] += 1
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path)
    parser.add_argument("--light", type=float, default=0.5)
    parser.add_argument("--noise", type=float, default=9.0)
    parser.add_argument("--motion", type=float, default=3.0)
    parser.add_argument("--grades", nargs="*", default=["brutal", "hard"])
    args = parser.parse_args()
    layout = load_layout(args.tables / "kit")
    tallies: dict[tuple[str, str], Counter[str]] = {}
    for number, entry in enumerate(json.loads((args.tables / "index.json").read_text())):
        if entry["reference"] is None or entry["grade"] not in args.grades:
            continue
        rng = np.random.default_rng(number)
        clean, picture = (
            darkened(load_picture(args.tables / f"{name}.jpg"), args.light, args.noise, args.motion, rng)
            for name in (entry["reference"], entry["name"])
        )
        truth = json.loads((args.tables / f"{entry['name']}.json").read_text())["dice"]
        truth = [die for die in truth if not die["occluded"]]
        reader = Reader(layout)
        reader.take_reference(clean)
        for how, seen in (("table", reader.read(picture).dice), ("any picture", read_dice(picture))):
            tally = judged(seen, truth)
            print(f"{entry['name']:20}{how:14}" + "  ".join(f"{name} {count}" for name, count in tally.items()))
            tallies.setdefault((entry["grade"], how), Counter()).update(tally)
    print(f"{'grade':10}{'reader':14}{'dice':>6}{'found':>7}{'misread':>9}{'false':>7}")
    for (grade, how), tally in sorted(tallies.items()):
        print(f"{grade:10}{how:14}{tally['dice']:6}{tally['found']:7}{tally['misread']:9}{tally['false']:7}")


if __name__ == "__main__":
    main()
