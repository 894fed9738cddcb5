import cv2
import numpy as np
import pytest

from tests.bench.noise import MOST_MB, TEXTURES, measured
from vision.markers import Floats, Image, Marker, detect_markers, draw_marker, refine_markers


def _page(marker_id: int, side_px: int = 48, at: int = 30) -> tuple[Image, Floats]:
    page = np.full((side_px + 2 * at, side_px + 2 * at), 230, np.uint8)
    page[at : at + side_px, at : at + side_px] = np.maximum(draw_marker(marker_id, side_px), 20)
    # As in a camera the light is blurred, not the numbers that encode it.
    light = cv2.GaussianBlur((page / 255) ** 2.2, (0, 0), 0.8)
    page = np.round(255 * light ** (1 / 2.2)).astype(np.uint8)
    # The outline runs between pixels: half a pixel before the first black one's centre.
    first, last = at - 0.5, at + side_px - 0.5
    return page, np.array([[first, first], [last, first], [last, last], [first, last]])


@pytest.mark.parametrize("marker_id", [0, 7, 19, 49, 120, 999])
def test_a_drawn_marker_is_detected(marker_id: int) -> None:
    page, quad = _page(marker_id)
    (found,) = detect_markers(page, marker_id)
    assert found.id == marker_id
    assert np.abs(found.quad_px - quad).max() < 1.5


@pytest.mark.parametrize("quick", [False, True])
def test_a_turned_marker_keeps_its_own_top_left(quick: bool) -> None:
    page, quad = _page(5)
    turned = np.ascontiguousarray(np.rot90(page, -1))
    (found,) = detect_markers(turned, 19, quick)
    assert np.abs(found.quad_px - np.roll(quad, -1, axis=0)).max() < 1.5


def test_ids_beyond_the_largest_are_not_told() -> None:
    page, _ = _page(40)
    assert detect_markers(page, 19) == []


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (17, 17)])
def test_a_picture_too_small_for_markers_has_none(shape: tuple[int, int]) -> None:
    assert detect_markers(np.zeros(shape, np.uint8), 19) == []


@pytest.mark.parametrize(("marker_id", "side_px"), [(-1, 50), (1000, 50), (3, 5)])
def test_what_cannot_be_drawn_is_refused(marker_id: int, side_px: int) -> None:
    with pytest.raises(ValueError, match="cannot draw marker"):
        draw_marker(marker_id, side_px)


def test_refining_finds_the_outline_between_the_pixels() -> None:
    page, quad = _page(3)
    rough = quad + np.array([[2.0, -1.5], [1.0, 2.5], [-2.0, 1.0], [1.5, 1.5]])
    (found,) = refine_markers(page, [Marker(3, rough)])
    assert np.abs(found.quad_px - quad).max() < 0.1
    assert found.likeness > 0.98


def test_refining_reads_colour_pictures_too() -> None:
    page, quad = _page(3)
    (found,) = refine_markers(np.repeat(page[..., None], 3, axis=2), [Marker(3, quad)])
    assert np.abs(found.quad_px - quad).max() < 0.1


def test_a_stroke_across_an_edge_does_not_move_the_corners() -> None:
    page, quad = _page(3)
    page[20:36, 50:55] = 40
    (found,) = refine_markers(page, [Marker(3, quad)])
    assert np.abs(found.quad_px - quad).max() < 0.25


@pytest.mark.parametrize("marker_id", [0, 4, 12])
def test_another_marker_is_not_alike(marker_id: int) -> None:
    page, quad = _page(3)
    (found,) = refine_markers(page, [Marker(marker_id, quad)])
    assert found.likeness < 0.8


def test_an_empty_place_is_not_alike() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (120, 120), np.uint8)
    quad = np.array([[30.0, 30], [80, 30], [80, 80], [30, 80]])
    beyond = quad + 200
    assert all(found.likeness < 0.5 for found in refine_markers(noise, [Marker(3, quad), Marker(3, beyond)]))
    assert refine_markers(noise, []) == []


def test_a_marker_is_found_in_noise_that_has_to_be_smoothed() -> None:
    page, quad = _page(7, side_px=64, at=500)
    noisy = np.clip(page + np.random.default_rng(2).normal(0, 40, page.shape), 0, 255).astype(np.uint8)
    (found,) = detect_markers(noisy, 19)
    assert found.id == 7
    assert np.abs(found.quad_px - quad).max() < 3.0


def test_a_marker_is_found_among_squares_smaller_than_itself() -> None:
    page = np.full((1300, 2300), 220, np.uint8)
    rows, columns = np.mgrid[:1300, :2300]
    page[(rows % 18 < 12) & (columns % 18 < 12)] = 40
    page[580:660, 1080:1160] = 230
    page[596:644, 1096:1144] = draw_marker(7, 48)
    assert [marker.id for marker in detect_markers(page, 19)] == [7]


@pytest.mark.parametrize("texture", TEXTURES)
def test_noise_and_fine_texture_take_little_memory(texture: str) -> None:
    """OpenCV 4.10 takes gigabytes for some of these when it is left alone."""
    assert measured(texture, 4608)["peak_mb"] < MOST_MB
