"""The single writer: takes what was seen, pressed and commanded to accepted moves, one input at a time.

`put` may be called from any thread and only adds to the queue; `work` handles what waits there, in the one
thread that owns the table. Every input is a plain value, so that an evening can be recorded and played again.
Nothing is shown as accepted before the store has it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import Any

from pi_app.engine.contract import LUCK, BadData, Game, IllegalMove, Setup
from pi_app.engine.events import Event, MalformedEvent, Record, from_json, to_json
from pi_app.engine.log import Play
from pi_app.engine.observation import HQ
from pi_app.engine.propose import CLEAR, Is, Verdict, best_kind, gains, propose
from pi_app.lamps import Flash, lamps
from pi_app.sight import Glance, Look, Sees, Sight, Told
from pi_app.store import Store, StoredGame, StoreError

MORE_LOOKS, MOST_LOOKS = 2, 6
"""Before anybody is asked, the board is looked at so much more often."""
WAIT_FOR_MORE = 15
"""Pictures without a hand before a move that could still grow is taken for finished."""
FLASH = 8
"""Pictures for which an accepted move is shown in light."""
TRY_AGAIN = 10
"""Pictures between two tries to write on a disk that failed."""


# --- inputs -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Glanced:
    glance: Glance


@dataclass(frozen=True)
class Looked:
    look: Look


@dataclass(frozen=True)
class CameraLost:
    """There are no pictures; `reason` and `facts` say why."""

    reason: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Pressed:
    button: str
    long: bool = False


@dataclass(frozen=True)
class Command:
    """Something that was tapped: its name, and what it needs as plain JSON values."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


Input = Glanced | Looked | CameraLost | Pressed | Command


