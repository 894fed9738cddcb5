"""Places the top faces of openly licensed photographs, for training on them.

    .venv/bin/python tools/dice/align.py PHOTOS OUT.json

The labels have boxes around whole dice; training wants the middle and the width of the top face. The reader as trained
so far, on pictures of our own making, tells them: where it finds a die in a box, its place is taken with the
value of the label, whatever value it read. Else the box itself must do. Photographs whose boxes or their values are
incomplete are taken only when they were read as the label says.
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from vision.dice import SeenDie, read_dice
from vision.pictures import load_picture

OPEN = ("Apache", "MIT")
EDGES_PER_BOX = 1.25
"""The side of a box around a die that is turned at random, in die edges."""


def main() -> None:
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    aligned = {}
    for photo in json.loads((folder / "labels.json").read_text())["photos"]:
        if photo["source"]["licence"].startswith(OPEN):
            seen = read_dice(load_picture(folder / photo["file"]))
            dice = placed(photo, seen)
            if dice is not None:
                repo, view = photo["source"]["repo"], photo["view"]
                aligned[photo["file"]] = {"repo": repo, "view": view, "dice": dice, "others": false_dice(photo, seen)}
            print(
                photo["file"], photo["values"], [die.value for die in seen], "taken" if dice is not None else "left out"
            )
    out.write_text(json.dumps(aligned))


def placed(photo: dict[str, Any], seen: tuple[SeenDie, ...]) -> list[dict[str, Any]] | None:
    boxes = photo["boxes"]
    if boxes is None or any(box["value"] is None for box in boxes):
        if sorted(die.value for die in seen) != photo["values"]:
            return None
        return [_die(die.value, die.centre_px, die.edge_px) for die in seen]
    return [_in_box(box, seen) for box in boxes]


def false_dice(photo: dict[str, Any], seen: tuple[SeenDie, ...]) -> list[dict[str, Any]]:
    """What was taken for a die outside every box: the next training shows it as what it is."""
    if photo["boxes"] is None:
        return []
    boxes = [box["xyxy"] for box in photo["boxes"]]
    return [
        _die(0, die.centre_px, die.edge_px)
        for die in seen
        if not any(x0 <= die.centre_px[0] <= x1 and y0 <= die.centre_px[1] <= y1 for x0, y0, x1, y1 in boxes)
    ]


def _in_box(box: dict[str, Any], seen: tuple[SeenDie, ...]) -> dict[str, Any]:
    x0, y0, x1, y1 = box["xyxy"]
    middle, edge = ((x0 + x1) / 2, (y0 + y1) / 2), min(x1 - x0, y1 - y0) / EDGES_PER_BOX
    for die in seen:
        # Neighbours' boxes overlap: only a face in the box's heart, or above it at a slant, belongs to it.
        right, down = die.centre_px[0] - middle[0], die.centre_px[1] - middle[1]
        if abs(right) < 0.4 * edge and abs(down) < 0.5 * edge and 0.6 < die.edge_px / edge < 1.6:
            return _die(box["value"], die.centre_px, die.edge_px)
    return _die(box["value"], middle, edge)


def _die(value: int, centre_px: tuple[float, float], edge_px: float) -> dict[str, Any]:
    return {"value": value, "centre_px": centre_px, "edge_px": edge_px}


if __name__ == "__main__":
    main()
