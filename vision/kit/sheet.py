"""A sheet of paper to draw on, in millimetres."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from font_fredoka_one import FredokaOne
from PIL import Image, ImageDraw, ImageFont

from vision.kit.places import MARKER_MM
from vision.layout import Point, Polygon
from vision.markers import draw_marker

PX_PER_MM = 300 / 25.4
INK, SOFT, PAPER = (35, 35, 45), (120, 120, 130), (255, 255, 255)


@dataclass(frozen=True)
class Sheet:
    """A drawing surface in millimetres."""

    image: Image.Image
    draw: ImageDraw.ImageDraw

    @classmethod
    def blank(cls, width_mm: float, height_mm: float) -> "Sheet":
        image = Image.new("RGB", (to_px(width_mm), to_px(height_mm)), PAPER)
        return cls(image, ImageDraw.Draw(image))

    def polygon(self, points: Sequence[Point], fill: Any = None, line: Any = INK, width_mm: float = 0.3) -> None:
        px = [(to_px(x), to_px(y)) for x, y in points]
        if fill is not None:
            self.draw.polygon(px, fill=fill)
        if line is not None:
            self.draw.line([*px, px[0], px[1]], fill=line, width=max(1, to_px(width_mm)), joint="curve")

    def line(self, a: Point, b: Point, width_mm: float = 0.3, colour: Any = INK) -> None:
        self.draw.line(
            [(to_px(a[0]), to_px(a[1])), (to_px(b[0]), to_px(b[1]))], fill=colour, width=max(1, to_px(width_mm))
        )

    def text(self, at: Point, words: str, size_mm: float, colour: Any = INK, anchor: str = "mm") -> None:
        font = ImageFont.truetype(FredokaOne, to_px(size_mm))
        self.draw.text((to_px(at[0]), to_px(at[1])), words, font=font, fill=colour, anchor=anchor)

    def circle(self, at: Point, radius_mm: float, fill: Any = None, line: Any = INK, width_mm: float = 0.4) -> None:
        box = [to_px(at[0] - radius_mm), to_px(at[1] - radius_mm), to_px(at[0] + radius_mm), to_px(at[1] + radius_mm)]
        self.draw.ellipse(box, fill=fill, outline=line, width=to_px(width_mm))

    def paste(self, other: Image.Image, at: Point) -> None:
        self.image.paste(other, (to_px(at[0]), to_px(at[1])))


def marker_image(marker: int) -> Image.Image:
    return Image.fromarray(draw_marker(marker, to_px(MARKER_MM)))


def middle_of(polygon: Polygon) -> Point:
    return sum(x for x, _ in polygon) / 4, sum(y for _, y in polygon) / 4


def to_px(mm: float) -> int:
    return round(mm * PX_PER_MM)
