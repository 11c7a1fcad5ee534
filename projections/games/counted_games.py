"""The state of one game that tables are computed from: the game is the unit of counting."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import rulings
from domain.capabilities import Counting
from domain.games import GAME_TYPES
from domain.league.aggregate import STREAM_TYPE as LEAGUE
from domain.play import events as ev
from domain.record import Micros
from domain.view import Seat
from projections.engine.contract import Recorded


class Departure(Struct, frozen=True):
    """A seat that gave up or ran out of time; seats of one step went together."""

    seat: Seat
    step: int


class RulingsOfGame(Struct, frozen=True, omit_defaults=True):
    """What rulings say of a game."""

    voided: bool = False
    correction: rulings.ResultCorrected | None = None

    def with_change(self, **change: Any) -> "RulingsOfGame":
        """With this change; no ruling is always the same value `_NOTHING`, so that storage leaves the field out."""
        after = replace(self, **change)
        return _NOTHING if after == _NOTHING else after


_NOTHING = RulingsOfGame()


class Play(Struct, frozen=True, omit_defaults=True):
    """One game. `position` and `finished_at` are those of its first finish; `left` is in the order of leaving.

    `rated`: it was opened as rated and everybody may look at it. Games that were opened before hidden ones were unrated
    count nowhere either.

    `finish` is the recorded ending; a correction counts in its place. What moderators say (`said`) and what its own
    league says (`said_within`) stand side by side: an organiser cannot lift a moderator's void, nor the other way
    round, and of two corrections the moderator's counts (rulings of ours).
    """

    game: UUID
    game_type: str
    players: tuple[UUID | None, ...] = ()
    rated: bool = True
    contest: UUID | None = None
    fixture: UUID | None = None
    rule_set: str | None = None
    opened_at: Micros = 0
    revealed: bool = False
    said: RulingsOfGame = _NOTHING
    said_within: RulingsOfGame = _NOTHING
    left: tuple[Departure, ...] = ()
    finish: ev.Finished | None = None
    position: int = 0
    finished_at: Micros = 0

    @property
    def counts(self) -> bool:
        """Whether the game counts: finished, rated, not void, and in a contest revealed."""
        return self.counts_within and (self.revealed or self.contest is None)

    @property
    def counts_within(self) -> bool:
        """Whether the game counts in its contest's own table, which does not wait for the reveal."""
        return self.finish is not None and self.rated and not self.voided

    @property
    def voided(self) -> bool:
        """Whether a ruling says that it counts for nothing."""
        return self.said.voided or self.said_within.voided

    @property
    def begun(self) -> bool:
        """Whether it went far enough to count: ended by its rules or by a ruling, or after so many moves.

        How many, its type says. A game that all agreed to close counts as given up.
        """
        result = self.result
        if result is None:
            return False
        given_up = result.ending == "abandoned" or result.reason in GIVEN_UP
        return not given_up or result.moves >= _least_moves(self.game_type) * len(result.players)

    @property
    def correction(self) -> rulings.ResultCorrected | None:
        """The correction that counts."""
        return self.said.correction or self.said_within.correction

    @property
    def result(self) -> ev.Finished | None:
        """The ending that counts: the recorded one, or as corrected."""
        said = self.correction
        if self.finish is None or said is None:
            return self.finish
        return replace(
            self.finish, ending=said.ending, winners=said.winners, scores=said.scores, reason="corrected", outcome=""
        )


GIVEN_UP = ("resigned", "timed_out")
"""Why a game ended that somebody left."""


def _least_moves(game_type: str) -> int:
    return (GAME_TYPES[game_type].get(Counting) if game_type in GAME_TYPES else Counting()).moves


TOPICS = frozenset({
    "game/opened", "game/joined", "game/left", "game/resigned", "game/timed_out", "game/finished", "game/revealed",
    "game/voided", "ruling/games_voided", "ruling/voids_withdrawn", "ruling/result_corrected",
    "ruling/correction_withdrawn",
})  # fmt: skip
"""The events that change a play."""


def evolve_play(play: Play, recorded: Recorded) -> Play:
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


def _after_opening(play: Play, event: ev.Opened, recorded: Recorded) -> Play:
    return replace(
        play, game_type=event.game_type, players=event.players, rated=event.rated and event.visibility == "public",
        contest=event.contest, fixture=event.fixture, rule_set=event.rule_set, opened_at=recorded.record.time,
    )  # fmt: skip


def _after_finish(play: Play, event: ev.Finished, recorded: Recorded) -> Play:
    if play.finish is not None:
        return play
    return replace(
        play, rated=play.rated and event.rated, players=event.players, finish=event, position=recorded.position,
        finished_at=recorded.record.time, contest=event.contest, rule_set=event.rule_set, opened_at=event.opened_at,
    )  # fmt: skip


def _after_joining(play: Play, event: ev.Joined, recorded: Recorded) -> Play:
    return replace(play, players=_put(play.players, event.seat, event.player))


def _put(players: tuple[UUID | None, ...], seat: Seat, player: UUID | None) -> tuple[UUID | None, ...]:
    return (*players[:seat], player, *players[seat + 1 :])


def _after_leaving(play: Play, event: ev.Resigned | ev.TimedOut, recorded: Recorded) -> Play:
    if any(one.seat == event.seat for one in play.left):
        return play
    return replace(play, left=(*play.left, Departure(event.seat, recorded.record.step)))


def _ruling_change(**change: Any) -> "_Change":
    """The change that a ruling makes, kept apart for the game's own league and for moderators."""

    def changed(play: Play, event: Any, recorded: Recorded) -> Play:
        if recorded.record.type == LEAGUE:
            return replace(play, said_within=play.said_within.with_change(**change))
        return replace(play, said=play.said.with_change(**change))

    return changed


def _after_correction(play: Play, event: rulings.ResultCorrected, recorded: Recorded) -> Play:
    return _ruling_change(correction=event)(play, event, recorded)


_Change = Callable[[Play, Any, Recorded], Play]
_CHANGES: dict[type, _Change] = {
    ev.Opened: _after_opening,
    ev.Joined: _after_joining,
    ev.Left: lambda play, event, recorded: replace(play, players=_put(play.players, event.seat, None)),
    ev.Resigned: _after_leaving,
    ev.TimedOut: _after_leaving,
    ev.Finished: _after_finish,
    ev.Revealed: lambda play, event, recorded: replace(play, revealed=True),
    ev.Voided: _ruling_change(voided=True),
    rulings.GamesVoided: _ruling_change(voided=True),
    rulings.VoidsWithdrawn: _ruling_change(voided=False),
    rulings.ResultCorrected: _after_correction,
    rulings.CorrectionWithdrawn: _ruling_change(correction=None),
}
