"""Bots at the simulated table, alone or beside people: they roll, reach, draw and wipe with hands.

What the table makes of that is seen by its camera alone. Bots know the rules, what the table has accepted and what its
dashboard shows. What it refuses they put right as its record wants it, and go on from there. How a move is made with
hands follows from what it changes on the surfaces of the game: no game is known here.
"""

import random
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from hardware.sim.table import SimTable
from pi_app.engine.contract import LUCK, Seen
from pi_app.engine.events import Event, Undone, from_json, to_json
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER, dice_values, kind_of, pieces_of
from pi_app.simulation.clutter import lay_something
from pi_app.simulation.habits import Habits, Tally
from pi_app.simulation.hands import Hands, laid_down
from pi_app.table.inputs import Command
from pi_app.table.table import Table
from vision.catalogue import OPEN
from vision.layout import Layout

SOON, LATE = 32, 70
"""Pictures after which a move is made more clearly, and after which it is entered by hand."""
AFTER_TIDYING = 4
"""Pictures in which the table sees what was tidied."""
BETWEEN_TRIES = 20
"""Pictures in which the table may look again before somebody tidies up again."""
ANOTHER_PIECE = 0.5
"""How often somebody who slips takes a wrong piece instead of a wrong place."""
LAMPS = (0.4, 0.7, 1.0)
UNSETTLED = {"hand", "settling", "reading"}
"""States of boards of which the table does not know yet what lies there."""

Doing = Generator[None, None, None]
"""What somebody is doing, picture by picture."""


