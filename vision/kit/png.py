"""A sheet as a picture, at the resolution of the print."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from font_fredoka_one import FredokaOne
from PIL import Image, ImageDraw, ImageFont

from vision.kit.sheet import DARK, PAPER, Colour, Sheet, SizeMm, dark_cells
from vision.layout import Point, Polygon
from vision.markers import CELLS, code_cells, draw_marker

PX_PER_MM = 300 / 25.4


class PngSheet:
    def __init__(self, width_mm: float, height_mm: float, px_per_mm: float = PX_PER_MM) -> None:
        self._px_per_mm = px_per_mm
        self.image = Image.new("RGB", (self._length(width_mm), self._length(height_mm)), PAPER)
        self._draw = ImageDraw.Draw(self.image)

    @contextmanager
    def inset(self, at: Point, size_mm: SizeMm, scale: float = 1.0, turned: bool = False) -> Iterator["PngSheet"]:
        part = PngSheet(*size_mm, px_per_mm=scale * self._px_per_mm)
        x, y = self._px(at)
        width, height = part.image.size
        box = (x, y, x + height, y + width) if turned else (x, y, x + width, y + height)
        below = self.image.crop(box)
        part.image.paste(below.transpose(Image.Transpose.ROTATE_270) if turned else below)
        yield part
        self.image.paste(part.image.transpose(Image.Transpose.ROTATE_90) if turned else part.image, (x, y))

    def again(self, name: str, size_mm: SizeMm, draw: Callable[[Sheet], None]) -> None:
        draw(self)

    def polygon(
        self, points: Sequence[Point], fill: Colour | None = None, line: Colour | None = DARK, width_mm: float = 0.3
    ) -> None:
        px = [self._px(point) for point in points]
        if fill is not None:
            self._draw.polygon(px, fill=fill)
        if line is not None:
            self._draw.line([*px, px[0], px[1]], fill=line, width=self._width(width_mm), joint="curve")

    def line(self, a: Point, b: Point, width_mm: float = 0.3, colour: Colour = DARK) -> None:
        self._draw.line([self._px(a), self._px(b)], fill=colour, width=self._width(width_mm))

    def circle(
        self,
        at: Point,
        radius_mm: float,
        fill: Colour | None = None,
        line: Colour | None = DARK,
        width_mm: float = 0.4,
    ) -> None:
        x, y = at
        box = [*self._px((x - radius_mm, y - radius_mm)), *self._px((x + radius_mm, y + radius_mm))]
        self._draw.ellipse(box, fill=fill, outline=line, width=self._length(width_mm))

    def text(self, at: Point, words: str, size_mm: float, colour: Colour = DARK, centred: bool = True) -> None:
        font = ImageFont.truetype(FredokaOne, self._length(size_mm))
        self._draw.text(self._px(at), words, font=font, fill=colour, anchor="mm" if centred else "lm")

    def marker(self, marker: int, outline: Polygon) -> None:
        (left, top), (right, begin), *_ = outline
        if top == begin:
            picture = Image.fromarray(draw_marker(marker, self._length(right - left)))
            self.image.paste(picture, self._px(outline[0]))
            return
        self.polygon(outline, fill=PAPER, line=None)
        for cell in dark_cells(draw_marker(marker, CELLS).tolist(), outline):
            self.polygon(cell, fill=(0, 0, 0), line=None)

    def code(self, code: int, outline: Polygon) -> None:
        for cell in dark_cells(code_cells(code).tolist(), outline):
            self.polygon(cell, fill=(0, 0, 0), line=None)

    def _length(self, mm: float) -> int:
        return round(mm * self._px_per_mm)

    def _width(self, mm: float) -> int:
        return max(1, self._length(mm))

    def _px(self, point: Point) -> tuple[int, int]:
        return self._length(point[0]), self._length(point[1])
