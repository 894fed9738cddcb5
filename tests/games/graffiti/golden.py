"""Whole games of Graffiti for transcripts, and how they are told."""

import random
from collections.abc import Callable

from pi_app.engine.events import Event, GameEnded, Undone
from pi_app.engine.log import Play
from pi_app.games.graffiti.rules.model import (
    NEUTRAL,
    BlockDrawn,
    BlockPlaced,
    BonusRevealed,
    BonusTaken,
    BonusUsed,
    GameStarted,
    GraffitiFinished,
    HouseDecided,
    NeutralDrawn,
    NeutralPainted,
    OutOfCans,
    PaintKept,
    PaintReturned,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsShuffled,
    PermitsTaken,
    PointsScored,
    PoliceTaken,
    RoundEnded,
    State,
)
from pi_app.games.graffiti.rules.paying import kinds_of
from tests.games.graffiti.helpers import GAME, a_setup
from tests.playing import ticking


def play_on(play: Play[State], seed: int, most: int = 10_000) -> Play[State]:
    """Moves by lot, paintings above all; in an order of their own, which no change of the engine's lists alters."""
    rng = random.Random(seed)
    while (turn := GAME.to_act(play.state)).must and most:
        seat = rng.choice(turn.may if turn.may and rng.random() < 0.3 else turn.must)
        moves = sorted(GAME.legal_moves(play.state, seat), key=str)
        paintings = [move for move in moves if isinstance(move, PartPainted)]
        play.do(rng.choice(paintings if paintings and rng.random() < 0.7 else moves))
        most -= 1
    return play


def two_players() -> Play[State]:
    return play_on(Play(GAME, a_setup(2), now=ticking()), 1)


def three_players_with_options() -> Play[State]:
    setup = a_setup(3, keep_spent=True, bonus_timing="any", block=True, special=True)
    return play_on(Play(GAME, setup, now=ticking()), 2)


def four_players_with_undo_correction_and_a_house_decision() -> Play[State]:
    """A permit that nobody saw is told later; a wrong colour is corrected; people let a part stand."""
    play = play_on(Play(GAME, a_setup(4), now=ticking()), 3, 11)
    play.do(PermitDrawn(0, None))
    unseen = play.in_force[-1].seq
    play_on(play, 4, 30)
    play.undo()
    play_on(play, 5, 6)
    play.undo(play.in_force[-4].seq)
    play.redo()
    play.correct({unseen: PermitDrawn(0, 4)})  # a face that fits what followed
    while play.state.phase != "play":
        play_on(play, 6, 1)
    play.do(HouseDecided(play.state.turn, (("part.A1", f"seat.{play.state.turn}"), ("part.J4", "neutral"))))
    return play_on(play, 7)


GAMES: dict[str, Callable[[], Play[State]]] = {
    "2-players": two_players,
    "3-players-options": three_players_with_options,
    "4-players-corrected": four_players_with_undo_correction_and_a_house_decision,
}


def line(event: Event, names: tuple[str, ...]) -> str:
    match event:
        case GameStarted(first):
            return f"{names[first]} begins"
        case BonusRevealed(slot, bonus):
            return f"bonus {slot} is {bonus}"
        case PermitRevealed(slot, face):
            return f"permit {slot} is {face}"
        case PermitDrawn(player, seen):
            return f"{names[player]} draws a permit" + (f", {seen}" if seen else ", unseen")
        case BlockDrawn(face) | NeutralDrawn(face):
            return f"{event.type.replace('_', ' ')}: {face}"
        case PaintTaken(player, space, kind, cans, bonuses):
            return f"{names[player]} takes {kind} at {space}{_cost(cans, bonuses)}"
        case PermitsTaken(player, space, cans, bonuses):
            return f"{names[player]} takes permits at {space}{_cost(cans, bonuses)}"
        case PartPainted(player, space, cans, part, permits, paints, bonuses, police):
            helped = f", policeman: {police}" if police else ""
            paid = f"permits {_list(permits)}, paint {_list(paints)}"
            return f"{names[player]} paints {part} at {space}{_cost(cans, bonuses)}: {paid}{helped}"
        case BonusTaken(player, slot, cans, bonuses):
            return f"{names[player]} takes bonus {slot}{_cost(cans, bonuses)}"
        case PoliceTaken(player, _, cans, bonuses):
            return f"{names[player]} takes the policeman{_cost(cans, bonuses)}"
        case Passed(player):
            return f"{names[player]} passes"
        case BonusUsed(player, bonus, on):
            return f"{names[player]} uses {bonus}" + (f" on {on}" if on else "")
        case PaintKept(player, kinds, bonuses):
            return f"{names[player]} keeps {_list(kinds or ())}" + (f" with {_list(bonuses)}" if bonuses else "")
        case NeutralPainted(player, part):
            return f"{names[player]} turns {part} for nobody"
        case HouseDecided(player, changes):
            return f"{names[player]}'s turn, the house decides: " + ", ".join(map(" to ".join, changes))
        case PointsScored(player, points, reason):
            return f"   {names[player]} scores {points}, {reason}"
        case GraffitiFinished(graffiti):
            return f"   {graffiti} is finished"
        case BlockPlaced(section):
            return f"   the pawn blocks section {section}"
        case OutOfCans(player):
            return f"   {names[player]} is out of cans"
        case PaintReturned(player):
            return f"   {names[player]} keeps all paint"
        case PermitsShuffled(count):
            return f"   {count} permits are shuffled"
        case RoundEnded(number, first, finished):
            return f"   end of round {number}, {names[first]} has the token, {finished} finished"
        case GameEnded(reasons, scores, winners):
            won = " & ".join(names[seat] for seat in winners)
            return f"   end ({', '.join(reasons)}): {_list(scores)}, won by {won}"
        case Undone(upto):
            return f"undone: everything after {upto}"
    raise AssertionError(event)


def boards(state: State) -> list[str]:
    """The tunnel, a letter or number for every part; and what everybody has."""
    tags = {NEUTRAL: "n", **dict(enumerate("0123"))}
    drawn = (
        f"{graffito.letter}:{''.join(tags.get(state.parts[part], '.') for part in graffito.parts)}"
        for graffito in state.printed.graffiti
    )
    seats = (
        f"{name}: {seat.score} points, paint {_list(kinds_of(seat.hands[0]))}, permits {_list(seat.permits)}"
        f"{f' and {seat.unknown} unknown' if seat.unknown else ''}, bonus tiles {sum(seat.bonuses)}"
        for name, seat in zip(state.players, state.seats, strict=True)
    )
    return [" ".join(drawn), *seats]


def _cost(cans: int, bonuses: tuple[str, ...]) -> str:
    return f" ({cans} {'can' if cans == 1 else 'cans'}{''.join(f', {bonus}' for bonus in bonuses)})"


def _list(values: tuple[object, ...]) -> str:
    return " ".join(map(str, values)) or "none"
