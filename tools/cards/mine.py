"""Finds what fools the reader in drawn scenes: `.venv/bin/python tools/cards/mine.py SCENES`.

Beside each scene a `.traps` file with the places that were taken for an index and are none.
"""

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
from align import entry

from vision.indices import find_indices
from vision.pyramid import Pyramid

MAYBE = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path, nargs="+")
    args = parser.parse_args()
    count = 0
    for path in (path for folder in args.scenes for path in sorted(folder.glob("*.json"))):
        truth = json.loads(path.read_text())["indices"]
        traps = []
        for index in find_indices(Pyramid(cv2.imread(str(path.with_suffix(".jpg"))))):
            true = any(
                np.hypot(*np.subtract(index.centre_px, each["centre_px"]))
                < 0.5 * max(index.height_px, each["height_px"])
                for each in truth
            )
            if not true and 1 - index.shares[0] > MAYBE:
                traps.append(entry(index, "*"))
        path.with_suffix(".traps").write_text(json.dumps(traps))
        count += len(traps)
    print(f"{count} traps")


if __name__ == "__main__":
    main()
