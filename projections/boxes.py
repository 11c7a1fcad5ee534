"""A division's table: a pure function of its fixtures and of the games played for them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.games import GAME_TYPES
from domain.league import events as lg
from domain.league.aggregate import Season
from domain.league.decide import playing
from domain.league.rules import BoxRules
from projections.plays import Play, places, units
from projections.tie_breaks import Met, head_to_head, score_difference, sonneborn_berger, split, untied, won

Kind = Literal["played", "walkover", "not_played", "left", "struck", "void", "to_play"]


class Contribution(Struct, frozen=True, omit_defaults=True):
    """What one fixture gives one player: why somebody stands there.

    `struck`: a player left before half of their fixtures were played, and none of them counts.
    `place` counts from 1; `void`: there was a game, and it counts for nothing.
    """

    fixture: UUID
    kind: Kind
    points: int = 0
    place: int | None = None
    game: UUID | None = None
    position: int = 0
    opponents: tuple[UUID, ...] = ()


class Row(Struct, frozen=True):
    """A player's row. `sonneborn_berger` is in halves; equal `place`s are shared; None: unranked for want of games."""

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


def table(season: Season, division: int, rules: BoxRules, plays: Mapping[UUID, Sequence[Play]]) -> tuple[Row, ...]:
    """The rows, best first; `plays`: the games opened for each fixture. Equal rows stand by player id for display."""
    fixtures = [fixture for fixture in season.fixtures if fixture.division == division]
    given: defaultdict[UUID, list[Contribution]] = defaultdict(list)
    met: list[Met] = []
    for fixture in fixtures:
        for player, part in _given(season, fixture, rules, plays):
            given[player].append(part)
        met += _met(season, fixture, rules, plays)
    players = dict.fromkeys([*season.divisions[division], *given])
    return _placed([player for player in players if player is not None], given, met, rules)


def counting(plays: Sequence[Play]) -> Play | None:
    """The game that counts for a fixture: of those that count, the first to finish."""
    counted = [play for play in plays if play.counts and places(play) is not None]
    return min(counted, key=lambda play: play.position, default=None)


def _given(
    season: Season, fixture: lg.Fixture, rules: BoxRules, plays: Mapping[UUID, Sequence[Play]]
) -> Iterator[tuple[UUID, Contribution]]:
    play, ended = counting(plays.get(fixture.id, ())), season.ended.get(fixture.id)
    players = playing(season, fixture) if play is None else _players(play)
    for player in players:
        others = tuple(other for other in players if other != player)
        yield player, _part(season, fixture, rules, plays, player, others, play, ended)


def _players(play: Play) -> tuple[UUID, ...]:
    return tuple(player for player in play.players if player is not None)


def _part(
    season: Season, fixture: lg.Fixture, rules: BoxRules, plays: Mapping[UUID, Sequence[Play]], player: UUID,
    others: tuple[UUID, ...], play: Play | None, ended: lg.WalkoverGiven | lg.NotPlayed | None,
) -> Contribution:  # fmt: skip
    if any(struck(season, one, plays) for one in (player, *others)):
        return Contribution(fixture.id, "struck", opponents=others)
    if play is not None and (placed := places(play)) is not None:
        seat = play.players.index(player)
        return Contribution(
            fixture.id,
            "played",
            _points(units(placed), rules)[seat],
            placed[seat] + 1,
            play.game,
            play.position,
            others,
        )
    if isinstance(ended, lg.WalkoverGiven):
        return Contribution(fixture.id, "walkover", _full(rules) if ended.to == player else 0, opponents=others)
    if ended is not None:
        return Contribution(fixture.id, "not_played", opponents=others)
    gone = [one for one in (player, *others) if one in season.left]
    if gone:
        alone = len(others) == 1 and player not in season.left
        return Contribution(fixture.id, "left", _full(rules) if alone else 0, opponents=others)
    spoiled = next((one for one in plays.get(fixture.id, ()) if one.finish is not None), None)
    if spoiled is not None:
        return Contribution(fixture.id, "void", game=spoiled.game, position=spoiled.position, opponents=others)
    return Contribution(fixture.id, "to_play", opponents=others)


def struck(season: Season, player: UUID, plays: Mapping[UUID, Sequence[Play]]) -> bool:
    """Whether nothing of this player counts: they left before half of their fixtures were played."""
    if player not in season.left:
        return False
    own = [fixture for fixture in season.fixtures if player in playing(season, fixture)]
    done = sum(counting(plays.get(fixture.id, ())) is not None for fixture in own)
    return 2 * done < len(own)


def _full(rules: BoxRules) -> int:
    return 2 if rules.points == "two_one_zero" else 24


def _points(given: tuple[int, ...], rules: BoxRules) -> tuple[int, ...]:
    return tuple(unit // 12 for unit in given) if rules.points == "two_one_zero" else given


def _met(season: Season, fixture: lg.Fixture, rules: BoxRules, plays: Mapping[UUID, Sequence[Play]]) -> Iterator[Met]:
    play = counting(plays.get(fixture.id, ()))
    if play is None or play.result is None or (placed := places(play)) is None:
        return
    players = _players(play)
    if any(struck(season, player, plays) for player in players):
        return
    sign = -1 if GAME_TYPES[play.game_type].lowest_score else 1
    scores = tuple(sign * score for score in play.result.scores) or (0,) * len(players)
    yield Met(players, placed, _points(units(placed), rules), scores)


def _placed(
    players: Sequence[UUID], given: Mapping[UUID, Sequence[Contribution]], met: Sequence[Met], rules: BoxRules
) -> tuple[Row, ...]:
    points = {player: sum(part.points for part in given.get(player, ())) for player in players}
    ranked = [player for player in players if _games(given.get(player, ())) >= rules.least_games]
    groups = list(_groups(ranked, points, met, rules))
    order: dict[UUID, int] = {}
    for group in groups:
        order |= dict.fromkeys(group, len(order) + 1)
    rows = [_row(player, order.get(player), points, given.get(player, ()), met, ranked) for player in players]
    return tuple(sorted(rows, key=lambda row: (row.place or len(players) + 1, -row.points, row.player)))


def _games(parts: Iterable[Contribution]) -> int:
    return sum(part.kind in ("played", "walkover") or (part.kind == "left" and part.points > 0) for part in parts)


def _groups(
    players: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met], rules: BoxRules
) -> Iterator[list[UUID]]:
    for tied in split(players, lambda player: points[player]):
        yield from untied(tied, points, met, rules.tie_breaks)


def _row(
    player: UUID, place: int | None, points: Mapping[UUID, int], parts: Sequence[Contribution], met: Sequence[Met],
    ranked: Sequence[UUID],
) -> Row:  # fmt: skip
    own = [game for game in met if player in game.players]
    wins = sum(won(game, player) for game in own)
    ties = sum(game.places.count(game.places[game.players.index(player)]) > 1 for game in own)
    tied = [other for other in ranked if points[other] == points[player]]
    return Row(
        player=player, place=place, points=points[player], games=_games(parts), wins=wins, ties=ties,
        losses=len(own) - wins - ties, head_to_head=head_to_head(tied, points, met)(player),
        sonneborn_berger=sonneborn_berger(tied, points, met)(player),
        score_difference=score_difference(tied, points, met)(player), contributions=tuple(parts),
    )  # fmt: skip
