"""A division's fixtures and table: pure functions of the games played for them; never a lot.

Tie-breaks look at games that count. Rule sets with `forfeits_count` take a forfeit as a game that its winner won,
without scores (FIDE Handbook C.07: forfeits in round robins); under others it is in the points and nowhere else, also
not in the points of an opponent that the Sonneborn-Berger score adds up (house rule, ours).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Literal, NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.capabilities import LowestScore
from domain.games import GAME_TYPES
from domain.league import events as lg
from domain.league.aggregate import Season
from domain.league.rules import BoxRules, TieBreak
from projections.games.counted_games import Play, places, units

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


class Contribution(Struct, frozen=True, omit_defaults=True):
    """What one fixture gives one player: why somebody stands there. `place` counts from 1."""

    fixture: UUID
    kind: Kind
    points: int = 0
    place: int | None = None
    game: UUID | None = None
    opponents: tuple[UUID, ...] = ()


class Row(Struct, frozen=True):
    """A player's row. `sonneborn_berger` is in halves; equal `place`s are shared; None: unranked for want of games.

    `head_to_head` is among those with equal points. Without `forfeits_count` a forfeit is in the `points` and `games`
    of its winner and nowhere else; with it `games` is the sum of `wins`, `ties` and `losses`.
    """

    player: UUID
    place: int | None
    points: int
    games: int
    wins: int
    ties: int
    losses: int
    head_to_head: int
    sonneborn_berger: int
    score_difference: int
    contributions: tuple[Contribution, ...]


Key = Callable[[UUID], int]


class Met(NamedTuple):
    """One game that counts, between these players: their places, points and scores.

    After a `forfeit` those behind the winner have nothing to do with one another.
    """

    players: tuple[UUID, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    forfeit: bool = False


def table(season: Season, division: int, rules: BoxRules, plays: Plays, until: int | None = None) -> tuple[Row, ...]:
    """The rows, best first; `until` is the log position of the closing. Equal rows stand by player id, for display."""
    ends = outcomes(season, division, plays, until)
    parts: dict[UUID, list[Contribution]] = {player: [] for player in season.divisions[division]}
    for end in ends:
        points, game = _points(end, rules), None if end.play is None else end.play.game
        for seat, player in enumerate(end.players):
            place = end.placed[seat] + 1 if end.kind == "played" else None
            opponents = tuple(other for other in end.players if other != player)
            part = Contribution(end.fixture, end.kind, points[seat], place, game, opponents)
            parts.setdefault(player, []).append(part)
    met = []
    for end in ends:
        if end.kind == "played":
            met.append(Met(end.players, end.placed, _points(end, rules), end.scores))
        elif rules.forfeits_count and end.winner is not None:
            places = tuple(int(player != end.winner) for player in end.players)
            met.append(Met(end.players, places, _points(end, rules), (0,) * len(places), forfeit=True))
    return _ordered_rows(parts, met, rules)


def _points(end: Outcome, rules: BoxRules) -> tuple[int, ...]:
    """By seat; without a game the winner, if there is one, gets what the first of a game gets."""
    gained = units(end.placed) if end.kind == "played" else tuple(24 * (end.winner == player) for player in end.players)
    return tuple(unit // 12 for unit in gained) if rules.points == "two_one_zero" else gained


def _ordered_rows(
    parts: Mapping[UUID, Sequence[Contribution]], met: Sequence[Met], rules: BoxRules
) -> tuple[Row, ...]:  # fmt: skip
    points = {player: sum(part.points for part in own) for player, own in parts.items()}
    earned = {
        player: sum(part.points for part in own if part.kind == "played" or rules.forfeits_count)
        for player, own in parts.items()
    }
    games = {player: sum(part.kind == "played" or part.points > 0 for part in own) for player, own in parts.items()}
    ranked = [player for player in parts if games[player] >= rules.least_games]
    groups = list(split_by(ranked, points.__getitem__))
    order: dict[UUID, int] = {}
    for tied in groups:
        for group in order_tied(tied, earned, met, rules.tie_breaks):
            order |= dict.fromkeys(group, len(order) + 1)
    rows = []
    for tied in [*groups, *([player] for player in parts if player not in order)]:
        keys = {name: KEYS[name](tied, earned, met) for name in _SHOWN}
        for player in tied:
            own = [game for game in met if player in game.players]
            wins = sum(has_won(game, player) for game in own)
            ties = sum(
                not game.forfeit and game.places.count(game.places[game.players.index(player)]) > 1 for game in own
            )
            rows.append(Row(
                player=player, place=order.get(player), points=points[player],
                games=len(own) if rules.forfeits_count else games[player], wins=wins, ties=ties,
                losses=len(own) - wins - ties, contributions=tuple(parts[player]),
                **{name: key(player) for name, key in keys.items()},
            ))  # fmt: skip
    return tuple(sorted(rows, key=lambda row: (row.place or len(rows) + 1, -row.points, row.player)))


_SHOWN: tuple[TieBreak, ...] = ("head_to_head", "sonneborn_berger", "score_difference")


def order_tied(
    tied: list[UUID], points: Mapping[UUID, int], met: Sequence[Met], breaks: Sequence[TieBreak]
) -> Iterator[list[UUID]]:
    """The tied in order, in groups that no tie-break parts; each smaller group starts at the first tie-break again.

    `points` are those that Sonneborn-Berger adds up.
    """
    for tie_break in breaks if len(tied) > 1 else ():
        parted = list(split_by(tied, KEYS[tie_break](tied, points, met)))
        if len(parted) > 1:
            for group in parted:
                yield from order_tied(group, points, met, breaks)
            return
    yield tied


def split_by(players: Sequence[UUID], key: Callable[[UUID], int]) -> Iterator[list[UUID]]:
    for value in sorted({key(player) for player in players}, reverse=True):
        yield [player for player in players if key(player) == value]


def _pairs(met: Sequence[Met]) -> Iterator[tuple[UUID, UUID, int, int]]:
    """Every player against every other of each game: 2, 1 or 0, and the difference of their scores."""
    for game in met:
        for first, other in permutations(range(len(game.players)), 2):
            if game.forfeit and game.places[first] == game.places[other]:
                continue
            ahead = 1 + (game.places[first] < game.places[other]) - (game.places[first] > game.places[other])
            yield game.players[first], game.players[other], ahead, game.scores[first] - game.scores[other]


def _sum_gains(gains: Iterable[tuple[UUID, int]]) -> Key:
    sums: defaultdict[UUID, int] = defaultdict(int)
    for player, gained in gains:
        sums[player] += gained
    return lambda player: sums[player]


def head_to_head(tied: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met]) -> Key:
    """What the tied took from one another."""
    return _sum_gains((first, ahead) for first, other, ahead, _ in _pairs(met) if first in tied and other in tied)


def sonneborn_berger(tied: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met]) -> Key:
    """The points of those one beat and half the points of those one tied with, in halves."""
    return _sum_gains((first, ahead * points.get(other, 0)) for first, other, ahead, _ in _pairs(met))


def score_difference(tied: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met]) -> Key:
    return _sum_gains((first, difference) for first, _, _, difference in _pairs(met))


def has_won(game: Met, player: UUID) -> bool:
    place = game.places[game.players.index(player)]
    return place == 0 and game.places.count(0) == 1


KEYS: dict[TieBreak, Callable[[Sequence[UUID], Mapping[UUID, int], Sequence[Met]], Key]] = {
    "head_to_head": head_to_head,
    "sonneborn_berger": sonneborn_berger,
    "score_difference": score_difference,
    "wins": lambda tied, points, met: (
        lambda player: sum(has_won(game, player) for game in met if player in game.players)
    ),
}