class Refused(Exception):
    """A command that cannot be done now; `reason` is the id of a sentence."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts


@dataclass(frozen=True)
class Question:
    """What people are asked: which of these moves was it? `chosen` is the one that a button would confirm."""

    board: str
    moves: tuple[Event, ...]
    reason: str
    chosen: int = 0


class Table:
    """One table and the game on it."""

    def __init__(self, game: Game[Any], store: Store, setup: Setup, now: Callable[[], str]) -> None:
        """`setup` is what a new game starts with; a game that was interrupted is offered to be continued first."""
        self._game, self._store, self._setup, self._now = game, store, setup, now
        self._queue: SimpleQueue[Input] = SimpleQueue()
        self._play: Play[Any] | None = None
        self._interrupted: StoredGame | None = store.unfinished()
        self.game_id: int | None = None
        self.sight = Sight(())
        self.version = 0
        self.cues: list[str] = []
        """Sounds that are due; whoever plays them takes them away."""
        self._question: Question | None = None
        self._wrong: dict[str, Verdict] = {}
        self._undone: dict[str, object] = {}
        self._quiet: Counter[str] = Counter()
        self._flashes: dict[Flash, int] = {}
        self._trouble: Told | None = None
        self._since_trouble = 0
        self._notice: Told | None = None
        self._restoring: str | None = None
        self._dice_stale = False
        if self._interrupted is None:
            self._new_game(setup.players)

    # --- the queue ----------------------------------------------------------------------------

    def put(self, item: Input) -> None:
        """Adds an input. Any thread may."""
        self._queue.put(item)

    def work(self) -> None:
        """Handles all that waits."""
        while True:
            try:
                item = self._queue.get_nowait()
            except Empty:
                return
            self.step(item)

    def step(self, item: Input) -> None:
        """Handles one input and returns. Raises nothing: what went wrong is part of the view."""
        self.version += 1
        try:
            self._handle(item)
        except StoreError as error:
            self._trouble, self._since_trouble = Told(Sees.WAIT, f"store.{error.code}", error.facts), 0
        except IllegalMove as error:
            self._notice = Told(Sees.WAIT, f"rule.{error.rule}", error.facts)
            self.cues.append("refused")
        except Refused as error:
            self._notice = Told(Sees.WAIT, error.reason, error.facts)
        except BadData as error:
            problem = error.problems[0]
            self._notice = Told(Sees.WAIT, f"problem.{problem.code}", problem.facts)

    def _handle(self, item: Input) -> None:
        if isinstance(item, Command):
            self._notice = None
            self._command(item)
        elif isinstance(item, Pressed):
            self._notice = None
            self._pressed(item)
        elif self._play is None:
            return
        elif isinstance(item, Glanced):
            self._glanced(item.glance)
        elif isinstance(item, Looked):
            settled = self.sight.look(item.look)
            self._dice_stale = self._dice_stale and HQ not in settled
            if settled:
                self._judge()
        else:
            self.sight.lose()

    # --- seeing -------------------------------------------------------------------------------

    def _glanced(self, glance: Glance) -> None:
        self.sight.glance(glance)
        settled = self.sight.evidence.keys()
        for board in list(self._quiet):
            if board not in settled:
                del self._quiet[board]
        self._flashes = {flash: left - 1 for flash, left in self._flashes.items() if left > 1}
        if self._question is not None and self._question.board not in settled:
            self._question = None  # the board changes: look again before asking again
        due = [board for board, waited in self._quiet.items() if waited + 1 == WAIT_FOR_MORE]
        self._quiet.update(self._quiet.keys())
        self._since_trouble += 1
        if due or (self._trouble is not None and self._since_trouble >= TRY_AGAIN):
            self._judge()

    def _judge(self) -> None:
        """Accepts what can be accepted, move after move, and tells people the rest."""
        while self._accept_one(verdicts := self._verdicts()):
            pass
        self._wrong = {board: verdict for board, verdict in verdicts.items() if verdict.what is Is.WRONG}
        for board in self.sight.evidence:
            self._tell(board, verdicts.get(board))

    def _verdicts(self) -> dict[str, Verdict]:
        assert self._play is not None
        verdicts = propose(self._game, self._play.state, self.sight.evidence, self.sight.dice)
        for board in list(self._undone):
            if board in self.sight.evidence and self._ink(board) != self._undone[board]:
                del self._undone[board]  # the table was changed since: it counts again
            elif board in verdicts:
                facts = {"board": board}
                verdicts[board] = Verdict(Is.WRONG, (), "sight.undone_dice" if board == HQ else "sight.undone", facts)
        if self._dice_stale and HQ in verdicts:
            del verdicts[HQ]
        return verdicts

    def _accept_one(self, verdicts: Mapping[str, Verdict]) -> bool:
        for board, verdict in verdicts.items():
            if verdict.what is not Is.MOVE:
                continue
            if verdict.extendable and self._quiet[board] < WAIT_FOR_MORE:
                continue
            self._do(verdict.moves[0])
            return True
        return False

    def _tell(self, board: str, verdict: Verdict | None) -> None:
        """Shows what a settled board means, and asks if that is unclear."""
        if verdict is None:
            self.sight.tell(board, Told(Sees.WAIT))
        elif verdict.what is Is.UNCLEAR:
            self._unclear(board, verdict)
        elif verdict.what is Is.WRONG:
            if self.sight.told[board].state is not Sees.MISMATCH:
                self.cues.append("refused")
            self.sight.tell(board, Told(Sees.MISMATCH, verdict.reason, verdict.facts))
        elif verdict.what is Is.MOVE:
            self._quiet.setdefault(board, 0)
            self.sight.tell(board, Told(Sees.DRAWING, "sight.maybe_more", {"board": board}))
        else:
            state = Sees.DRAWING if verdict.what is Is.DRAWING else Sees.WAIT
            self.sight.tell(board, Told(state, verdict.reason, verdict.facts))

    def _unclear(self, board: str, verdict: Verdict) -> None:
        if self.sight.times_tried(board) < MOST_LOOKS:
            self.sight.look_again(board, MORE_LOOKS)
            return
        self.sight.tell(board, Told(Sees.ASKING, verdict.reason, {"board": board}))
        if self._question is None or self._question.moves != verdict.moves:
            self._question = Question(board, verdict.moves, verdict.reason)
            self.cues.append("question")

    def _ink(self, board: str) -> object:
        """What lies or is drawn on a board beyond the record, to tell whether it was changed."""
        assert self._play is not None
        if board == HQ:
            return Counter((die.value, die.section) for die in self.sight.dice)
        record = self._game.expected_sight(self._play.state, board)
        found = gains(self._game, record, self.sight.evidence.get(board, {}))
        return frozenset(region for region, gain in found.items() if gain >= CLEAR)

    # --- writing ------------------------------------------------------------------------------

    def _do(self, move: Event) -> None:
        """Makes a move: stored first, then shown."""
        assert self._play is not None
        records = self._play.do(move)
        self._trouble = None
        self._question, self._restoring = None, None
        self._quiet.clear()
        self._show(records)
        self._changed()

    def _show(self, records: list[Record]) -> None:
        cue = "accepted"
        for record in records:
            player = getattr(record.event, "player", None)
            if player is not None:
                completed = not self._game.is_move(record.event)
                self._flashes[Flash(player, completed)] = FLASH
                cue = "completed" if completed else cue
        assert self._play is not None
        self.cues.append("ended" if self._game.outcome(self._play.state) is not None else cue)

    def _changed(self) -> None:
        """The record has changed: which dice matter now?"""
        assert self._play is not None
        rolling = self._game.to_act(self._play.state) == (LUCK,)
        # The dice of the last round are no new roll, wherever they lie.
        self._dice_stale = rolling and not self.sight.dice_anywhere
        self.sight.dice_anywhere = rolling

    def _new_game(self, players: tuple[str, ...]) -> None:
        setup = replace(self._setup, players=players)
        self._game.start(setup)  # raises BadData before anything is stored
        self._open(self._store.new_game(self._game.name, setup, self._now()), setup, [])

    def _open(self, game_id: int, setup: Setup, records: list[Record]) -> None:
        self.game_id, self._interrupted = game_id, None
        self._play = Play(self._game, setup, self._now, records, save=lambda new: self._store.append(game_id, new))
        boards = [self._game.board(seat) for seat in range(len(setup.players))]
        self.sight = Sight([*boards, HQ])
        self._question, self._wrong, self._undone = None, {}, {}
        self._changed()

    # --- commands and buttons -----------------------------------------------------------------

    def _command(self, command: Command) -> None:
        actions: dict[str, Callable[..., None]] = {
            "continue": self._continue,
            "new_game": self._start_new,
            "do": self._do_told,
            "answer": self._answer,
            "confirm": self._confirm,
            "next": self._next,
            "undo": self._undo,
            "redo": self._redo,
            "correct": self._correct,
            "reread": self._reread,
            "restore": self._restore,
        }
        if command.name not in actions:
            raise Refused("table.unknown_command", command=command.name)
        try:
            actions[command.name](**command.args)
        except (TypeError, MalformedEvent) as error:
            raise Refused("table.bad_command", command=command.name, why=str(error)) from error

    def _pressed(self, press: Pressed) -> None:
        """A button does what a tap does; held long, undo brings back what was undone."""
        self._command(Command("redo" if press.button == "undo" and press.long else press.button))

    def _continue(self) -> None:
        if self._interrupted is None:
            raise Refused("table.nothing_to_continue")
        game_id = self._interrupted.id
        self._open(game_id, self._store.setup(game_id), self._store.records(game_id, self._game.events))

    def _start_new(self, players: list[str] | None = None) -> None:
        self._new_game(self._setup.players if players is None else tuple(players))

    def _do_told(self, event: Mapping[str, Any]) -> None:
        """A move that was entered by hand."""
        self._playing()
        self._do(from_json(event, self._game.events))
        self._judge()

    def _answer(self, number: int) -> None:
        """It was this candidate."""
        question = self._question
        if question is None or not 0 <= number < len(question.moves):
            raise Refused("table.nothing_asked")
        self._do(question.moves[number])
        self._judge()

    def _confirm(self) -> None:
        """Yes to whatever is offered now."""
        if self._play is None:
            self._continue()
        elif self._question is not None:
            self._answer(self._question.chosen)
        elif self._wrong:
            self._reread()
        elif (free := self._unseen_move()) is not None:
            self._do(free)
            self._judge()
        else:
            raise Refused("table.nothing_asked")

    def _next(self) -> None:
        """The next candidate, the next repair, or a new game instead of the interrupted one."""
        if self._play is None:
            self._start_new()
        elif self._question is not None:
            chosen = (self._question.chosen + 1) % len(self._question.moves)
            self._question = replace(self._question, chosen=chosen)
        elif self._wrong:
            boards = sorted(self._wrong)
            at = boards.index(self._restoring) + 1 if self._restoring in boards else 0
            self._restoring = boards[at % len(boards)]
        else:
            raise Refused("table.nothing_asked")

    def _undo(self, upto: int | None = None) -> None:
        """Takes back a move. What it left on the table does not count again until it was changed."""
        play = self._playing()
        play.undo(upto)
        self._after_rewriting()

    def _redo(self) -> None:
        self._playing().redo()
        self._undone.clear()
        self._changed()
        self._judge()

    def _correct(self, corrections: Mapping[str, Any]) -> None:
        """Replaces earlier moves (by record number) and decides all that followed anew."""
        moves = {int(seq): from_json(event, self._game.events) for seq, event in corrections.items()}
        self._playing().correct(moves)
        self._after_rewriting()

    def _after_rewriting(self) -> None:
        self._question, self._restoring = None, None
        self._undone = {board: self._ink(board) for board in self.sight.evidence}
        self._changed()
        self._judge()

    def _reread(self) -> None:
        """The table is right, or was put right: read it anew."""
        self._playing()
        self._question, self._restoring = None, None
        self._undone.clear()
        self.sight.reread()

    def _restore(self, board: str) -> None:
        """The record is right: show what to draw or wipe."""
        if board not in self._playing_boards():
            raise Refused("table.unknown_board", board=board)
        self._restoring = board

    def _playing(self) -> Play[Any]:
        if self._play is None:
            raise Refused("table.no_game")
        return self._play

    def _playing_boards(self) -> list[str]:
        return [self._game.board(seat) for seat in range(len(self._playing().setup.players))]

    def _unseen_move(self) -> Event | None:
        """The one move that leaves nothing to be seen, so that somebody has to confirm it."""
        play = self._playing()
        acting = self._game.to_act(play.state)
        if acting == (LUCK,) or len(acting) != 1:
            return None
        gone = {HQ: _changed_dice(self._game.expected_sight(play.state, HQ), self.sight.evidence.get(HQ, {}))}
        moves = self._game.moves_within(play.state, acting[0], gone)
        return next((m for m in moves if self._game.board(acting[0]) not in self._game.trace(play.state, m)), None)

    # --- showing ------------------------------------------------------------------------------

    @property
    def records(self) -> list[Record]:
        """The records that count."""
        return [] if self._play is None else list(self._play.in_force)

    def lights(self) -> dict[str, tuple[int, int, int]]:
        if self._play is None:
            return lamps({}, {}, ())
        roles = self._game.lights(self._play.state)
        return lamps(roles, self.sight.told, self._playing_boards(), tuple(self._flashes))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """All that a screen shows, as plain JSON values; sentences are ids with facts."""
        shown: dict[str, Any] = {"version": self.version, "game_id": self.game_id}
        shown["trouble"], shown["notice"] = _plain(self._trouble), _plain(self._notice)
        if self._play is None:
            assert self._interrupted is not None
            stored = self._interrupted
            shown["continue"] = {"game": stored.id, "started_at": stored.started_at, "players": list(stored.players)}
            return shown
        shown["game"] = self._game.view(self._play.state, seat)
        shown["boards"] = {board: _plain(told) for board, told in self.sight.told.items()}
        shown["question"] = self._shown_question()
        shown["marks"] = self.marks_due()
        shown["restore"] = None if self._restoring is None else self.restoring(self._restoring)
        return shown

    def _shown_question(self) -> dict[str, Any] | None:
        asked = self._question
        if asked is None:
            return None
        moves = [to_json(move) for move in asked.moves]
        return {"board": asked.board, "moves": moves, "chosen": asked.chosen, "reason": asked.reason}

    def marks_due(self) -> list[dict[str, Any]]:
        """Circles and crosses that the moves so far oblige people to draw and that were not seen yet,
        and marks that nobody should have drawn. None of them stops play."""
        play, due = self._playing(), []
        for board in self._playing_boards():
            looks = self.sight.last(board)
            for region, kind in self._game.expected_sight(play.state, board).items():
                seen = best_kind(looks[region]) if looks.get(region) else None
                if seen is None or self._game.is_act(region, kind) or self._game.is_act(region, seen) or seen == kind:
                    continue
                due.append({"board": board, "region": region, "seen": seen, "expected": kind})
        return due

    def restoring(self, board: str) -> list[dict[str, Any]]:
        """Region by region, what to draw or wipe so that the board shows the record."""
        looks = self.sight.last(board)
        wanted = self._game.expected_sight(self._playing().state, board)
        seen = {region: best_kind(looks[region]) for region in wanted if looks.get(region)}
        return [
            {"board": board, "region": region, "seen": seen[region], "expected": kind}
            for region, kind in wanted.items()
            if region in seen and seen[region] != kind
        ]


def _changed_dice(record: Mapping[str, str], looks: Mapping[str, Mapping[str, float]]) -> set[str]:
    return {section for section, look in looks.items() if best_kind(look) != record.get(section)}


def _plain(told: Told | None) -> dict[str, Any] | None:
    if told is None:
        return None
    return {"state": told.state.value, "reason": told.reason, "facts": dict(told.facts)}
