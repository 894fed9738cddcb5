"""How well playing cards are read on photographs with truth.

    .venv/bin/python -m tests.bench.cards FOLDER [--only SOURCE] [--wrong] [--large] [--speed]
    .venv/bin/python -m tests.bench.cards SCENES --drawn [--wrong]

Per source: photographs, those wholly right (every card, nothing else) among all and among those of several cards,
cards found, of those told right, and photographs with a confident (above 0.9) wrong card. Then a table of how often
each degree of confidence was right. Where further cards could not be labelled, what is told away from the labelled
ones does not count, and neither do cards altered by hand. `--wrong` names the photographs read wrongly. `--large`
reads all of them enlarged to 12 megapixels; `--speed` tells what that takes in parts of marker detection.

`--drawn`: a folder that `tools/cards/scenes.py` has drawn. A card counts from an index on that is whole and 14 pixels
high; what is told of one of which less can be seen is neither right nor wrong.
"""

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from tests.bench.speed import enlarged, share_of_markers, told
from vision.cards import UNSURE, SeenCard, read_cards
from vision.indices import SeenIndex
from vision.pictures import load_picture

CONFIDENT = 0.9
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
TRAINED_ON = ("EdjeElectronics", "TeogopK", "claudioverardo")
ALTERED = "altered by hand"
WHOLE, SMALLEST_PX = 0.9, 14.0
"""How much of an index of a drawn scene is seen, and how high it is, from where on its card counts."""


@dataclass
class Tally:
    photos: int = 0
    right: int = 0
    several: int = 0
    several_right: int = 0
    cards: int = 0
    read: int = 0
    hits: int = 0
    confidently_wrong: int = 0
    sure: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def judged(seen: tuple[SeenCard, ...], photo: dict[str, Any]) -> Tally:
    """One photograph. A card counts as right while the truth still has one of its name."""
    wanted = Counter("*" if card["card"] == "joker" else card["card"] for card in photo["cards"])
    verdicts = []
    for card in seen:
        right = wanted[card.card] > 0
        wanted[card.card] -= right
        # Nobody knows which the further cards of an incomplete photograph are.
        if right or ((photo["complete"] or on_labelled(card, photo)) and not on_doubtful(card, photo)):
            verdicts.append((card, right))
    named = [(card.confidence, right) for card, right in verdicts if card.card != UNSURE]
    hits = sum(right for _, right in verdicts)
    wholly = hits == len(verdicts) == len(photo["cards"])
    several = len(photo["cards"]) > 1
    wrong = any(sure > CONFIDENT and not right for sure, right in named)
    return Tally(1, wholly, several, wholly and several, len(photo["cards"]), len(named), hits, wrong, named)


def _as_labelled(seen: tuple[SeenCard, ...], scale: float) -> tuple[SeenCard, ...]:
    """The cards with their indices in the pixels of the labels."""
    return tuple(
        replace(card, indices=tuple(replace(index, centre_px=_scaled(index, scale)) for index in card.indices))
        for card in seen
    )


def _scaled(index: SeenIndex, scale: float) -> tuple[float, float]:
    return index.centre_px[0] * scale, index.centre_px[1] * scale


def on_labelled(card: SeenCard, photo: dict[str, Any]) -> bool:
    return any(
        box[0] <= x <= box[2] and box[1] <= y <= box[3]
        for box in (each["box"] for each in photo["cards"])
        for x, y in (index.centre_px for index in card.indices)
    )


def on_doubtful(card: SeenCard, photo: dict[str, Any]) -> bool:
    """Whether it is a card of which too little is seen."""
    return any(
        np.hypot(*np.subtract(index.centre_px, (x, y))) < height and card.card in (UNSURE, name)
        for name, x, y, height in photo.get("doubtful", ())
        for index in card.indices
    )


