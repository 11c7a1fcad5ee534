"""What tables know of one game: the unit of counting. Each game has one state; tables are functions of those states."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import rulings
from domain.game import events as ev
from domain.game_type import Seat
from domain.games import GAME_TYPES
from domain.record import Micros
from projections.projection import Recorded


class Play(Struct, frozen=True, omit_defaults=True):
    """One game. `position` and `finished_at` are those of its first finish; `left` are the seats that gave up.

    `left` runs in the order of leaving. `finish` is the recorded ending; a correction counts in its place.
    """

    game: UUID
    game_type: str
    players: tuple[UUID | None, ...] = ()
    rated: bool = True
    public: bool = False
    contest: UUID | None = None
    fixture: UUID | None = None
    rule_set: str | None = None
    opened_at: Micros = 0
    revealed: bool = False
    voided: bool = False
    left: tuple[Seat, ...] = ()
    finish: ev.Finished | None = None
    correction: rulings.ResultCorrected | None = None
    position: int = 0
    finished_at: Micros = 0

    @property
    def counts(self) -> bool:
        """Whether it contributes: finished, rated, not void, and in a contest not before all may know of it."""
        return self.counts_within and (self.revealed or self.contest is None)

    @property
    def counts_within(self) -> bool:
        """The same for the contest's own table."""
        return self.finish is not None and self.rated and not self.voided

    @property
    def result(self) -> ev.Finished | None:
        """The ending that counts: the recorded one, or as corrected."""
        if self.finish is None or self.correction is None:
            return self.finish
        said = self.correction
        return replace(self.finish, ending=said.ending, winners=said.winners, scores=said.scores, reason="corrected")


TOPICS = frozenset({
    "game/opened", "game/joined", "game/left", "game/resigned", "game/timed_out", "game/finished", "game/revealed",
    "game/voided", "ruling/games_voided", "ruling/voids_withdrawn", "ruling/result_corrected",
    "ruling/correction_withdrawn",
})  # fmt: skip
"""The events that change a play."""


def known(play: Play, recorded: Recorded) -> Play:
    """The play after one more event: of the game, or a ruling on it. A second finish changes nothing."""
    change = _CHANGES.get(type(recorded.record.event))
    return play if change is None else change(play, recorded.record.event, recorded)


def games_of(event: Struct, stream: UUID) -> tuple[UUID, ...]:
    """The games that this event is about."""
    if isinstance(event, rulings.GamesVoided | rulings.VoidsWithdrawn):
        return event.games
    if isinstance(event, rulings.ResultCorrected | rulings.CorrectionWithdrawn):
        return (event.game,)
    return (stream,)


def _opened(play: Play, event: ev.Opened, recorded: Recorded) -> Play:
    return replace(
        play, game_type=event.game_type, players=event.players, rated=event.rated, public=event.visibility == "public",
        contest=event.contest, fixture=event.fixture, rule_set=event.rule_set, opened_at=recorded.record.time,
    )  # fmt: skip


def _finished(play: Play, event: ev.Finished, recorded: Recorded) -> Play:
    if play.finish is not None:
        return play
    return replace(
        play, rated=event.rated, players=event.players, finish=event, position=recorded.position,
        finished_at=recorded.record.time, contest=event.contest, rule_set=event.rule_set, opened_at=event.opened_at,
    )  # fmt: skip


def _seated(play: Play, event: ev.Joined, recorded: Recorded) -> Play:
    return replace(play, players=_put(play.players, event.seat, event.player))


def _put(players: tuple[UUID | None, ...], seat: Seat, player: UUID | None) -> tuple[UUID | None, ...]:
    return (*players[:seat], player, *players[seat + 1 :])


def _gone(play: Play, event: ev.Resigned | ev.TimedOut, recorded: Recorded) -> Play:
    return play if event.seat in play.left else replace(play, left=(*play.left, event.seat))


def _voided(play: Play, event: Any, recorded: Recorded) -> Play:
    return replace(play, voided=True)


_CHANGES: dict[type, Callable[[Play, Any, Recorded], Play]] = {
    ev.Opened: _opened,
    ev.Joined: _seated,
    ev.Left: lambda play, event, recorded: replace(play, players=_put(play.players, event.seat, None)),
    ev.Resigned: _gone,
    ev.TimedOut: _gone,
    ev.Finished: _finished,
    ev.Revealed: lambda play, event, recorded: replace(play, revealed=True),
    ev.Voided: _voided,
    rulings.GamesVoided: _voided,
    rulings.VoidsWithdrawn: lambda play, event, recorded: replace(play, voided=False),
    rulings.ResultCorrected: lambda play, event, recorded: replace(play, correction=event),
    rulings.CorrectionWithdrawn: lambda play, event, recorded: replace(play, correction=None),
}


def places(play: Play) -> tuple[int, ...] | None:
    """By seat, how many are ahead of it (0 the first; equal ones share). None: the game was none, nothing counts.

    Winners are first, the rest follow by scores, then those who left, the first to leave last (rulings of ours, after
    the usual law of table leagues). Closed by all before everybody had a turn, a game was none; later it is a tie.
    """
    result = play.result
    if result is None:
        return None
    if play.correction is not None and play.correction.places is not None:
        return play.correction.places
    if result.ending == "abandoned" and (result.reason != "agreed" or result.moves < len(result.players)):
        return None
    standing = [_standing(play, result, seat) for seat in range(len(result.players))]
    return tuple(sum(other > own for other in standing) for own in standing)


def _standing(play: Play, result: ev.Finished, seat: Seat) -> tuple[int, int, int]:
    """What orders a seat, the greatest first: won, still there, score; of those who left, the later ones."""
    if seat in play.left and play.correction is None and len(result.players) > 1:
        return 0, 0, play.left.index(seat)
    drawn = result.ending == "drawn" and not result.winners
    return 1, int(seat in result.winners or drawn), 0 if drawn or seat in result.winners else _score(play, result, seat)


def _score(play: Play, result: ev.Finished, seat: Seat) -> int:
    if seat >= len(result.scores):
        return 0
    lowest = play.game_type in GAME_TYPES and GAME_TYPES[play.game_type].lowest_score
    return -result.scores[seat] if lowest else result.scores[seat]


def units(placed: tuple[int, ...]) -> tuple[int, ...]:
    """Placement units by seat: 24 for the first, 0 for the last, ties share; whole numbers for two to five seats."""
    most = len(placed) - 1
    return tuple(12 * (2 * sum(o > own for o in placed) + placed.count(own) - 1) // most for own in placed)
