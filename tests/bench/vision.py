"""What reading a table costs, against OpenCV's own marker detection over the same frame.

    .venv/bin/python -m tests.bench.vision

One rendered frame of 4608x2592 with five boards and five dice, or, with `--game graffiti`, six boards full of pieces.
Only ratios matter: machines differ and are noisy, so every figure is the median of rounds in which all take turns. What
is counted is processor time, of all cores together: OpenCV searches for markers on all that are free, which says more
about the machine than about the work. The exit code tells whether all aims were met.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

import cv2
import numpy as np

from tests.bench.kits import KITS
from tests.bench.opencv import search_markers
from tests.bench.tables import CONDITIONS, table, table_of_pieces
from vision.change import Change
from vision.dice import read_dice
from vision.die import DIE_MM
from vision.kit.write import write_kit
from vision.layout import load_layout
from vision.locate import find_boards, frame_size_px, grey_picture
from vision.marks import Seen, read_marks
from vision.pictures import load_picture
from vision.pyramid import Pyramid
from vision.read import LARGEST_DIE, SMALLEST_DIE, Reader
from vision.regions import Regions
from vision.render import Renderer, Scene, load_pictures
from vision.samples import maps_to, sample_board
from vision.track import track_boards

ROUNDS = 9
PLAIN = "OpenCV's markers"
WIDTH_PX = 4608
AIMS = {"tag_city": {"cold": 0.6, "warm": 0.2}, "graffiti": {"cold": 0.8, "warm": 0.25}}
MOST_MB = 400


def draw(game: str, folder: Path, width_px: int) -> None:
    """The kit, the clean table, the table in play, and the same a moment later with one more mark or piece."""
    write_kit(KITS[game](), folder)
    layout = load_layout(folder)
    renderer = Renderer(layout, load_pictures(layout))
    make = table_of_pieces if layout.catalogue.kinds else table
    clean, played = (_enlarged(scene, width_px) for scene in make(CONDITIONS[0], layout, seed=5))
    first, *others = played.boards
    before = replace(played, boards=(replace(first, marks=first.marks[:-1]), *others), pieces=played.pieces[:-1])
    scenes = {"clean": clean, "before": before, "now": replace(played, moment=2)}
    for name, scene in scenes.items():
        cv2.imwrite(str(folder / f"{name}.png"), renderer.render(scene).frame_bgr)


def _enlarged(scene: Scene, width_px: int) -> Scene:
    finer, size_px = width_px / scene.camera.size_px[0], (width_px, width_px * 9 // 16)
    return replace(scene, camera=replace(scene.camera, size_px=size_px, focal_px=scene.camera.focal_px * finer))


def measure(game: str, folder: Path, rounds: int) -> bool:
    """Prints every cost; tells whether the aims were met."""
    layout = load_layout(folder)
    clean, before, now = (load_picture(folder / f"{name}.png") for name in ("clean", "before", "now"))
    found, found_clean = find_boards(now, layout), find_boards(clean, layout)
    cities = [Regions(board) for board in layout.boards if board.drawn_regions]
    frame, clean_frame, size = Pyramid(now), Pyramid(clean), frame_size_px(now)
    poses, clean_poses = ([where.boards[city.board.id] for city in cities] for where in (found, found_clean))
    maps = [maps_to(pose, city, size) for pose, city in zip(poses, cities, strict=True)]
    looks = [sample_board(frame, each) for each in maps]
    references = [
        sample_board(clean_frame, maps_to(pose, city, size)) for pose, city in zip(clean_poses, cities, strict=True)
    ]
    boards = list(zip(looks, references, cities, strict=True))
    scale = next(iter(found.boards.values())).px_per_mm * DIE_MM
    stages: dict[str, Callable[[], object]] = {
        "find boards": lambda: find_boards(now, layout),
        "track boards": lambda: track_boards(Pyramid(now), layout, found),
    }
    drawn: dict[str, Callable[[], object]] = {
        "look at boards": lambda: [
            sample_board(Pyramid(now), maps_to(p, c, size)) for p, c in zip(poses, cities, strict=True)
        ],
        "judge marks": lambda: read_marks([Seen(Change(*each), np.ones(len(each[2].names), bool)) for each in boards]),
        "read dice": lambda: read_dice(now, (scale * SMALLEST_DIE, scale * LARGEST_DIE)),
    }
    stages |= drawn if cities else {}
    costs: dict[str, list[float]] = {name: [] for name in (PLAIN, "cold", "warm", *stages)}
    for _ in range(rounds):
        costs[PLAIN].append(_seconds(lambda: search_markers(grey_picture(now))))
        reader = Reader(layout)
        reader.take_reference(clean)
        costs["cold"].append(_seconds(lambda reader=reader: reader.read(before)))  # type: ignore[misc]
        costs["warm"].append(_seconds(lambda reader=reader: reader.read(now)))  # type: ignore[misc]
    # The stages apart from that: some look at more than a reader would, and make networks prepare for other sizes.
    for _ in range(rounds):
        for name, work in stages.items():
            costs[name].append(_seconds(work))
    plain = median(costs[PLAIN])
    for name, seconds in costs.items():
        aim = f"  (aim: at most {AIMS[game][name]})" if name in AIMS[game] else ""
        print(f"{name:18} {1000 * median(seconds):7.1f} ms  {median(seconds) / plain:5.2f}{aim}")
    return all(median(costs[name]) <= aim * plain for name, aim in AIMS[game].items())


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def _in_own_process(module: str, *arguments: object) -> str:
    """Drawing such a frame takes far more memory than reading it, so they must not share a process."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description="What reading a table costs.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--width", type=int, default=WIDTH_PX, help="of the frame in pixels")
    parser.add_argument("--game", choices=KITS, default="tag_city", help="whose table (default tag_city)")
    parser.add_argument("--draw", type=Path, help="only draw the table, into this folder")
    args = parser.parse_args()
    if args.draw is not None:
        draw(args.game, args.draw, args.width)
        return 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        print("drawing the table ...", file=sys.stderr)
        _in_own_process("tests.bench.vision", "--draw", folder, "--width", args.width, "--game", args.game)
        good = measure(args.game, folder, args.rounds)
        peak = int(_in_own_process("tests.bench.memory", folder))
    print(f"{'peak memory':18} {peak:7d} MB  (aim: below {MOST_MB})")
    return 0 if good and peak < MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main())