def drawn_scenes(folder: Path) -> list[dict[str, Any]]:
    """Scenes that `tools/cards/scenes.py` has drawn, in the form of labelled photographs."""
    photos = []
    for path in sorted(folder.glob("*.json")):
        cards: dict[int, list[dict[str, Any]]] = {}
        for index in json.loads(path.read_text())["indices"]:
            cards.setdefault(index["number"], []).append(index)
        plain = {number for number, indices in cards.items() if any(is_plain(index) for index in indices)}
        doubtful = [
            (index["card"], *index["centre_px"], index["height_px"])
            for number in cards.keys() - plain
            for index in cards[number]
        ]
        photos.append(
            {
                "file": f"{path.stem}.jpg",
                "source": {"repo": f"{folder.name}/"},
                "cards": [{"card": cards[number][0]["card"]} for number in sorted(plain)],
                "complete": True,
                "doubtful": doubtful,
            }
        )
    return photos


def is_plain(index: dict[str, Any]) -> bool:
    return bool(index["seen"] >= WHOLE and index["height_px"] >= SMALLEST_PX)


def row(name: str, tally: Tally) -> str:
    part = f"{tally.several_right / tally.several:9.1%}" if tally.several else f"{'':9}"
    return (
        f"{name:18}{tally.photos:7}{tally.right / max(tally.photos, 1):9.1%}{part}"
        f"{tally.hits / max(tally.cards, 1):9.1%}{tally.hits / max(tally.read, 1):10.1%}{tally.confidently_wrong:9}"
    )


def reliability(sure: list[tuple[float, bool]]) -> list[str]:
    lines = [f"{'confidence':>14}{'cards':>7}{'mean':>8}{'right':>8}"]
    for low, high in pairwise(BINS):
        here = [(value, right) for value, right in sure if low <= value < high]
        if here:
            mean, share = (sum(column) / len(here) for column in zip(*here, strict=True))
            lines.append(f"{low:8.2f}-{min(high, 1):.2f} {len(here):7}{mean:8.3f}{share:8.3f}")
    return lines


def load_labels(folder: Path) -> list[dict[str, Any]]:
    return list(json.loads((folder / "labels.json").read_text())["photos"])


def group_of(source: str) -> str:
    return "trained on" if source in TRAINED_ON else "kept aside"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", help="parts of the names of sources")
    parser.add_argument("--drawn", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--speed", action="store_true")
    args = parser.parse_args()
    photos = drawn_scenes(args.folder) if args.drawn else load_labels(args.folder)
    sources: dict[str, Tally] = {}
    shares: list[float] = []
    for photo in track(photos, "reading", transient=True):
        source = photo["source"]["repo"].split("/")[0]
        if ALTERED in photo.get("note", "") or (
            args.only and not any(name in (source, group_of(source)) for name in args.only)
        ):
            continue
        picture = load_picture(args.folder / photo["file"])
        if args.speed:
            shares.append(share_of_markers(enlarged(picture), read_cards))
            continue
        larger = enlarged(picture) if args.large else picture
        seen = _as_labelled(read_cards(larger), picture.shape[1] / larger.shape[1])
        tally = judged(seen, photo)
        sources.setdefault(source, Tally()).add(tally)
        if args.wrong and not tally.right:
            answers = " ".join(f"{card.card}({card.confidence:.2f})" for card in seen)
            print(f"{photo['file']}: {' '.join(card['card'] for card in photo['cards'])}; read {answers}")
    if args.speed:
        print(told(shares))
        return
    print(f"{'source':18}{'photos':>7}{'right':>9}{'several':>9}{'found':>9}{'precision':>10}{'c.wrong':>9}")
    for group in ("trained on", "kept aside"):
        total = Tally()
        for source, tally in sources.items():
            if group_of(source) == group:
                print(row(source, tally))
                total.add(tally)
        if total.photos:
            print(row(group.upper(), total), *reliability(total.sure), sep="\n")


if __name__ == "__main__":
    main()
