"""Endings outside the rules of a game type: all agree to leave, a moderator voids the game, its contest is over."""

from domain.game_type import Ending, Illegal, Result
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, closed, finished, play, revealed, standing_scores, write
from domain.view import Seat

CONTEST_OVER = "contest_over"
"""Why an attempt was ended with its contest."""


def abandon(game: Game, command: ev.Abandon, act: Act) -> Step:
    """The actor's seats agree, and the game is over when none is left to agree; raises Illegal.

    Whoever plays alone resigns. A seat that has resigned at a table that plays on is not asked.
    """
    if act.seat is None:
        raise Illegal("not_seated", "You have no seat at this game.")
    if len(game.players) == 1 or game.status != "playing":
        return play(game, ev.Resign(), act)
    agreeing = [seat for seat in game.seats_of(act.actor) if seat in _asked(game)]
    if not agreeing:
        raise Illegal("nothing_to_agree", "Your seat has agreed, or is out of the game.")
    step = write(Step((), game), [ev.AbandonAgreed(seat) for seat in agreeing], act, command)
    return closed(step, act) if _asked(step.game) else _abandoned(step, act)


def _asked(game: Game) -> set[Seat]:
    """The seats that have still to agree."""
    return set(range(len(game.players))).difference(game.agreed, game.out)


def _abandoned(step: Step, act: Act) -> Step:
    step = write(step, [ev.Abandoned("agreed")], act)
    step = write(step, [finished(step.game, Result("abandoned", "agreed"))], act)
    return closed(step, act)


def void(game: Game, reason: str, act: Act) -> Step:
    """The game counts for nothing; its secrets are revealed unless a contest keeps them; raises Illegal."""
    if game.status == "voided":
        raise Illegal("voided", "The game is void already.")
    step = write(Step((), game), [ev.Voided(reason)], act)
    if game.revealed or game.opening.contest is not None:
        return step
    return write(step, [revealed(step.game)], act)


def contest_over(game: Game, act: Act) -> Step:
    """The contest has ended and the attempt with it: lost with its score so far, or abandoned if there was no move.

    The secrets stay until the contest opens those of all its games. Raises Illegal for a game that is over.
    """
    if game.status != "playing" or game.opening.contest is None:
        raise Illegal("game_finished", "The game is finished, or of no contest.")
    ending: Ending = "lost" if game.moves else "abandoned"
    step = write(Step((), game), [ev.Abandoned(CONTEST_OVER)], act)
    return write(step, [finished(step.game, Result(ending, CONTEST_OVER, scores=standing_scores(game)))], act)


def contest_revealed(game: Game, act: Act) -> Step:
    """The secrets of a contest's game, after the contest; raises Illegal where they are known or must not be."""
    if game.revealed or game.status == "playing" or game.opening.contest is None:
        raise Illegal("revealed", "The secrets are revealed, or the game goes on.")
    return write(Step((), game), [revealed(game)], act)
