"""What the set-up pages and the doctor ask of the program behind them. `pi_app.setup` supplies it.

Whatever cannot be done raises `web.people.Refused` with the key of a sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from web.refusal import Refusal

Severity = Literal["good", "warn", "bad"]
WifiSecurity = Literal["open", "password", "sae", "unusable"]
"""sae: a password, as WPA3 has it; unusable: it takes more than that, or is too old."""
WifiKind = Literal["off", "alone", "joining", "network", "hotspot"]
Json = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """Something that was checked: how it is, and the key and facts of its sentence."""

    name: str
    severity: Severity
    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Problem:
    """Something wrong with a profile, and where: `stops 3`."""

    where: str
    key: str
    facts: Mapping[str, Any]
    warning: bool


@dataclass(frozen=True)
class ProfileEntry:
    """A profile, as the list of them shows it."""

    name: str
    title: str
    own: bool
    """Whether it can be changed here; others come with the program."""
    template: bool
    problems: int
    """Problems to solve before it can be played with."""
    sides: Sequence[str]
    measured: bool


@dataclass(frozen=True)
class LensState:
    """How far measuring the lens has come."""

    known: bool
    """A lens was measured before, and is used."""
    pictures: int
    boards: int
    wanted: int
    covered: Sequence[bool]
    """Nine parts of the picture, row by row: whether a board was shown there."""


@dataclass(frozen=True)
class CleanState:
    """The picture of the clean boards: when it was taken, and which boards it shows."""

    taken_at: str | None
    boards: Sequence[str] = ()
    missing: Sequence[str] = ()


@dataclass(frozen=True)
class LearnedLook:
    """What was learned of a piece: its colour as CSS writes it, and about how wide it looks from above."""

    piece: str
    colour: str
    width_mm: float


@dataclass(frozen=True)
class PiecesState:
    """How the owner's own pieces look."""

    wanted: Sequence[str]
    """The pieces that are told by nothing but their make."""
    taken_at: str | None = None
    learned: Sequence[LearnedLook] = ()
    alike: Sequence[tuple[str, str]] = ()
    """Those that may be taken for each other where both may lie."""


class Camera(Protocol):
    """The camera while it is being set up."""

    def picture(self) -> bytes:
        """A JPEG of the table with what the reader sees drawn over it; the same for all who look."""

    def findings(self) -> Sequence[Said]:
        """What is good and what is not about the same picture."""

    def lens(self) -> LensState: ...

    def take_lens_picture(self) -> LensState: ...

    def measure_lens(self) -> LensState: ...

    def forget_lens(self) -> LensState:
        """Drops the pictures taken so far and the lens in use."""

    def clean(self) -> CleanState: ...

    def take_clean(self, anyway: bool) -> CleanState:
        """`anyway`: though something seems to be drawn on the boards or dice to lie on them."""


class Lights(Protocol):
    """The lights while they are being tried."""

    @property
    def zones(self) -> Mapping[str, str]:
        """Every zone with the colour that it is tried in, as CSS writes it."""

    def status(self) -> Said: ...

    def test(self, zone: str | None) -> float:
        """Lights one zone, or all in turn, and goes dark by itself; tells for how many seconds it goes on."""


class Profiles(Protocol):
    """The editions this table knows: ours, and the owner's own."""

    def entries(self) -> Sequence[ProfileEntry]: ...

    def chosen(self) -> tuple[str, str]:
        """The profile and the side of the boards that lie on the table."""

    def choose(self, name: str, side: str) -> None: ...

    def read(self, name: str) -> Json: ...

    def check(self, profile: Any) -> Sequence[Problem]:
        """Every problem at once."""

    def add(self, title: str, profile: Json) -> str:
        """Keeps a new one, under a title that no other has, and gives its name."""

    def save(self, name: str, profile: Json) -> None: ...

    def delete(self, name: str) -> None: ...

    def exported(self, name: str) -> bytes:
        """The profile as a TOML file."""

    def take_in(self, data: bytes, existing: str) -> tuple[str, bool]:
        """Keeps what a file of somebody's says, TOML or JSON: its name, and whether it was not here already.

        Where one has the same title, `existing` says whether to "ask" (refuse), to "replace" it, or to keep "both".
        """


class Kits(Protocol):
    """Printable kits, made once for each profile and side."""

    @property
    def files(self) -> Sequence[str]: ...

    def state(self, name: str, side: str) -> Literal["missing", "making", "ready", "failed"]: ...

    def make(self, name: str, side: str) -> None:
        """Begins to make it, if nobody has."""

    def file(self, name: str, side: str, which: str) -> Path: ...


class Photos(Protocol):
    """Photographs of somebody's boards, to measure them by."""

    @property
    def boards(self) -> Sequence[str]:
        """Those that owners measure."""

    def add(self, data: bytes) -> Json:
        """Takes a JPEG or PNG in; gives its id, width and height."""

    def photo(self, photo: str) -> bytes: ...

    def flatten(
        self, profile: str, board: str, photo: str, corners: Sequence[Sequence[float]], size_mm: Sequence[float]
    ) -> Json:
        """Keeps the board as seen straight from above; gives the stickers found on it, in millimetres."""

    def flat(self, profile: str, board: str) -> bytes: ...

    def flats(self, profile: str) -> Sequence[str]:
        """The boards of which there is a flat picture."""


class Pieces(Protocol):
    """An owner's own pieces, learned from one picture of them on a printed sheet."""

    def state(self) -> PiecesState: ...

    def sheet(self) -> bytes:
        """The sheet to print, as a PDF file."""

    def learn(self) -> PiecesState: ...

    def forget(self) -> PiecesState: ...

    def picture(self, piece: str) -> bytes:
        """A JPEG of a piece as it was learned."""


class Backups(Protocol):
    """Everything that this table cannot make again, in one file."""

    def make(self) -> bytes: ...

    def take_back(self, data: bytes) -> Json:
        """Puts everything back from such a file: how many games, of when. The program then starts anew."""


@dataclass(frozen=True)
class WifiNetwork:
    """A Wi-Fi that is heard: its name, how strong it is in percent, and what it takes to join it."""

    name: str
    signal: int
    security: WifiSecurity


@dataclass(frozen=True)
class Hotspot:
    """A Wi-Fi of the table's own."""

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class WifiState:
    """off: there is none, or it may not be used; alone: in no network; joining: something is being changed."""

    state: WifiKind
    name: str | None = None
    """Of the network that the table is in, or is joining."""
    networks: Sequence[WifiNetwork] = ()
    hotspot: Hotspot | None = None
    """While it is open."""
    address: str | None = None
    """Where the table is in its own network."""
    trouble: Refusal | None = None
    """Why the last change did not work."""


class Wifi(Protocol):
    """What is wanted is done a moment later: whoever asks is perhaps in the network that goes."""

    def state(self) -> WifiState: ...

    def join(self, name: str, password: str, hidden: bool) -> None: ...

    def open_hotspot(self, is_open: bool) -> None: ...


class Doctor(Protocol):
    def findings(self) -> Sequence[Said]:
        """How everything is, most important first."""


Support = Callable[[bool, Sequence[Json]], bytes]
"""Makes a support file, with pictures or without, from findings in words."""


@dataclass(frozen=True)
class Workshop:
    """Everything behind the set-up pages."""

    game: str
    """Whose boards it is about."""
    camera: Camera
    lights: Lights
    profiles: Profiles
    kits: Kits
    photos: Photos
    pieces: Pieces
    doctor: Doctor
    backups: Backups
    support: Support
    wifi: Wifi | None = None
    """Where this program may change this machine's Wi-Fi."""