class Bots:
    """Plays the seats that the table gives to bots. Belongs to the table's thread."""

    def __init__(
        self,
        sim: SimTable,
        table: Table,
        layout: Layout,
        rng: random.Random,
        habits: Habits = Habits(),  # noqa: B008 - frozen
        names: Sequence[str] = (),
        think: int = 0,
    ) -> None:
        """`names` are the game's bots by seat, again from the first where there are more seats; else its usual one.

        They `think` for so many pictures before a move.
        """
        self.table = table
        """The one at which they sit; another one after a restart."""
        self.tally = Tally()
        self._sim, self._rng, self._game = sim, rng, table.game
        self._surfaces = {surface.id: surface for surface in self._game.surfaces(table.setup)}
        self._only_pieces = all(surface.pieces for surface in self._surfaces.values())
        self._hands = Hands(sim, layout, self._surfaces.values())
        self._names, self._think = tuple(names) or (next(iter(self._game.bots)),), think
        self._usual = self._habits = habits
        self._jobs: dict[int, Doing] = {}
        self._asked: tuple[int, set[int]] = (-1, set())
        """The seats that were asked whether they want to come in between, and after which record that was."""
        self._rolled: tuple[Any, Event, int] | None = None
        """Dice that lie there although the turn before is not over in the record: the state before them, the roll, and
        after which record it was."""
        self._patience = 0
        self._tidied: object = None
        """The record after which due pieces were seen to, and what was due then."""
        self._marked: object = None
        """The record after which marks that are due were drawn or forgotten, and who sat there then."""

    @property
    def busy(self) -> bool:
        """Somebody is in the middle of something."""
        return bool(self._jobs) or self._rolled is not None

    def step(self, careful: bool = False) -> None:
        """One picture later: everybody does what is next. Whoever is `careful` makes no mistakes, as beside people."""
        if self.table.cannot_write:
            return  # everybody waits
        state = self.table.state
        self._count_roll()
        seats = frozenset[int]() if state is None or self.table.paused else self.table.bots
        alone = not careful and len(seats) == len(self.table.setup.players)
        self._habits = self._usual if alone else Habits(self._usual.mark_s, self._usual.care)
        for seat in self._jobs.keys() - seats:
            self._jobs.pop(seat).close()  # handed over in the middle
        if not self._jobs and seats:
            due = self._complaints(state, seats) or self._marks_due(state, seats) or self._pieces_due(state, seats)
            self._jobs = due or self._turn(state, seats)
        for seat, doing in list(self._jobs.items()):
            if next(doing, self) is self:
                del self._jobs[seat]

    # --- what is next -------------------------------------------------------------------------

    def _complaints(self, state: Any, seats: frozenset[int]) -> dict[int, Doing]:
        """What the table complains about on their surfaces, or on those that all share when it is their turn."""
        told = self.table.view()["boards"]
        turn = self._game.to_act(state)
        on_turn = next((seat for seat in (*turn.must, self._game.hand(state)) if seat in seats), None)
        for surface in self._surfaces.values():
            seat = on_turn if surface.owner is None else surface.owner
            if seat is not None and seat in seats and told[surface.id]["state"] == "mismatch":
                return {seat: self._put_right([surface.id])}
        return {}

    def _marks_due(self, state: Any, seats: frozenset[int]) -> dict[int, Doing]:
        """Marks that follow from moves, unless somebody forgets them for now."""
        if self._marked == (self._last_seq(), seats):
            return {}
        self._marked = self._last_seq(), seats
        jobs = {}
        for surface in self._surfaces.values():
            seat = min(seats) if surface.owner is None else surface.owner
            if surface.pieces or seat not in seats:
                continue
            there = self._hands.inked(surface.id)
            due = {
                region: kind
                for region, kind in self._wanted(state, surface.id).items()
                if region not in there
                and self._game.act(region, kind) == EMPTY
                and self._rng.random() >= self._habits.forget
            }
            if due:
                jobs[seat] = self._draw(surface.id, seat, due)
        return jobs

    def _pieces_due(self, state: Any, seats: frozenset[int]) -> dict[int, Doing]:
        """Pieces that the table lists as due: cans to be brought back, a score marker to be moved on."""
        listed = [one["board"] for one in self.table.marks_due() if self._surfaces[one["board"]].pieces]
        if self._tidied == (self._last_seq(), listed):
            return {}
        self._tidied = self._last_seq(), listed
        jobs: dict[int, Doing] = {}
        for board in dict.fromkeys(listed):
            owner = self._surfaces[board].owner
            seat = min(seats - jobs.keys(), default=None) if owner is None else owner
            if seat not in seats or seat in jobs or not self._untidy(state, board):
                continue
            if self._rng.random() >= self._habits.forget:
                jobs[seat] = self._tidy(state, board)
        return jobs

    def _untidy(self, state: Any, board: str) -> dict[str, str]:
        """What is due there and does not lie there already, only not seen by the table yet."""
        due = {one["region"] for one in self.table.marks_due() if one["board"] == board}
        expected, lying = self._game.expected_sight(state, board), self._hands.lying(board)
        return {
            region: kind
            for region, kind in expected.items()
            if region in due and self._is_other(lying.get(region, EMPTY), kind)
        }

    def _tidy(self, state: Any, board: str) -> Doing:
        """Where a move of somebody has begun meanwhile, it is left alone."""
        expected, wanted = self._game.expected_sight(state, board), self._untidy(state, board)
        yield from self._slip_with_due(board, wanted, expected)
        yield from self._arrange(board, wanted)
        yield from self._patiently(AFTER_TIDYING)

    def _count_roll(self) -> None:
        """Counts the dice that were rolled ahead once the table has them; after a while nobody waits for that."""
        if self._rolled is None:
            return
        before, roll, seq = self._rolled
        made = next((r.event for r in self.table.records if r.seq > seq and type(r.event) is type(roll)), None)
        self._patience -= 1
        if made is None and self._patience > 0:
            return
        self._rolled = None
        self.tally.moves += made is not None
        if made is not None and not self._same(before, roll, made):
            self.tally.wrong += 1
            self.tally.notes.append(f"{roll} was taken for {made}")

    def _turn(self, state: Any, seats: frozenset[int]) -> dict[int, Doing]:
        if self._rolled is not None and self._game.unseen_luck(state) is None:
            return {}
        turn = self._game.to_act(state)
        if self._asked[0] != self._last_seq():
            self._asked = self._last_seq(), set()
        for seat in turn.may:
            if seat in seats and seat not in self._asked[1]:
                self._asked[1].add(seat)
                move = self._choose(state, seat)
                if move is not None:
                    return {seat: self._make(seat, state, move)}
        if turn.must != (LUCK,):
            return {seat: self._own_turn(state, seat) for seat in turn.must if seat in seats}
        hand = self._game.hand(state)
        if hand is None:  # whoever it is for, or anybody if there are only bots
            whose = self._game.mover(state, self._game.chances(state).moves[0])
            everybody = len(seats) == len(self.table.setup.players)
            hand = whose if whose in seats else min(seats) if everybody else None
        return {hand: self._move(hand, LUCK)} if hand is not None and hand in seats else {}

    def _choose(self, state: Any, seat: int) -> Event | None:
        return self._game.bots[self._names[seat % len(self._names)]](state, seat, self._rng)

    def _own_turn(self, state: Any, seat: int) -> Doing:
        """A move; where somebody else has begun one before, what the table does not accept of it soon is undone."""
        begun = [
            surface.id
            for surface in self._surfaces.values()
            if surface.owner in (None, seat) and self._differs(state, surface.id)
        ]
        if begun:
            yield from self._patiently(SOON)
            if self.table.state is not None and seat in self._game.to_act(self.table.state).must:
                yield from self._put_right(begun)
        else:
            yield from self._move(seat, seat)

    def _differs(self, state: Any, surface: str) -> bool:
        """Whether more is drawn than the record says, or other dice lie there."""
        if not self._surfaces[surface].pieces:
            return bool(self._hands.inked(surface) - self._wanted(state, surface).keys())
        lying, expected = self._hands.lying(surface), self._game.expected_sight(state, surface)
        due = {one["region"] for one in self.table.marks_due() if one["board"] == surface}
        return any(
            self._is_other(lying.get(region, EMPTY), kind)
            for region, kind in expected.items()
            if kind != OTHER and region not in due
        )

    def _is_other(self, lying: str, expected: str) -> bool:
        """Whether something else lies there; what its board shows in print need not lie there."""
        return lying != expected and not (lying == EMPTY and expected == OPEN)

    def _wanted(self, state: Any, surface: str) -> dict[str, str]:
        expected = self._game.expected_sight(state, surface)
        return {region: kind for region, kind in expected.items() if kind not in (EMPTY, OTHER)}

    def _last_seq(self) -> int:
        history = self.table.history
        return history[-1].seq if history else 0

    # --- a move -------------------------------------------------------------------------------

    def _move(self, seat: int, mover: int) -> Doing:
        """Chooses for the seat, or draws what luck brings, and makes it."""
        yield from self._disturb()
        for _ in range(self._think):
            yield
        state = self.table.state
        if state is None or mover not in self._game.to_act(state).seats:
            return
        move = self._game.chances(state).draw(self._rng) if mover == LUCK else self._choose(state, seat)
        if move is not None:
            yield from self._make(seat, state, move)

    def _make(self, seat: int, state: Any, move: Event) -> Doing:
        """With hands, as far as it leaves something to be seen; waits until the table has it."""
        trace, before = self._game.trace(state, move), self._last_seq()
        ahead = self._next_roll(state, move, trace)
        if ahead is not None:
            yield from self._roll_ahead(*ahead)
            yield from self._until_accepted(state, seat, move, trace, before, goes_without_saying=True)
            return
        forgotten = self._forgotten(state, seat, trace)
        for surface in sorted(trace, key=lambda surface: not self._surfaces[surface].pieces):
            if BESIDE in trace[surface]:
                yield from self._roll(state, dice_values(trace[surface][BESIDE]))
            elif self._surfaces[surface].pieces:
                yield from self._slip_with_pieces(state, seat, surface, trace[surface])
                laid = laid_down(trace[surface], forgotten.get(surface))
                thrown = self._thrown(state, move, surface, laid)
                rest = {region: kind for region, kind in laid.items() if region not in thrown}
                yield from self._arrange(surface, rest, next(iter(trace[surface])), thrown=thrown)
            else:
                yield from self._slip_with_pen(state, seat, surface, trace[surface])
                yield from self._draw(surface, seat, trace[surface])
        for surface, region in forgotten.items():
            yield from self._expect_refusal(state, seat, surface)
            yield from self._arrange(surface, {region: trace[surface][region]}, region)
        yield from self._until_accepted(state, seat, move, trace, before)

    def _roll(self, state: Any, values: Sequence[int]) -> Doing:
        expected = {at: self._game.expected_sight(state, at) for at in self._surfaces}
        self._hands.roll(len(values), expected)
        yield
        self._hands.roll(values, expected)

    def _next_roll(self, state: Any, move: Event, trace: Seen) -> tuple[Any, Event] | None:
        """What luck brings next, where a move leaves nothing of its own to be seen; and the state before that.

        Others go on, and it goes without saying; or dice are thrown for it.
        """
        everybody = len(self.table.bots) == len(self.table.setup.players)
        vague = bool(trace) and all(kind == OTHER for part in trace.values() for kind in part.values())
        if not vague and (trace or not everybody or not self._game.implied(state, move)):
            return None
        follows: Event | None = move
        while follows is not None:
            for event in self._game.decide(state, follows):
                state = self._game.apply(state, event)
            follows = self._game.unseen_luck(state)
        if self._game.to_act(state).must != (LUCK,):
            return None
        roll = self._game.chances(state).draw(self._rng)
        places = [(at, region) for at, part in self._game.trace(state, roll).items() for region in part]
        return (state, roll) if places and all(self._hands.throws(*place) for place in places) else None

    def _roll_ahead(self, state: Any, roll: Event) -> Doing:
        self._rolled, self._patience = (state, roll, self._last_seq()), LATE
        for surface, part in self._game.trace(state, roll).items():
            yield from self._arrange(surface, {}, next(iter(part)), thrown=part)

    def _thrown(self, state: Any, move: Event, surface: str, laid: Mapping[str, str]) -> dict[str, str]:
        """What of it are dice that luck throws."""
        if self._game.mover(state, move) != LUCK:
            return {}
        return {region: kind for region, kind in laid.items() if self._hands.throws(surface, region)}

    def _arrange(
        self,
        surface: str,
        wanted: Mapping[str, str],
        at: str | None = None,
        aside: bool = False,
        thrown: Mapping[str, str] | None = None,
    ) -> Doing:
        """Brings pieces and dice to where they should be, with a hand that is seen."""
        yield from self._reach(surface, at)
        self._hands.arrange(surface, wanted, aside)
        for region, kind in (thrown or {}).items():
            self._hands.throw(surface, region, dice_values(kind))
        self._sim.withdraw(surface)

    def _draw(self, surface: str, seat: int, marks: Mapping[str, str], care: float | None = None) -> Doing:
        care = self._habits.care if care is None else care
        self._hands.draw(surface, marks, seat, self._habits.mark_s, care)
        yield

    def _reach(self, surface: str, region: str | None = None) -> Doing:
        """A hand over a surface for a picture; taken away also when somebody else goes on."""
        pools = self._surfaces[surface].pools
        self._sim.reach(surface, pools[region][0] if region is not None and region in pools else region)
        try:
            yield
        except GeneratorExit:
            self._sim.withdraw(surface)
            raise

    def _disturb(self) -> Doing:
        """What people do beside playing."""
        habits, rng = self._habits, self._rng
        if rng.random() < habits.lamp:
            self._sim.set_lamp(rng.choice(LAMPS))
        if rng.random() < habits.lean:
            surface = rng.choice([surface.id for surface in self._surfaces.values() if surface.owner is not None])
            yield from self._reach(surface)
            self._sim.withdraw(surface)
        if rng.random() < habits.clutter:
            lay_something(self._sim, rng)

    # --- mistakes -----------------------------------------------------------------------------

    def _slip_with_pen(self, state: Any, seat: int, surface: str, part: Mapping[str, str]) -> Doing:
        """Draws one mark where it does not belong, and wipes all of it when the table complains."""
        if self._rng.random() >= self._habits.slip:
            return
        expected = self._game.expected_sight(state, surface)
        (_, kind), *rest = part.items()
        others = [
            region
            for region, now in expected.items()
            if region not in part and now == EMPTY and self._game.act(region, kind) != EMPTY
        ]
        wrong = self._inexplicable(state, seat, surface, [{**dict(rest), region: kind} for region in others])
        if wrong is None:
            return
        yield from self._draw(surface, seat, wrong)
        yield from self._expect_refusal(state, seat, surface)
        yield from self._reach(surface)
        self._sim.wipe(surface, wrong.keys())
        self._sim.withdraw(surface)

    def _forgotten(self, state: Any, seat: int, trace: Seen) -> dict[str, str]:
        """By surface, the region that is forgotten at first: what is done without it is no move of its own."""
        places = [(at, region) for at, part in trace.items() for region, kind in part.items() if kind != OTHER]
        if not self._only_pieces or len(places) < 2 or self._rng.random() >= self._habits.slip:
            return {}
        at, region = self._rng.choice(places)
        done = {on: {r: kind for r, kind in part.items() if (on, r) != (at, region)} for on, part in trace.items()}
        left = {on: part for on, part in done.items() if part}
        touched = {on: set(part) for on, part in left.items()}
        moves = self._game.moves_within(state, seat, touched) if seat in self._game.to_act(state).seats else ()
        return {} if any(self._game.trace(state, move) == left for move in moves) else {at: region}

    def _slip_with_pieces(self, state: Any, seat: int, surface: str, part: Mapping[str, str]) -> Doing:
        """Puts what belongs to one region on another, takes another piece, or knocks over what lies beside it."""
        if self._rng.random() >= self._habits.slip:
            return
        expected = self._game.expected_sight(state, surface)
        added = [
            (region, piece)
            for region, kind in part.items()
            if kind != OTHER
            for piece in Counter(pieces_of(kind)) - Counter(pieces_of(expected.get(region, EMPTY)))
        ]
        if added:
            right, piece = self._rng.choice(added)
            rest = {region: kind for region, kind in part.items() if region != right and kind != OTHER}
            elsewhere = [
                {**rest, region: kind_of([*pieces_of(kind), piece])}
                for region, kind in expected.items()
                if region not in (*part, BESIDE)
                and kind != OTHER
                and self._game.act(region, piece) != EMPTY  # else it is only listed as due
                and self._hands.may_lie(surface, region, piece, len(pieces_of(kind)))
            ]
            left = pieces_of(part[right])
            left.remove(piece)
            others = [
                {**rest, right: laid}
                for other in self._hands.held(surface, right)
                if other != piece and (laid := kind_of([*left, other])) != expected.get(right)
            ]
            changes = others if others and self._rng.random() < ANOTHER_PIECE else elsewhere
            wrong = self._inexplicable(state, seat, surface, changes)
            if wrong is not None:
                yield from self._arrange(surface, wrong, right)
                yield from self._expect_refusal(state, seat, surface)
                yield from self._arrange(surface, {region: expected[region] for region in wrong})
            return
        lying = {die.number: die.at for die in self._sim.state.dice if die.at is not None and die.at[0] == surface}
        stay = [number for number, (_, region) in lying.items() if region not in part]
        if stay:
            yield from self._reach(surface, next(iter(part)))
            self._sim.knock(self._rng.choice(stay))
            self._sim.withdraw(surface)
            yield from self._expect_refusal(state, seat, surface)
            yield from self._arrange(surface, expected)

    def _slip_with_due(self, board: str, wanted: Mapping[str, str], expected: Mapping[str, str]) -> Doing:
        """Puts a piece that follows from a move on a wrong place, until that is listed."""
        if not self._habits.slip or self._rng.random() >= self._habits.slip:
            return
        lying = self._hands.lying(board)
        changes = [
            (right, piece, other)
            for right, kind in wanted.items()
            for piece in Counter(pieces_of(kind)) - Counter(pieces_of(lying.get(right, EMPTY)))
            for other, there in expected.items()
            if other not in wanted
            and there == EMPTY
            and self._game.act(other, piece) == EMPTY
            and self._hands.may_lie(board, other, piece, 0)
        ]
        if not changes:
            return
        right, piece, other = self._rng.choice(changes)
        left, before = pieces_of(wanted[right]), len(self.table.records)
        left.remove(piece)
        self.tally.slips += 1
        yield from self._arrange(board, {**wanted, right: kind_of(left), other: piece})
        for _ in range(SOON):
            yield
            if self.table.view()["boards"][board]["state"] in UNSETTLED:
                continue
            # It lies where it does not belong, or is missing where it does.
            if {other, right} & {one["region"] for one in self.table.marks_due() if one["board"] == board}:
                self.tally.caught += 1
                break
        if len(self.table.records) != before:
            self.tally.wrong += 1
            self.tally.notes.append(f"{piece} on {board} {other} was taken for a move")
        yield from self._arrange(board, {other: EMPTY})

    def _inexplicable(
        self, state: Any, seat: int, surface: str, changes: Sequence[Mapping[str, str]]
    ) -> Mapping[str, str] | None:
        """Any of these changes of a surface that is no part of a legal move, so that it can be nothing but wrong."""
        luck = self._game.to_act(state).must == (LUCK,)
        legal = self._game.chances(state).moves if luck else self._game.legal_moves(state, seat)
        parts = [self._game.trace(state, move).get(surface, {}).items() for move in legal]
        for change in self._rng.sample(changes, len(changes)):
            if not any(change.items() <= part for part in parts):
                return change
        return None

    def _expect_refusal(self, state: Any, seat: int, surface: str) -> Doing:
        """Waits for the table to complain about this surface; bots notice their own mistakes, too, in the end."""
        self.tally.slips += 1
        before = self._last_seq()
        for _ in range(SOON):
            yield
            told = {board: one["state"] for board, one in self.table.view()["boards"].items()}
            if self._only_pieces and told[surface] in UNSETTLED:
                continue  # what is shown may be older than the mistake
            states = set(told.values())
            # Pieces that are part of a move are no mistake yet: what is missing is said. Or they may mean that somebody
            # has passed, and that is asked.
            asked = self._only_pieces and "asking" in states
            if "mismatch" in states or asked or (self._surfaces[surface].pieces and "drawing" in states):
                self.tally.caught += 1
                return
            if self._made_since(before, state, seat) is not None:
                self.tally.wrong += 1
                self.tally.notes.append(f"a slip on {surface} was accepted")
                self.table.put(Command("undo"))
                return

    # --- what the table makes of it -----------------------------------------------------------

    def _until_accepted(
        self, state: Any, seat: int, move: Event, trace: Seen, before: int, goes_without_saying: bool = False
    ) -> Doing:
        """Helps the table where it asks or does not understand; leaves when things went another way."""
        mover, asked = self._game.mover(state, move), False
        silent = not self._only_pieces and all(self._surfaces[at].owner != mover for at in trace)
        for waited in range(LATE):
            yield
            made = self._made_since(before, state, mover)
            if made is not None or self._taken_back_since(before):
                break
            view = self.table.view(seat)
            asked = self._answer(state, mover, move, view["question"]) or asked
            told = {at: one for at, one in view["boards"].items() if self._surfaces[at].owner in (None, mover)}
            to_tell = any(one["reason"] == "sight.tell_it" for one in told.values())
            if (
                (not trace and (not goes_without_saying or waited == SOON))
                or to_tell
                or (silent and any(one["reason"].startswith("doing.") for one in told.values()))
            ):
                self._enter(move)  # nothing is seen of it, or the table waits for more and this is all
            if waited == SOON:
                refused = [f"{at}: {one}" for at, one in told.items() if one["state"] == "mismatch"]
                if refused:  # it is put right
                    self.tally.mismatches += 1
                    self.tally.notes += refused
                    break
                yield from self._again(state, seat, move, trace)
        else:
            self.tally.by_hand += bool(trace)
            self.tally.notes += [f"by hand: {move}"] if trace else []
            self._enter(move)
            yield from self._patiently(BETWEEN_TRIES)
            made = self._made_since(before, state, mover)
        self.tally.asked += asked
        self.tally.moves += made is not None
        if made is not None and not self._same(state, move, made):
            self.tally.wrong += 1
            self.tally.notes.append(f"{move} was taken for {made}")

    def _made_since(self, seq: int, state: Any, mover: int | None) -> Event | None:
        """What the table has accepted as a move of this one after that record."""
        made = (record.event for record in self.table.records if record.seq > seq)
        moves = (event for event in made if self._game.is_move(event))
        return next((event for event in moves if self._game.mover(state, event) == mover), None)

    def _taken_back_since(self, seq: int) -> bool:
        return any(record.seq > seq and isinstance(record.event, Undone) for record in self.table.history)

    def _same(self, state: Any, move: Event, other: Event) -> bool:
        """Whether two moves are one to the game: dice with the same value have no names, and a walk is its end.

        Moves that only look alike, and of which people have to be asked, are not the same.
        """
        if other in (move, self._game.decide(state, move)[0]):
            return True
        trace = self._game.trace(state, move)
        same_mover = self._game.mover(state, move) == self._game.mover(state, other)
        alike = bool(trace) and same_mover and trace == self._game.trace(state, other)
        return alike and self._game.meant(state, (move, other)) is not None

    def _answer(self, state: Any, mover: int | None, move: Event, question: Mapping[str, Any] | None) -> bool:
        """Tells the table which of its candidates was meant. Gives whether it asks about a move of this one."""
        if question is None:
            return False
        candidates = [from_json(told, self._game.events) for told in question["moves"]]
        for number, candidate in enumerate(candidates):
            if self._same(state, move, candidate):
                self.table.put(Command("answer", {"number": number}))
                break
        return any(self._game.mover(state, candidate) == mover for candidate in candidates)

    def _again(self, state: Any, seat: int, move: Event, trace: Seen) -> Doing:
        """Still not understood: strengthens the ink, or moves the dice a little."""
        for surface, part in trace.items():
            if BESIDE in part:
                yield from self._roll(state, dice_values(part[BESIDE]))
            elif not self._surfaces[surface].pieces:
                yield from self._draw(surface, seat, part, care=1.0)
            else:
                yield from self._reach(surface, next(iter(part)))
                for die in (die for die in self._sim.state.dice if die.at in {(surface, region) for region in part}):
                    self._sim.put(die.number, die.at)
                placed = {region: kind for region, kind in part.items() if kind != OTHER}
                self._hands.arrange(surface, dict.fromkeys(placed, EMPTY))
                self._hands.arrange(surface, placed)
                self._sim.withdraw(surface)
        if trace:
            self.tally.again += 1
            self.tally.notes.append(f"again: {move}")

    def _enter(self, move: Event) -> None:
        self.table.put(Command("do", {"event": to_json(move)}))

    # --- putting right ------------------------------------------------------------------------

    def _put_right(self, surfaces: Sequence[str]) -> Doing:
        """Brings surfaces to what the record says; then the table may look again."""
        state = self.table.state
        if state is None:
            return
        for surface in surfaces:
            expected = self._game.expected_sight(state, surface)
            if self._surfaces[surface].pieces:
                yield from self._arrange(surface, expected, aside=True)
                continue
            yield from self._reach(surface)
            self._sim.wipe(surface, [region for region, kind in expected.items() if kind == EMPTY])
            self._sim.withdraw(surface)
            there = self._hands.inked(surface)
            missing = {region: kind for region, kind in self._wanted(state, surface).items() if region not in there}
            if missing:
                yield from self._draw(surface, self._surfaces[surface].owner or 0, missing)
        self.table.put(Command("reread"))
        yield from self._patiently(BETWEEN_TRIES)

    def _patiently(self, pictures: int) -> Doing:
        """So long, unless something is accepted or taken back."""
        before = self._last_seq()
        for _ in range(pictures):
            yield
            if self._last_seq() != before:
                return
