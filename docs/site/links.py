"""A hook for MkDocs: links that leave docs/ work in the site as they do in the repository.

Whatever a page links elsewhere in the repository becomes part of the site, at the same place below `repository/`:
Markdown as a page, anything else as the file that it is.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ICON = "site/icon.svg"
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|[#/])([^)#\s]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, ICON, abs_src_path=str(ROOT / "web/static/icon.svg")))
    waiting = [_source(file) for file in files.documentation_pages()]
    while waiting:
        page = waiting.pop()
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            target = _target(page, link)
            place = None if target is None else _place(target)
            if place is None or target is None or files.get_file_from_path(place) is not None:
                continue
            files.append(File.generated(config, place, abs_src_path=str(target), inclusion=InclusionLevel.NOT_IN_NAV))
            if target.suffix == ".md":
                waiting.append(target)
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    del config, files
    source, here = _source(page.file), Path(page.file.src_uri).parent

    def placed(link: re.Match[str]) -> str:
        target = _target(source, link[0])
        return link[0] if target is None else Path(os.path.relpath(_place(target), here)).as_posix()

    return LINK.sub(placed, markdown)


def _source(file: File) -> Path:
    assert file.abs_src_path is not None
    return Path(file.abs_src_path)


def _target(page: Path, link: str) -> Path | None:
    """The file of the repository that is linked, if there is one; MkDocs names links that lead nowhere."""
    target = (page.parent / unquote(link)).resolve()
    return target if target.is_file() and target.is_relative_to(ROOT) else None


def _place(target: Path) -> str:
    """Where it is in the site."""
    if target.is_relative_to(DOCS):
        return target.relative_to(DOCS).as_posix()
    return f"repository/{target.relative_to(ROOT).as_posix()}"
