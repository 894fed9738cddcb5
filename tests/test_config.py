"""The configuration file: defaults, and no silent typos."""

from pathlib import Path

import pytest

from pi_app.config import ConfigError, load_config

LANGUAGES = ("en", "fr", "es")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def written(home: Path, content: str) -> Path:
    path = home / "my.toml"
    path.write_text(content)
    return path


def test_no_file_means_defaults(home: Path) -> None:
    config = load_config(None, LANGUAGES)
    assert (config.store, config.language) == (home / "data" / "allcity" / "allcity.db", "en")


def test_the_file_in_the_usual_place_is_found(home: Path) -> None:
    usual = home / "config" / "allcity" / "allcity.toml"
    usual.parent.mkdir(parents=True)
    usual.write_text('[table]\nlanguage = "fr"\n')
    assert load_config(None, LANGUAGES).language == "fr"


def test_a_path_is_meant_from_where_the_file_lies(home: Path) -> None:
    assert load_config(written(home, '[store]\npath = "games.db"'), LANGUAGES).store == home / "games.db"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[store]\npth = "x"', r"\[store\] has no option 'pth'"),
        ('[stor]\npath = "x"', r"no section \[stor\]"),
        ('language = "fr"', r"no section \[language\]"),
        ("[store]\npath = 3", r"\[store\] path must be a text"),
        ('[table]\nlanguage = "de"', r"\[table\] language must be one of en, fr, es"),
        ("[store", "not a TOML file"),
    ],
)
def test_what_is_wrong_is_named_with_section_and_option(home: Path, content: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_config(written(home, content), LANGUAGES)


def test_a_missing_file_is_told(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read"):
        load_config(home / "nowhere.toml", LANGUAGES)
