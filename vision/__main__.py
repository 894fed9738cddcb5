"""Shows what vision sees in one picture: `python -m vision PICTURE KIT_FOLDER`."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from vision.layout import BadLayout, load_layout
from vision.locate import find_boards, grey_picture
from vision.markers import detect_markers
from vision.pictures import BadPicture, load_picture
from vision.track import track_boards


def _main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m vision PICTURE KIT_FOLDER", file=sys.stderr)
        return 2
    try:
        picture, layout = load_picture(Path(arguments[0])), load_layout(Path(arguments[1]))
    except (BadPicture, BadLayout) as error:
        print(error, file=sys.stderr)
        return 2
    found = find_boards(picture, layout)
    for pose in found.boards.values():
        corners = " ".join(f"({x:.1f}, {y:.1f})" for x, y in pose.corners_px)
        quality = f"off {pose.error_px:.2f} px, confidence {pose.confidence:.3f}"
        print(f"{pose.board_id:8} markers {pose.used} {quality}: {corners}")
    print(f"duplicates {sorted(found.duplicates)}, strays {found.strays}, lens {found.lens}")
    plain = _seconds(lambda: detect_markers(grey_picture(picture), 49))
    cold = _seconds(lambda: find_boards(picture, layout))
    warm = _seconds(lambda: track_boards(picture, layout, found))
    for name, seconds in (("plain ArUco", plain), ("find_boards", cold), ("track_boards", warm)):
        print(f"{name:12} {seconds * 1000:7.1f} ms  {seconds / plain:5.2f}")
    return 0


def _seconds(work: Callable[[], object]) -> float:
    """The shortest of five runs."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
