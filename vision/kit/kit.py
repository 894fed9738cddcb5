"""What is printed for one game: where everything is, and how each board looks."""

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from vision.layout import BoardLayout, Layout


@dataclass(frozen=True)
class Kit:
    layout: Layout
    draw: Callable[[BoardLayout], Image.Image]
    """A board as a picture, at the resolution of the print."""
