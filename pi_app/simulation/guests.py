"""Bots at some seats of the simulated table, beside people: they know what the table has accepted, and have hands.

They never wait: `once` is called with every picture, and does what is next. What the table refuses on their boards
they put right as its record wants it, and go on from there.
"""

import random
from collections.abc import Callable, Collection, Generator, Mapping
from typing import Any, NamedTuple

from hardware.sim.state import HQ
from hardware.sim.table import SimTable
from pi_app.engine.contract import LUCK
from pi_app.engine.kinds import EMPTY
from pi_app.games import GAMES
from pi_app.games.tag_city.bots import BOTS
from pi_app.games.tag_city.rules.model import DiceRolled, DiePlaced, GameStarted, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.rules.sight import city_board
from pi_app.simulation.hands import ink, leaves_nothing
from pi_app.simulation.manners import Manners, Meant
from pi_app.simulation.onlooker import Onlooker
from pi_app.table.inputs import Command
from pi_app.table.table import Table

SOON, LATE = 32, 70
"""Pictures after which a guest does it again, and after which it tells the table by hand."""
BETWEEN_TRIES = 20
"""Pictures in which the table may look again before somebody tidies up again."""

Doing = Generator[None, None, None]
"""What somebody is doing, picture by picture."""


class _Job(NamedTuple):
    seat: int
    doing: Doing


