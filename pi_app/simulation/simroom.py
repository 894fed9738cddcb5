"""The simulated table for a person at a screen: what lies there, and hands to change it."""

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardware.sim.state import Place, SimBoard
from hardware.sim.table import PieceFace, SimTable
from pi_app.perception.board_pictures import Pictures
from pi_app.simulation.hands import Hands
from pi_app.simulation.pieces import lay, lying, told_kinds, told_piece, told_place
from pi_app.simulation.renderer import SimRenderer
from pi_app.simulation.turn import Turn, turn_now
from pi_app.table.inputs import Command, Pressed
from pi_app.table.table import Table
from vision.layout import VALUE
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
    renderer: SimRenderer
    pictures: Pictures

    @property
    def turn(self) -> Turn:
        state = self.table.state
        return Turn() if state is None else turn_now(self.table.game, self.table.setup, state)

    def places(self, board: str) -> tuple[str, ...]:
        """The regions of a board where dice are put."""
        return self.renderer.layout.board(board).dice_regions

    def place(self, board: str | None, region: str | None) -> Place | None:
        """Where a die is put; None is loose on the table. Raises ValueError for a place that there is not."""
        if board is None and region is None:
            return None
        if board is None or region is None or region not in self.places(board):
            raise ValueError(f"no die can be put on {board} {region}")
        return board, region


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
            "take": lambda game, die: self._away(game, die, game.sim.take),
            "knock": lambda game, die: self._away(game, die, game.sim.knock),
            "stroke": lambda game, board, points: game.sim.stroke(board, points),
            "erase": lambda game, board, points: game.sim.erase(board, points),
            "wipe": lambda game, board: game.sim.wipe(board),
            "hand": lambda game, board, on: (game.sim.reach if on else game.sim.withdraw)(board),
            "lamp": lambda game, level: game.sim.set_lamp(level),
            "daylight": lambda game, level: game.sim.set_daylight(level),
            "cover": lambda game, on: game.sim.cover_lens(on),
            "bump": lambda game: game.sim.bump_camera(BUMP_MM, -BUMP_MM, 0.5),
            "nudge": lambda game, board: game.sim.move_board(board, NUDGE_MM, NUDGE_MM / 2, NUDGE_DEG),
            "cable": lambda game, device, on: (game.sim.plug if on else game.sim.unplug)(device),
            "arrange": self._arrange,
            "move": self._move,
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
            known = {board.id for board in game.sim.state.boards}
            for board in (args.get("board"), args.get("to_board")):
                if board is not None and board not in known:
                    return Refusal("table.unknown_board", {"board": board})
            try:
                self._actions[name](game, **args)
            except ValueError:  # a die or piece that is gone, no room for it, or too much ink
                return Refusal("sim.cannot")
            self.touched = True
            return None

    def _roll(self, game: SimGame) -> None:
        """The dice that luck is to bring now, but for those that lie where they should; else all that there are."""
        table, wanted = game.table, game.turn.rolled
        count = wanted or len((*game.sim.state.dice, *game.sim.state.taken))
        if not count:
            raise ValueError("there are no dice to roll")
        surfaces = table.game.surfaces(table.setup) if wanted else ()
        hands = Hands(game.sim, game.renderer.layout, ())
        hands.roll(count, {at.id: table.game.expected_sight(table.state, at.id) for at in surfaces})

    def _put(self, game: SimGame, die: int, board: str | None, region: str | None) -> None:
        at = game.place(board, region)
        game.sim.put(die, at)
        self._brush(game, at)

    def _bring(self, game: SimGame, value: int, board: str | None, region: str | None) -> None:
        at = game.place(board, region)
        if not game.sim.state.taken:
            raise ValueError("nobody holds a die")
        game.sim.bring(value, at)
        self._brush(game, at)

    def _away(self, game: SimGame, die: int, action: Callable[[int], None]) -> None:
        at = next((one.at for one in game.sim.state.dice if one.number == die), None)
        action(die)
        self._brush(game, at)

    def _brush(self, game: SimGame, at: Place | None) -> None:
        """A hand is seen there, too: without one, a die that is suddenly elsewhere may go unnoticed."""
        for board in game.sim.state.boards:
            if game.places(board.id) and (at is None or at[0] == board.id):
                game.sim.brush(board.id)

    def _arrange(self, game: SimGame, board: str, region: str, pieces: Sequence[PieceFace]) -> None:
        """Brings a region to these pieces."""
        lay(game.sim, game.renderer.layout, {(board, region): pieces})

    def _move(self, game: SimGame, piece: PieceFace, board: str, region: str, to_board: str, to_region: str) -> None:
        """Takes a piece from one region to another."""
        here, there = lying(game.sim, (board, region)), lying(game.sim, (to_board, to_region))
        if piece not in here or (board, region) == (to_board, to_region):
            raise ValueError("it does not lie there, or already does")
        here.remove(piece)
        lay(game.sim, game.renderer.layout, {(board, region): here, (to_board, to_region): [*there, piece]})

    def _bots(self, game: SimGame, seats: list[int]) -> None:
        for seat, name in enumerate(game.table.setup.players):
            game.table.put(Command("sit", {"seat": seat, "name": name, "bot": seat in seats}))

    def state(self) -> dict[str, Any] | None:
        game = self._game
        if game is None:
            return None
        state, turn = game.sim.state, game.turn
        return {
            "dice": [{"die": die.number, "value": die.value, **_told(die.at)} for die in state.dice],
            "taken": [{"value": die.value, **_told(die.at)} for die in state.taken],
            "turn": {"seats": turn.seats, "acts": turn.acts, "fits": turn.fits},
            "boards": [self._board(game, board) for board in state.boards],
            "lamp": state.lamp,
            "daylight": state.daylight,
            "covered": state.lens_covered,
            "unplugged": [
                device
                for device in ("camera", "lights", "buttons", "sound")
                if game.sim.status(device).condition.value != "ok"
            ],
            "glow": {zone: list(colour) for zone, colour in state.glow.items()},
            "bots": sorted(game.table.bots),
            "touched": self.touched,
            "at_s": game.sim.at_s,
        }

    def _board(self, game: SimGame, board: SimBoard) -> dict[str, Any]:
        """Its size, and every line drawn free hand; marks that bots draw are told by region."""
        state = game.sim.state
        return {
            "board": board.id,
            "owner": board.owner,
            "places": game.places(board.id),
            "width_mm": board.width_mm,
            "height_mm": board.height_mm,
            "hand": any(hand.board == board.id and math.isinf(hand.end_s) for hand in state.hands),
            "strokes": [
                {"pen": stroke.pen, "points": [list(point) for point in stroke.points_mm]}
                for stroke in state.strokes
                if stroke.board == board.id
            ],
            "inks": [
                {"pen": ink.pen, "kind": ink.kind, "outline": [list(corner) for corner in board.regions[ink.region]]}
                for ink in state.inks
                if ink.board == board.id and ink.left >= 1.0
            ],
            "lays": bool(game.renderer.layout.board(board.id).piece_regions),
            "pieces": [told_piece(game.renderer, piece) for piece in state.pieces if piece.at[0] == board.id],
        }

    def regions(self, board: str) -> dict[str, Any] | None:
        """Where everything is, in millimetres from the top left corner, how it is marked and what may lie there."""
        game = self._game
        found = None if game is None else next((one for one in game.sim.state.boards if one.id == board), None)
        if game is None or found is None:
            return None
        printed = game.renderer.layout.board(board)
        surfaces = {surface.id: surface for surface in game.table.game.surfaces(game.table.setup)}
        return {
            region: {
                "outline": [list(corner) for corner in outline],
                "mark": "ring" if printed.readers.get(region) == VALUE else "cross",
                **told_place(game.renderer.layout, surfaces[board], region),
            }
            for region, outline in found.regions.items()
        }

    def pieces(self) -> dict[str, Any] | None:
        """How each loose piece looks."""
        game = self._game
        return None if game is None else told_kinds(game.renderer.layout.catalogue)

    def face_of(self, piece: str, face: str) -> bytes | None:
        return None if self._game is None else self._game.renderer.face_of(piece, face)

    def camera(self) -> bytes | None:
        return None if self._game is None else self._game.pictures.camera()

    def print_of(self, board: str) -> bytes | None:
        return None if self._game is None else self._game.renderer.print_of(board)


def _told(at: Place | None) -> dict[str, str | None]:
    board, region = at or (None, None)
    return {"board": board, "region": region}
