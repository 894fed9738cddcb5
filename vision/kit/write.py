"""Writes a kit: boards, layout and pages to print."""

import json
from collections.abc import Callable
from pathlib import Path

from vision.kit.kit import LAYOUT, Kit
from vision.kit.pages import write_pages
from vision.layout import layout_json


def write_kit(kit: Kit, folder: Path, progress: Callable[[str], None] = lambda name: None) -> None:
    """Writes everything into a folder, file by file. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for board in kit.layout.boards:
        kit.draw(board).save(folder / board.image, dpi=(300, 300), optimize=True)
        progress(board.image)
    if kit.atlas is not None:
        kit.atlas.draw().save(folder / kit.atlas.image, dpi=(300, 300), optimize=True)
        progress(kit.atlas.image)
    (folder / LAYOUT).write_text(json.dumps(layout_json(kit.layout), indent=1) + "\n", encoding="utf-8")
    progress(LAYOUT)
    for name, (paper_mm, scale) in kit.prints.items():
        write_pages(kit, folder / name, paper_mm, scale)
        progress(name)
