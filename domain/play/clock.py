"""The clock of a game: when a move is due, and what happens when nobody has made it.

A rated game without a limit that was begun and left is lost too: a solo game after a day without a move, a game of
several after a fortnight (`LEFT_ALONE`, `LEFT`). Otherwise a player could avoid every loss by never finishing.

Times are recorded ones: the clock runs from the game's last step (agreeing to leave the game unfinished gains no
time), and the caller passes the current time. House rules, ours, as leagues have them: if a seat runs out of time
before everybody had a turn, the game is abandoned; later that seat has lost, and with three or more seats the others
play on if the game type allows it.
"""

from msgspec import Struct

from domain.capabilities import Resignation
from domain.game_type import Illegal, Result
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, finished_event, record_events, with_ending
from domain.record import DAY, SECOND, Micros
from domain.view import Seat

LEFT_ALONE, LEFT = DAY, 14 * DAY
"""How long a rated game without a limit may wait for a move, once one was made: played alone, and with others."""


def move_due_at(game: Game) -> Micros | None:
    """When the next move is due; None where nobody is to move, or where there is no limit.

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
    said = game.opening
    counts = said.rated and said.visibility == "public" and said.contest is None
    return counts and said.move_seconds is None and game.moves > 0


def time_out(game: Game, at: Micros) -> Step:
    """The seats that should have moved have run out of time; raises Illegal while they have not."""
    limit = move_due_at(game)
    if limit is None or at < limit:
        raise Illegal("not_due", "Nobody has run out of time.")
    act = Act(None, None, at)
    step = record_events(Step((), game), [ev.TimedOut(seat) for seat in late_seats(game)], act)
    if _goes_on(game):
        return _play_on(step, late_seats(game), act)
    return with_ending(record_events(step, _ending_events(game, late_seats(game)), act), act)


def late_seats(game: Game) -> tuple[Seat, ...]:
    """The seats that are to act."""
    return game.type.look(game.state, 0).to_act


def _goes_on(game: Game) -> bool:
    return len(game.players) > 2 and game.type.has(Resignation) and _all_have_acted(game)


def _all_have_acted(game: Game) -> bool:
    return len(game.acted | set(game.out)) == len(game.players)


def _ending_events(game: Game, late: tuple[Seat, ...]) -> list[Struct]:
    """The ending of a game that does not go on."""
    others = tuple(seat for seat in range(len(game.players)) if seat not in (*late, *game.out))
    if len(game.players) > 1 and not _all_have_acted(game):
        return [ev.Abandoned("not_begun"), finished_event(game, Result("abandoned", "not_begun"))]
    if not others:
        return [finished_event(game, Result("lost", "timed_out"))]
    return [finished_event(game, Result("won", "timed_out", others))]


def _play_on(step: Step, late: tuple[Seat, ...], act: Act) -> Step:
    """The late seats are out, one after the other, as if they had resigned; the others play on."""
    for seat in late:
        if step.game.status == "playing" and step.game.type.has(Resignation):
            step = with_ending(
                record_events(step, step.game.type.get(Resignation).events(step.game.state, seat), act), act
            )
    return step
