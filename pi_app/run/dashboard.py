"""Between the table's thread and the web server's: commands go in, what is shown comes out."""

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from typing import Any

from pi_app.engine.contract import LUCK, BadData, Game
from pi_app.engine.events import Record, from_json, to_json
from pi_app.engine.typed import Malformed
from pi_app.perception.board_pictures import Pictures
from pi_app.table.inputs import Command
from pi_app.table.lights import seat_colours
from pi_app.table.table import Answer, Table
from web.hub import Hub
from web.people import MOST_SEATS
from web.refusal import Refusal

PUBLISH_S = 0.25
"""At most so often; nobody reads faster."""
ANSWER_S = 8.0
"""How long a command may wait for its turn: a full picture may be read meanwhile."""
FEED = 60
"""Records that screens are told; older ones are history."""
MEDDLING = ("do", "answer", "confirm", "undo", "redo", "correct", "adopt")

Profiles = Callable[[Game[Any], str], Mapping[str, Any] | None]
"""An edition of a game by its name."""


class Dashboard:
    """`once` belongs to the table's thread, everything else to any."""

    def __init__(
        self,
        table: Table,
        hub: Hub,
        now_s: Callable[[], float],
        profiles: Profiles,
        simulated: bool = False,
        on_meddling: Callable[[], None] = lambda: None,
        on_press: Callable[[], None] = lambda: None,
    ) -> None:
        """At a `simulated` table bots play the seats that nobody has taken.

        `on_meddling` is told when somebody has changed the record by hand, `on_press` when somebody has pressed a
        button at the table.
        """
        self._simulated, self._on_meddling, self._on_press = simulated, on_meddling, on_press
        self._table, self._hub, self._now_s, self._profiles = table, hub, now_s, profiles
        self._published_s = float("-inf")
        self._shown: object = None
        self._scores = Scores()
        self._presses = table.presses
        self._pictures: Pictures | None = None

    def show_pictures(self, pictures: Pictures) -> None:
        """What the camera sees of the game on the table comes from there from now on."""
        self._pictures = pictures

    def once(self) -> None:
        """Lets the table do what was asked for, and shows what is new."""
        self._table.work()
        if self._table.presses != self._presses:
            self._presses = self._table.presses
            self._on_press()
        due = self._now_s() - self._published_s >= PUBLISH_S
        if self._table.has_answers or (due and self._new() != self._shown):
            self.publish()
        self._table.answer()  # whoever is answered finds it shown already

    def _new(self) -> object:
        return self._table.version, self._table.preparing, self._sitting()

    def _sitting(self) -> Mapping[int, str]:
        """The colours of those who have a seat."""
        people = self._hub.part("people") or {"seats": []}
        return {one["seat"]: one["colour"] for one in people["seats"]}

    def publish(self) -> None:
        """To everybody, and to each seat that somebody has taken, what they may know."""
        sitting = self._sitting()
        self._table.colour_seats(seat_colours({**sitting, **dict(enumerate(self._table.game.colours))}))
        self._published_s, self._shown = self._now_s(), self._new()
        seats = range(len(self._table.setup.players)) if self._table.state is not None else ()
        public = self._view(None)
        views = {seat: self._view(seat) for seat in seats if seat in sitting}
        self._hub.publish("table", public, {seat: view for seat, view in views.items() if view != public})

    def _view(self, viewer: int | None) -> dict[str, Any]:
        table = self._table
        shown = table.view(viewer)
        del shown["version"]  # of every picture; screens count what they are shown
        shown["feed"] = [
            {"seq": record.seq, "at": record.at, "event": to_json(record.event)}
            for record in table.known_to(viewer)[-FEED:]
        ]
        shown["last_seq"] = table.history[-1].seq if table.history else 0
        if table.state is not None:
            shown["trend"] = self._scores.this_round(table, table.records)
        return shown

    # --- for the web server's threads ---------------------------------------------------------

    def command(self, name: str, args: Mapping[str, Any], seat: int | None = None) -> Refusal | None:
        """Has it done by the table's thread, and waits for that. A refusal is told as that seat may know it."""
        if name == "new_game":
            told = self._edition(args)
            if isinstance(told, Refusal):
                return told
            args = told | {"bots": self._free_seats() if self._simulated else []}
        answer: Answer = Future()
        self._table.put(Command(name, args), answer)
        try:
            refused = answer.result(ANSWER_S)
        except Late:
            answer.cancel()
            return Refusal("web.busy")
        if refused is not None:
            known = self._table.game.message_for(refused, seat)
            return Refusal(known.id, known.facts)
        if name in MEDDLING:
            self._on_meddling()
        return None

    def _free_seats(self) -> list[int]:
        return sorted(set(range(MOST_SEATS)) - self._sitting().keys())

    def _edition(self, args: Mapping[str, Any]) -> dict[str, Any] | Refusal:
        """The arguments of a new game with the edition itself in place of its name."""
        told = dict(args)
        options = told.get("options")
        if not isinstance(name := told.get("profile", "house"), str):
            return Refusal("web.bad_input", {"where": "profile", "wanted": '"…"'})
        game = self._table.games.get(told.get("game", self._table.game.name))
        if game is None:
            return Refusal("web.bad_input", {"where": "game", "wanted": " | ".join(self._table.games)})
        edition = self._profiles(game, name)
        if edition is None:
            return Refusal("web.unknown_profile", {"name": name[:60]})
        chosen = options if isinstance(options, dict) else {}
        try:
            told["profile"] = game.edition.resolve(edition, chosen, random.SystemRandom())
        except BadData as error:
            found = error.problems[0].message
            return Refusal(found.id, found.facts)
        return told

    def mover(self, event: Mapping[str, Any]) -> int | None:
        """The seat that may enter this move: whose own choice it is, or whose hands did what luck brought.

        None for what is nobody's own, and for what is no move.
        """
        state, game = self._table.state, self._table.game
        if state is None:
            return None
        try:
            mover = game.mover(state, from_json(event, game.events))
        except Malformed:
            return None
        return game.hand(state) if mover == LUCK and game.told_by_hand else mover

    def placements(self, seat: int, piece: int) -> dict[str, Any] | None:
        """Every move this seat could make with that piece now."""
        state = self._table.state
        if state is None or seat not in self._table.game.to_act(state).seats:
            return None
        return self._table.game.placements(state, seat, piece)

    def picture(self, board: str) -> bytes | None:
        """A JPEG of a board as it was last read."""
        return None if self._pictures is None else self._pictures.picture(board)

    def wrong(self, board: str) -> bytes | None:
        """A JPEG of what the table complains about on a board, outlined."""
        told = (self._hub.part("table") or {}).get("boards", {}).get(board)
        if self._pictures is None or told is None or told["state"] != "mismatch":
            return None
        squares = [f"r{name[1:]}c{ord(name[0]) - ord('A') + 1}" for name in told["facts"].get("squares", ())]
        return self._pictures.crop(board, [*squares, *told["facts"].get("regions", ())])

    def candidate(self, number: int) -> bytes | None:
        """A JPEG of what is asked about, with the squares of one answer outlined."""
        question = (self._hub.part("table") or {}).get("question")
        if self._pictures is None or question is None or not 0 <= number < len(question["regions"]):
            return None
        around = {region for regions in question["regions"] for region in regions}
        return self._pictures.crop(question["board"], question["regions"][number], around)


class Scores:
    """Points at the beginning of the current round, so that screens can show who gains."""

    def __init__(self) -> None:
        self._before: Sequence[int] = ()
        self._known: tuple[int | None, int] = (None, -1)

    def this_round(self, table: Table, records: Sequence[Record]) -> list[int]:
        game = table.game
        ends = [n for n, record in enumerate(records, 1) if game.ends_round(record.event)]
        start = ends[-1] if ends else 0
        if self._known != (table.game_id, records[start - 1].seq if start else 0):
            self._known = table.game_id, records[start - 1].seq if start else 0
            state = game.start(table.setup)
            for record in records[:start]:
                state = game.apply(state, record.event)
            self._before = game.scores(state)
        now = game.scores(table.state)
        return [total - before for total, before in zip(now, self._before, strict=True)]
