"""What anybody sees who stands at the simulated table: what it has accepted, and what lies there."""

from hardware.sim.state import SimDie
from hardware.sim.table import SimTable
from pi_app.engine.events import Event
from pi_app.games import GAMES
from pi_app.games.tag_city.rules.model import State
from pi_app.games.tag_city.rules.sight import city_board
from pi_app.simulation.manners import Meant
from pi_app.table.table import Table


class Onlooker:
    """Belongs to the table's thread."""

    def __init__(self, sim: SimTable, table: Table) -> None:
        self._sim, self._table, self._game = sim, table, GAMES["tag_city"]

    def state(self) -> State | None:
        """What the table has accepted; None while there is no game, or a pause."""
        view = self._table.view()
        if "game" not in view or view.get("paused"):
            return None
        state: State = self._game.start(self._table.setup)
        for record in self._table.records:
            state = self._game.apply(state, record.event)
        return state

    def wanted(self, state: State, board: str) -> dict[str, str]:
        return {region: kind for region, kind in self._game.expected_sight(state, board).items() if kind != "empty"}

    def there(self, board: str) -> set[str]:
        """The regions with ink on a board, as everybody sees."""
        return {mark.region for mark in self._sim.state.inks if mark.board == board and mark.left == 1.0}

    def die(self, value: int | None, section: int | None) -> SimDie | None:
        return next((die for die in self._sim.state.dice if (die.value, die.section) == (value, section)), None)

    def meant(self, state: State, move: Event) -> Meant:
        number = getattr(move, "die", None)
        if number is None:
            return Meant(move)
        die = state.dice[number]
        marks = self._game.trace(state, move).get(city_board(getattr(move, "player", 0)), {})
        return Meant(move, die.value, die.section, marks)
