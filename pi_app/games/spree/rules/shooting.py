"""Lines of fire: who sees whom, which roll hits, and where the victim lies then."""

from pi_app.games.spree.rules.mall import FOUNTAIN, Aim
from pi_app.games.spree.rules.model import ShotFired, State


def aim_at(state: State, shooter: int, victim: int) -> Aim | None:
    """How one seat sees another; None if it does not."""
    seats = state.seats
    return state.printed.mall.aims[seats[shooter].square].get(seats[victim].square)


def hits(state: State, shot: ShotFired, value: int) -> bool:
    """The own square counts as the first."""
    aim = aim_at(state, shot.player, shot.victim)
    assert aim is not None
    return value + state.printed.power > aim.away


def pushed_to(state: State, shot: ShotFired, value: int) -> int:
    """Where a victim lies after a hit: on the square counted, or where wall, fountain or rim stop him."""
    printed, victim = state.printed, state.seats[shot.victim]
    aim = aim_at(state, shot.player, shot.victim)
    assert aim is not None
    if victim.in_car:
        return victim.square
    kinds, line = printed.mall.kinds, aim.line
    most = min(value + printed.power - 1, len(line))
    if not printed.splash:
        wet = next((n for n in range(aim.away, most) if kinds[line[n]] == FOUNTAIN), most)
        return line[wet - 1]
    if kinds[line[most - 1]] != FOUNTAIN:
        return line[most - 1]
    dry = [n for n in range(most, len(line)) if kinds[line[n]] != FOUNTAIN]
    if printed.beyond and dry:
        return line[dry[0]]
    return next(line[n] for n in range(most - 1, -1, -1) if kinds[line[n]] != FOUNTAIN)


def can_shoot(state: State, seat: int, victim: int) -> bool:
    printed, own, other = state.printed, state.seats[seat], state.seats[victim]
    if other.lying or own.lying or own.square == other.square:
        return False
    if not printed.driving and (own.square == own.car or other.square == other.car):
        return False
    return other.square in printed.mall.aims[own.square]
