"""Between the table's thread and the web server's: commands go in, what is shown comes out."""

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from queue import Empty, SimpleQueue
from typing import Any

from pi_app.engine.contract import BadData
from pi_app.engine.events import Record, from_json, to_json
from pi_app.engine.typed import Malformed
from pi_app.perception.board_pictures import Pictures
from pi_app.perception.sight import Told
from pi_app.table.inputs import Command
from pi_app.table.lights import seat_colours
from pi_app.table.table import Table
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

Profiles = Callable[[str], Mapping[str, Any] | None]
"""An edition by its name."""


class Dashboard:
    """`once` belongs to the table's thread, everything else to any."""

    def __init__(
        self,
        table: Table,
        hub: Hub,
        now_s: Callable[[], float],
        profiles: Profiles,
        simulated: bool = False,
    ) -> None:
        """At a `simulated` table bots play the seats that nobody has taken."""
        self._simulated = simulated
        self._table, self._hub, self._now_s, self._profiles = table, hub, now_s, profiles
        self._waiting: SimpleQueue[tuple[Command, Future[Refusal | None]]] = SimpleQueue()
        self._published_s = float("-inf")
        self._shown: tuple[int, Told | None] = (-1, None)
        self._scores = Scores()
        self.on_meddling: Callable[[], None] = lambda: None
        """Told when somebody has changed the record by hand."""
        self.on_press: Callable[[], None] = lambda: None
        """Told when somebody has pressed a button at the table."""
        self._presses = table.presses
        self.pictures: Pictures | None = None
        """What the camera saw of the game on the table."""

    def once(self) -> None:
        """Does what was asked for, and shows what is new."""
        answers = self._serve()
        if self._table.presses != self._presses:
            self._presses = self._table.presses
            self.on_press()
        due = self._now_s() - self._published_s >= PUBLISH_S
        if answers or (due and (self._table.version, self._table.preparing) != self._shown):
            self.publish()
        for answer, refusal in answers:  # whoever is answered finds it shown already
            answer.set_result(refusal)

    def publish(self) -> None:
        sitting = (self._hub.part("people") or {}).get("seats", [])
        self._table.seat_colours = seat_colours({seat["seat"]: seat["colour"] for seat in sitting})
        self._published_s, self._shown = self._now_s(), (self._table.version, self._table.preparing)
        self._hub.publish("table", self._view())

    def _serve(self) -> list[tuple[Future[Refusal | None], Refusal | None]]:
        served: list[tuple[Future[Refusal | None], Refusal | None]] = []
        while True:
            try:
                command, answer = self._waiting.get_nowait()
            except Empty:
                return served
            if answer.set_running_or_notify_cancel():  # not given up meanwhile
                self._table.step(command)
                if command.name in MEDDLING and self._table.refusal is None:
                    self.on_meddling()
                served.append((answer, _refusal(self._table.refusal)))

    def _view(self) -> dict[str, Any]:
        table, game = self._table, self._table.game
        shown = table.view()
        del shown["version"]  # of every picture; screens count what they are shown
        records, state = table.records, table.state
        shown["feed"] = [{"seq": r.seq, "at": r.at, "event": to_json(r.event)} for r in records[-FEED:]]
        shown["last_seq"] = table.history[-1].seq if table.history else 0
        if state is None:
            return shown
        acting = [seat for seat in game.to_act(state).must if seat >= 0]
        shown["options"] = {seat: game.view(state, seat)["options"] for seat in acting}
        shown["trend"] = self._scores.this_round(table, records)
        return shown

    # --- for the web server's threads ---------------------------------------------------------

    def command(self, name: str, args: Mapping[str, Any]) -> Refusal | None:
        """Has it done by the table's thread, and waits for that."""
        if name == "new_game":
            told = self._edition(args)
            if isinstance(told, Refusal):
                return told
            args = told | {"bots": self._free_seats() if self._simulated else []}
        answer: Future[Refusal | None] = Future()
        self._waiting.put((Command(name, args), answer))
        try:
            return answer.result(ANSWER_S)
        except Late:
            answer.cancel()
            return Refusal("web.busy")

    def _free_seats(self) -> list[int]:
        people = self._hub.part("people") or {"seats": []}
        return sorted(set(range(MOST_SEATS)) - {one["seat"] for one in people["seats"]})

    def _edition(self, args: Mapping[str, Any]) -> dict[str, Any] | Refusal:
        """The arguments of a new game with the edition itself in place of its name."""
        told = dict(args)
        options = told.get("options")
        if not isinstance(name := told.get("profile", "house"), str):
            return Refusal("web.bad_input", {"where": "profile", "wanted": '"…"'})
        edition = self._profiles(name)
        if edition is None:
            return Refusal("web.unknown_profile", {"name": name[:60]})
        chosen = options if isinstance(options, dict) else {}
        try:
            told["profile"] = self._table.game.edition.resolve(edition, chosen, random.SystemRandom())
        except BadData as error:
            return Refusal(f"problem.{error.problems[0].code}", error.problems[0].facts)
        return told

    def mover(self, event: Mapping[str, Any]) -> int | None:
        """The seat whose own choice this move is; None for what is nobody's own, and for what is no move."""
        state = self._table.state
        if state is None:
            return None
        try:
            return self._table.game.mover(state, from_json(event, self._table.game.events))
        except Malformed:
            return None

    def placements(self, seat: int, die: int) -> dict[str, Any] | None:
        """Every move this seat could make with that die now."""
        state = self._table.state
        if state is None or seat not in self._table.game.to_act(state).must:
            return None
        return self._table.game.placements(state, seat, die)

    def picture(self, board: str) -> bytes | None:
        """A JPEG of a board as it was last read."""
        return None if self.pictures is None else self.pictures.picture(board)

    def wrong(self, board: str) -> bytes | None:
        """A JPEG of what the table complains about on a board, outlined."""
        told = (self._hub.part("table") or {}).get("boards", {}).get(board)
        if self.pictures is None or told is None or told["state"] != "mismatch":
            return None
        squares = [f"r{name[1:]}c{ord(name[0]) - ord('A') + 1}" for name in told["facts"].get("squares", ())]
        return self.pictures.crop(board, [*squares, *told["facts"].get("regions", ())])

    def candidate(self, number: int) -> bytes | None:
        """A JPEG of what is asked about, with the squares of one answer outlined."""
        question = (self._hub.part("table") or {}).get("question")
        if self.pictures is None or question is None or not 0 <= number < len(question["regions"]):
            return None
        around = {region for regions in question["regions"] for region in regions}
        return self.pictures.crop(question["board"], question["regions"][number], around)


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


def _refusal(told: Told | None) -> Refusal | None:
    return None if told is None else Refusal(told.reason, dict(told.facts))
