"""The icons of the dashboard as an app, drawn after `web/static/icon.svg`.

python -m tools.icons
"""

from pathlib import Path

from PIL import Image, ImageDraw

STATIC = Path(__file__).parents[1] / "web/static"
GROUND, HOUSES, SUN = "#1d1b26", "#4fd5e8", "#ff7ab8"
UNITS = 32
SKYLINE = ((5, 27), (5, 15), (10, 15), (10, 10), (16, 10), (16, 18), (20, 18), (20, 12), (27, 12), (27, 27))
WINDOWS = ((8, 20), (8, 24), (13, 14), (13, 18), (13, 22), (23, 16), (23, 20))
"""The left end of each, on its middle line."""
SMOOTH = 4
WITHIN_MASK = 0.72
"""Phones cut icons into circles and drops; so much of the drawing is safe from that."""


def icon(size: int, maskable: bool) -> Image.Image:
    drawn = Image.new("RGBA", (size * SMOOTH, size * SMOOTH))
    pen, scale = ImageDraw.Draw(drawn), size * SMOOTH / UNITS
    shrink = WITHIN_MASK if maskable else 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        middle = UNITS / 2
        return (middle + (x - middle) * shrink) * scale, (middle + (y - middle) * shrink) * scale

    pen.rounded_rectangle((0, 0, *drawn.size), 0 if maskable else 7 * scale, GROUND)
    pen.polygon([at(x, y) for x, y in SKYLINE], HOUSES)
    for x, y in WINDOWS:
        pen.rectangle((at(x, y - 1), at(x + 2, y + 1)), GROUND)
    pen.ellipse((at(19, 4), at(25, 10)), SUN)
    return drawn.resize((size, size), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    for size in (192, 512):
        icon(size, maskable=False).save(STATIC / f"icon-{size}.png", optimize=True)
    icon(512, maskable=True).convert("RGB").save(STATIC / "icon-maskable.png", optimize=True)
    icon(180, maskable=True).convert("RGB").save(STATIC / "icon-touch.png", optimize=True)
