"""The shelf of profiles: ours, and the owner's own in a folder beside the database."""

import json
import random
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomli_w

from pi_app.engine.contract import BadData, Game
from pi_app.files import write_whole
from pi_app.games import DEFAULT
from pi_app.games.profile_files import parse_profile, read_profile
from vision.kit.kit import Kit
from web.people import Refused
from web.workshop import Json, Problem, ProfileEntry

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
MOST_PROFILES = 50
LARGEST_IMPORT = 300_000
LONGEST_LINE = 500  # a key of a hundred thousand parts would keep the parser busy for hours
DEEPEST = 8
MOST_PROBLEMS = 200
MOST_VALUES = 20_000


def folder_of(game: Game[Any], folder: Path) -> Path:
    """Where a game's own profiles and what was chosen for it lie in the folder of this table."""
    return folder if game.name == DEFAULT else folder / game.name


class Shelf:
    """Any thread may use it: files are written whole, and what is remembered of one holds until it changes."""

    def __init__(self, folder: Path, game: Game[Any]) -> None:
        """`folder` is where everything lives that belongs to this table."""
        self._edition, self._supplied = game.edition, game.edition.supplied
        own = folder_of(game, folder)
        self._folder, self._choice = own / "profiles", own / "setup.json"
        self._known: dict[str, tuple[object, ProfileEntry]] = {}

    def entries(self) -> list[ProfileEntry]:
        own = sorted(path.stem for path in self._folder.glob("*.toml") if NAME.fullmatch(path.stem))
        found = []
        for name in (*self._supplied, *(name for name in own if name not in self._supplied)):
            with suppress(Refused):  # deleted this very moment
                found.append(self._entry(name))
        return found

    def _entry(self, name: str) -> ProfileEntry:
        """What the shelf tells of a profile, checked once: strangers may ask again and again."""
        try:
            stat = self._path(name).stat()
        except OSError as error:
            raise Refused("web.not_found") from error
        stamp, known = (stat.st_mtime_ns, stat.st_size), self._known.get(name)
        if known is None or known[0] != stamp:
            known = self._known[name] = stamp, self._looked_through(name)
        return known[1]

    def _looked_through(self, name: str) -> ProfileEntry:
        try:
            profile = self.read(name)
        except Refused:
            profile = {}
        problems = sum(not problem.warning for problem in self.check(profile))
        title = profile.get("name")
        return ProfileEntry(
            name,
            title if isinstance(title, str) and title else name,
            own=name not in self._supplied,
            template=name in self._supplied and name != "house",
            problems=problems,
            sides=self._edition.sides(profile),
            measured="geometry" in profile,
        )

    # --- the one on the table -----------------------------------------------------------------

    def chosen(self) -> tuple[str, str]:
        """The profile and the side of the boards that lie on the table; ours, unless somebody chose."""
        try:
            choice = json.loads(self._choice.read_text(encoding="utf-8"))
            name, side = str(choice["profile"]), str(choice["side"])
            self.edition(name, side)
        except (OSError, ValueError, TypeError, KeyError, Refused):
            return "house", "A"
        return name, side

    def choose(self, name: str, side: str) -> None:
        self.edition(name, side)
        try:
            write_whole(self._choice, json.dumps({"profile": name, "side": side}).encode())
        except OSError as error:
            raise Refused("setup.cannot_write", why=error.strerror or "") from error

    def edition(self, name: str, side: str = "A") -> Json:
        """A profile that can be played with on that side. Raises Refused."""
        entry = self._entry(name)
        if entry.problems:
            raise Refused("setup.profile_unfinished", count=entry.problems)
        if side not in entry.sides:
            raise Refused("setup.no_such_side", side=side)
        return self.read(name)

    def find(self, name: str) -> Json | None:
        """The same, or None where there is none to play with."""
        try:
            return self.edition(name)
        except Refused:
            return None

    def measured_for(self, profile: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The boards of a game's profile as their owner measured them; None if they are our own print.

        A game knows nothing of geometry: its copy is the one that is printed alike.
        """
        for entry in self.entries():
            if not entry.measured or entry.problems:
                continue
            edition = self.read(entry.name)
            for side in entry.sides:
                if self._edition.same_boards(self._resolved(edition, side), profile):
                    return self._edition.measured(edition, side)
        return None

    def printed(self, name: str, side: str) -> tuple[Json, Mapping[str, Any] | None]:
        """What is printed of a profile, and the boards that its owner measured. Raises Refused."""
        edition = self.edition(name, side)
        return self._resolved(edition, side), self._edition.measured(edition, side)

    def kit(self, profile: Json, measured: Mapping[str, Any] | None) -> Kit:
        """The kit of what is printed."""
        kit: Kit = self._edition.kit(profile, measured)
        return kit

    def _resolved(self, edition: Json, side: str) -> Json:
        return self._edition.resolve(edition, self._edition.on_side(side), random.Random())

    # --- reading and writing ------------------------------------------------------------------

    def read(self, name: str) -> Json:
        try:
            return read_profile(self._edition, self._path(name))
        except BadData as error:
            raise Refused("setup.profile_broken", name=name) from error

    def check(self, profile: Any) -> list[Problem]:
        found = self._edition.check(profile)[:MOST_PROBLEMS]
        return [Problem(problem.where, f"problem.{problem.code}", problem.facts, problem.warning) for problem in found]

    def save(self, name: str, profile: Json) -> None:
        path = self._own_path(name)
        _check_plain(profile)
        if not path.exists() and len(list(self._folder.glob("*.toml"))) >= MOST_PROFILES:
            raise Refused("setup.too_many_profiles", most=MOST_PROFILES)
        try:
            write_whole(path, tomli_w.dumps(self._edition.to_file(profile)).encode())
        except OSError as error:
            raise Refused("setup.cannot_write", why=error.strerror or "") from error
        except ValueError as error:  # half a letter, say
            raise Refused("setup.profile_unusable") from error

    def add(self, title: str, profile: Json) -> str:
        name, titles = self.free_name(title), {entry.title for entry in self.entries()}
        numbered = (f"{title[:70]} {number}" for number in count(2))
        self.save(name, {**profile, "name": next(free for free in chain([title], numbered) if free not in titles)})
        return name

    def take_in(self, data: bytes, existing: str) -> tuple[str, bool]:
        profile, entries = self.imported(data), self.entries()
        for entry in entries:
            with suppress(Refused):  # cannot be read
                if self.read(entry.name) == profile:
                    return entry.name, False
        title = profile.get("name")
        title = title if isinstance(title, str) else ""
        namesake = next((entry for entry in entries if entry.own and entry.title == title), None)
        if namesake is None or existing == "both":
            return self.add(title, profile), True
        if existing == "ask":
            raise Refused("setup.profile_exists", title=title)
        self.save(namesake.name, profile)
        return namesake.name, True

    def delete(self, name: str) -> None:
        path = self._own_path(name)
        if not path.is_file():
            raise Refused("web.not_found")
        for picture in self._folder.glob(f"{name}.*.jpg"):
            picture.unlink(missing_ok=True)
        path.unlink(missing_ok=True)

    def free_name(self, title: str) -> str:
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
        name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:34].strip("-") or "profile"
        taken = {*self._supplied, *(path.stem for path in self._folder.glob("*.toml"))}
        return next(free for free in (name, *(f"{name}-{n}" for n in range(2, 1000))) if free not in taken)

    def exported(self, name: str) -> bytes:
        path = self._path(name)
        try:
            return path.read_bytes()
        except OSError as error:
            raise Refused("web.not_found") from error

    def imported(self, data: bytes) -> Json:
        text = data.removeprefix(b"\xef\xbb\xbf").strip()
        as_json = text.startswith(b"{")
        longest = max(map(len, text.splitlines()), default=0)
        if not text or len(text) > LARGEST_IMPORT or (not as_json and longest > LONGEST_LINE):
            raise Refused("setup.profile_unusable")
        try:
            profile = parse_profile(self._edition, text, "import", as_json)
        except BadData as error:
            raise Refused("setup.profile_unusable") from error
        _check_plain(profile)
        return profile

    # --- names --------------------------------------------------------------------------------

    def _path(self, name: str) -> Path:
        if name in self._supplied:
            return self._supplied[name]
        path = self._own_path(name)
        if not path.is_file():
            raise Refused("web.not_found")
        return path

    def _own_path(self, name: str) -> Path:
        """No name leads out of the folder: letters, digits and hyphens only."""
        if name in self._supplied:
            raise Refused("setup.profile_supplied")
        if not NAME.fullmatch(name):
            raise Refused("setup.bad_name")
        return self._folder / f"{name}.toml"


def _check_plain(profile: Any) -> None:
    """Raises Refused for what a profile can never be: too deep, too large, or with dates and such in it."""
    if _count(profile, DEEPEST) > MOST_VALUES:
        raise Refused("setup.profile_unusable")


def _count(value: Any, levels: int) -> int:
    """How many values there are; far too many if it goes too deep or holds what JSON has no word for."""
    if isinstance(value, str | bool | int | float):
        return 1
    if levels == 0 or not isinstance(value, dict | list):
        return MOST_VALUES + 1
    return 1 + sum(_count(inner, levels - 1) for inner in (value.values() if isinstance(value, dict) else value))
