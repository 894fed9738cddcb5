"""A whole dashboard over a real table and store; only the camera is missing."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from pi_app.engine.contract import Game, Setup
from pi_app.engine.events import to_json
from pi_app.files import write_private
from pi_app.games import GAMES
from pi_app.games.profile_files import load_profile
from pi_app.history.history import History
from pi_app.run.dashboard import Dashboard
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from pi_app.table.lights import PLAYERS
from pi_app.table.table import Table
from tests.playing import TAG_CITY, house_setup, ticking
from web.app import create_app
from web.house import House
from web.hub import Hub
from web.people import PinGate

PIN = "246810"


@dataclass(frozen=True)
class Answer:
    status_code: int
    json: Any
    headers: Headers


@dataclass
class Table4Web:
    """What a test may touch: the table, its dashboard and a browser's stand-in."""

    table: Table
    dashboard: Dashboard
    house: House
    client: FlaskClient

    def play(self, moves: int, seed: int = 1) -> None:
        """So many moves, as if the camera had seen them."""
        rng, game = random.Random(seed), self.table.game
        bot = next(iter(game.bots.values()))
        for _ in range(moves):
            acting = game.to_act(self.table.state).must
            if not acting:
                break  # the game is over
            legal = game.legal_moves(self.table.state, acting[0])
            move = rng.choice(legal) if acting[0] < 0 else bot(self.table.state, acting[0], rng) or legal[0]
            self.table.step(Command("do", {"event": to_json(move)}))
        self.dashboard.publish()

    def post(self, path: str, sent: Any, token: str | None = None, **headers: str) -> Answer:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        sent_back = self.client.post(path, json=sent, headers=headers)
        return Answer(sent_back.status_code, sent_back.json, sent_back.headers)

    def command(self, name: str, args: Mapping[str, Any] | None = None, token: str | None = None) -> Answer:
        return self.post("/api/commands", {"command": name, "args": args or {}}, token)

    def join(self, seat: int, name: str = "Ana", colour: str = "cyan", token: str | None = None) -> str:
        answer = self.post("/api/join", {"seat": seat, "name": name, "colour": colour, "language": "en"}, token)
        assert answer.status_code == 200, answer.json
        given: str = answer.json["token"]
        return given

    def host(self) -> str:
        token: str = self.post("/api/host", {"pin": PIN}).json["token"]
        return token

    def get(self, path: str, **headers: str) -> Answer:
        sent_back = self.client.get(path, headers=headers)
        return Answer(sent_back.status_code, sent_back.json, sent_back.headers)

    @property
    def state(self) -> Any:
        return self.get("/api/state").json


def _house_edition(game: Game[Any], name: str) -> Mapping[str, Any] | None:
    return load_profile(game.edition, game.edition.supplied[name]) if name == "house" else None


@contextmanager
def opened(
    folder: Path,
    players: int = 3,
    begin: bool = True,
    game: Game[Any] = TAG_CITY,
    options: Mapping[str, Any] | None = None,
    **parts: Any,
) -> Iterator[Table4Web]:
    """`options` are those of another game than Tag City."""
    with Store(folder / "allcity.db") as store:
        setup = house_setup(players)
        if game is not TAG_CITY:
            setup = Setup(_house_edition(game, "house") or {}, options or {}, setup.players)
        table = Table(game, store, setup, ticking(), begin, games=tuple(GAMES.values()))
        hub = Hub()
        dashboard = Dashboard(table, hub, lambda: 0.0, _house_edition)
        dashboard.publish()
        gate, past = PinGate(PIN), History(store)
        house = replace(
            House(hub, dashboard, folder, gate, write_private, PLAYERS, GAMES, game.name, history=past), **parts
        )
        stop = Event()

        def loop() -> None:
            while not stop.wait(0.002):
                table.work()
                dashboard.once()

        thread = Thread(target=loop)
        thread.start()
        try:
            yield Table4Web(table, dashboard, house, create_app(house).test_client())
        finally:
            stop.set()
            thread.join()