class Guests:
    """Plays the seats in `seats`, which may be changed at any time. Belongs to the table's thread."""

    def __init__(
        self,
        sim: SimTable,
        table: Table,
        rng: random.Random,
        seats: Collection[int] | None = None,
        manners: Manners = Manners(),  # noqa: B008 - frozen
        bot: str = "greedy",
        pause: int = 0,
    ) -> None:
        """Without `seats` they play those that the table gives to bots. `pause` is how many pictures a guest thinks."""
        self._sim, self._table, self._rng, self._manners = sim, table, rng, manners
        self._sees = Onlooker(sim, table)
        self._bot, self._pause = BOTS[bot], pause
        self._game = GAMES["tag_city"]
        self._seats = None if seats is None else set(seats)
        self._job: _Job | None = None

    @property
    def seats(self) -> set[int]:
        return set(self._table.bots) if self._seats is None else self._seats

    @seats.setter
    def seats(self, seats: Collection[int]) -> None:
        self._seats = set(seats)

    def once(self) -> None:
        """One picture later."""
        if self._table.cannot_write:
            return  # everybody waits
        if self._job is not None and self._job.seat not in self.seats:
            self._job.doing.close()  # handed over in the middle
            self._job = None
        if self._job is None:
            self._job = self._next_job()
        if self._job is not None and next(self._job.doing, self) is self:
            self._job = None

    # --- what is next -------------------------------------------------------------------------

    def _next_job(self) -> _Job | None:
        state = self._sees.state()
        if state is None or not self.seats:
            return None
        return self._complaint(state) or self._due_marks(state) or self._turn(state)

    def _complaint(self, state: State) -> _Job | None:
        """What the table complains about on their boards, or about the dice when it is their turn."""
        boards = self._table.view()["boards"]
        theirs = {city_board(seat): seat for seat in self._seated(state)}
        leading = self._leading(state)
        if leading is not None:
            theirs[HQ] = leading
        for board, seat in theirs.items():
            if boards[board]["state"] == "mismatch":
                return _Job(seat, self._tidy(board, seat))
        return None

    def _due_marks(self, state: State) -> _Job | None:
        """Circles and crosses that follow from moves."""
        for seat in self._seated(state):
            board = city_board(seat)
            wanted, there = self._sees.wanted(state, board), self._sees.there(board)
            due = {r: kind for r, kind in wanted.items() if r not in there and self._game.act(r, kind) == EMPTY}
            if due:
                return _Job(seat, self._draw(seat, due))
        return None

    def _turn(self, state: State) -> _Job | None:
        acting = self._game.to_act(state).must
        if acting == (LUCK,):
            return self._luck(state)
        for seat in self._seated(state):
            if seat in acting:
                board = city_board(seat)
                begun = self._sees.there(board) - self._sees.wanted(state, board).keys()
                return _Job(seat, self._finish(seat) if begun else self._move(seat))
        return None

    def _luck(self, state: State) -> _Job | None:
        """Starts a game between guests alone; rolls where a guest leads."""
        move = self._game.legal_moves(state, LUCK)[0]
        if isinstance(move, GameStarted):
            everybody = self.seats >= set(range(len(state.players)))
            return _Job(min(self.seats), self._start(len(state.players))) if everybody else None
        assert isinstance(move, DiceRolled)
        return _Job(state.leader, self._roll(len(move.values))) if state.leader in self.seats else None

    def _seated(self, state: State) -> list[int]:
        return sorted(seat for seat in self.seats if seat < len(state.players))

    def _leading(self, state: State) -> int | None:
        """The guest who is to handle dice now."""
        acting = self._game.to_act(state).must
        seats = (state.leader,) if acting == (LUCK,) else acting
        return next((seat for seat in seats if seat in self.seats), None)

    # --- doing --------------------------------------------------------------------------------

    def _start(self, players: int) -> Doing:
        leader = self._rng.randrange(players)
        self._table.put(Command("do", {"event": {"type": "game_started", "leader": leader}}))
        yield

    def _roll(self, count: int) -> Doing:
        yield from self._think()
        self._sim.roll(count)
        yield
        values = self._sim.roll(count)
        yield from self._until_accepted(
            Meant(DiceRolled(values)), lambda state: self._game.to_act(state).must != (LUCK,)
        )

    def _move(self, seat: int) -> Doing:
        """Chooses, takes or puts the die, draws, and waits until the table has it."""
        yield from self._think()
        state = self._sees.state()
        if state is None or seat not in self._game.to_act(state).must:
            return
        move = self._bot(state, seat, self._rng)
        meant = self._sees.meant(state, move)
        if isinstance(move, DiePlaced):
            yield from self._put(meant, move.section)
            yield from self._until_accepted(meant, lambda now: now.dice != state.dice)
            return
        if state.phase == "draft":
            yield from self._take(meant)
        yield from self._draw(seat, meant.marks)
        yield from self._until_accepted(
            meant, lambda now: seat not in self._game.to_act(now).must or now.round != state.round
        )

    def _finish(self, seat: int) -> Doing:
        """Somebody else has drawn here before: what the table does not take for a move soon is wiped."""
        yield from self._patiently(SOON)
        state = self._sees.state()
        if state is not None and seat in self._game.to_act(state).must:
            yield from self._tidy_board(state, city_board(seat), seat)
            yield from self._tidy_dice(state)
            yield from self._patiently(BETWEEN_TRIES)

    def _think(self) -> Doing:
        for _ in range(self._pause):
            yield

    def _put(self, meant: Meant, section: int) -> Doing:
        yield from self._reach(section)
        die = self._sees.die(meant.value, None) or self._sees.die(meant.value, section)
        if die is not None:
            self._sim.put(die.number, section)
        self._sim.withdraw(HQ)

    def _take(self, meant: Meant) -> Doing:
        yield from self._reach(meant.section)
        die = self._sees.die(meant.value, meant.section)
        if die is not None:
            self._sim.take(die.number)
        self._sim.withdraw(HQ)

    def _reach(self, section: int | None) -> Doing:
        """A hand over the HQ for a picture; taken away also when somebody else goes on."""
        self._sim.reach(HQ, None if section is None else f"section.{section}")
        try:
            yield
        except GeneratorExit:
            self._sim.withdraw(HQ)
            raise

    def _draw(self, seat: int, marks: Mapping[str, str], care: float | None = None) -> Doing:
        if marks:
            inks = [(region, ink(seat, kind)) for region, kind in marks.items()]
            care = self._manners.care if care is None else care
            self._sim.draw(city_board(seat), inks, self._manners.mark_s, care)
            yield

    def _until_accepted(self, meant: Meant, done: Callable[[State], bool]) -> Doing:
        """Helps the table where it asks or does not understand; leaves when things went another way."""
        before = [record.seq for record in self._table.records]
        for waited in range(LATE):
            yield
            state, view = self._sees.state(), self._table.view()
            now = [record.seq for record in self._table.records]
            if state is None or done(state) or now[: len(before)] != before:
                return
            self._answer(view, meant)
            if waited == SOON:
                if self._refused(view, meant):
                    return
                yield from self._again(meant)
            if waited >= SOON and leaves_nothing(meant.move):
                break
        self._table.put(Command("do", {"event": meant.told(self._table.view()["game"]["dice"])}))
        yield from self._patiently(BETWEEN_TRIES)

    def _again(self, meant: Meant) -> Doing:
        move = meant.move
        if isinstance(move, DiceRolled):
            self._sim.roll(len(move.values), move.values)
        elif isinstance(move, DiePlaced):
            yield from self._put(meant, move.section)
        elif isinstance(move, ShapePainted | SocialChecked):
            yield from self._draw(move.player, meant.marks, care=1.0)

    def _tidy(self, board: str, seat: int) -> Doing:
        """Brings a board, or the dice, to what the record says; then the table may look again."""
        state = self._sees.state()
        if state is None:
            return
        if board == HQ:
            yield from self._tidy_dice(state)
        else:
            yield from self._tidy_board(state, board, seat)
        self._table.put(Command("reread"))
        yield from self._patiently(BETWEEN_TRIES)

    def _tidy_board(self, state: State, board: str, seat: int) -> Doing:
        wanted, there = self._sees.wanted(state, board), self._sees.there(board)
        self._sim.reach(board)
        yield
        self._sim.wipe(board, self._game.expected_sight(state, board).keys() - wanted.keys())
        self._sim.withdraw(board)
        yield from self._draw(seat, {region: kind for region, kind in wanted.items() if region not in there})

    def _tidy_dice(self, state: State) -> Doing:
        """Every die of the record that nobody has taken lies where the record has it, and no other."""
        spare = list(self._sim.state.dice)
        missing = []
        for die in (die for die in state.dice if die.taken_by is None):
            lying = [other for other in spare if (other.value, other.section or 0) == (die.value, die.section)]
            if lying:
                spare.remove(lying[0])
            else:
                missing.append(die)
        yield from self._reach(None)
        for die in missing:
            same = [other for other in spare if other.value == die.value]
            number = same[0].number if same else self._sim.bring(die.value, die.section or 1)
            spare = [other for other in spare if other.number != number]
            if die.section:
                self._sim.put(number, die.section)
            else:
                self._sim.lay_aside(number)
        for wrong in spare:
            self._sim.take(wrong.number)
        self._sim.withdraw(HQ)

    def _patiently(self, pictures: int) -> Doing:
        """So long, unless something is accepted or taken back."""
        before = len(self._table.history)
        for _ in range(pictures):
            yield
            if len(self._table.history) != before:
                return

    # --- talking to the table ------------------------------------------------------------------

    def _answer(self, view: Mapping[str, Any], meant: Meant) -> None:
        """Tells the table which of its candidates was meant, if it asks about this move."""
        question = view["question"]
        if question is None:
            return
        number = meant.among(question["moves"], view["game"]["dice"])
        if number is not None:
            self._table.put(Command("answer", {"number": number}))

    def _refused(self, view: Mapping[str, Any], meant: Meant) -> bool:
        player = getattr(meant.move, "player", None)
        board = HQ if player is None else city_board(player)
        return any(view["boards"][at]["state"] == "mismatch" for at in (board, HQ))
