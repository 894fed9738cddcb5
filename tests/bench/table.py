"""What the table costs: at rest, and from the last stroke to the accepted move.

    .venv/bin/python -m tests.bench.table

Costs are ratios to OpenCV's own marker detection over a full frame, medians of rounds in which both take turns;
drawing the pictures is not counted. The exit code tells whether the aims were met.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from hardware.settings import CameraSettings
from pi_app.perception.eyes import Eyes
from pi_app.perception.sight import AGREEING
from pi_app.table.inputs import Glanced, Looked
from tests.bench.opencv import search_markers
from tests.e2e.night import FRAME_S, QUICK, Night, night, renderer
from vision.locate import grey_picture

ROUNDS = 15
REST = 0.15
CAMERA = CameraSettings()


def at_rest(at: Night, rounds: int) -> float:
    """What a picture in which nothing happens costs, of one marker detection."""
    eyes = Eyes(renderer().layout, at.table.game.surfaces(at.table.setup))
    full, small = at.hardware.camera.full(), at.hardware.camera.small()
    assert full is not None
    assert small is not None
    eyes.learn(full.bgr)
    for _ in range(3):
        at.table.step(Glanced(eyes.glance(small.bgr)))
        at.table.step(Looked(eyes.look(full.bgr)))
    rest, markers = [], []
    for _ in range(rounds):
        begin = perf_counter()
        at.table.step(Glanced(eyes.glance(small.bgr)))
        looks = at.table.wants_look
        at.table.lights()
        middle = perf_counter()
        search_markers(grey_picture(full.bgr))
        rest.append(middle - begin)
        markers.append(perf_counter() - middle)
        assert not looks, "a table at rest is not read"
    print(f"at rest            {1000 * median(rest):7.1f} ms")
    print(f"OpenCV's markers   {1000 * median(markers):7.1f} ms")
    return median(rest) / median(markers)


def pictures_to_acceptance(at: Night, moves: int) -> int:
    """The most pictures from the first one without a hand to the accepted move, over some moves."""
    most = 0
    gone = known = 0
    while at.bots.tally.moves < moves and not at.over:
        at.bots.step()
        at.turn()
        hands = any(hand.there(at.clock()) for hand in at.sim.state.hands)
        gone = 0 if hands or not at.bots.busy else gone + 1  # between two moves nobody waits
        if len(at.table.records) > known:
            most = max(most, gone)
            known, gone = len(at.table.records), 0
    return most


def main() -> int:
    parser = argparse.ArgumentParser(description="What the table costs.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--moves", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ratio = at_rest(night(Path(folder), 4, 1, camera=CAMERA), args.rounds)
    print(f"ratio              {ratio:7.3f}     (aim: at most {REST})")
    with tempfile.TemporaryDirectory() as folder:
        pictures = pictures_to_acceptance(night(Path(folder), 2, 2, QUICK), args.moves)
    print(f"hand to acceptance {pictures:7d} pictures of {FRAME_S} s (aim: at most {AGREEING + 2})")
    return 0 if ratio <= REST and pictures <= AGREEING + 2 else 1


if __name__ == "__main__":
    sys.exit(main())
