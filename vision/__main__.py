"""Shows every stage of reading one picture: `python -m vision PICTURE KIT_FOLDER [CLEAN_PICTURE] --out FOLDER`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.layout import BadLayout, Layout, load_layout
from vision.locate import Found, find_boards, grey_picture
from vision.markers import Image, detect_markers
from vision.overlay import overlay
from vision.pictures import BadPicture, load_picture, save_picture
from vision.read import Reader
from vision.rectify import BoardPose, rectify

PX_PER_MM = 4.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision", description=__doc__)
    parser.add_argument("picture", type=Path)
    parser.add_argument("kit", type=Path)
    parser.add_argument("clean", type=Path, nargs="?", help="the same boards clean")
    parser.add_argument("--out", type=Path, default=Path("stages"), help="where the pictures go (default: stages)")
    options = parser.parse_args(arguments)
    try:
        picture, layout = load_picture(options.picture), load_layout(options.kit)
        clean = None if options.clean is None else load_picture(options.clean)
        options.out.mkdir(parents=True, exist_ok=True)
        for name, stage in _stages(picture, layout, clean).items():
            save_picture(options.out / name, stage)
            print(options.out / name)
    except (BadPicture, BadLayout, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _stages(picture: Image, layout: Layout, clean: Image | None) -> dict[str, Image]:
    """Pictures by file name, in the order in which a frame is read."""
    found = find_boards(picture, layout)
    stages = {"1-markers.png": _with_markers(picture, layout)}
    before = None if clean is None else find_boards(clean, layout)
    for board_id, pose in found.boards.items():
        stages[f"2-{board_id}.png"] = rectify(picture, pose, PX_PER_MM).bgr
        if clean is not None and before is not None and board_id in before.boards:
            stages[f"3-{board_id}-change.png"] = _change(picture, pose, clean, before.boards[board_id])
    reader = Reader(layout)
    if clean is not None:
        reader.take_reference(clean)
    stages["4-read.png"] = overlay(picture, layout, reader.read(picture))
    _tell(found)
    return stages


def _with_markers(picture: Image, layout: Layout) -> Image:
    largest = max(marker for board in layout.boards for marker in board.markers)
    drawn = picture.copy()
    for marker in detect_markers(grey_picture(picture), largest):
        outline = np.round(marker.quad_px).astype(np.int32)
        cv2.polylines(drawn, [outline], True, (0, 0, 255), 2, cv2.LINE_AA)
        cv2.putText(drawn, str(marker.id), outline[0].tolist(), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (0, 0, 255), 2)
    return drawn


def _change(picture: Image, pose: BoardPose, clean: Image, pose_before: BoardPose) -> Image:
    """How much light is left of what the clean board sent: grey is all, darker is less."""
    now, then = (rectify(*each, PX_PER_MM).bgr.astype(np.float32) for each in ((picture, pose), (clean, pose_before)))
    left = (now + 4) / (then + 4)
    return np.asarray(np.clip(160 * left / np.median(left, axis=(0, 1)), 0, 255), np.uint8)


def _tell(found: Found) -> None:
    for pose in found.boards.values():
        corners = " ".join(f"({x:.1f}, {y:.1f})" for x, y in pose.corners_px)
        quality = f"off {pose.error_px:.2f} px, confidence {pose.confidence:.3f}"
        print(f"{pose.board_id:8} markers {pose.used} {quality}: {corners}")
    print(f"duplicates {sorted(found.duplicates)}, strays {found.strays}, lens {found.lens}")


if __name__ == "__main__":
    sys.exit(main())
