"""How often reading is right, condition by condition, on rendered tables: `python -m tests.bench.accuracy`.

The readers never learned from these tables (see tests/bench/tables.py). A region counts unless it is covered;
one that is bleached out counts too, and `unsure` is the right answer only in the sense that it is not wrong.

Cells are squares of a board that is drawn on, boxes its other regions; in a game with pieces (`--game graffiti`), cells
are places of pieces told by colour, or by colour and code, and boxes those of tiles.
"""

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from pathlib import Path

import cv2
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.bench.kits import KITS
from tests.bench.tables import CONDITIONS, table, table_of_pieces
from vision.kit.write import write_kit
from vision.layout import INK, PIECES, Layout, load_layout
from vision.read import Reader, TableReading
from vision.render import Renderer, Shot, load_pictures
from vision.render.truth import RegionTruth

BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.001)
CLEAR = 0.5  # a die less visible than this need not be read


@cache
def _kit(folder: Path) -> tuple[Layout, Renderer]:
    cv2.setNumThreads(1)
    layout = load_layout(folder)
    return layout, Renderer(layout, load_pictures(layout))


def _measure(folder: Path, condition: int, seed: int, reference: bool) -> Counter[str]:
    """One table: what was read, counted by how it compares with the truth."""
    layout, renderer = _kit(folder)
    drawn = any(board.drawn_regions for board in layout.boards)
    clean, played = (table if drawn else table_of_pieces)(CONDITIONS[condition], layout, seed)
    reader = Reader(layout)
    if reference:
        reader.take_reference(renderer.render(clean).frame_bgr)
    shot = renderer.render(played)
    reading = reader.read(shot.frame_bgr)
    count = _count_marks(reading, shot, layout)
    count.update(_count_dice(reading, shot))
    return count


def _count_marks(reading: TableReading, shot: Shot, layout: Layout) -> Counter[str]:
    count: Counter[str] = Counter()
    for board_id, board in shot.truth.boards.items():
        squares = layout.board(board_id).read_by(INK, PIECES)
        told = {*layout.board(board_id).drawn_regions, *layout.board(board_id).piece_regions}
        if not told:
            continue
        marks = reading.marks.get(board_id, {})
        wholly = True
        for region, truth in board.regions.items():
            if truth.occluded or region not in told:
                continue
            square = region in squares
            expected = truth.held or _expected(square, truth)
            mark = marks.get(region)
            read = mark.kind if mark is not None else "unsure"
            verdict = "unsure" if read == "unsure" else "right" if read == expected else "wrong"
            count[f"{'cells' if square else 'boxes'} {verdict}"] += 1
            wholly &= verdict == "right"
            if verdict != "right":
                count[f"{verdict}: {board_id} {region.partition('.')[0]} {expected} as {read}"] += 1
            if mark is not None:
                best = max(mark.likelihoods, key=lambda kind: mark.likelihoods[kind]) if read == "unsure" else read
                place = sum(mark.confidence >= limit for limit in BINS[1:])
                count[f"bin {place}"] += 1
                count[f"bin {place} right"] += best == expected
        count["boards"] += 1
        count["boards right"] += wholly
    return count


def _expected(square: bool, truth: RegionTruth) -> str:
    if not truth.kinds:
        return "empty"
    if square:
        return "marked"
    return {"circle": "circled", "cross": "crossed"}.get(truth.kinds[-1], "marked")


def _count_dice(reading: TableReading, shot: Shot) -> Counter[str]:
    """A die is right when its value is read where it lies; one read where there is none is wrong."""
    free = list(reading.dice)
    count: Counter[str] = Counter()
    for die in shot.truth.dice:
        near = [
            seen
            for seen in free
            if abs(seen.centre_px[0] - die.centre_px[0]) + abs(seen.centre_px[1] - die.centre_px[1])
            < 1.5 * die.radius_px
        ]
        for seen in near[:1]:
            free.remove(seen)
        if die.visible < CLEAR:
            continue
        count["dice"] += 1
        count["dice right"] += bool(near) and near[0].value == die.value
    count["dice false"] += len(free)
    return count


