"""Endings outside the rules of a game type: time is up, all agree to leave, a game is void, its contest is over.

A rated game without a limit that was begun and left is lost too: a solo game after a day without a move, a game of
several after a fortnight (`LEFT_ALONE`, `LEFT`). Otherwise a player could avoid every loss by never finishing.

Times are recorded ones: the clock runs from the game's last step (agreeing to leave the game unfinished gains no
time), and the caller passes the current time. House rules, ours, as leagues have them: if a seat runs out of time
before every seat had a turn, the game is abandoned; later that seat has lost, and with three or more seats the others
play on if the game type allows it.
"""

from msgspec import Struct

from domain.capabilities import Resignation
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
from domain.record import DAY, SECOND, Micros
from domain.view import Seat

LEFT_ALONE, LEFT = DAY, 14 * DAY
"""How long a rated game without a limit may wait for a move, once one was made: played alone, and with others."""


def move_due_at(game: Game) -> Micros | None:
    """When the next move is due; None where no seat is to move, or where there is no limit.

    A contest's attempt ends with its contest.
    """
    if game.status != "playing":
        return None
    if game.opening.move_seconds is not None:
        return game.turn_at + game.opening.move_seconds * SECOND
    if not may_be_left(game):
        return None
    return game.turn_at + (LEFT_ALONE if len(game.players) == 1 else LEFT)


def may_be_left(game: Game) -> bool:
    """Whether the game is rated, has no limit of its own and has begun: then it is lost if the player leaves it."""
    opening = game.opening
    counts = opening.rated and opening.visibility == "public" and opening.contest is None
    return counts and opening.move_seconds is None and game.moves > 0


def time_out(game: Game, at: Micros) -> Step:
    """The seats that should have moved have run out of time; raises Illegal while they have not."""
    limit = move_due_at(game)
    if limit is None or at < limit:
        raise Illegal("not_due", "Nobody has run out of time.")
    act = Act(None, None, at)
    late, everybody_played = late_seats(game), len(game.acted | set(game.out)) == len(game.players)
    step = record_events(Step((), game), [ev.TimedOut(seat) for seat in late], act)
    if len(game.players) > 2 and game.type.has(Resignation) and everybody_played:
        for seat in late:  # the late seats are out, one after the other, as if they had resigned; the others play on
            if step.game.status == "playing":
                events = game.type.get(Resignation).events(step.game.state, seat)
                step = with_ending(record_events(step, events, act), act)
        return step
    others = tuple(seat for seat in range(len(game.players)) if seat not in (*late, *game.out))
    ending: list[Struct] = [finished_event(game, Result("won", "timed_out", others))]
    if len(game.players) > 1 and not everybody_played:
        ending = [ev.Abandoned("not_begun"), finished_event(game, Result("abandoned", "not_begun"))]
    elif not others:
        ending = [finished_event(game, Result("lost", "timed_out"))]
    return with_ending(record_events(step, ending, act), act)


def late_seats(game: Game) -> tuple[Seat, ...]:
    """The seats that are to act."""
    return game.type.look(game.state, 0).to_act


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
    if not _seats_to_agree(step.game):
        step = record_events(step, [ev.Abandoned("agreed")], act)
        step = record_events(step, [finished_event(step.game, Result("abandoned", "agreed"))], act)
    return with_ending(step, act)


def _seats_to_agree(game: Game) -> set[Seat]:
    return set(range(len(game.players))).difference(game.agreed, game.out)


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
