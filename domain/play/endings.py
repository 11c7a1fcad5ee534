"""Endings outside the rules of a game type: all agree to leave, a moderator voids the game, its contest is over."""

from domain.game_type import Ending, Forbidden, Illegal, Result
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import (
    Act,
    Step,
    finished_event,
    play,
    record_events,
    revealed_event,
    standing_scores,
    with_ending,
)
from domain.view import Seat

CONTEST_OVER = "contest_over"
"""Why an attempt was ended with its contest."""


def abandon(game: Game, command: ev.Abandon, act: Act) -> Step:
    """The actor's seats agree, and the game is over when none is left to agree; raises Illegal.

    Whoever plays alone resigns. A seat that has resigned at a table that plays on is not asked.
    """
    if act.seat is None:
        raise Forbidden("not_seated", "You have no seat at this game.")
    if len(game.players) == 1 or game.status != "playing":
        return play(game, ev.Resign(), act)
    agreeing = [seat for seat in game.seats_of(act.actor) if seat in _seats_to_agree(game)]
    if not agreeing:
        raise Illegal("nothing_to_agree", "Your seat has agreed, or is out of the game.")
    step = record_events(Step((), game), [ev.AbandonAgreed(seat) for seat in agreeing], act, command)
    return with_ending(step, act) if _seats_to_agree(step.game) else _end_by_agreement(step, act)


def _seats_to_agree(game: Game) -> set[Seat]:
    """The seats that have still to agree."""
    return set(range(len(game.players))).difference(game.agreed, game.out)


def _end_by_agreement(step: Step, act: Act) -> Step:
    step = record_events(step, [ev.Abandoned("agreed")], act)
    step = record_events(step, [finished_event(step.game, Result("abandoned", "agreed"))], act)
    return with_ending(step, act)


def void(game: Game, reason: str, act: Act) -> Step:
    """The game counts for nothing; its secrets are revealed unless a contest keeps them; raises Illegal."""
    if game.status == "voided":
        raise Illegal("voided", "The game is void already.")
    step = record_events(Step((), game), [ev.Voided(reason)], act)
    if game.revealed or game.opening.contest is not None:
        return step
    return record_events(step, [revealed_event(step.game)], act)


def end_with_contest(game: Game, act: Act) -> Step:
    """The contest has ended and the attempt with it: lost with its score so far, or abandoned if there was no move.

    The secrets stay until the contest opens those of all its games. Raises Illegal for a game that is over.
    """
    if game.status != "playing" or game.opening.contest is None:
        raise Illegal("game_finished", "The game is finished, or of no contest.")
    ending: Ending = "lost" if game.moves else "abandoned"
    step = record_events(Step((), game), [ev.Abandoned(CONTEST_OVER)], act)
    return record_events(
        step, [finished_event(step.game, Result(ending, CONTEST_OVER, scores=standing_scores(game)))], act
    )


def reveal_contest_game(game: Game, act: Act) -> Step:
    """The secrets of a contest's game, after the contest; raises Illegal where they are known or must not be."""
    if game.revealed or game.status == "playing" or game.opening.contest is None:
        raise Illegal("revealed", "The secrets are revealed, or the game goes on.")
    return record_events(Step((), game), [revealed_event(game)], act)
