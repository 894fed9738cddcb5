"""Profiles of Tag City from files."""

from pathlib import Path
from typing import Any

from pi_app.games import profile_files
from pi_app.games.tag_city.edition.profile import TagCityEdition


def load_profile(path: Path) -> dict[str, Any]:
    return profile_files.load_profile(TagCityEdition(), path)


def read_profile(path: Path) -> dict[str, Any]:
    return profile_files.read_profile(TagCityEdition(), path)
