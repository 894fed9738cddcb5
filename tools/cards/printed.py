"""Packs that somebody else has drawn, from a folder of pictures: one folder for each pack, in it `10S.png` and so on.

    .venv/bin/python tools/cards/printed.py PACKS

places the corner indices of every face, by the reader as it is, and writes them as `indices.json` into each folder:
card by card the boxes that it read rightly, and for the others what is usual in that pack. A pack of which it reads too
few cards is told and left out.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
from faces import PX_PER_MM, RANKS, SUITS, Array, Face, Index, Rng, cut_out

from vision.indices import CARDS as KINDS
from vision.indices import find_indices
from vision.pyramid import Pyramid

WIDTH_MM = 63.0
USUAL_BREADTH = 0.62
"""Of an index, in its heights."""
ENOUGH = 0.4
"""Of a pack's cards whose index is read in a corner, for that corner to have one."""
CORNER = (0.25, 0.35)
"""How much of a card's breadth and height."""
Corner = tuple[bool, bool]
"""Whether right, and whether below."""
CORNERS: tuple[Corner, ...] = ((False, False), (True, True), (True, False), (False, True))
GREY = 90
CARDS = [rank + suit for rank in RANKS for suit in SUITS]


class PrintedPack:
    """The looks of one such pack."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._indices = json.loads((folder / "indices.json").read_text())
        self._faces: dict[str, Face] = {}
        height, width = self.face("AS").bgra.shape[:2]
        self.width_mm, self.height_mm = width / PX_PER_MM, height / PX_PER_MM

    def face(self, card: str) -> Face:
        if card not in self._faces:
            indices = tuple(
                Index(tuple(each["centre"]), tuple(each["up"]), each["height"], each["height"] * USUAL_BREADTH)
                for each in self._indices[card]
            )
            self._faces[card] = Face(picture_of(self._folder / f"{card}.png"), card, indices)
        return self._faces[card]

    def back(self, rng: Rng) -> Array:
        """Its own back where there is one."""
        path = self._folder / "back.png"
        if path.exists():
            return picture_of(path)
        plain = np.full_like(self.face("AS").bgra[..., :3], rng.integers(20, 220, 3).astype(np.float32))
        return cut_out(plain, 3.5)


def load_packs(folders: list[Path]) -> list[PrintedPack]:
    return [PrintedPack(path.parent) for folder in folders for path in sorted(folder.glob("*/indices.json"))]


def picture_of(path: Path) -> Array:
    """A face on white stock with round corners."""
    face = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    width = round(WIDTH_MM * PX_PER_MM)
    face = cv2.resize(face, (width, round(face.shape[0] * width / face.shape[1])), interpolation=cv2.INTER_AREA)
    if face.shape[2] == 4:
        share = face[..., 3:].astype(np.float32) / 255
        face = face[..., :3] * share + 255 * (1 - share)
    return cut_out(face.astype(np.float32), 3.5)


def place_indices(folder: Path) -> int:
    """Writes where the indices of a pack are; how many of its cards were read."""
    sizes, found = {}, {}
    for card in CARDS:
        picture = picture_of(folder / f"{card}.png")
        sizes[card] = np.array(picture.shape[1::-1])
        found[card] = dict(_read_corners(picture, card))
    read = sum(bool(corners) for corners in found.values())
    if read < ENOUGH * len(CARDS):
        return read
    every = [each for corners in found.values() for each in corners.values()]
    usual = np.median([inset for inset, _ in every], axis=0), float(np.median([tall for _, tall in every]))
    printed = [n for n in CORNERS if sum(n in corners for corners in found.values()) >= ENOUGH * len(CARDS)]
    told: dict[str, list[dict[str, object]]] = {card: [] for card in CARDS}
    for card, corner in product(CARDS, printed):
        inset, tall = found[card].get(corner, usual)
        if np.hypot(*(inset - usual[0])) > 0.3 * usual[1] or abs(np.log(tall / usual[1])) > 0.3:
            inset, tall = usual
        centre = np.where(corner, sizes[card] - inset, inset)
        told[card].append({"centre": centre.tolist(), "up": [0.0, 1.0 if corner[1] else -1.0], "height": tall})
    (folder / "indices.json").write_text(json.dumps(told))
    return read


def _read_corners(picture: Array, card: str) -> Iterator[tuple[Corner, tuple[Array, float]]]:
    """The corners in which a face shows its index, with its way from that corner and its height."""
    size, rim, share = np.array(picture.shape[1::-1]), 40, picture[..., 3:] / 255
    face = picture[..., :3] * share + GREY * (1 - share)
    table = cv2.copyMakeBorder(face, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(GREY, GREY, GREY, 0))
    for index in find_indices(Pyramid(table.astype(np.uint8))):
        at = np.array(index.centre_px) - rim
        across, down = (at > size / 2).tolist()
        inset = np.where((across, down), size - at, at)
        upright = index.up[1] * (1 if down else -1) > 0.9
        likely = KINDS[int(index.shares[1:].argmax())] == card and index.shares[0] < 0.5
        if likely and upright and (inset < size * CORNER).all():
            yield (across, down), (inset, index.height_px)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", type=Path, nargs="+")
    for folder in sorted(path.parent for packs in parser.parse_args().packs for path in packs.glob("*/AS.png")):
        if all((folder / f"{card}.png").exists() for card in CARDS):
            read = place_indices(folder)
            print(
                f"{folder.name}: {read} of {len(CARDS)} cards read"
                + ("" if (folder / "indices.json").exists() else ": left out")
            )


if __name__ == "__main__":
    main()
