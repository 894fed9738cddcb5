"""The configuration file: defaults, and no silent typos."""

from pathlib import Path

import pytest

from hardware.settings import ZONE_PIXELS, CameraSettings, HardwareSettings
from pi_app.config import ConfigError, RecorderSettings, load_config

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


def zones(**changed: list[int]) -> str:
    spans = {zone: list(span) for zone, span in ZONE_PIXELS.items()} | changed
    return "[lights.zones]\n" + "\n".join(f"'{zone}' = {span}" for zone, span in spans.items())


def test_no_file_means_defaults(home: Path) -> None:
    config = load_config(None, LANGUAGES)
    assert (config.store, config.language) == (home / "data" / "allcity" / "allcity.db", "en")
    assert config.hardware == HardwareSettings(camera=CameraSettings(kind="auto"))


def test_the_file_in_the_usual_place_is_found(home: Path) -> None:
    usual = home / "config" / "allcity" / "allcity.toml"
    usual.parent.mkdir(parents=True)
    usual.write_text('[table]\nlanguage = "fr"\n')
    assert load_config(None, LANGUAGES).language == "fr"


def test_a_path_is_meant_from_where_the_file_lies(home: Path) -> None:
    assert load_config(written(home, '[store]\npath = "games.db"'), LANGUAGES).store == home / "games.db"


def test_each_device_is_chosen_for_itself(home: Path) -> None:
    content = """
    [camera]
    kind = "folder"
    path = "evening"
    mains_hz = 60
    [lights]
    kind = "pico"
    brightness = 1
    [buttons]
    kind = "gpio"
    undo_pin = 26
    """
    hardware = load_config(written(home, content), LANGUAGES).hardware
    assert (hardware.camera.kind, hardware.camera.path, hardware.camera.mains_hz) == ("folder", home / "evening", 60)
    assert (hardware.lights.kind, hardware.lights.brightness) == ("pico", 1.0)
    assert hardware.buttons.pins == {"confirm": 5, "undo": 26, "next": 13}
    assert hardware.sound == HardwareSettings().sound


def test_recordings_lie_beside_the_games_unless_told_otherwise(home: Path) -> None:
    assert load_config(None, LANGUAGES).recordings == home / "data" / "allcity" / "recordings"
    config = load_config(written(home, "[recorder]\nenabled = false\npath = 'films'\nlimit_mb = 50"), LANGUAGES)
    assert config.recorder == RecorderSettings(enabled=False, path=home / "films", limit_mb=50)
    assert config.recordings == home / "films"


def test_zones_may_lie_anywhere_on_the_strip(home: Path) -> None:
    hardware = load_config(written(home, zones(status=[100, 12])), LANGUAGES).hardware
    assert hardware.lights.zones["status"] == (100, 12)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[store]\npth = "x"', r"\[store\] has no option 'pth'"),
        ('[stor]\npath = "x"', r"no section \[stor\]"),
        ('language = "fr"', r"no section \[language\]"),
        ("[store]\npath = 3", r"\[store\] path must be a text"),
        ('[table]\nlanguage = "de"', r"\[table\] language must be one of en, fr, es"),
        ("[store", "not a TOML file"),
        ('[camera]\nkind = "sims"', r"\[camera\] kind must be one of auto, sim, picamera2, webcam, folder, none"),
        ('[camera]\nlens = "wide"', r"\[camera\] has no option 'lens'"),
        ("[camera]\nmains_hz = 55", r"\[camera\] mains_hz must be one of 50, 60"),
        ("[camera]\nwidth_px = 10", r"\[camera\] width_px must be a whole number from 640 to 9248"),
        ("[camera]\nwidth_px = true", r"\[camera\] width_px must be a whole number"),
        ('[camera]\nkind = "folder"', r"\[camera\] path is missing"),
        ("[lights]\nbrightness = 1.5", r"\[lights\] brightness must be a number from 0.0 to 1.0"),
        ("[lights]\nbudget_ma = 1.5", r"\[lights\] budget_ma must be a whole number from 100 to 20000"),
        ("[lights]\nzones = 3", r"\[lights\] zones must name zones: seat.1 to seat.8, status"),
        ("[lights.zones]\n'seat.9' = [0, 8]", r"\[lights\] zones must name zones"),
        ("[lights.zones]\nstatsu = [0, 8]", r"\[lights\] zones must name zones"),
        (zones(status=[0, 4]), r"\[lights\] zones gives pixel 0 to 'status' and to another zone"),
        (zones(status=[600, 4]), r"\[lights\] zones must keep 'status' between pixel 0 and 511"),
        (zones(status=[56]), r"\[lights\] zones must give the first pixel and how many for 'status'"),
        ("[buttons]\nconfirm_pin = 28", r"\[buttons\] confirm_pin must be a whole number from 2 to 27"),
        (
            '[buttons]\nkind = "gpio"\n[sound]\nkind = "gpio"\npin = 5',
            r"\[sound\] pin and \[buttons\] confirm_pin are both pin 5",
        ),
        ("[recorder]\nenabled = 1", r"\[recorder\] enabled must be true or false"),
        ("[recorder]\nlimit_mb = 10", r"\[recorder\] limit_mb must be a whole number from 50 to 100000"),
        ("[recorder]\nsize = 10", r"\[recorder\] has no option 'size'"),
        ("[lights]\nport = 3", r"\[lights\] port must be a text"),
    ],
)
def test_what_is_wrong_is_named_with_section_and_option(home: Path, content: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_config(written(home, content), LANGUAGES)


def test_a_missing_file_is_told(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read"):
        load_config(home / "nowhere.toml", LANGUAGES)
