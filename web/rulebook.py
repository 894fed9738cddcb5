"""The rules of a game as people read them, from screens/rules/<language>.md in its folder.

These files use a few marks of Markdown: headings with an anchor (`## The drone {#drone}`), paragraphs, lists, strong
words (`**all**`) and links to anchors (`[the drone](#drone)`). Everything else is text.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from web.text import bound

_HEADING = re.compile(r"(#{2,3}) (.+) \{#([a-z]+)\}")
_ITEM = re.compile(r"^(?:-|\d+\.) ", re.MULTILINE)
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_LINK = re.compile(r"\[([^]]+)\]\(#([a-z]+)\)")


@dataclass(frozen=True)
class Chapter:
    level: int
    """2, or 3 for a part of the chapter before."""
    anchor: str
    title: str
    body: str
    """HTML."""


@dataclass(frozen=True)
class Rules:
    title: str
    chapters: Sequence[Chapter]


@cache
def rules(game: Path, language: str) -> Rules:
    """Of the game in that folder. Raises OSError where it tells none."""
    text = (game / "screens" / "rules" / f"{language}.md").read_text(encoding="utf-8")
    title, *blocks = (bound(block) if language == "fr" else block for block in text.strip().split("\n\n"))
    chapters: list[Chapter] = []
    for block in blocks:
        if heading := _HEADING.fullmatch(block):
            chapters.append(Chapter(len(heading[1]), heading[3], _inline(heading[2]), ""))
        else:
            last = chapters.pop()
            chapters.append(Chapter(last.level, last.anchor, last.title, last.body + _block(block)))
    return Rules(_inline(title.removeprefix("# ")), chapters)


def _block(block: str) -> str:
    """A paragraph or a list. An item may go on in the next line."""
    if not _ITEM.match(block):
        return f"<p>{_inline(block)}</p>"
    kind = "ul" if block.startswith("-") else "ol"
    items = "".join(f"<li>{_inline(item)}</li>" for item in _ITEM.split(block)[1:])
    return f"<{kind}>{items}</{kind}>"


def _inline(text: str) -> str:
    safe = html.escape(re.sub(r"[ \n]+", " ", text), quote=False)
    return _LINK.sub(r'<a href="#\2">\1</a>', _STRONG.sub(r"<strong>\1</strong>", safe))