def _row(name: str, count: Mapping[str, int]) -> str:
    def per_thousand(what: str, verdict: str) -> str:
        total = sum(count[f"{what} {v}"] for v in ("right", "wrong", "unsure"))
        return f"{1000 * count[f'{what} {verdict}'] / total:.2f}" if total else "-"

    cells = sum(count[f"cells {v}"] for v in ("right", "wrong", "unsure"))
    boards = f"{100 * count['boards right'] / max(count['boards'], 1):.1f} %"
    dice = f"{100 * count['dice right'] / max(count['dice'], 1):.1f} %"
    rates = [per_thousand(what, verdict) for what in ("cells", "boxes") for verdict in ("wrong", "unsure")]
    return f"| {name} | {cells} | {' | '.join(rates)} | {boards} | {dice} | {count['dice false']} |"


HEAD = (
    "| condition | cells | cells wrong ‰ | cells unsure ‰ | boxes wrong ‰ | boxes unsure ‰ | boards wholly right "
    "| dice right | false dice |\n|---|---|---|---|---|---|---|---|---|"
)


def _reliability(count: Mapping[str, int]) -> str:
    lines = ["| confidence | regions | right |", "|---|---|---|"]
    for place, (low, high) in enumerate(pairwise(BINS)):
        if count[f"bin {place}"]:
            right = 100 * count[f"bin {place} right"] / count[f"bin {place}"]
            lines.append(f"| {low:g} to {min(high, 1):g} | {count[f'bin {place}']} | {right:.2f} % |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20, help="per condition (default 20: four boards each)")
    parser.add_argument("--only", help="conditions, with commas")
    parser.add_argument("--without-reference", action="store_true", help="compare with the kit's print alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--errors", action="store_true", help="also tell what was not read right")
    parser.add_argument("--game", choices=KITS, default="tag_city", help="whose house edition (default tag_city)")
    parser.add_argument("--kit", type=Path, help="another kit's folder (default: the house edition)")
    options = parser.parse_args()
    chosen = [
        number
        for number, condition in enumerate(CONDITIONS)
        if not options.only or condition.name in options.only.split(",")
    ]
    if not chosen:
        parser.error(f"there are only these conditions: {', '.join(condition.name for condition in CONDITIONS)}")
    with tempfile.TemporaryDirectory() as made:
        folder = options.kit or Path(made)
        if options.kit is None:
            write_kit(KITS[options.game](), folder)
        counts = _all(folder, chosen, options.tables, options.seed, not options.without_reference)
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, OpenCV {cv2.__version__}, {options.tables} tables each, seed {options.seed}\n"
    )
    print(HEAD)
    for number in chosen:
        print(_row(CONDITIONS[number].name, counts[number]))
    if options.errors:
        for number in chosen:
            for error in sorted(name for name in counts[number] if name.startswith(("wrong:", "unsure:"))):
                print(f"{CONDITIONS[number].name}: {counts[number][error]} x {error}")
    print("\nHow often a reading with a given confidence is right:\n")
    print(_reliability(sum(counts.values(), Counter())))


def _all(folder: Path, chosen: list[int], tables: int, seed: int, reference: bool) -> dict[int, Counter[str]]:
    counts: dict[int, Counter[str]] = {number: Counter() for number in chosen}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with ProcessPoolExecutor(os.cpu_count()) as pool, Progress(*columns) as bar:
        task = bar.add_task("tables", total=tables * len(chosen))
        jobs = {
            pool.submit(_measure, folder, number, 1000 * seed + index, reference): number
            for index in range(tables)
            for number in chosen
        }
        for job, number in jobs.items():
            counts[number].update(job.result())
            bar.advance(task)
    return counts


if __name__ == "__main__":
    main()
