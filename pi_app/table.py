"""The single writer: takes what was seen, pressed and commanded to accepted moves, one input at a time.

`put` may be called from any thread and only adds to the queue; `work` handles what waits there, in the one
thread that owns the table. Every input is a plain value, so that an evening can be recorded and played again.
Nothing is shown as accepted before the store has it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from queue import Empty, SimpleQueue
from typing import Any

from hardware.ports import Colour
from pi_app.engine.contract import BadData, Game, IllegalMove, Setup
from pi_app.engine.events import Event, MalformedEvent, Record, from_json, to_json
from pi_app.engine.log import Play
from pi_app.inputs import Command, Glanced, Input, Looked, Pressed, Step
from pi_app.lamps import SEAT_COLOURS, lamps
from pi_app.referee import Referee
from pi_app.sight import Sees, Told
from pi_app.store import Store, StoredGame, StoreError

TRY_AGAIN = 10
"""Pictures between two tries to write on a disk that failed."""


class Refused(Exception):
    """A command that cannot be done now; `reason` is the id of a sentence."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts


class Table:
    """One table and the game on it."""

    def __init__(self, game: Game[Any], store: Store, setup: Setup, now: Callable[[], str], begin: bool = True) -> None:
        """`setup` is what a new game starts with; a game that was interrupted is offered to be continued first.

        Without `begin` no game starts before somebody asks for it. Raises BadData and StoreError.
        """
        self._game, self._store, self._setup, self._now = game, store, setup, now
        self._queue: SimpleQueue[Input] = SimpleQueue()
        self._referee: Referee | None = None
        self._interrupted: StoredGame | None = store.unfinished()
        self.game_id: int | None = None
        self.version = 0
        self._trouble: Told | None = None
        self._since_trouble = 0
        self._notice: Told | None = None
        self._restoring: str | None = None
        self.paused = False
        self.seat_colours: Sequence[Colour] = SEAT_COLOURS
        self.preparing: Told | None = None
        """What is missing before the table can be watched."""
        self.refusal: Told | None = None
        """Why the last input came to nothing, if it did."""
        self._accepted: list[Record] = []
        self.on_step: Callable[[Step], None] = lambda step: None
        """Told of every input and what came of it; must not raise."""
        self._commands: Mapping[str, Callable[..., None]] = {
            "continue": self._continue,
            "new_game": self._start_new,
            "do": self._do,
            "answer": self._answer,
            "confirm": self._confirm,
            "next": self._next,
            "undo": self._undo,
            "redo": self._redo,
            "correct": self._correct,
            "adopt": self._adopt,
            "reread": self._reread,
            "restore": self._restore,
            "pause": self._pause,
            "resume": self._resume,
            "put_away": self._put_away,
        }
        if self._interrupted is None and begin:
            self._start_new()

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
        failure: tuple[str, Mapping[str, Any]] | None = None
        self._accepted, self.refusal = [], None
        try:
            self._handle(item)
        except StoreError as error:
            failure = error.code, error.facts
            self.refusal = self._trouble = Told(Sees.WAIT, f"store.{error.code}", error.facts)
            self._since_trouble = 0
        except IllegalMove as error:
            self.refusal = self._notice = Told(Sees.WAIT, f"rule.{error.rule}", error.facts)
        except Refused as error:
            self.refusal = self._notice = Told(Sees.WAIT, error.reason, error.facts)
        except BadData as error:
            problem = error.problems[0]
            self.refusal = self._notice = Told(Sees.WAIT, f"problem.{problem.code}", problem.facts)
        self.on_step(self._came_of(item, failure))

    def _came_of(self, item: Input, failure: tuple[str, Mapping[str, Any]] | None) -> Step:
        referee = self._referee
        wrong = () if referee is None else tuple(sorted(referee.wrong))
        asked = None if referee is None or referee.question is None else referee.question.board
        return Step(item, tuple(self._accepted), failure, wrong, asked)

    def _handle(self, item: Input) -> None:
        if isinstance(item, Command):
            self._command(item)
        elif isinstance(item, Pressed):
            # A button does what a tap does; held long, undo brings back what was undone.
            self._command(Command("redo" if item.button == "undo" and item.long else item.button))
        elif self._referee is not None and not self.paused:
            self._see(self._referee, item)

    def _see(self, referee: Referee, item: Input) -> None:
        records = len(referee.play.records)
        if isinstance(item, Glanced):
            referee.glance(item.glance)
            self._since_trouble += 1
            if self._trouble is not None and self._since_trouble >= TRY_AGAIN:
                self._trouble = None
                referee.judge()
        elif isinstance(item, Looked):
            referee.look(item.look)
        else:
            referee.sight.lose()
        if len(referee.play.records) != records:
            self._trouble, self._notice, self._restoring = None, None, None

    # --- commands and buttons -----------------------------------------------------------------

    def _command(self, command: Command) -> None:
        """Raises Refused, and what the referee raises."""
        self._notice = None
        if command.name not in self._commands:
            raise Refused("table.unknown_command", command=command.name)
        action = self._commands[command.name]
        try:
            signature(action).bind(**command.args)
        except TypeError as error:
            raise Refused("table.bad_command", command=command.name, why=str(error)) from error
        try:
            action(**command.args)
        except MalformedEvent as error:
            raise Refused("table.bad_command", command=command.name, why=str(error)) from error

    def _continue(self) -> None:
        if self._interrupted is None:
            raise Refused("table.nothing_to_continue")
        game_id = self._interrupted.id
        self._open(game_id, self._store.setup(game_id), self._store.records(game_id, self._game.events))

    def _start_new(
        self,
        players: list[str] | None = None,
        options: Mapping[str, Any] | None = None,
        profile: Mapping[str, Any] | None = None,
        leader: int | None = None,
    ) -> None:
        """What is not told is as in the game before. A leader can be named at once, or later."""
        for name, value, kind in (("players", players, list), ("options", options, dict), ("profile", profile, dict)):
            if value is not None and not isinstance(value, kind):
                raise Refused("table.bad_command", command="new_game", why=f"{name}: {kind.__name__}")
        setup = self._setup
        setup = replace(
            setup,
            players=setup.players if players is None else tuple(players),
            options=setup.options if options is None else options,
            profile=setup.profile if profile is None else profile,
        )
        first = None if leader is None else self._event({"type": "game_started", "leader": leader})
        state = self._game.start(setup)  # raises BadData before anything is stored
        if first is not None:
            self._game.decide(state, first)
        self._setup = setup
        self._open(self._store.new_game(self._game.name, setup, self._now()), setup, [])
        if first is not None:
            self._playing().do(first)

    def _open(self, game_id: int, setup: Setup, records: list[Record]) -> None:
        def save(new: Any) -> None:
            self._store.append(game_id, new)
            self._accepted += new

        self.game_id, self._interrupted, self._restoring, self.paused = game_id, None, None, False
        self._referee = Referee(Play(self._game, setup, self._now, records, save))

    def _do(self, event: Mapping[str, Any]) -> None:
        """A move that was entered by hand."""
        referee = self._playing()
        referee.told(self._event(event))

    def _event(self, data: Any) -> Event:
        """Raises MalformedEvent."""
        if not isinstance(data, Mapping):
            raise MalformedEvent("an event is a table of keys and values")
        return from_json(data, self._game.events)

    def _answer(self, number: int) -> None:
        """It was this candidate."""
        referee = self._playing()
        question = referee.question
        if question is None or type(number) is not int or not 0 <= number < len(question.moves):
            raise Refused("table.nothing_asked")
        referee.told(question.moves[number])

    def _confirm(self) -> None:
        """Yes to whatever is offered now: the interrupted game, a new one, an answer, a look."""
        if self._referee is None:
            (self._start_new if self._interrupted is None else self._continue)()
            return
        referee = self._playing()
        if referee.question is not None:
            self._answer(referee.question.chosen)
        elif referee.wrong:
            self._reread()
        elif (unseen := referee.unseen_move()) is not None:
            referee.told(unseen)
        else:
            raise Refused("table.nothing_asked")

    def _next(self) -> None:
        """The next candidate, what to draw or wipe on the next board, or a new game instead of the interrupted one."""
        if self._referee is None:
            self._start_new()
        elif self._referee.question is not None:
            self._referee.choose_next()
        elif self._referee.wrong:
            boards = sorted(self._referee.wrong)
            at = boards.index(self._restoring) + 1 if self._restoring in boards else 0
            self._restoring = boards[at % len(boards)]
        else:
            raise Refused("table.nothing_asked")

    def _undo(self, upto: int | None = None) -> None:
        if upto is not None and type(upto) is not int:
            raise Refused("table.bad_command", command="undo", why="upto must be a number")
        self._playing().undo(upto)
        self._restoring = None

    def _redo(self) -> None:
        self._playing().redo()

    def _correct(self, corrections: Mapping[str, Any]) -> None:
        """Earlier moves were other ones: by record number, what they really were."""
        if not isinstance(corrections, Mapping) or not all(str(seq).isdecimal() for seq in corrections):
            raise Refused("table.bad_command", command="correct", why="corrections go by the number of a record")
        self._playing().correct({int(seq): self._event(event) for seq, event in corrections.items()})

    def _reread(self) -> None:
        self._playing().reread()
        self._restoring = None

    def _adopt(self, board: str) -> None:
        """The table is right: let stand what is drawn there."""
        if board not in self._playing().wrong or not self._playing().adopt(board):
            raise Refused("table.cannot_adopt", board=board)
        self._restoring = None

    def _restore(self, board: str) -> None:
        """The record is right: show what to draw or wipe."""
        if board not in self._playing().boards:
            raise Refused("table.unknown_board", board=board)
        self._restoring = board

    def _pause(self) -> None:
        """Nothing that is seen counts until somebody goes on."""
        self._playing()
        self.paused = True

    def _resume(self) -> None:
        self._playing().reread()
        self.paused = False

    def _put_away(self) -> None:
        """The game leaves the table as it is, and can be continued until another one begins."""
        self._playing()
        self._referee, self.game_id, self.paused, self._restoring = None, None, False, None
        self._interrupted = self._store.unfinished()

    def _playing(self) -> Referee:
        if self._referee is None:
            raise Refused("table.no_game")
        return self._referee

    # --- showing ------------------------------------------------------------------------------

    @property
    def wants_look(self) -> bool:
        """Whether a full picture would help."""
        return self._referee is not None and not self.paused and self._referee.sight.wants_look

    @property
    def wanted(self) -> frozenset[str]:
        """The boards that it would tell something about."""
        return self._referee.sight.wanted if self._referee is not None and self.wants_look else frozenset()

    @property
    def setup(self) -> Setup:
        """What the game on the table was started with, or what a new one would be."""
        return self._setup if self._referee is None else self._referee.play.setup

    @property
    def records(self) -> list[Record]:
        """The records that count."""
        return [] if self._referee is None else list(self._referee.play.in_force)

    @property
    def history(self) -> list[Record]:
        """All records, also those that were undone and their undoing."""
        return [] if self._referee is None else list(self._referee.play.records)

    @property
    def state(self) -> Any:
        """The state of the game on the table; it is never changed, only followed by another. None without a game."""
        return None if self._referee is None else self._referee.play.state

    def take_cues(self) -> list[str]:
        """The sounds that are due; each is given once."""
        if self._referee is None:
            return []
        due, self._referee.cues = self._referee.cues, []
        return due

    def lights(self) -> dict[str, Colour]:
        if self._referee is None:
            return lamps({}, {}, ())
        referee = self._referee
        roles = self._game.lights(referee.play.state)
        return lamps(roles, referee.sight.told, referee.boards, referee.flashes, self.seat_colours)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """All that a screen shows, as plain JSON values; sentences are ids with facts."""
        shown: dict[str, Any] = {
            "version": self.version,
            "game_id": self.game_id,
            "trouble": _plain(self._trouble),
            "notice": _plain(self._notice),
            "paused": self.paused,
            "preparing": _plain(self.preparing),
        }
        referee = self._referee
        if referee is None:
            return {**shown, "continue": self._offer()}
        return {
            **shown,
            "continue": None,
            "game": self._game.view(referee.play.state, seat),
            "boards": {board: _plain(told) for board, told in referee.sight.told.items()},
            "question": _asked(referee),
            "marks": referee.marks_due(),
            "restore": None if self._restoring is None else referee.differences(self._restoring),
        }

    def _offer(self) -> dict[str, Any] | None:
        """The game that was interrupted, and when its last move was made."""
        stored = self._interrupted
        if stored is None:
            return None
        records = self._store.records(stored.id, self._game.events)
        last_at = records[-1].at if records else stored.started_at
        return {
            "game": stored.id,
            "players": list(stored.players),
            "started_at": stored.started_at,
            "last_at": last_at,
            "events": stored.events,
        }


def _asked(referee: Referee) -> dict[str, Any] | None:
    asked = referee.question
    if asked is None:
        return None
    game, state = referee.game, referee.play.state
    return {
        "board": asked.board,
        "moves": [to_json(move) for move in asked.moves],
        "regions": [sorted(game.trace(state, move).get(asked.board, {})) for move in asked.moves],
        "chosen": asked.chosen,
        "reason": asked.reason,
    }


def _plain(told: Told | None) -> dict[str, Any] | None:
    if told is None:
        return None
    return {"state": told.state.value, "reason": told.reason, "facts": dict(told.facts)}
