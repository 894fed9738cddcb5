"""The one configuration file (TOML). Every option has a default; an unknown one is an error."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


class ConfigError(Exception):
    """The configuration cannot be used; names section and option."""


@dataclass(frozen=True)
class Config:
    store: Path
    """The database with all games."""
    language: str = "en"
    """What the table speaks: en, fr or es."""


def load_config(path: Path | None, languages: tuple[str, ...]) -> Config:
    """Reads `path`, or the usual place if it is None and a file is there. Raises ConfigError."""
    config = Config(store=_home("XDG_DATA_HOME", ".local/share") / "allcity.db")
    usual = _home("XDG_CONFIG_HOME", ".config") / "allcity.toml"
    if path is None:
        if not usual.is_file():
            return config
        path = usual
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise ConfigError(f"{path}: is not a TOML file ({error})") from error
    return _from_data(config, path, data, languages)


def _from_data(config: Config, path: Path, data: Mapping[str, Any], languages: tuple[str, ...]) -> Config:
    known = {("store", "path"), ("table", "language")}
    for section, options in data.items():
        if not isinstance(options, dict) or section not in {name for name, _ in known}:
            raise ConfigError(f"{path}: there is no section [{section}]")
        for option, value in options.items():
            if (section, option) not in known:
                raise ConfigError(f"{path}: [{section}] has no option '{option}'")
            if not isinstance(value, str) or not value:
                raise ConfigError(f"{path}: [{section}] {option} must be a text")
    language = data.get("table", {}).get("language", config.language)
    if language not in languages:
        raise ConfigError(f"{path}: [table] language must be one of {', '.join(languages)}")
    store = data.get("store", {}).get("path")
    # A path in the file is meant from where the file lies, not from where the program was started.
    return replace(config, language=language, store=path.parent / Path(store).expanduser() if store else config.store)


def _home(variable: str, default: str) -> Path:
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home() / default) / "allcity"
