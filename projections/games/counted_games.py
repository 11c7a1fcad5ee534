"""The state of one game that tables are computed from, the unit of counting, and how it places those who played."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import rulings
from domain.capabilities import Counting, LowestScore
from domain.games import GAME_TYPES
from domain.kit.patience import with_value_at
from domain.league.aggregate import STREAM_TYPE as LEAGUE
from domain.play import events as ev
from domain.record import Micros
from domain.view import Seat
from projections.engine.contract import Collection, Documents, Recorded


class Departure(Struct, frozen=True, array_like=True):
    """A seat that gave up or ran out of time; seats of one step went together."""

    seat: Seat
    step: int


class RulingsOfGame(Struct, frozen=True, array_like=True):
    """What rulings say of a game."""

    voided: bool = False
    correction: rulings.ResultCorrected | None = None


_NOTHING = RulingsOfGame()


class Play(Struct, frozen=True, array_like=True):
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
        counting = GAME_TYPES[self.game_type].get(Counting) if self.game_type in GAME_TYPES else Counting()
        given_up = result.ending == "abandoned" or result.reason in GIVEN_UP
        return not given_up or result.moves >= counting.moves * len(result.players)

    @property
    def correction(self) -> rulings.ResultCorrected | None:
        """The correction that counts."""
        return self.said.correction or self.said_within.correction

    @property
    def result(self) -> ev.Finished | None:
        """The ending that counts: the recorded one, or as corrected."""
        correction = self.correction
        if self.finish is None or correction is None:
            return self.finish
        ending, winners, scores = correction.ending, correction.winners, correction.scores
        return replace(self.finish, ending=ending, winners=winners, scores=scores, reason="corrected", outcome="")


GIVEN_UP = ("resigned", "timed_out")
"""Why a game ended that a player left."""


TOPICS = frozenset({
    "game/opened", "game/joined", "game/left", "game/resigned", "game/timed_out", "game/finished", "game/revealed",
    "game/voided", "ruling/games_voided", "ruling/voids_withdrawn", "ruling/result_corrected",
    "ruling/correction_withdrawn",
})  # fmt: skip
"""The events that change a play."""


def evolve_play(play: Play, recorded: Recorded) -> Play:
    """The play after one more event: of the game, or a ruling on it. A second finish changes nothing."""
    match recorded.record.event:
        case ev.Finished() as event:
            if play.finish is not None:
                return play
            return replace(
                play, rated=play.rated and event.rated, players=event.players, finish=event,
                position=recorded.position, finished_at=recorded.record.time, contest=event.contest,
                rule_set=event.rule_set, opened_at=event.opened_at,
            )  # fmt: skip
        case ev.Opened() as event:
            return replace(
                play, game_type=event.game_type, players=event.players, contest=event.contest, fixture=event.fixture,
                rated=event.rated and event.visibility == "public", rule_set=event.rule_set,
                opened_at=recorded.record.time,
            )  # fmt: skip
        case ev.Revealed():
            return replace(play, revealed=True)
        case ev.Joined() as event:
            return replace(play, players=with_value_at(play.players, event.seat, event.player))
        case ev.Left() as event:
            return replace(play, players=with_value_at(play.players, event.seat, None))
        case ev.Resigned() | ev.TimedOut() as event:
            gone = Departure(event.seat, recorded.record.step)
            again = any(departure.seat == event.seat for departure in play.left)
            return play if again else replace(play, left=(*play.left, gone))
        case ev.Voided() | rulings.GamesVoided():
            return _with_ruling(play, recorded, voided=True)
        case rulings.VoidsWithdrawn():
            return _with_ruling(play, recorded, voided=False)
        case rulings.ResultCorrected() as event:
            return _with_ruling(play, recorded, correction=event)
        case rulings.CorrectionWithdrawn():
            return _with_ruling(play, recorded, correction=None)
    return play


def _with_ruling(play: Play, recorded: Recorded, **change: Any) -> Play:
    """Rulings are kept apart for the game's own league and for moderators."""
    if recorded.record.type == LEAGUE:
        return replace(play, said_within=replace(play.said_within, **change))
    return replace(play, said=replace(play.said, **change))


def changed_plays(documents: Documents, plays: Collection[Play], recorded: Recorded) -> Iterator[tuple[Play, Play]]:
    """The games that this event changes, each before and after it; of rulings those that hold everywhere."""
    record = recorded.record
    if isinstance(record.event, rulings.RULINGS) and record.type != rulings.STREAM_TYPE:
        return
    for game in games_of(record.event, record.stream):
        before = documents.get(plays, str(game)) or Play(game, record.type)
        after = evolve_play(before, recorded)
        if after != before:
            yield before, after


def games_of(event: Struct, stream: UUID) -> tuple[UUID, ...]:
    """The games that this event is about."""
    return rulings.ruled_games(event) if isinstance(event, rulings.RULINGS) else (stream,)


def places(play: Play) -> tuple[int, ...] | None:
    """By seat, how many are ahead of it (0 the first; equal ones share). None: the game does not count.

    Winners are first, the others follow by scores, then those who left, the first to leave last; seats that left in one
    step share. A game that all agreed to close after every seat could have had a turn is a tie of those still there
    (house rules, ours, after the usual law of table leagues).
    """
    result, correction = play.result, play.correction
    if result is None or (correction is None and not _was_played(play, result)):
        return None
    if correction is not None and (correction.places is not None or correction.ending == "abandoned"):
        return correction.places
    standing = [_order_key(play, result, seat) for seat in range(len(result.players))]
    return tuple(sum(other > own for other in standing) for own in standing)


def _was_played(play: Play, result: ev.Finished) -> bool:
    """Whether the game was played: it was not if a player left before every seat had a turn.

    Games under conventions 1 record only the number of moves: with fewer moves than seats some seat had no turn.
    """
    early = not result.begun or (len(result.players) > 1 and result.moves < len(result.players))
    if result.ending == "abandoned":
        return result.reason == "agreed" and not early
    return not (early and play.left)


def _order_key(play: Play, result: ev.Finished, seat: Seat) -> tuple[int, int, int]:
    """What orders a seat, the greatest first: still there, won, score; of those who left, the later ones."""
    step = next((departure.step for departure in play.left if departure.seat == seat), None)
    if step is not None and play.correction is None and len(result.players) > 1:
        return 0, 0, step
    first = seat in result.winners or (result.ending == "drawn" and not result.winners)
    if first or seat >= len(result.scores):
        return 1, int(first), 0
    lowest = play.game_type in GAME_TYPES and GAME_TYPES[play.game_type].has(LowestScore)
    return 1, 0, -result.scores[seat] if lowest else result.scores[seat]


def units(placed: tuple[int, ...]) -> tuple[int, ...]:
    """Placement units by seat: 24 for the first, 0 for the last, ties share; whole numbers for two to five seats."""
    most = len(placed) - 1
    return tuple(12 * (2 * sum(o > own for o in placed) + placed.count(own) - 1) // most for own in placed)
