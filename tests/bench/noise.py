"""What noise and fine texture cost: searching frames of 12 megapixels for markers, and for boards.

    .venv/bin/python -m tests.bench.noise
    .venv/bin/python -m tests.bench.noise --width 1152        # a quick look

Some versions of OpenCV took seconds and gigabytes for such frames (its issue 26683), and every one compares all squares
of a texture with each other. Each texture has a process of its own, whose processor time is told as a ratio to one
Gaussian blur of the same frame, beside OpenCV's own search as it is when nobody says anything, and whose memory is
told beyond what it had before. The exit code tells whether ratios and memory stayed below their bounds.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.memory import memory_mb
from tests.bench.opencv import search_markers
from vision.layout import BoardLayout, Layout
from vision.locate import find_boards, grey_picture
from vision.markers import Image, detect_markers

LARGEST_ID = 49
SIZES = {4608: 2592, 4056: 3040}
"""Of the frames of two cameras: Module 3, and the High Quality Camera."""
MOST_MARKERS, MOST_BOARDS = 20.0, 120.0
"""Gaussian blurs."""
MOST_MB = 600.0
"""Of both together; a frame in colour and in grey has 60 MB by itself, and some smaller ones are made of it."""


def _in_colour(grey: NDArray[Any]) -> Image:
    return np.asarray(cv2.cvtColor(np.clip(grey, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


def white_noise(width: int, height: int, rng: np.random.Generator) -> Image:
    return rng.integers(0, 256, (height, width, 3), np.uint8)


def dark(width: int, height: int, rng: np.random.Generator) -> Image:
    """A covered lens, brightened as far as the camera can."""
    return np.asarray(np.clip(rng.normal(20, 25, (height, width, 3)), 0, 255), np.uint8)


def cells(width: int, height: int, rng: np.random.Generator) -> Image:
    """As a page full of codes."""
    small = rng.integers(0, 2, (height // 16 + 1, width // 16 + 1), np.uint8) * 200 + 20
    drawn = np.kron(small, np.ones((16, 16), np.uint8))[:height, :width]
    return _in_colour(drawn + rng.normal(0, 8, drawn.shape))


def mosaic(width: int, height: int, rng: np.random.Generator) -> Image:
    """Small dark tiles."""
    rows, columns = np.mgrid[:height, :width]
    tiles = np.where((rows % 30 < 20) & (columns % 30 < 20), 40, 220).astype(np.uint8)
    return _in_colour(cv2.GaussianBlur(tiles, (0, 0), 1.0) + rng.normal(0, 4, tiles.shape))


def gingham(width: int, height: int, rng: np.random.Generator) -> Image:
    """A checked tablecloth."""
    rows, columns = np.mgrid[:height, :width]
    cloth = (230 - 85 * (rows // 30 % 2) - 85 * (columns // 30 % 2)).astype(np.uint8)
    return _in_colour(cv2.GaussianBlur(cloth, (0, 0), 1.0) + rng.normal(0, 5, cloth.shape))


TEXTURES: dict[str, Callable[[int, int, np.random.Generator], Image]] = {
    "white noise": white_noise,
    "dark": dark,
    "cells": cells,
    "mosaic": mosaic,
    "gingham": gingham,
}


def layout() -> Layout:
    """One board that is nowhere, so that nothing is left untried."""
    markers = {
        n: ((x, 10.0), (x + 25, 10.0), (x + 25, 35.0), (x, 35.0)) for n, x in enumerate((10.0, 60.0, 110.0, 160.0))
    }
    return Layout("none", (BoardLayout("board", "board", 200.0, 150.0, "", {}, markers),))


def measure(texture: str, width: int, beside: bool) -> dict[str, float]:
    """Ratios and memory of one texture, in a process that does nothing else; `beside` is OpenCV's own search."""
    frame = TEXTURES[texture](width, SIZES.get(width, width * 9 // 16), np.random.default_rng(1))
    grey = grey_picture(frame)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets how much it took to draw it
    before_mb = memory_mb()
    works: dict[str, Callable[[], object]] = {
        "markers": lambda: detect_markers(grey, LARGEST_ID),
        "boards": lambda: find_boards(frame, layout()),
        "again": lambda: find_boards(frame, layout()),
    }
    spent = {name: _seconds(work) for name, work in works.items()}
    spent["peak_mb"] = memory_mb(what="VmHWM") - before_mb
    if beside:
        spent["plain"] = _seconds(lambda: search_markers(grey, None))
        spent["plain_mb"] = memory_mb(what="VmHWM") - before_mb
    cv2.GaussianBlur(frame, (0, 0), 3.0)
    blur = _seconds(lambda: cv2.GaussianBlur(frame, (0, 0), 3.0))
    return {name: value if name.endswith("_mb") else value / blur for name, value in spent.items()}


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def measured(texture: str, width: int, *options: str) -> dict[str, float]:
    """The same, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.noise", "--texture", texture, "--width", str(width), *options]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, nargs="*", default=list(SIZES), help="of the frames in pixels")
    parser.add_argument("--texture", choices=TEXTURES, help="only this one, as JSON")
    parser.add_argument("--beside", action="store_true", help="with OpenCV's own search")
    args = parser.parse_args()
    if args.texture is not None:
        print(json.dumps(measure(args.texture, args.width[0], args.beside)))
        return 0
    good = True
    print(f"OpenCV {cv2.__version__}, in blurs of the same frame and in MB")
    print(
        "| texture | frame | markers | boards | again | MB | OpenCV by itself | MB |\n|---|---|---|---|---|---|---|---|"
    )
    for width in args.width:
        for texture in TEXTURES:
            found = measured(texture, width, "--beside")
            ratios = " | ".join(f"{found[name]:.1f}" for name in ("markers", "boards", "again"))
            beside = f"{found['plain']:.1f} | {found['plain_mb']:.0f}"
            print(f"| {texture} | {width} px | {ratios} | {found['peak_mb']:.0f} | {beside} |", flush=True)
            slow = found["markers"] > MOST_MARKERS or max(found["boards"], found["again"]) > MOST_BOARDS
            good = good and not slow and found["peak_mb"] <= MOST_MB
    print(f"aims: at most {MOST_MARKERS} for markers, {MOST_BOARDS} for boards, {MOST_MB} MB")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
