"""A sheet as a picture, at the resolution of the print."""

from collections.abc import Sequence

from font_fredoka_one import FredokaOne
from PIL import Image, ImageDraw, ImageFont

from vision.kit.sheet import DARK, PAPER, Colour, within
from vision.layout import Point, Polygon
from vision.markers import CELLS, draw_marker

PX_PER_MM = 300 / 25.4


class PngSheet:
    def __init__(self, width_mm: float, height_mm: float) -> None:
        self.image = Image.new("RGB", (to_px(width_mm), to_px(height_mm)), PAPER)
        self._draw = ImageDraw.Draw(self.image)

    def polygon(
        self, points: Sequence[Point], fill: Colour | None = None, line: Colour | None = DARK, width_mm: float = 0.3
    ) -> None:
        px = [_px(point) for point in points]
        if fill is not None:
            self._draw.polygon(px, fill=fill)
        if line is not None:
            self._draw.line([*px, px[0], px[1]], fill=line, width=max(1, to_px(width_mm)), joint="curve")

    def line(self, a: Point, b: Point, width_mm: float = 0.3, colour: Colour = DARK) -> None:
        self._draw.line([_px(a), _px(b)], fill=colour, width=max(1, to_px(width_mm)))

    def circle(
        self,
        at: Point,
        radius_mm: float,
        fill: Colour | None = None,
        line: Colour | None = DARK,
        width_mm: float = 0.4,
    ) -> None:
        x, y = at
        box = [*_px((x - radius_mm, y - radius_mm)), *_px((x + radius_mm, y + radius_mm))]
        self._draw.ellipse(box, fill=fill, outline=line, width=to_px(width_mm))

    def text(self, at: Point, words: str, size_mm: float, colour: Colour = DARK, centred: bool = True) -> None:
        font = ImageFont.truetype(FredokaOne, to_px(size_mm))
        self._draw.text(_px(at), words, font=font, fill=colour, anchor="mm" if centred else "lm")

    def marker(self, marker: int, outline: Polygon) -> None:
        (left, top), (right, begin), *_ = outline
        if top == begin:
            self.image.paste(Image.fromarray(draw_marker(marker, to_px(right - left))), _px(outline[0]))
            return
        for row, cells in enumerate(draw_marker(marker, CELLS).tolist()):
            for col, light in enumerate(cells):
                corners = ((col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1))
                cell = [within(outline, x / CELLS, y / CELLS) for x, y in corners]
                self.polygon(cell, fill=PAPER if light else (0, 0, 0), line=None)


def to_px(mm: float) -> int:
    return round(mm * PX_PER_MM)


def _px(point: Point) -> tuple[int, int]:
    return to_px(point[0]), to_px(point[1])
