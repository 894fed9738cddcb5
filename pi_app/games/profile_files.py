"""Reading profiles of any game from files, which may come from a stranger."""

import json
import tomllib
from pathlib import Path
from typing import Any

from pi_app.engine.contract import BadData, Edition, Problem
from vision.files import TooLarge, read_bounded

LARGEST_FILE = 1_000_000


def load_profile(edition: Edition, path: Path) -> dict[str, Any]:
    """Reads a profile file. Raises BadData with every problem that is not a mere warning."""
    profile = read_profile(edition, path)
    problems = [problem for problem in edition.check(profile) if not problem.warning]
    if problems:
        raise BadData(problems)
    return profile


def read_profile(edition: Edition, path: Path) -> dict[str, Any]:
    """A profile file as JSON values, unchecked. Raises BadData if it cannot be read at all."""
    try:
        return parse_profile(edition, read_bounded(path, LARGEST_FILE), str(path), as_json=path.suffix == ".json")
    except TooLarge as error:
        raise BadData([Problem(str(path), "file_too_large", {"most": LARGEST_FILE})]) from error
    except OSError as error:
        raise BadData([Problem(str(path), "file_unreadable", {"why": error.strerror})]) from error


def parse_profile(edition: Edition, raw: bytes, where: str, as_json: bool = False) -> dict[str, Any]:
    """The same for what stands in a file. Raises BadData."""
    try:
        data = json.loads(raw) if as_json else tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        raise BadData([Problem(where, "file_not_toml", {"why": str(error)[:120]})]) from error
    if not isinstance(data, dict):
        raise BadData([Problem(where, "file_not_toml", {"why": "not a table"})])
    return edition.from_file(data)
