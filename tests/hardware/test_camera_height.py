"""How high a camera hangs and what it makes out: geometry, and what the command says."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera_height import CAMERAS, MARGIN, mountings
from pi_app.__main__ import main
from vision.die import DIE_MM
from vision.kit.corners import MARKER_MM
from vision.render import Camera
from vision.render.camera import project_flat

SIDES_MM = st.floats(300, 3000)


@given(SIDES_MM, SIDES_MM)
def test_the_whole_table_is_in_the_picture_and_no_lower_height_would_do(width: float, depth: float) -> None:
    for mounting in mountings(width, depth, MARKER_MM, DIE_MM):
        camera = mounting.camera
        seen = [
            2 * mounting.height_mm * math.tan(math.radians(angle / 2)) / MARGIN
            for angle in (camera.across_deg, camera.along_deg)
        ]
        spare = [seen[0] - max(width, depth), seen[1] - min(width, depth)]
        assert min(spare) == pytest.approx(0, abs=0.01)


def test_the_renderer_agrees_about_the_usual_camera() -> None:
    """Our pictures are drawn as from a Camera Module 3 over a table of 120 by 75 cm."""
    usual, mounting = Camera(), next(iter(mountings(1200, 750, MARKER_MM, DIE_MM)))
    left, right = project_flat(usual, [[-100.0, 0.0], [100.0, 0.0]])  # type: ignore[arg-type]
    assert (right[0] - left[0]) / 200 == pytest.approx(mounting.px_per_mm, rel=0.02)
    assert mounting.height_mm == pytest.approx(usual.distance_mm, rel=0.02)
    assert mounting.good


def test_the_command_tells_a_line_per_camera(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera-height", "--table", "120x75"]) == 0
    told = capsys.readouterr().out
    assert all(camera.name in told for camera in CAMERAS)
    assert "106 cm" in told


def test_the_command_gives_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera-height", "--table", "75 x 120", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert first == {
        "camera": "Pi Camera Module 3",
        "field_of_view_deg": [66.0, 41.0],
        "picture_px": [2304, 1296],
        "height_mm": 1053,
        "px_per_mm": 1.68,
        "px_per_marker_bit": 7.0,
        "smallest_die_mm": 14.2,
        "good": True,
    }


@pytest.mark.parametrize("table", ["120", "120x", "big", "0x75", "120x5000", "nanx75", "120x-75"])
def test_a_size_that_is_none_is_refused_in_a_line(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["camera-height", "--table", table])
    assert refused.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert re.search("such as 120x75", error)
