"""A table with pieces without a camera: what lies on it in plain words, and hands that do what moves change."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi_app.engine.contract import LUCK, Game, Setup
from pi_app.engine.events import Event, to_json
from pi_app.engine.kinds import EMPTY, OTHER, dice_kind
from pi_app.games import GAMES
from pi_app.games.profile_files import load_profile
from pi_app.perception.sight import DieAt, Glance, Look
from pi_app.storage.store import Store
from pi_app.table.inputs import Command, Glanced, Input, Looked
from pi_app.table.table import Table
from tests.playing import ticking

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Gorse", "Hazel", "Ivy")


class Watched:
    """A table and what lies on it; `see` lets the camera see it."""

    def __init__(self, game: str, folder: Path, players: int = 2, seed: int = 1, **options: Any) -> None:
        self.game: Game[Any] = GAMES[game]
        house = load_profile(self.game.edition, self.game.edition.supplied["house"])
        self.setup = Setup(house, options, NAMES[:players])
        self.folder, self.store = folder, Store(folder / "allcity.db")
        self.table = Table(self.game, self.store, self.setup, ticking())
        self.rng = random.Random(seed)
        state = self.game.start(self.setup)
        self.lying = {at.id: dict(self.game.expected_sight(state, at.id)) for at in self.game.surfaces(self.setup)}
        for regions in self.lying.values():
            regions |= {region: EMPTY for region, kind in regions.items() if kind == OTHER}
        self.dice: dict[str, dict[str, list[DieAt]]] = {}
        """Where those lie that were thrown."""
        self.thrown = 0
        self.hidden: set[str] = set()
        self.unsure: dict[tuple[str, str], dict[str, float]] = {}
        """Where the eye does not know what lies there, and what it says instead."""

    def restart(self) -> "Watched":
        """The program is gone, and started anew; what lies on the table lies there still."""
        self.store.close()
        self.store = Store(self.folder / "allcity.db")
        self.table = Table(self.game, self.store, self.setup, ticking())
        return self.command("continue")

    @property
    def state(self) -> Any:
        return self.table.state

    def send(self, *items: Input) -> "Watched":
        for item in items:
            self.table.step(item)
            refusal = self.table.refusal
            self.table.work()
            self.table.refusal = refusal
        return self

    def command(self, name: str, **args: Any) -> "Watched":
        return self.send(Command(name, args))

    def enter(self, move: Event) -> "Watched":
        return self.command("do", event=to_json(move))

    def see(self, pictures: int = 4) -> "Watched":
        for _ in range(pictures):
            self.send(Glanced(Glance()))
            if self.table.wants_look:
                self.send(Looked(self.look()))
        return self

    def look(self) -> Look:
        return Look(
            {
                at: {r: self.unsure.get((at, r), {kind: 0.0, OTHER: -9.0}) for r, kind in regions.items()}
                for at, regions in self.lying.items()
                if at not in self.hidden
            },
            dice={at: places for at, places in self.dice.items() if at not in self.hidden},
        )

    def put(self, changes: Mapping[str, Mapping[str, str]]) -> "Watched":
        """Hands change these regions; where anything may lie, nothing does."""
        for at, regions in changes.items():
            self.send(Glanced(Glance(frozenset({at}), frozenset({at}))))
            self.lying[at] |= {region: EMPTY if kind == OTHER else kind for region, kind in regions.items()}
        return self

    def throw(self, at: str, region: str, *values: int) -> "Watched":
        """Dice come to lie elsewhere than any did before."""
        self.thrown += 1
        self.dice[at] = {region: [(value, 30.0 * n, 20.0 * self.thrown) for n, value in enumerate(sorted(values))]}
        return self.put({at: {region: dice_kind(values)}})

    def make(self, move: Event) -> "Watched":
        """With hands, as far as a move leaves something to be seen; else it is told."""
        trace = self.game.trace(self.state, move)
        return self.put(trace).see() if trace else self.enter(move)

    def tidy(self) -> "Watched":
        """Everything that follows from moves is brought where it belongs."""
        for at in self.lying:
            wanted = self.game.expected_sight(self.state, at)
            off = {r: kind for r, kind in wanted.items() if kind != OTHER and self.lying[at].get(r) != kind}
            if off:
                self.put({at: off})
        return self.see()

    def next_move(self, bot: str = "random") -> Event:
        turn = self.game.to_act(self.state)
        if turn.must == (LUCK,):
            return self.game.chances(self.state).draw(self.rng)
        chosen = self.game.bots[bot](self.state, turn.must[0], self.rng)
        assert chosen is not None
        return chosen

    @property
    def told(self) -> dict[str, str]:
        """What every surface that has something to say says to everybody."""
        return self.told_to(None)

    def told_to(self, viewer: int | None) -> dict[str, str]:
        boards = self.table.view(viewer)["boards"]
        return {at: board["reason"] for at, board in boards.items() if board["state"] not in ("wait",)}
