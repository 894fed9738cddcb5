"""How well dice are read on photographs with truth.

    .venv/bin/python -m tests.bench.dice FOLDER [--only SOURCE] [--wrong] [--large] [--speed]

Per source: photographs, those wholly right (every value, nothing else) among all and among those whose dice are
at least 24 pixels wide, dice found, of those reported right, and photographs with a confident (above 0.9) wrong
value. Then a table of how often each degree of confidence was right. `--wrong` names the photographs read wrongly.
`--large` reads all of them enlarged to 12 megapixels; `--speed` tells what that takes in parts of marker detection.
"""

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.progress import track

from tests.bench.speed import enlarged, share_of_markers, told
from vision.dice import SeenDie, read_dice
from vision.pictures import load_picture

CONFIDENT = 0.9
SURE_ENOUGH_PX = 24
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
TUNED_ON = ("DamianTab", "KamilPiechowiak", "matteop65")
LOOKED_AT = ("wiktoriakeller", "MarceliJerzynski", "BartekBanachowicz", "Rodrigo-RRC")


@dataclass
class Tally:
    photos: int = 0
    right: int = 0
    large: int = 0
    large_right: int = 0
    dice: int = 0
    read: int = 0
    hits: int = 0
    confidently_wrong: int = 0
    sure: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def judged(seen: tuple[SeenDie, ...], photo: dict[str, Any]) -> Tally:
    """One photograph. A die counts as right when its box, where known, says so, else when the value is still wanted."""
    wanted = Counter(photo["values"])
    verdicts = []
    for die in seen:
        value = boxed_value(die, photo)
        right = wanted[die.value] > 0 and value in (None, die.value)
        wanted[die.value] -= right
        verdicts.append((die.confidence, right))
    hits = sum(right for _, right in verdicts)
    wholly = hits == len(seen) == len(photo["values"])
    large = all(min(x1 - x0, y1 - y0) >= SURE_ENOUGH_PX for x0, y0, x1, y1 in boxes_of(photo))
    wrong = any(sure > CONFIDENT and not right for sure, right in verdicts)
    return Tally(1, wholly, large, wholly and large, len(photo["values"]), len(seen), hits, wrong, verdicts)


def _as_labelled(seen: tuple[SeenDie, ...], scale: float) -> tuple[SeenDie, ...]:
    """The dice in the pixels of the labels."""
    return tuple(
        replace(die, centre_px=(die.centre_px[0] * scale, die.centre_px[1] * scale), edge_px=die.edge_px * scale)
        for die in seen
    )


def boxes_of(photo: dict[str, Any]) -> list[list[float]]:
    return [box["xyxy"] for box in photo["boxes"] or []]


def boxed_value(die: SeenDie, photo: dict[str, Any]) -> int | None:
    """The value the truth has at this place; 0 where it has no die, None where it does not tell."""
    if photo["boxes"] is None:
        return None
    x, y = die.centre_px
    inside = [
        box for box in photo["boxes"] if box["xyxy"][0] <= x <= box["xyxy"][2] and box["xyxy"][1] <= y <= box["xyxy"][3]
    ]
    if not inside:
        return 0
    values = {box["value"] for box in inside}
    return die.value if die.value in values else None if None in values else inside[0]["value"]


def row(name: str, tally: Tally) -> str:
    part = (tally.large_right / tally.large) if tally.large else 0.0
    return (
        f"{name:22}{tally.photos:7}{tally.right / max(tally.photos, 1):9.1%}{part:9.1%}"
        f"{tally.hits / max(tally.dice, 1):9.1%}"
        f"{tally.hits / max(tally.read, 1):10.1%}{tally.confidently_wrong:7}"
    )


def reliability(sure: list[tuple[float, bool]]) -> list[str]:
    lines = [f"{'confidence':>14}{'dice':>7}{'mean':>8}{'right':>8}"]
    for low, high in pairwise(BINS):
        here = [(value, right) for value, right in sure if low <= value < high]
        if here:
            mean, share = (sum(column) / len(here) for column in zip(*here, strict=True))
            lines.append(f"{low:8.2f}-{min(high, 1):.2f} {len(here):7}{mean:8.3f}{share:8.3f}")
    return lines


def group_of(source: str) -> str:
    return "trained on" if source in TUNED_ON else "looked at" if source in LOOKED_AT else "kept aside"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", help="parts of the names of sources")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--speed", action="store_true")
    args = parser.parse_args()
    photos = json.loads((args.folder / "labels.json").read_text())["photos"]
    sources: dict[str, Tally] = {}
    shares: list[float] = []
    for photo in track(photos, "reading", transient=True):
        source = photo["source"]["repo"].split("/")[3]
        if args.only and not any(name in (source, group_of(source)) for name in args.only):
            continue
        picture = load_picture(args.folder / photo["file"])
        if args.speed:
            shares.append(share_of_markers(enlarged(picture), read_dice))
            continue
        larger = enlarged(picture) if args.large else picture
        seen = _as_labelled(read_dice(larger), picture.shape[1] / larger.shape[1])
        tally = judged(seen, photo)
        sources.setdefault(source, Tally()).add(tally)
        if args.wrong and not tally.right:
            answers = " ".join(f"{die.value}({die.confidence:.2f})" for die in sorted(seen, key=lambda die: die.value))
            print(f"{photo['file']}: {photo['values']}, read {answers}")
    if args.speed:
        print(told(shares))
        return
    print(f"{'source':22}{'photos':>7}{'right':>9}{'>=24px':>9}{'recall':>9}{'precision':>10}{'c.wrong':>8}")
    for group in ("trained on", "looked at", "kept aside"):
        total = Tally()
        for source, tally in sources.items():
            if group_of(source) == group:
                print(row(source, tally))
                total.add(tally)
        if total.photos:
            print(row(group.upper(), total), *reliability(total.sure), sep="\n")


if __name__ == "__main__":
    main()
