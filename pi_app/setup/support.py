"""One file to send to somebody who can help: a ZIP whose `index.html` opens in any browser, without a network."""

import html
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_app.files import sync
from pi_app.recording.bundle import BadBundle, Bundle
from pi_app.recording.ring import mismatches
from vision.files import check_writable
from web.text import Text

PAGE, FINDINGS, CONFIG = "index.html", "doctor.json", "config.json"
MOST_MISMATCHES, MOST_SHOWN = 2, 4
LOG_LINES = 300
"""On the page; the files have more."""
MARKS = {"bad": "✕", "warn": "!", "good": "✓"}
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #ccc; }
li { margin: .4rem 0; } .bad { color: #a11; } .warn { color: #850; } .good { color: #255; }
.more { color: #444; display: block; } img { max-width: 100%; margin: .5rem 0; }
pre { background: #f4f4f4; padding: .8rem; overflow-x: auto; font-size: .85rem; }
"""


@dataclass(frozen=True)
class Evidence:
    """What there is to tell. `config` has no secrets in it, `findings` are in words."""

    findings: Sequence[Mapping[str, Any]]
    config: Mapping[str, Any]
    logs: Sequence[Path]
    recordings: Path
    hidden_game: int | None = None
    """A game that is still being played and hides something: nothing is told of what was recorded."""


def make_support(file: Path, evidence: Evidence, with_pictures: bool, at: str, text: Text) -> list[str]:
    """Writes the file and gives the names of what is in it. Raises OSError."""
    check_writable(file)
    with tempfile.TemporaryDirectory(prefix=".support-", dir=file.absolute().parent) as folder:
        draft = Path(folder) / "support.zip"
        with (
            os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as raw,
            zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as made,
        ):
            _add(made, FINDINGS, _json(evidence.findings))
            _add(made, CONFIG, _json(evidence.config))
            for log in evidence.logs:
                _add(made, f"logs/{log.name}", log.read_bytes())
            recorded, shown = _add_mismatches(made, evidence, with_pictures)
            _add(made, PAGE, _page(evidence, recorded, shown, at, text).encode())
            names = made.namelist()
        sync(draft)
        draft.replace(file)
    return names


def _add_mismatches(made: zipfile.ZipFile, evidence: Evidence, with_pictures: bool) -> tuple[list[str], list[str]]:
    """The last recordings of what did not fit, if they may be seen: their names, and those of pictures to look at."""
    if not with_pictures or evidence.hidden_game is not None:
        return [], []
    names, shown = [], []
    for path in mismatches(evidence.recordings)[-MOST_MISMATCHES:]:
        with suppress(BadBundle, OSError), Bundle(path) as bundle:
            pictures = [bundle.picture(number) for number in bundle.pictures[-MOST_SHOWN:]]
            _add(made, path.name, path.read_bytes(), zipfile.ZIP_STORED)
            names.append(path.name)
            for number, picture in enumerate(pictures, 1):
                kind = "png" if picture.startswith(b"\x89PNG") else "jpg"
                shown.append(f"pictures/{path.stem}-{number}.{kind}")
                _add(made, shown[-1], picture, zipfile.ZIP_STORED)
    return names, shown


def _add(made: zipfile.ZipFile, name: str, data: bytes, packing: int = zipfile.ZIP_DEFLATED) -> None:
    """Without a date: a ZIP knows none before 1980, but a Pi without a clock may."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = packing
    made.writestr(entry, data)


def _json(data: Any) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False).encode()


# --- the page ---------------------------------------------------------------------------------


def _page(evidence: Evidence, recorded: Sequence[str], shown: Sequence[str], at: str, text: Text) -> str:
    parts = [
        _heading(1, text("support.title")),
        _paragraph(text("support.made", {"at": at})),
        _heading(2, text("doctor.title")),
        _list(map(_finding, sorted(evidence.findings, key=lambda one: list(MARKS).index(one["severity"])))),
        _heading(2, text("support.recordings")),
        *_recordings(evidence, recorded, shown, text),
        _heading(2, text("support.log")),
        f"<pre>{html.escape(_last_lines(evidence.logs)) or '–'}</pre>",
        _heading(2, text("support.config")),
        f"<pre>{html.escape(_json(evidence.config).decode())}</pre>",
    ]
    head = f'<meta charset="utf-8"><title>{html.escape(text("support.title"))}</title><style>{STYLE}</style>'
    return f"<!doctype html><html><head>{head}</head><body>{''.join(parts)}</body></html>"


def _recordings(evidence: Evidence, names: Sequence[str], shown: Sequence[str], text: Text) -> Iterable[str]:
    if evidence.hidden_game is not None:
        yield _paragraph(text("support.hidden", {"game": evidence.hidden_game}))
    elif not names:
        yield _paragraph(text("support.no_recordings"))
    else:
        yield _list(f'<li><a href="{html.escape(name)}">{html.escape(name)}</a></li>' for name in names)
        yield _paragraph(text("support.replay"))
        for name in shown:
            yield f'<img src="{html.escape(name)}" alt="{html.escape(name)}">'


def _finding(finding: Mapping[str, Any]) -> str:
    more = "".join(
        f'<span class="more">{html.escape(finding[part])}</span>' for part in ("means", "do") if finding[part]
    )
    mark, severity = MARKS[finding["severity"]], html.escape(finding["severity"])
    return f'<li class="{severity}">{mark} {html.escape(finding["text"])}{more}</li>'


def _heading(level: int, said: str) -> str:
    return f"<h{level}>{html.escape(said)}</h{level}>"


def _paragraph(said: str) -> str:
    return f"<p>{html.escape(said)}</p>"


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(items)}</ul>"


def _last_lines(logs: Sequence[Path]) -> str:
    lines = [line for log in logs for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    return "\n".join(lines[-LOG_LINES:])
