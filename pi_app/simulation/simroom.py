"""The simulated table for a person at a screen: what lies there, and hands to change it."""

import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hardware.sim.state import HQ
from hardware.sim.table import SimTable
from pi_app.perception.board_pictures import Pictures
from pi_app.simulation.guests import Guests
from pi_app.simulation.stage import Stage
from pi_app.table.inputs import Command, Pressed
from pi_app.table.table import Table
from web.refusal import Refusal

BUMP_MM, NUDGE_MM, NUDGE_DEG = 8.0, 12.0, 3.0
THING_S = 30.0
"""How long something lies about."""
THING_MM = (150.0, -40.0)


@dataclass(frozen=True)
class SimGame:
    """One game at the simulated table."""

    sim: SimTable
    table: Table
    guests: Guests
    stage: Stage
    pictures: Pictures


class SimRoom:
    """Game after game. `open` and `close` belong to the table's thread, everything else to any."""

    def __init__(self) -> None:
        self._game: SimGame | None = None
        self._lock = threading.Lock()
        self.touched = False
        """Somebody has taken something into their own hands since the game began."""
        self._actions: Mapping[str, Callable[..., None]] = {
            "roll": self._roll,
            "put": self._put,
            "bring": self._bring,
            "take": lambda game, die: self._at_hq(game, game.sim.take, die),
            "knock": lambda game, die: self._at_hq(game, game.sim.knock, die),
            "stroke": lambda game, board, points: game.sim.stroke(board, points),
            "erase": lambda game, board, points: game.sim.erase(board, points),
            "wipe": lambda game, board: game.sim.wipe(board),
            "hand": self._hand,
            "lamp": lambda game, level: game.sim.set_lamp(level),
            "daylight": lambda game, level: game.sim.set_daylight(level),
            "cover": lambda game, on: game.sim.cover_lens(on),
            "bump": lambda game: game.sim.bump_camera(BUMP_MM, -BUMP_MM, 0.5),
            "nudge": lambda game, board: game.sim.move_board(board, NUDGE_MM, NUDGE_MM / 2, NUDGE_DEG),
            "cable": lambda game, device, on: (game.sim.plug if on else game.sim.unplug)(device),
            "lay": lambda game, thing: game.sim.lay(thing, *THING_MM, for_s=THING_S),
            "press": lambda game, button, long: game.table.put(Pressed(button, long)),
            "bots": self._bots,
        }

    def open(self, game: SimGame) -> None:
        with self._lock:
            self._game, self.touched = game, False

    def close(self) -> None:
        with self._lock:
            self._game = None

    def touch(self) -> None:
        self.touched = True

    # --- for the web server's threads ---------------------------------------------------------

    def act(self, name: str, args: Mapping[str, Any]) -> Refusal | None:
        with self._lock:
            game = self._game
            if game is None:
                return Refusal("sim.no_game")
            if args.get("board") is not None and args["board"] not in {board.id for board in game.sim.state.boards}:
                return Refusal("table.unknown_board", {"board": args["board"]})
            try:
                self._actions[name](game, **args)
            except ValueError:  # a die that is gone, or too much ink
                return Refusal("sim.cannot")
            self.touched = True
            return None

    def _roll(self, game: SimGame) -> None:
        game.sim.roll(len(game.table.setup.players) + 1)

    def _put(self, game: SimGame, die: int, section: int | None) -> None:
        self._at_hq(game, game.sim.put, die, section)

    def _bring(self, game: SimGame, value: int, section: int | None) -> None:
        if len(game.sim.state.dice) > len(game.table.setup.players):
            raise ValueError("all dice of this game are on the table")
        self._at_hq(game, game.sim.bring, value, section)

    def _at_hq(self, game: SimGame, action: Callable[..., object], *args: int | None) -> None:
        """A hand is seen there, too: without one, a die that is suddenly elsewhere may go unnoticed."""
        action(*args)
        game.sim.brush(HQ)

    def _hand(self, game: SimGame, board: str, on: bool) -> None:
        if on:
            game.sim.reach(board)
        else:
            game.sim.withdraw(board)

    def _bots(self, game: SimGame, seats: list[int]) -> None:
        for seat, name in enumerate(game.table.setup.players):
            game.table.put(Command("sit", {"seat": seat, "name": name, "bot": seat in seats}))

    def state(self) -> dict[str, Any] | None:
        game = self._game
        if game is None:
            return None
        state = game.sim.state
        return {
            "dice": [{"die": die.number, "value": die.value, "section": die.section} for die in state.dice],
            "taken": [{"value": die.value, "section": die.section} for die in state.taken],
            "boards": [self._board(game, board.id) for board in state.boards],
            "lamp": state.lamp,
            "daylight": state.daylight,
            "covered": state.lens_covered,
            "unplugged": [
                device
                for device in ("camera", "lights", "buttons", "sound")
                if game.sim.status(device).condition.value != "ok"
            ],
            "glow": {zone: list(colour) for zone, colour in state.glow.items()},
            "bots": sorted(game.guests.seats),
            "touched": self.touched,
        }

    def _board(self, game: SimGame, board: str) -> dict[str, Any]:
        """Its size, and every line drawn free hand; marks that bots draw are told by region."""
        layout, state = game.stage.layout.board(board), game.sim.state
        return {
            "board": board,
            "width_mm": layout.width_mm,
            "height_mm": layout.height_mm,
            "hand": any(hand.board == board and math.isinf(hand.end_s) for hand in state.hands),
            "strokes": [
                {"pen": stroke.pen, "points": [list(point) for point in stroke.points_mm]}
                for stroke in state.strokes
                if stroke.board == board
            ],
            "inks": [
                {"pen": ink.pen, "kind": ink.kind, "outline": [list(corner) for corner in layout.regions[ink.region]]}
                for ink in state.inks
                if ink.board == board and ink.left >= 1.0
            ],
        }

    def regions(self, board: str) -> dict[str, Any] | None:
        """Where everything is that can be drawn on: outlines by region, in millimetres from the top left corner."""
        game = self._game
        if game is None or board not in {one.id for one in game.sim.state.boards}:
            return None
        outlines = game.stage.layout.board(board).regions
        return {region: [list(corner) for corner in outline] for region, outline in outlines.items()}

    def camera(self) -> bytes | None:
        return None if self._game is None else self._game.pictures.camera()

    def print_of(self, board: str) -> bytes | None:
        return None if self._game is None else self._game.stage.print_of(board)
