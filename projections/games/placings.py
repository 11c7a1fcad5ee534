"""How the seats of a finished game are placed, and what that is worth in units."""

from domain.capabilities import LowestScore
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.view import Seat
from projections.games.counted_games import Play


def places(play: Play) -> tuple[int, ...] | None:
    """By seat, how many are ahead of it (0 the first; equal ones share). None: the game does not count.

    Winners are first, the others follow by scores, then those who left, the first to leave last; seats that left in one
    step share. A game that all agreed to close after everybody could have had a turn is a tie of those still there
    (house rules, ours, after the usual law of table leagues).
    """
    result, said = play.result, play.correction
    if result is None or (said is None and not _was_played(play, result)):
        return None
    if said is not None and (said.places is not None or said.ending == "abandoned"):
        return said.places
    standing = [_order_key(play, result, seat) for seat in range(len(result.players))]
    return tuple(sum(other > own for other in standing) for own in standing)


def _was_played(play: Play, result: ev.Finished) -> bool:
    """Whether the game was played: it was not if somebody left before everybody had a turn.

    Games under conventions 1 record only the number of moves: with fewer moves than seats somebody had no turn.
    """
    early = not result.begun or (len(result.players) > 1 and result.moves < len(result.players))
    if result.ending == "abandoned":
        return result.reason == "agreed" and not early
    return not (early and play.left)


def _order_key(play: Play, result: ev.Finished, seat: Seat) -> tuple[int, int, int]:
    """What orders a seat, the greatest first: still there, won, score; of those who left, the later ones."""
    step = next((one.step for one in play.left if one.seat == seat), None)
    if step is not None and play.correction is None and len(result.players) > 1:
        return 0, 0, step
    first = seat in result.winners or (result.ending == "drawn" and not result.winners)
    return 1, int(first), 0 if first else _score(play, result, seat)


def _score(play: Play, result: ev.Finished, seat: Seat) -> int:
    if seat >= len(result.scores):
        return 0
    lowest = play.game_type in GAME_TYPES and GAME_TYPES[play.game_type].has(LowestScore)
    return -result.scores[seat] if lowest else result.scores[seat]


def units(placed: tuple[int, ...]) -> tuple[int, ...]:
    """Placement units by seat: 24 for the first, 0 for the last, ties share; whole numbers for two to five seats."""
    most = len(placed) - 1
    return tuple(12 * (2 * sum(o > own for o in placed) + placed.count(own) - 1) // most for own in placed)
