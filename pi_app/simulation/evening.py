"""Bots at the simulated table: they roll, reach, draw and wipe with hands; what the table makes of it is seen by
its camera alone. They look at the dashboard as people do, and put right what they did wrong."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hardware.sim.state import HQ
from hardware.sim.table import SimTable
from pi_app.engine.contract import LUCK, Setup
from pi_app.engine.events import Event, to_json
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.games.tag_city.bots import BOTS
from pi_app.games.tag_city.rules.model import DiceRolled, DiePlaced, GameStarted, ShapePainted, SocialChecked
from pi_app.games.tag_city.rules.sight import city_board
from pi_app.simulation.clutter import lay_something
from pi_app.simulation.hands import ink, lay_out, leaves_nothing
from pi_app.simulation.manners import Manners, Meant, Tally
from pi_app.table.inputs import Command
from pi_app.table.table import Table

SOON, LATE = 32, 70
"""Pictures after which somebody who waits looks at the dashboard, and after which the move is entered by hand."""


class Evening:
    """One game at the simulated table. `turn` is one picture: it lets time pass and the table look."""

    def __init__(
        self,
        sim: SimTable,
        table: Table,
        turn: Callable[[], None],
        setup: Setup,
        rng: random.Random,
        manners: Manners = Manners(),  # noqa: B008 - frozen
        bots: Sequence[str] = ("greedy",),
    ) -> None:
        """`bots` are who sits there, again from the first where there are more seats."""
        self._sim, self.table, self._turn, self._rng, self._manners = sim, table, turn, rng, manners
        self.game = GAMES["tag_city"]
        self.truth: Play[Any] = Play(self.game, setup, now=lambda: "2000-01-01T00:00:00Z")
        self.tally = Tally()
        self._bots = bots
        self._drawn: set[tuple[str, str]] = set()

    def play(self, most_moves: int = 10_000) -> Play[Any]:
        """Plays to the end, or so many moves; gives what really happened."""
        for _ in range(most_moves):
            acting = self.game.to_act(self.truth.state).must
            if not acting:
                break
            self._disturb()
            if len(acting) > 1:
                self._last_die(acting)
            else:
                self._one_move(acting[0])
            self._draw_due_marks()
        return self.truth

    def go_on(self) -> None:
        """Takes the table's record for what happened so far, and lays the table out accordingly."""
        for record in self.table.records:
            if self.game.is_move(record.event):
                self.truth.do(record.event)
        for board, regions in lay_out(self._sim, self.truth.state).items():
            self._drawn |= {(board, region) for region in regions}

    # --- moves --------------------------------------------------------------------------------

    def _one_move(self, seat: int) -> None:
        state = self.truth.state
        if seat != LUCK and state.phase == "place":
            while self.truth.state.phase == "place":
                self._make(self._choice(seat))
            return
        if seat == LUCK:
            self._make(self._rng.choice(self.game.legal_moves(state, LUCK)))
        else:
            self._make(self._choice(seat))

    def _choice(self, seat: int) -> Event:
        return BOTS[self._bots[seat % len(self._bots)]](self.truth.state, seat, self._rng)

    def _make(self, move: Event) -> None:
        """Does it with hands, and waits until the table has understood."""
        meant = self._meant(move)
        if isinstance(move, GameStarted):
            self.truth.do(move)
            self.table.put(Command("do", {"event": to_json(move)}))
        elif isinstance(move, DiceRolled):
            self._roll(move)
        elif isinstance(move, DiePlaced):
            self._place(move)
        else:
            assert isinstance(move, ShapePainted | SocialChecked)
            self._take(move.die)
            self._slip_with_pen(move)
            self._draw(move)
            self.truth.do(move)
        self._wait_for([meant])

    def _roll(self, move: DiceRolled) -> None:
        count = len(move.values)
        self._sim.roll(count)
        self._turn()
        self._sim.roll(count, move.values)
        self.truth.do(move)

    def _place(self, move: DiePlaced) -> None:
        value = self.truth.state.dice[move.die].value
        wrong = [n for n in range(1, 7) if n not in self.truth.state.printed.values[value]]
        if self._slips():
            self._put(move.die, self._rng.choice(wrong))
            self._expect_refusal(HQ)
        self._put(move.die, move.section)
        self.truth.do(move)

    def _put(self, die: int, section: int) -> None:
        self._reach(HQ, f"section.{section}")
        self._sim.put(die, section)
        self._sim.withdraw(HQ)

    def _take(self, die: int) -> None:
        state = self.truth.state
        section = state.dice[die].section
        others = [i for i, other in enumerate(state.dice) if other.taken_by is None and i != die]
        self._reach(HQ, f"section.{section}")
        if others and self._slips():
            self._knock_over(self._rng.choice(others))
            self._reach(HQ, f"section.{section}")
        self._sim.take(die)
        self._sim.withdraw(HQ)

    def _knock_over(self, die: int) -> None:
        was = next(d for d in self._sim.state.dice if d.number == die)
        self._sim.knock(die)
        self._sim.withdraw(HQ)
        self._expect_refusal(HQ)
        while next(d for d in self._sim.state.dice if d.number == die).value != was.value:
            self._sim.knock(die)
        assert was.section is not None
        self._put(die, was.section)

    def _draw(self, move: ShapePainted | SocialChecked) -> None:
        """The marks of the move, with a hand; a free check of social networks leaves none."""
        marks = self.game.trace(self.truth.state, move).get(city_board(move.player), {})
        self._draw_marks(move.player, marks)

    def _slip_with_pen(self, move: Event) -> None:
        """Draws one square of the shape where it does not belong, and wipes it when the table complains."""
        if not isinstance(move, ShapePainted) or not self._slips():
            return
        state, board = self.truth.state, city_board(move.player)
        free = state.printed.cells(state.printed.city & ~state.boards[move.player].painted)
        apart = [cell for cell in free if all(abs(cell[0] - r) + abs(cell[1] - c) > 2 for r, c in move.cells)]
        if not apart:
            return
        wrong = (*move.cells[1:], self._rng.choice(apart))
        marks = {f"r{row + 1}c{col + 1}": "marked" for row, col in wrong}
        self._draw_marks(move.player, marks)
        self._expect_refusal(board)
        self._reach(board, None)
        self._sim.wipe(board, marks.keys())
        self._sim.withdraw(board)

    def _draw_marks(self, seat: int, marks: Mapping[str, str], care: float | None = None) -> None:
        board = city_board(seat)
        if marks:
            inks = [(region, ink(seat, kind)) for region, kind in marks.items()]
            self._sim.draw(board, inks, self._manners.mark_s, self._manners.care if care is None else care)
            self._drawn |= {(board, region) for region in marks}

    def _last_die(self, seats: Sequence[int]) -> None:
        """All draw at once. The truth is decided in order of seats, and drawn in any."""
        moves: list[Meant] = []
        for seat in seats:
            move = self._choice(seat)
            assert isinstance(move, ShapePainted | SocialChecked)
            self._draw(move)
            moves.append(self._meant(move))
            self.truth.do(move)
        self._wait_for(moves)

    def _draw_due_marks(self) -> None:
        """Circles and crosses that follow from the moves, unless somebody forgets them for now."""
        for seat in range(len(self.truth.state.players)):
            board = city_board(seat)
            due = {
                region: kind
                for region, kind in self.game.expected_sight(self.truth.state, board).items()
                if kind != "empty" and (board, region) not in self._drawn and self._rng.random() >= self._manners.forget
            }
            self._draw_marks(seat, due)

    # --- people -------------------------------------------------------------------------------

    def _disturb(self) -> None:
        if self._rng.random() < self._manners.lamp:
            self._sim.set_lamp(self._rng.choice((0.4, 0.7, 1.0)))
        if self._rng.random() < self._manners.lean:
            board = city_board(self._rng.randrange(len(self.truth.state.players)))
            self._reach(board, None)
            self._sim.withdraw(board)
        if self._manners.clutter and self._rng.random() < self._manners.clutter:
            lay_something(self._sim, self._rng)

    def _reach(self, board: str, region: str | None) -> None:
        self._sim.reach(board, region)
        self._turn()

    def _slips(self) -> bool:
        slip = self._rng.random() < self._manners.slip
        self.tally.slips += slip
        return slip

    def _expect_refusal(self, board: str) -> None:
        """Waits for the table to complain about this board; bots notice their own mistakes, too, in the end."""
        before = len(self.table.records)
        for _ in range(SOON):
            self._wait_a_picture()
            if self.table.view()["boards"][board]["state"] == "mismatch":
                self.tally.caught += 1
                return
            if len(self.table.records) != before:
                self.tally.notes.append(f"a slip on {board} was accepted")
                self.table.put(Command("undo"))
                return

    def _wait_for(self, moves: Sequence[Meant]) -> None:
        """Until the table has as many records as really happened; answers what it asks, helps where it must."""
        self.tally.moves += len(moves)
        asked, refused = False, False
        wanted = len(self.truth.in_force)
        for waited in range(LATE):
            held_up = self._wait_a_picture()
            if len(self.table.records) >= wanted:
                break
            view = self.table.view()
            asked = self._answer(view, moves) or asked
            refused = refused or self._refused(view, waited)
            if waited == SOON:
                self._do_again(moves, view)
            unseen = all(leaves_nothing(meant.move) for meant in moves)
            if waited == LATE - 1 or (unseen and (waited >= SOON or held_up)):
                self._enter_by_hand(moves)
        self.tally.asked += asked
        self.tally.mismatches += refused

    def _wait_a_picture(self) -> bool:
        """A disk that takes nothing uses up nobody's patience. Tells whether the table was held up by one."""
        self._turn()
        held_up = self.table.cannot_write
        while self.table.cannot_write:
            self._turn()
        return held_up

    def _do_again(self, moves: Sequence[Meant], view: Mapping[str, Any]) -> None:
        """Still not understood: strengthen the ink, or move the dice a little."""
        for meant in moves:
            move = meant.move
            if isinstance(move, DiceRolled):
                self._sim.roll(len(move.values), move.values)
            elif isinstance(move, DiePlaced):
                self._put(move.die, move.section)
            elif (
                isinstance(move, ShapePainted | SocialChecked) and meant.marks and move.player in view["game"]["to_act"]
            ):
                self._draw_marks(move.player, meant.marks, care=1.0)
            else:
                continue
            self.tally.again += 1
            states = {board: f"{told['state']} {told['reason']}" for board, told in view["boards"].items()}
            self.tally.notes.append(f"again: {move} {states}")

    def _refused(self, view: Mapping[str, Any], waited: int) -> bool:
        wrong = [(b, told) for b, told in view["boards"].items() if told["state"] == "mismatch"]
        if wrong and waited == SOON:
            self.tally.notes.append(f"{wrong[0][0]}: {wrong[0][1]['reason']} {wrong[0][1]['facts']}")
            self.table.put(Command("reread"))
        return bool(wrong) and waited >= SOON

    def _answer(self, view: Mapping[str, Any], moves: Sequence[Meant]) -> bool:
        question = view["question"]
        if question is None:
            return False
        for meant in moves:
            number = meant.among(question["moves"], view["game"]["dice"])
            if number is not None:
                self.table.put(Command("answer", {"number": number}))
                break
        return True

    def _enter_by_hand(self, moves: Sequence[Meant]) -> None:
        """The table has not understood: somebody types it in."""
        view = self.table.view()["game"]
        for meant in moves:
            if getattr(meant.move, "player", view["to_act"][0]) in view["to_act"]:
                if not leaves_nothing(meant.move):
                    self.tally.by_hand += 1
                    self.tally.notes.append(f"by hand: {meant.move}")
                self.table.put(Command("do", {"event": meant.told(view["dice"])}))
        self._turn()

    def _meant(self, move: Event) -> Meant:
        number = getattr(move, "die", None)
        if number is None:
            return Meant(move)
        die = self.truth.state.dice[number]
        marks = self.game.trace(self.truth.state, move).get(city_board(getattr(move, "player", 0)), {})
        return Meant(move, die.value, die.section, marks)
