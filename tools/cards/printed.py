"""Packs that somebody else has drawn, from a folder of pictures: one folder for each pack, in it `10S.png` and so on.

    .venv/bin/python tools/cards/printed.py PACKS

places the corner indices of every face, by the reader as it is, and writes them as `indices.json` into each folder:
card by card the boxes that it read rightly, and for the others what is usual in that pack. A pack of which it reads too
few cards is told and left out.
"""

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
from faces import PX_PER_MM, RANKS, SUITS, Array, Face, Index, Rng, cut_out

WIDTH_MM = 63.0
USUAL_BREADTH = 0.62
"""Of an index, in its heights."""
ENOUGH = 0.4
"""Of a pack's cards whose index is read in a corner, for that corner to have one."""
CORNERS = ((0, 0), (1, 1), (1, 0), (0, 1))
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
    from vision.indices import CARDS as KINDS
    from vision.indices import find_indices
    from vision.pyramid import Pyramid

    found: dict[str, dict[int, tuple[Array, float]]] = {}
    for card in CARDS:
        picture = picture_of(folder / f"{card}.png")
        height, width = picture.shape[:2]
        rim = 40
        share = picture[..., 3:] / 255
        table = cv2.copyMakeBorder(picture[..., :3] * share + 90 * (1 - share), *[rim] * 4, cv2.BORDER_CONSTANT, value=(90, 90, 90, 0))
        found[card] = {}
        for index in find_indices(Pyramid(table.clip(0, 255).astype(np.uint8))):
            at = np.array(index.centre_px) - rim
            corner = tuple((at > np.array([width, height]) / 2).astype(int))
            upright = index.up[1] < -0.9 if corner[1] == 0 else index.up[1] > 0.9
            if KINDS[int(index.shares[1:].argmax())] == card and index.shares[0] < 0.5 and upright:
                # Of all corners as if it were the first.
                inset = np.where(corner, [width, height] - at, at)
                if inset[0] < 0.25 * width and inset[1] < 0.35 * height:
                    found[card][CORNERS.index(corner)] = inset, index.height_px
    here = [each for entries in found.values() for each in entries.values()]
    if len(here) < ENOUGH * len(CARDS):
        return sum(bool(entries) for entries in found.values())
    usual = np.median([inset for inset, _ in here], axis=0), float(np.median([tall for _, tall in here]))
    corners = [n for n in range(4) if sum(n in entries for entries in found.values()) >= ENOUGH * len(CARDS)]
    told = {}
    for card in CARDS:
        height, width = picture_of(folder / f"{card}.png").shape[:2]
        told[card] = []
        for n in corners:
            inset, tall = found[card].get(n, usual)
            if np.hypot(*(inset - usual[0])) > 0.3 * usual[1] or abs(np.log(tall / usual[1])) > 0.3:
                inset, tall = usual
            at = np.where(CORNERS[n], [width, height] - inset, inset)
            up = [0.0, 1.0 if CORNERS[n][1] else -1.0]
            told[card].append({"centre": at.tolist(), "up": up, "height": tall})
    (folder / "indices.json").write_text(json.dumps(told))
    return sum(bool(entries) for entries in found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", type=Path, nargs="+")
    for folder in sorted(path.parent for packs in parser.parse_args().packs for path in packs.glob("*/AS.png")):
        if all((folder / f"{card}.png").exists() for card in CARDS):
            read = place_indices(folder)
            print(f"{folder.name}: {read} of {len(CARDS)} cards read" + ("" if (folder / "indices.json").exists() else ": left out"))


if __name__ == "__main__":
    main()
