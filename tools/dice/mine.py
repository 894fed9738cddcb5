"""Finds what the reader takes for dice in rendered pictures and is none, for the next training.

    .venv/bin/python tools/dice/mine.py DIR...

Adds to NNNNN.traps beside each NNNNN.json of render.py or tabletop.py, as a list of x, y and edge (px).
"""

import json
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from vision.dice import read_dice


def main() -> None:
    for path in sorted(path for folder in sys.argv[1:] for path in Path(folder).glob("*.json")):
        known = path.with_suffix(".traps")
        traps = json.loads(known.read_text()) if known.exists() else []
        dice = json.loads(path.read_text())["dice"]
        for seen in read_dice(cv2.imread(str(path.with_suffix(".jpg")))):
            away = [np.hypot(*np.subtract(seen.centre_px, die["centre_px"])) / die["edge_px"] for die in dice]
            # Within a die's outline it may be a die seen wrongly, which is another matter.
            if min(away, default=9.0) > 0.75:
                traps.append([*seen.centre_px, seen.edge_px])
        known.write_text(json.dumps(traps))


if __name__ == "__main__":
    main()
