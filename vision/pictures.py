"""Reads picture files from anywhere, with one clear line for every one that cannot be used."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.files import TooLarge, check_writable, read_bounded
from vision.markers import Image

LARGEST_FILE = 100_000_000
MOST_PIXELS = 130_000_000
"""Beyond any camera in use; a decoded picture takes three bytes for each."""

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
_FRAME_HEADERS = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""The JPEG segments that tell the size of the picture."""


class BadPicture(ValueError):
    """A file that is no usable picture; says why and what to do."""


def load_picture(path: Path) -> Image:
    """A JPEG or PNG file as BGR, 8 bits, turned as its EXIF note says. Raises BadPicture."""
    try:
        data = read_bounded(path, LARGEST_FILE)
    except TooLarge as error:
        raise BadPicture(f"{path}: is larger than {LARGEST_FILE // 1_000_000} MB; use a smaller picture") from error
    except OSError as error:
        raise BadPicture(f"{path}: cannot be read ({error.strerror})") from error
    try:
        return decode_picture(data)
    except BadPicture as error:
        raise BadPicture(f"{path}: {error}") from error


def decode_picture(data: bytes, most_pixels: int = MOST_PIXELS) -> Image:
    """The same for the bytes of a file, which may come from a stranger. Raises BadPicture."""
    if not data:
        raise BadPicture("is empty")
    width, height = _size(data)
    # Checked before decoding: a few bytes can claim gigabytes.
    if not width or not height or width * height > most_pixels:
        raise BadPicture(f"is {width} x {height} pixels; at most {most_pixels // 1_000_000} million can be read")
    try:
        # Without IMREAD_ANYDEPTH, 16 bits become 8; alpha is dropped and grey becomes three channels.
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise BadPicture("is damaged and cannot be decoded; take or copy it again")
    return cast(Image, picture)


def save_picture(path: Path, bgr: Image) -> None:
    """Writes a picture as PNG, whatever its name says. Raises OSError."""
    check_writable(path)
    path.write_bytes(png_of(bgr))


def png_of(bgr: Image) -> bytes:
    """A picture as the bytes of a PNG file."""
    done, data = cv2.imencode(".png", bgr)
    assert done, "an 8-bit picture can be encoded"
    return bytes(data.tobytes())


def jpeg_of(bgr: Image, quality: int = 85) -> bytes:
    """A picture as the bytes of a JPEG file, with nothing else in it."""
    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "an 8-bit picture can be encoded"
    return bytes(data.tobytes())


def _size(data: bytes) -> tuple[int, int]:
    """Width and height that the file claims. Raises BadPicture for other kinds and for files cut off.

    A decoder would fill the missing part of a cut JPEG with grey and say nothing.
    """
    if data.startswith(_PNG):
        if len(data) < 24 or b"IEND" not in data[-64:]:
            raise BadPicture("is cut off; copy it again")
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(_JPEG):
        if b"\xff\xd9" not in data[-4096:]:
            raise BadPicture("is cut off; copy it again")
        for kind, segment in _jpeg_segments(data):
            if kind in _FRAME_HEADERS and len(segment) >= 5:
                height, width = struct.unpack(">HH", segment[1:5])
                return width, height
        raise BadPicture("is damaged and cannot be decoded; take or copy it again")
    raise BadPicture("is neither a JPEG nor a PNG picture")


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The segments before the picture data."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF:  # padding
            at += 1
            continue
        length = int.from_bytes(data[at + 2 : at + 4])
        yield kind, data[at + 4 : at + 2 + length]
        if kind == 0xDA or length < 2:
            return
        at += 2 + length
