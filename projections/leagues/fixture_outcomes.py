"""What became of each fixture of a division: played, decided without a game, left, struck, or still to play."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple
from uuid import UUID

from domain.capabilities import LowestScore
from domain.games import GAME_TYPES
from domain.league import events as lg
from domain.league.aggregate import Season
from projections.games.counted_games import Play, places

Plays = Mapping[UUID, Sequence[Play]]
"""The games opened for each fixture."""
Kind = Literal["played", "walkover", "not_played", "left", "struck", "void", "to_play"]


class Outcome(NamedTuple):
    """A fixture and what became of it; `placed` and `scores` are by `players`, in the order of the seats.

    `struck`: a player left before half of their fixtures were played, and none of them counts. `void`: there was a
    game, and it counts for nothing. `play` is the game meant.
    """

    fixture: UUID
    kind: Kind
    players: tuple[UUID, ...]
    play: Play | None = None
    placed: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    winner: UUID | None = None
    """Who gets full points without a game."""


def outcomes(season: Season, division: int, plays: Plays, until: int | None = None) -> tuple[Outcome, ...]:
    """Every fixture of the division; `until` is the log position at which the season was closed.

    A game that finishes between the season's last day and its closing counts, one that finishes after the closing does
    not (our ruling).
    """
    fixtures = [fixture for fixture in season.fixtures if fixture.division == division]
    ends = [_outcome(season, fixture, plays.get(fixture.id, ()), until) for fixture in fixtures]
    gone = set()
    for player in season.left:
        own = [end for fixture, end in zip(fixtures, ends, strict=True) if player in season.playing(fixture)]
        if 2 * sum(end.kind == "played" for end in own) < len(own):
            gone.add(player)
    return tuple(Outcome(end.fixture, "struck", end.players) if gone.intersection(end.players) else end for end in ends)


def counted_game(plays: Sequence[Play], until: int | None = None) -> Play | None:
    """The game that counts for a fixture: of those that count, the first to finish, if in time."""
    counted = [play for play in plays if play.counts and places(play) is not None]
    first = min(counted, key=lambda play: play.position, default=None)
    return first if first is not None and _is_in_time(first, until) else None


def _is_in_time(play: Play, until: int | None) -> bool:
    return until is None or play.position <= until


def _outcome(season: Season, fixture: lg.Fixture, plays: Sequence[Play], until: int | None) -> Outcome:
    """The first that applies: played, the organisers' decision, a player left, a void game, still to play."""
    if (play := counted_game(plays, until)) is not None:
        return _played_outcome(fixture, play)
    players, ended = season.playing(fixture), season.ended.get(fixture.id)
    if isinstance(ended, lg.WalkoverGiven):
        return Outcome(fixture.id, "walkover", players, winner=ended.to)
    if ended is not None:
        return Outcome(fixture.id, "not_played", players)
    here = [player for player in players if player not in season.left]
    if len(here) < len(players):
        return Outcome(fixture.id, "left", players, winner=here[0] if len(here) == 1 == len(players) - 1 else None)
    for play in plays:
        if play.finish is not None and _is_in_time(play, until):
            return Outcome(fixture.id, "void", players, play)
    return Outcome(fixture.id, "to_play" if until is None else "not_played", players)


def _played_outcome(fixture: lg.Fixture, play: Play) -> Outcome:
    result, placed = play.result, places(play)
    if result is None or placed is None:
        raise ValueError("a game that does not count")
    players = tuple(player for player in play.players if player is not None)
    sign = -1 if GAME_TYPES[play.game_type].has(LowestScore) else 1
    scores = tuple(sign * score for score in result.scores) or (0,) * len(players)
    return Outcome(fixture.id, "played", players, play, placed, scores)
