"""Tells where the corner indices of photographs are, by the reader as it is: truth names only cards and their boxes.

    .venv/bin/python tools/cards/align.py PHOTOS aligned.json

Only openly licensed photographs are looked at. An index that says what a box around it says has its place; one that is
half right has the box's word; one where no card is has fooled the reader. Boxes with indices that were not found are
noted as unknown, so that nothing is learned there.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
from vision.indices import CARDS, SeenIndex, find_indices
from vision.pictures import load_picture
from vision.pyramid import Pyramid

OPEN = ("Apache-2.0", "CC0", "MIT")
SURE, MAYBE = 0.8, 0.2
"""Probabilities that something is an index."""
ROOM = 0.15
"""Boxes are drawn by hand: so many parts of their size around them belong to them."""


def boxes_of(card: dict[str, Any]) -> list[list[float]]:
    return card.get("indices") or [card["box"]]


def holds(box: list[float], x: float, y: float) -> bool:
    rim = ROOM * max(box[2] - box[0], box[3] - box[1]) if max(box[2] - box[0], box[3] - box[1]) < 60 else 3
    return box[0] - rim <= x <= box[2] + rim and box[1] - rim <= y <= box[3] + rim


def entry(index: SeenIndex, card: str) -> dict[str, Any]:
    where = {"centre_px": index.centre_px, "up": index.up, "right": index.right, "height_px": index.height_px}
    return {"card": card, **where}


def said(index: SeenIndex, names: list[str]) -> str | None:
    """Which of the cards around it an index means."""
    shares = dict(zip(CARDS, index.shares[1:].tolist(), strict=True))
    best = max(names, key=lambda name: shares[name])
    if shares[best] > 0.03:
        return best
    likely = max(shares, key=lambda name: shares[name])
    near = [name for name in names if name[:-1] == likely[:-1] or (name[-1] == likely[-1] and name != "*")]
    return near[0] if len(set(names)) == 1 and near and 1 - index.shares[0] > SURE else None


def aligned(photo: dict[str, Any], indices: list[SeenIndex], corners: int) -> dict[str, Any]:
    cards = [{**card, "card": "*" if card["card"] == "joker" else card["card"]} for card in photo["cards"]]
    placed, traps, unknown = [], [], []
    found = np.zeros(len(cards), int)
    for index in sorted(indices, key=lambda index: index.shares[0]):
        if 1 - index.shares[0] < MAYBE:
            continue
        around = [n for n, card in enumerate(cards) if any(holds(box, *index.centre_px) for box in boxes_of(card))]
        name = said(index, [cards[n]["card"] for n in around]) if around else None
        if name:
            found[next(n for n in around if cards[n]["card"] == name)] += 1
            placed.append(entry(index, name))
        elif not any(holds(card["box"], *index.centre_px) for card in cards) and photo["complete"]:
            traps.append(entry(index, "*"))
        else:
            x, y, half = *index.centre_px, index.height_px
            unknown.append([x - half, y - half, x + half, y + half])
    for count, card in zip(found, cards, strict=True):
        if count < corners:
            unknown += [card["box"], *boxes_of(card)]
    if not photo["complete"]:
        width, height = photo["size"]
        rim = 0.12 * min(width, height)
        unknown += [
            [0, 0, width, rim],
            [0, height - rim, width, height],
            [0, 0, rim, height],
            [width - rim, 0, width, height],
        ]
    return {"indices": placed, "traps": traps, "unknown": unknown}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    entries, total, wanted = {}, 0, 0
    for photo in json.loads((args.photos / "labels.json").read_text())["photos"]:
        if not photo["licence"].startswith(OPEN) or "altered" in photo.get("note", ""):
            continue
        indices = find_indices(Pyramid(load_picture(args.photos / photo["file"])))
        # One source's pack shows its index in every corner.
        entries[photo["file"]] = aligned(photo, indices, 4 if "TeogopK" in photo["file"] else 2)
        total += len(entries[photo["file"]]["indices"])
        wanted += len(photo["cards"])
    args.out.write_text(json.dumps(entries))
    print(f"{total} indices placed, {wanted} cards in {len(entries)} photographs")


if __name__ == "__main__":
    main()
