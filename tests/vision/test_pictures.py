"""Picture files: everything that a phone or a stranger may hand over is read, or refused in a line."""

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.markers import Image
from vision.pictures import BadPicture, decode_picture, load_picture

RED_LEFT = np.zeros((40, 60, 3), np.uint8)
RED_LEFT[:, :30] = (0, 0, 255)


def encoded(picture: Any, ending: str = ".png") -> bytes:
    return cv2.imencode(ending, picture)[1].tobytes()


def is_red_left(picture: Image) -> bool:
    return bool(picture.dtype == np.uint8 and picture[20, 10, 2] > 200 and picture[20, 50, 2] < 60)


@pytest.mark.parametrize("ending", [".png", ".jpg"])
def test_pictures_arrive_as_bgr(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"picture{ending}"
    path.write_bytes(encoded(RED_LEFT, ending))
    picture = load_picture(path)
    assert picture.shape == (40, 60, 3)
    assert is_red_left(picture)


def test_grey_16_bit_and_alpha_become_bgr_with_8_bits() -> None:
    grey = np.full((5, 7), 200, np.uint8)
    assert decode_picture(encoded(grey)).tolist() == np.full((5, 7, 3), 200).tolist()
    deep = (RED_LEFT.astype(np.uint16)) * 257
    assert is_red_left(decode_picture(encoded(deep)))
    clear = np.dstack([RED_LEFT, np.full((40, 60), 128, np.uint8)])
    assert is_red_left(decode_picture(encoded(clear)))


def test_a_single_pixel_is_a_picture() -> None:
    assert decode_picture(encoded(np.zeros((1, 1, 3), np.uint8))).shape == (1, 1, 3)


def test_a_picture_is_turned_as_its_note_says() -> None:
    """Orientation 6: the camera was held upright, so the left half becomes the upper one."""
    picture = PIL.Image.fromarray(RED_LEFT[:, :, ::-1].copy())
    note = PIL.Image.Exif()
    note[0x0112] = 6
    file = io.BytesIO()
    picture.save(file, "JPEG", exif=note.tobytes(), quality=95)
    turned = decode_picture(file.getvalue())
    assert turned.shape == (60, 40, 3)
    assert turned[10, 20, 2] > 200
    assert turned[50, 20, 2] < 60


def claimed_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to be huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def test_twenty_thousand_pixels_wide_is_read_if_it_is_not_too_many() -> None:
    assert decode_picture(encoded(np.zeros((10, 20_000, 3), np.uint8))).shape == (10, 20_000, 3)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b"dear diary", "neither a JPEG nor a PNG"),
        (b"GIF89a" + bytes(50), "neither a JPEG nor a PNG"),
        (encoded(RED_LEFT, ".jpg")[:-200], "is cut off"),
        (encoded(RED_LEFT, ".png")[:-60], "is cut off"),
        (claimed_png(100_000, 100_000), "is 100000 x 100000 pixels"),
        (claimed_png(0, 5), "is 0 x 5 pixels"),
        (claimed_png(50, 50), "is damaged"),
        (b"\xff\xd8" + bytes(30) + b"\xff\xd9", "is damaged"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(data: bytes, told: str) -> None:
    with pytest.raises(BadPicture, match=told):
        decode_picture(data)


def test_a_missing_file_and_a_folder_are_refused_in_words(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.jpg", tmp_path):
        with pytest.raises(BadPicture, match="cannot be read"):
            load_picture(path)


@given(st.binary(max_size=60), st.integers(0, 700), st.integers(0, 80), st.sampled_from([".jpg", ".png"]))
def test_damaged_bytes_never_crash_the_reader(junk: bytes, at: int, cut: int, ending: str) -> None:
    good = encoded(RED_LEFT, ending)
    try:
        picture = decode_picture(good[:at] + junk + good[at + cut :])
    except BadPicture as refused:
        print(refused)
    else:
        assert picture.ndim == 3
