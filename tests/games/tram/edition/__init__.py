"""What is printed for the night tram: a line with stops for all, and a sheet with boxes for everybody."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi_app.engine.contract import Edition, Problem
from tests.games.tram.rules import OPTIONS, PLAYERS
from vision.kit.corners import corner_markers
from vision.kit.kit import Kit
from vision.kit.sheet import SOFT, Sheet, middle_of, rectangle
from vision.layout import DICE, INK, BoardLayout, Layout

LINE_MM, SHEET_MM = (264.0, 100.0), (140.0, 90.0)
STOP_MM, BOX_MM = 23.0, 16.0
MOST_BOXES = max(OPTIONS["brakes"])


class TramEdition(Edition):
    supplied: Mapping[str, Path] = {"house": Path(__file__).parent / "profiles" / "house.toml"}

    def check(self, profile: Any) -> list[Problem]:
        known = isinstance(profile, dict) and isinstance(profile.get("tickets"), dict)
        return [] if known and isinstance(profile.get("stops"), int) else [Problem("file", "not_a_table")]

    def kit(self, profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Kit:
        boards = (*(_sheet(seat) for seat in range(PLAYERS[-1])), _line(profile["stops"]))
        return Kit(Layout(profile["name"], boards, game="tram"), _draw, f"Night Tram: {profile['name']}")


def _line(stops: int) -> BoardLayout:
    left, top = (LINE_MM[0] - stops * STOP_MM) / 2, (LINE_MM[1] - STOP_MM) / 2
    places = {f"stop.{n + 1}": rectangle(left + n * STOP_MM, top, STOP_MM, STOP_MM) for n in range(stops)}
    markers = corner_markers(PLAYERS[-1], LINE_MM)
    return BoardLayout("line", "line", *LINE_MM, "line.png", places, markers, dict.fromkeys(places, DICE))


def _sheet(seat: int) -> BoardLayout:
    left, top = (SHEET_MM[0] - MOST_BOXES * 1.2 * BOX_MM) / 2, (SHEET_MM[1] - BOX_MM) / 2
    boxes = {f"brake.{n + 1}": rectangle(left + 1.2 * n * BOX_MM, top, BOX_MM, BOX_MM) for n in range(MOST_BOXES)}
    name, markers = f"sheet-{seat + 1}", corner_markers(seat, SHEET_MM)
    return BoardLayout(name, "sheet", *SHEET_MM, f"{name}.png", boxes, markers, dict.fromkeys(boxes, INK))


def _draw(sheet: Sheet, board: BoardLayout) -> None:
    for region, place in board.regions.items():
        sheet.polygon(place, fill=(238, 240, 250), width_mm=0.5)
        x, y = middle_of(place)
        sheet.text((x, y - STOP_MM), region.partition(".")[2], 6.0, SOFT)
    sheet.text((board.width_mm / 2, board.height_mm - 12), f"night tram: {board.id}", 6.0, SOFT)
