"""A picture and its smaller ones."""

import numpy as np

from vision.markers import Image
from vision.pyramid import Pyramid


def noise(height: int, width: int, seed: int) -> Image:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def test_a_smaller_picture_is_the_mean_of_its_pixels() -> None:
    picture = noise(8, 12, 1)
    mean = picture.reshape(4, 2, 6, 2, 3).mean(axis=(1, 3))
    assert np.abs(Pyramid(picture).shrunk(2) - mean).max() <= 0.5


def test_frames_that_share_their_room_are_not_mixed_up() -> None:
    room: dict[int, Image] = {}
    for seed, size in enumerate([(64, 48), (64, 48), (32, 80), (63, 49)]):
        picture = noise(*size, seed)
        assert np.array_equal(Pyramid(picture, room).shrunk(4), Pyramid(picture).shrunk(4))


def test_a_picture_of_one_pixel_can_be_shrunk_too() -> None:
    assert Pyramid(noise(1, 1, 1)).shrunk(8).shape == (1, 1, 3)
