"""The one configuration file (TOML). Every option has a default; an unknown one is an error."""

import json
import os
import re
import tomllib
import typing
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

import tomli_w

from hardware.ports import SEATS, STATUS
from hardware.settings import CameraSettings, HardwareSettings
from vision.files import read_bounded

# From where to where a number may go. Pins: those of the Pi's header.
RANGES: dict[str, tuple[float, float]] = {
    "device": (0, 63),
    "width_px": (640, 9248),
    "height_px": (360, 6944),
    "small_width_px": (160, 1920),
    "brightness": (0.0, 1.0),
    "budget_ma": (100, 20_000),
    "limit_mb": (50, 100_000),
    "hourly_mb": (10, 100_000),
    "port": (0, 65_535),
    "second_port": (1, 65_535),
}
PINS = (2, 27)
MOST_PIXELS = 512
ZONE = re.compile(r"seat\.[1-8]|status|(?!seat\.)[a-z_]+\.[1-9]\d?")
LARGEST_FILE = 1_000_000
SECRET = re.compile(r"password|secret|token")
"""In the names of options that are nobody else's business."""
PLACES = ("store", "recorder", "backup")
"""Sections whose `path` belongs to this machine."""


class ConfigError(Exception):
    """The configuration cannot be used; names section and option."""


@dataclass(frozen=True)
class RecorderSettings:
    enabled: bool = True
    path: Path | None = None
    """The folder of recordings; without one it lies beside the database."""
    limit_mb: int = 300
    """It never grows beyond this; the oldest pictures are dropped."""
    pictures: Literal["few", "all"] = "few"
    """all: every picture that is read, lossless: some 200 MB a minute."""
    hourly_mb: int = 70
    """With few pictures, no more is written in an hour: memory cards wear out."""


@dataclass(frozen=True)
class BackupSettings:
    enabled: bool = True
    """Once a day, while the program runs."""
    path: Path | None = None
    """The folder of the daily backups, on a USB stick for example; without one it lies beside the database."""


@dataclass(frozen=True)
class WebSettings:
    enabled: bool = True
    port: int = 8080
    """0 takes any that is free."""
    second_port: int | None = None
    """Where the first is taken."""
    address: str = "0.0.0.0"
    """Which of this machine's addresses it listens on; 127.0.0.1 keeps it to itself."""
    name: str = ""
    """A host name of its own, besides those the machine has."""


@dataclass(frozen=True)
class WifiSettings:
    enabled: bool = False
    """The host may change this machine's Wi-Fi, and where there is no network the table opens one of its own. For a
    machine that does nothing else: nobody wants that of a laptop."""


@dataclass(frozen=True)
class Config:
    store: Path
    """The database with all games."""
    language: str = "en"
    """What the table speaks: en, fr or es."""
    hardware: HardwareSettings = HardwareSettings(camera=CameraSettings(kind="auto"))  # noqa: RUF009 - frozen
    """Which devices there are: sections [camera], [lights], [status_light], [buttons] and [sound]."""
    recorder: RecorderSettings = field(default_factory=RecorderSettings)
    """Whether and where evenings are recorded."""
    backup: BackupSettings = field(default_factory=BackupSettings)
    """Whether and where everything is backed up every day."""
    web: WebSettings = field(default_factory=WebSettings)
    """The dashboard."""
    wifi: WifiSettings = field(default_factory=WifiSettings)
    """Whether this machine's Wi-Fi is the table's."""

    @property
    def backups(self) -> Path:
        """The folder of daily backups."""
        return self.backup.path or self.store.with_name("backups")

    @property
    def recordings(self) -> Path:
        """The folder of recordings."""
        return self.recorder.path or self.store.with_name("recordings")


def config_file(path: Path | None) -> Path:
    """The file that is named, or the usual place."""
    return path or _home("XDG_CONFIG_HOME", ".config") / "allcity.toml"


def load_config(path: Path | None, languages: tuple[str, ...]) -> Config:
    """Reads `path`, or the usual place if it is None and a file is there. Raises ConfigError."""
    file = config_file(path)
    if path is None and not file.is_file():
        return _usual()
    try:
        data = read_bounded(file, LARGEST_FILE)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror})") from error
    return _from_data(_usual(), file, _parsed(file, data), languages)


def config_of_another(path: Path, data: bytes, languages: tuple[str, ...]) -> bytes:
    """A configuration file of another machine as it may stand at `path`. Raises ConfigError.

    Where things lie on the disk stays as the file that is there says.
    """
    theirs = _parsed(path, data)
    ours = _parsed(path, read_bounded(path, LARGEST_FILE)) if path.is_file() else {}
    _from_data(_usual(), path, theirs, languages)
    merged = {name: dict(options) for name, options in theirs.items()}
    for section in PLACES:
        place = ours.get(section, {}).get("path")
        merged.setdefault(section, {}).pop("path", None)
        merged[section] |= {} if place is None else {"path": place}
    merged = {name: options for name, options in merged.items() if options}
    return data if merged == theirs else tomli_w.dumps(merged).encode()


def shareable(config: Config) -> dict[str, Any]:
    """The configuration as others may see it: of places on this disk the last name only, and no passwords."""
    told: dict[str, Any] = json.loads(json.dumps(asdict(config), default=lambda path: path.name))
    return {name: _without_secrets(value) for name, value in told.items()}


def _without_secrets(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: "…" if SECRET.search(name) and inner else _without_secrets(inner) for name, inner in value.items()}


def _usual() -> Config:
    return Config(store=_home("XDG_DATA_HOME", ".local/share") / "allcity.db")


