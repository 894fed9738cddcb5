"""The single writer: takes what was seen, pressed and commanded to accepted moves, one input at a time.

`put` may be called from any thread and only adds to the queue; `work` handles what waits there, in the one
thread that owns the table. Every input is a plain value, so that an evening can be recorded and played again.
Nothing is shown as accepted before the store has it.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from inspect import signature
from pathlib import PurePath
from queue import Empty, SimpleQueue
from typing import Any, get_type_hints

from hardware.ports import Colour
from pi_app.engine.contract import LUCK, BadData, Game, Message, Refused, Setup
from pi_app.engine.events import Event, Record, from_json, to_json
from pi_app.engine.log import Play
from pi_app.engine.shown import score_parts, shown
from pi_app.engine.typed import Malformed, short, typed
from pi_app.perception.sight import Told
from pi_app.storage.store import Store, StoredGame, StoreError
from pi_app.table.inputs import Command, Glanced, Input, Looked, Pressed, Step
from pi_app.table.lights import SEAT_COLOURS, lamps
from pi_app.table.referee import Referee

FAILURE_SHOWN = 100
"""Pictures for which an error of the program itself is shown."""
QUIET = 50
"""Pictures without a new record after which the store is tidied up."""
LOST = ("replaced", "damaged", "not_a_database", "other_program", "unknown_game", "append_only")
"""What the store says when its file is no longer the one that the game was written to."""

log = logging.getLogger(__name__)


Answer = Future[Message | None]
"""Why a command came to nothing, if it did."""


class Table:
    """One table and the game on it."""

    def __init__(
        self,
        game: Game[Any],
        store: Store,
        setup: Setup,
        now: Callable[[], str],
        begin: bool = True,
        bots: Collection[int] = (),
        games: Collection[Game[Any]] = (),
    ) -> None:
        """`setup` is what a new `game` starts with; a game that was interrupted is offered to be continued first.

        Without `begin` no game starts before somebody asks for it. `bots` are the seats that they play in a new game
        unless somebody says otherwise, `games` the others that can be continued. Raises BadData and StoreError.
        """
        self._store, self._setup, self._now = store, setup, now
        self.game = game
        """The one on the table, or the one that a new game would be."""
        self.games: Mapping[str, Game[Any]] = {known.name: known for known in (*games, game)}
        """All that can be played here."""
        self._queue: SimpleQueue[tuple[Input, Answer | None]] = SimpleQueue()
        self._answers: list[tuple[Answer, Message | None]] = []
        self._referee: Referee | None = None
        self._usual_bots = frozenset(bots)
        self.bots: frozenset[int] = frozenset()
        """The seats that bots play in the game on the table."""
        self.game_id: int | None = None
        self.games_opened = 0
        """Counts games as they come onto the table, new or continued."""
        self.version = 0
        self.presses = 0
        """Counts the buttons that were pressed."""
        self.trouble: Message | None = None
        """What keeps the table from working as it should."""
        self._since_trouble = 0
        self._since_record: int | None = None
        self._notice: Message | None = None
        self._interrupted = self._find_interrupted()
        self._restoring: str | None = None
        self._unseen_after = -1
        """How many records there were when luck that nobody sees was put into the queue."""
        self.paused = False
        self._seat_colours: Sequence[Colour] = SEAT_COLOURS
        self.preparing: Message | None = None
        """What is missing before the table can be watched."""
        self.refusal: Message | None = None
        """Why the last input came to nothing, if it did."""
        self._accepted: list[Record] = []
        self._on_step: Callable[[Step], None] = lambda step: None
        self._commands: Mapping[str, Callable[..., None]] = {
            "continue": self._continue,
            "new_game": self._start_new,
            "do": self._do,
            "answer": self._answer,
            "deny": self._deny,
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
            "sit": self._sit,
        }
        if self._interrupted is None and begin:
            self._start_new()

    # --- whom and what it serves --------------------------------------------------------------

    def listen(self, on_step: Callable[[Step], None]) -> None:
        """Tells of every input and what came of it from now on; `on_step` must not raise."""
        self._on_step = on_step

    def wait_for(self, missing: Message | None) -> None:
        """Shows what is missing before the table can be watched; None if nothing is."""
        self.preparing = missing

    def colour_seats(self, colours: Sequence[Colour]) -> None:
        """The lights of seats have these colours from now on."""
        self._seat_colours = colours

    # --- the queue ----------------------------------------------------------------------------

    def put(self, item: Input, answer: Answer | None = None) -> None:
        """Adds an input. Any thread may; whoever wants to know what came of it waits for the answer."""
        self._queue.put((item, answer))

    def work(self) -> None:
        """Handles all that waits, but what somebody has given up waiting for."""
        while True:
            try:
                item, answer = self._queue.get_nowait()
            except Empty:
                return
            if answer is None:
                self.step(item)
            elif answer.set_running_or_notify_cancel():
                self.step(item)
                self._answers.append((answer, self.refusal))

    @property
    def has_answers(self) -> bool:
        """Somebody waits to be told what came of a command."""
        return bool(self._answers)

    def answer(self) -> None:
        """Tells them."""
        for answer, refusal in self._answers:
            answer.set_result(refusal)
        self._answers = []

    def step(self, item: Input) -> None:
        """Handles one input and returns. Raises nothing: what went wrong is part of the view."""
        self.version += 1
        failure: Message | None = None
        self._accepted, self.refusal = [], None
        try:
            self._handle(item)
        except StoreError as error:
            failure = Message(f"store.{error.code}", _without_paths(error.facts))
            self.refusal = self.trouble = failure
        except Refused as error:
            self.refusal = error.message
        except BadData as error:
            self.refusal = error.problems[0].message
        except Exception:
            log.exception("the table could not handle %.500r", item)
            self.refusal = self.fail()
        self._on_step(self._came_of(item, failure))

    def fail(self) -> Message:
        """Something went wrong that nobody foresaw: it is told, and play goes on."""
        self.trouble, self._since_trouble = Message("table.failed"), 0
        return self.trouble

    def _came_of(self, item: Input, failure: Message | None) -> Step:
        referee = self._referee
        wrong = () if referee is None else tuple(sorted(referee.wrong))
        asked = None if referee is None or referee.question is None else referee.question.board
        return Step(item, tuple(self._accepted), failure, wrong, asked)

    def _handle(self, item: Input) -> None:
        if isinstance(item, Command):
            self._command(item)
        elif isinstance(item, Pressed):
            self.presses += 1
            # A button does what a tap does; held long, undo brings back what was undone.
            self._command(Command("redo" if item.button == "undo" and item.long else item.button))
        elif self._referee is not None and not self.paused:
            self._see(self._referee, item)

    def _see(self, referee: Referee, item: Input) -> None:
        records = len(referee.play.records)
        if isinstance(item, Glanced):
            referee.glance(item.glance)
            self._recover(referee)
            self._tidy_store()
        elif isinstance(item, Looked):
            referee.look(item.look)
        else:
            referee.sight.lose()
        self._bring_unseen_luck(referee)
        if len(referee.play.records) != records:
            self._notice, self._restoring = None, None
        if self._restoring is not None and self._restoring not in referee.wrong:
            self._restoring = None  # it was put right

    def _bring_unseen_luck(self, referee: Referee) -> None:
        """What no camera can see goes into the record as unknown, but for bots, who tell it themselves.

        It comes as an input like any other, so that a recorded evening tells it, too.
        """
        state, records = referee.play.state, len(referee.play.records)
        event = self.game.unseen_luck(state)
        if event is None or self.game.mover(state, event) in self.bots or self._unseen_after == records:
            return
        self._unseen_after = records
        self.put(Command("do", {"event": to_json(event)}))

    def _recover(self, referee: Referee) -> None:
        """Trouble is told until it is over; what was seen meanwhile counts as soon as it can be written."""
        if self.trouble is None:
            return
        if self.cannot_write:
            self._store.check_writable()
            self.trouble = None
            referee.judge()
        else:
            self._since_trouble += 1
            if self._since_trouble >= FAILURE_SHOWN:
                self.trouble = None

    def _tidy_store(self) -> None:
        """In a quiet moment, so that a copy of the file holds the game."""
        if self._since_record is not None:
            self._since_record += 1
            if self._since_record >= QUIET:
                self._since_record = None
                self._checkpoint()

    # --- commands and buttons -----------------------------------------------------------------

    def _command(self, command: Command) -> None:
        """Raises Refused, and what the referee raises."""
        self._notice = None
        if command.name not in self._commands:
            raise Refused("table.unknown_command", command=command.name)
        action = self._commands[command.name]
        try:
            action(**_arguments(action, command.args))
        except Malformed as error:
            raise Refused("table.bad_command", command=command.name, why=str(error)) from error

    def _find_interrupted(self) -> StoredGame | None:
        """The last game, if it can go on. One that cannot be understood is set aside, and said so."""
        stored = self._store.unfinished()
        if stored is None:
            return None
        try:
            self._stored_play(stored)
        except Exception:
            log.exception("game %d cannot be continued", stored.id)
            self._notice = Message("table.set_aside", {"game": stored.id})
            return None
        return stored

    def _stored_play(self, stored: StoredGame) -> Play[Any]:
        """Raises KeyError for a game that nobody here knows."""
        game = self.games[stored.game]
        return Play(game, self._store.setup(stored.id), self._now, self._store.records(stored.id, game.events))

    def _continue(self, game: int | None = None) -> None:
        """The game that was interrupted, or any other that was left unfinished."""
        stored = self._interrupted if game is None else next((g for g in self._store.games() if g.id == game), None)
        if stored is None or stored.game not in self.games:
            raise Refused("table.nothing_to_continue")
        if stored.finished:
            raise Refused("table.finished", game=stored.id)
        play = self._stored_play(stored)
        if play.game is not self.game:
            self.game, self._setup = play.game, play.setup
        self._open(stored.id, play.setup, play.records, stored.bots)

    def _start_new(
        self,
        players: tuple[str, ...] | None = None,
        options: Mapping[str, Any] | None = None,
        profile: Mapping[str, Any] | None = None,
        leader: int | None = None,
        bots: tuple[int, ...] | None = None,
        game: str | None = None,
    ) -> None:
        """What is not told is as in the game before. A leader can be named at once, or later.

        Another game than that one needs a profile of its own.
        """
        wanted = self.game if game is None else self.games.get(game)
        if wanted is None or (wanted is not self.game and profile is None):
            raise Refused("table.unknown_game", game=str(game))
        usual = self._setup.options if wanted is self.game else {}
        setup = Setup(
            profile=self._setup.profile if profile is None else profile,
            options=usual if options is None else options,
            players=self._setup.players if players is None else players,
        )
        first = None if leader is None else wanted.opening(leader)
        state = wanted.start(setup)  # raises BadData before anything is stored
        if first is not None:
            wanted.decide(state, first)
        _require_different(setup.players)
        self.game, self._setup = wanted, setup
        seats = self._usual_bots if bots is None else frozenset(bots)
        playing = seats & frozenset(range(len(setup.players)))
        self._open(self._new_game(setup, playing), setup, [], playing)
        if first is not None:
            self._playing().do(first)

    def _new_game(self, setup: Setup, bots: Collection[int]) -> int:
        try:
            return self._store.new_game(self.game.name, setup, self._now(), bots=bots)
        except StoreError as error:
            if error.code not in LOST:
                raise
        self._store.start_afresh()
        return self._store.new_game(self.game.name, setup, self._now(), bots=bots)

    def _open(self, game_id: int, setup: Setup, records: list[Record], bots: Collection[int]) -> None:
        play = Play(self.game, setup, self._now, records, self._save)
        self._referee = Referee(play)
        self.game_id, self._interrupted, self._restoring, self.paused = game_id, None, None, False
        self._unseen_after = -1
        self.bots = frozenset(bots)
        self.games_opened += 1

    def _save(self, new: Sequence[Record]) -> None:
        """Nothing counts before this has returned."""
        assert self.game_id is not None
        try:
            self._store.append(self.game_id, new)
        except StoreError as error:
            self._move_to_new_file(error, new)
        self._accepted += new
        self._since_record = 0

    def _checkpoint(self) -> None:
        try:
            self._store.checkpoint()
        except StoreError as error:
            self._move_to_new_file(error)

    def _move_to_new_file(self, error: StoreError, new: Sequence[Record] = ()) -> None:
        """The file was deleted, replaced or damaged under our hands: a fresh one gets the whole running game.

        Raises any other error again.
        """
        if error.code not in LOST:
            raise error
        play = self._playing().play
        records = [*play.records, *new]
        self._store.start_afresh()
        started_at = records[0].at if records else self._now()
        self.game_id = self._store.new_game(self.game.name, play.setup, started_at, records, self.bots)
        self._notice = Message("table.new_file")

    def _do(self, event: Mapping[str, Any]) -> None:
        """A move that was entered by hand."""
        self._playing().told(self._event(event))

    def _event(self, data: Mapping[str, Any]) -> Event:
        """Raises Malformed."""
        return from_json(data, self.game.events)

    def _answer(self, number: int) -> None:
        """It was this candidate."""
        referee = self._playing()
        question = referee.question
        if question is None or not 0 <= number < len(question.moves):
            raise Refused("table.nothing_asked")
        referee.told(question.moves[number], asked=True)

    def _deny(self) -> None:
        """It was none of the candidates."""
        if self._playing().question is None:
            raise Refused("table.nothing_asked")
        self._playing().deny()

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
        self._playing().undo(upto)
        self._restoring = None

    def _redo(self) -> None:
        self._playing().redo()

    def _correct(self, corrections: Mapping[int, Mapping[str, Any]], sure: bool = False) -> None:
        """Earlier moves were other ones: by record number, what they really were."""
        self._change_record({seq: self._event(event) for seq, event in corrections.items()}, sure)

    def _reread(self) -> None:
        self._playing().reread()
        self._restoring = None

    def _adopt(self, board: str, sure: bool = False) -> None:
        """The table is right: let stand what is drawn or lies there. What counts then is asked about first."""
        referee = self._playing()
        repair = referee.adopt(board)
        if repair is None:
            pieces = board in referee.surfaces and referee.surfaces[board].pieces
            raise Refused("table.cannot_adopt_pieces" if pieces else "table.cannot_adopt", board=board)
        if repair.move is None:
            self._change_record(repair.corrections, sure)
        elif sure:
            referee.told(repair.move)
        else:
            raise self._asked_about(repair.move, board)
        self._restoring = None

    def _asked_about(self, move: Event, board: str) -> Refused:
        """Says what would count."""
        play, game = self._playing().play, self.game
        after = play.state
        for event in (decided := game.decide(play.state, move)):
            after = game.apply(after, event)
        seat = self._playing().surfaces[board].owner
        assert seat is not None, "what lies on a surface that all share is let stand by corrections"
        before, then = (game.scores(state)[seat] for state in (play.state, after))
        ends = any(game.ends_round(event) for event in decided) or game.outcome(after) is not None
        drawn = sorted(game.trace(play.state, move).get(board, {}))
        key = "table.sure_round" if ends else "table.sure_turn"
        return Refused(key, player=seat, regions=drawn, before=before, after=then)

    def _change_record(self, corrections: Mapping[int, Event], sure: bool) -> None:
        """Raises Refused where scores would change and nobody has said yes to that yet."""
        referee = self._playing()
        play = referee.play
        if not sure:
            tried = Play(self.game, play.setup, self._now, play.records)
            tried.correct(corrections)
            before, after = self.game.scores(play.state), self.game.scores(tried.state)
            scores = zip(play.setup.players, before, after, strict=True)
            changes = [f"{name} {was} → {would_be}" for name, was, would_be in scores if was != would_be]
            if changes:
                raise Refused("table.sure_scores", scores=changes)
        referee.correct(corrections)

    def _restore(self, board: str) -> None:
        """The record is right: show what to draw or wipe."""
        if board not in self._playing().sight.told:
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
        """The game leaves the table as it is, and can be taken up again at any time."""
        self._playing()
        self._checkpoint()
        self._referee, self.game_id, self.paused, self._restoring = None, None, False, None
        self._interrupted = self._find_interrupted()

    def _sit(self, seat: int, name: str, bot: bool = False) -> None:
        """Somebody plays this seat from now on, or a bot does. A game that has ended keeps its players."""
        play = self._playing().play
        if self.is_over or self.game_id is None or not 0 <= seat < len(play.setup.players):
            raise Refused("table.no_game")
        if name == play.setup.players[seat] and bot == (seat in self.bots):
            return
        sitting = {seat: (name, bot)}
        for other, known in enumerate(play.setup.players):
            if other != seat and known.casefold() == name.casefold():  # they change places
                sitting[other] = play.setup.players[seat], seat in self.bots
        players = [sitting.get(n, (known,))[0] for n, known in enumerate(play.setup.players)]
        self.game.start(replace(play.setup, players=tuple(players)))  # raises BadData before anything is stored
        for n, (called, is_bot) in sitting.items():
            self._store.sit(self.game_id, n, called, is_bot, self._now())
            self.bots = self.bots | {n} if is_bot else self.bots - {n}
        play.rename(players)

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
    def cannot_write(self) -> bool:
        """Nothing can be accepted until the disk takes it."""
        return self.trouble is not None and self.trouble.id.startswith("store.")

    @property
    def is_over(self) -> bool:
        """No game is being played: none is on the table, or it has ended."""
        return self._referee is None or self.game.outcome(self._referee.play.state) is not None

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

    def marks_due(self) -> list[dict[str, str]]:
        """Circles and crosses that are still to be drawn or wiped."""
        return [] if self._referee is None else self._referee.due().marks

    def take_cues(self) -> list[str]:
        """The sounds that are due; each is given once."""
        if self._referee is None:
            return []
        due, self._referee.cues = self._referee.cues, []
        return due

    def lights(self) -> dict[str, Colour]:
        if self._referee is None:
            return lamps({}, {}, {})
        referee = self._referee
        roles = self.game.lights(referee.play.state)
        owners = {surface.id: surface.owner for surface in referee.surfaces.values()}
        return lamps(roles, referee.sight.told, owners, referee.flashes, self._seat_colours)

    def known_to(self, viewer: int | None) -> list[Record]:
        """The records that count, as this viewer may know them."""
        return [] if self._referee is None else self._referee.play.known_to(viewer, self._referee.play.in_force)

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """All that a screen shows to a seat, or to everybody, as plain JSON values; sentences are ids with facts."""
        told: dict[str, Any] = {
            "version": self.version,
            "game_id": self.game_id,
            "trouble": _plain(self.trouble),
            "notice": _plain(self._notice),
            "paused": self.paused,
            "preparing": _plain(self.preparing),
        }
        referee = self._referee
        if referee is None:
            return {**told, "continue": self._offer()}
        due, play = referee.due(), referee.play
        return {
            **told,
            "continue": None,
            "bots": sorted(self.bots),
            **shown(self.game, play.setup, play.state, viewer),
            "parts": score_parts(self.game, play.setup, play.known_to(viewer, play.in_force)),
            "boards": {board: self._told(told, viewer) for board, told in referee.sight.told.items()},
            "question": self._asked(referee, viewer),
            "marks": due.marks,
            "undrawn": due.undrawn,
            "restoring": self._restoring,
            "restore": None if self._restoring is None else referee.differences(self._restoring),
        }

    def _told(self, told: Told, viewer: int | None) -> dict[str, Any]:
        message = None if told.message is None else self.game.message_for(told.message, viewer)
        return {"state": told.state.value, **(_plain(message) or {"reason": "", "facts": {}})}

    def _asked(self, referee: Referee, viewer: int | None) -> dict[str, Any] | None:
        """`alone` is the seat that nobody else may answer for; others are told no more than that it is asked."""
        asked = referee.question
        if asked is None:
            return None
        game, state = self.game, referee.play.state
        player = game.mover(state, asked.moves[0])
        whose = {game.mover(state, move) for move in asked.moves}
        alone = game.hidden_choices and whose == {player} != {LUCK} and asked.moves != (game.by_button(state),)
        moves = asked.moves if not alone or viewer == player else ()
        return {
            "board": asked.board,
            "player": player,
            "alone": player if alone else None,
            "moves": [to_json(game.event_for(move, viewer)) for move in moves],
            "regions": [sorted(game.trace(state, move).get(asked.board, {})) for move in moves],
            "chosen": asked.chosen if moves else 0,
            "reason": asked.reason if moves else "sight.asked_alone",
        }

    def _offer(self) -> dict[str, Any] | None:
        """The game that was interrupted, and when its last move was made."""
        stored = self._interrupted
        if stored is None:
            return None
        return {
            "game": stored.id,
            "players": list(stored.players),
            "started_at": stored.started_at,
            "last_at": stored.last_at,
            "events": stored.events,
            "bots": list(stored.bots),
        }


def _require_different(players: Sequence[str]) -> None:
    """Two of one name could not be told apart. Raises Refused."""
    names = [name.casefold() for name in players]
    same = [name for name in players if names.count(name.casefold()) > 1]
    if same:
        raise Refused("table.same_name", name=same[0])


def _plain(message: Message | None) -> dict[str, Any] | None:
    return None if message is None else {"reason": message.id, "facts": dict(message.facts)}


def _arguments(action: Callable[..., None], args: Mapping[str, Any]) -> dict[str, Any]:
    """What a command is given, as its declaration asks for it. Raises Malformed."""
    declared, hints = signature(action).parameters, get_type_hints(action)
    if unknown := [name for name in args if name not in declared]:
        raise Malformed(f"there is no {short(unknown[0])}")
    if missing := [name for name, told in declared.items() if told.default is told.empty and name not in args]:
        raise Malformed(f"'{missing[0]}' is missing")
    return {name: typed(value, hints[name], name) for name, value in args.items()}


def _without_paths(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Where files lie on this machine is nothing for those who only look."""
    return {**facts, "file": PurePath(facts["file"]).name} if "file" in facts else dict(facts)