def _parsed(path: Path, data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: is not a TOML file ({error})") from error


def _from_data(config: Config, path: Path, data: Mapping[str, Any], languages: tuple[str, ...]) -> Config:
    devices = {part.name: getattr(config.hardware, part.name) for part in fields(config.hardware)}
    devices |= {"recorder": config.recorder, "backup": config.backup, "web": config.web, "wifi": config.wifi}
    for section, options in data.items():
        if not isinstance(options, dict) or section not in {"store", "table", *devices}:
            raise ConfigError(f"{path}: there is no section [{section}]")
        for option in options:
            if option not in _options(section, devices):
                raise ConfigError(f"{path}: [{section}] has no option '{option}'")
    language = _text(path, data, "table", "language", config.language)
    if language not in languages:
        raise ConfigError(f"{path}: [table] language must be one of {', '.join(languages)}")
    store = _text(path, data, "store", "path", "")
    for section in devices.keys() & data.keys():
        devices[section] = _device(path, section, devices[section], data[section])
    others = {name: devices.pop(name) for name in ("recorder", "backup", "web", "wifi")}
    hardware = HardwareSettings(**devices)
    _check_pins(path, hardware)
    try:
        at = _place(path, store) if store else config.store
    except ValueError as error:
        raise ConfigError(f"{path}: [store] path {error}") from error
    return replace(config, language=language, store=at, hardware=hardware, **others)


def _options(section: str, devices: Mapping[str, Any]) -> set[str]:
    if section in devices:
        return {part.name for part in fields(devices[section])}
    return {"path"} if section == "store" else {"language"}


def _text(path: Path, data: Mapping[str, Any], section: str, option: str, default: str) -> str:
    value = data.get(section, {}).get(option, default)
    if not isinstance(value, str) or (not value and option in data.get(section, {})):
        raise ConfigError(f"{path}: [{section}] {option} must be a text")
    return value


def _device(path: Path, section: str, settings: Any, options: Mapping[str, Any]) -> Any:
    """The settings of one device, or of the recorder, with what the file says about them."""
    kinds = typing.get_type_hints(type(settings))
    values = {}
    for option, value in options.items():
        try:
            values[option] = _checked(path, option, kinds[option], value)
        except ValueError as error:
            raise ConfigError(f"{path}: [{section}] {option} {error}") from error
    settings = replace(settings, **values)
    if section == "camera" and settings.kind == "folder" and settings.path is None:
        raise ConfigError(f"{path}: [camera] path is missing: where are the pictures or the recording?")
    return settings


def _checked(path: Path, option: str, kind: Any, value: Any) -> Any:
    """The value as the settings want it. Raises ValueError telling what it must be."""
    if typing.get_origin(kind) is typing.Literal:
        allowed = typing.get_args(kind)
        if value not in allowed or isinstance(value, bool):
            raise ValueError(f"must be one of {', '.join(map(str, allowed))}")
        return value
    if kind is bool:
        if not isinstance(value, bool):
            raise ValueError("must be true or false")
        return value
    if option == "zones":
        return _zones(value)
    if kind == int | None:
        kind = int
    if kind in (int, float):
        return _number(option, kind, value)
    if not isinstance(value, str) or not value:
        raise ValueError("must be a text")
    return value if kind is str else _place(path, value)


def _place(path: Path, value: str) -> Path:
    """A path in the file is meant from where the file lies, not from where the program was started."""
    if "\0" in value:
        raise ValueError("must be a text")
    try:
        return path.parent / Path(value).expanduser()
    except RuntimeError as error:
        raise ValueError("names the home of nobody on this computer") from error


def _number(option: str, kind: type[int] | type[float], value: Any) -> float:
    least, most = RANGES.get(option, PINS)
    if type(value) not in (int, kind) or not least <= value <= most:
        raise ValueError(f"must be a {'whole ' if kind is int else ''}number from {least} to {most}")
    return kind(value)


def _zones(value: Any) -> dict[str, tuple[int, int]]:
    """Zone by zone, first pixel and how many. No pixel serves two zones."""
    if not isinstance(value, dict) or not value or not all(map(ZONE.fullmatch, value)):
        raise ValueError(f"must name zones: {SEATS[0]} to {SEATS[-1]}, {STATUS}, and a game's own, such as section.1")
    used: set[int] = set()
    for zone, span in value.items():
        if not (isinstance(span, list) and len(span) == 2 and all(type(part) is int for part in span)):
            raise ValueError(f"must give the first pixel and how many for '{zone}', such as [0, 8]")
        first, count = span
        if not (0 <= first < MOST_PIXELS and 1 <= count <= MOST_PIXELS - first):
            raise ValueError(f"must keep '{zone}' between pixel 0 and {MOST_PIXELS - 1}, one pixel at least")
        pixels = set(range(first, first + count))
        if used & pixels:
            raise ValueError(f"gives pixel {min(used & pixels)} to '{zone}' and to another zone")
        used |= pixels
    return {zone: (first, count) for zone, (first, count) in value.items()}


def _check_pins(path: Path, hardware: HardwareSettings) -> None:
    """One pin, one use."""
    used: dict[int, str] = {}
    for section in ("buttons", "status_light", "sound"):
        settings = getattr(hardware, section)
        for part in fields(settings):
            if not part.name.endswith("pin") or settings.kind != "gpio":
                continue
            pin, name = getattr(settings, part.name), f"[{section}] {part.name}"
            if pin in used:
                raise ConfigError(f"{path}: {name} and {used[pin]} are both pin {pin}")
            used[pin] = name


def _home(variable: str, default: str) -> Path:
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home() / default) / "allcity"
