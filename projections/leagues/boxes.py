"""A division's table: a pure function of its fixtures and of the games played for them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from domain.league.aggregate import Season
from domain.league.rules import BoxRules, TieBreak
from projections.games.counted_games import units
from projections.leagues.fixture_outcomes import Kind, Outcome, Plays, outcomes
from projections.leagues.tie_breaks import KEYS, Met, has_won, order_tied, split_by


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

    `head_to_head` is among those with equal points. What is given without a game stands in `points` and nowhere else.
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


def table(season: Season, division: int, rules: BoxRules, plays: Plays, until: int | None = None) -> tuple[Row, ...]:
    """The rows, best first; `until` is the log position of the closing. Equal rows stand by player id, for display."""
    found = outcomes(season, division, plays, until)
    given: defaultdict[UUID, list[Contribution]] = defaultdict(list)
    for one in found:
        for player in one.players:
            given[player].append(_contribution(one, player, rules))
    players = list(dict.fromkeys([*season.divisions[division], *given]))
    met = [Met(one.players, one.placed, _points(one, rules), one.scores) for one in found if one.kind == "played"]
    return _ordered_rows([_PlayerPoints(player, tuple(given[player])) for player in players], met, rules)


def _contribution(one: Outcome, player: UUID, rules: BoxRules) -> Contribution:
    opponents = tuple(other for other in one.players if other != player)
    game = None if one.play is None else one.play.game
    if one.kind != "played":
        full = 2 if rules.points == "two_one_zero" else 24
        points = full if one.winner == player else 0
        return Contribution(one.fixture, one.kind, points, game=game, opponents=opponents)
    seat = one.players.index(player)
    return Contribution(one.fixture, "played", _points(one, rules)[seat], one.placed[seat] + 1, game, opponents)


def _points(one: Outcome, rules: BoxRules) -> tuple[int, ...]:
    given = units(one.placed)
    return tuple(unit // 12 for unit in given) if rules.points == "two_one_zero" else given


class _PlayerPoints(Struct, frozen=True):
    """A player with everything that their fixtures gave."""

    player: UUID
    parts: tuple[Contribution, ...]

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)

    @property
    def games(self) -> int:
        """Counted games: played, or given without a game to who was there."""
        return sum(part.kind == "played" or part.points > 0 for part in self.parts)


def _ordered_rows(lines: Sequence[_PlayerPoints], met: Sequence[Met], rules: BoxRules) -> tuple[Row, ...]:
    points = {line.player: line.points for line in lines}
    earned = {line.player: sum(part.points for part in line.parts if part.kind == "played") for line in lines}
    ranked = [line.player for line in lines if line.games >= rules.least_games]
    order: dict[UUID, int] = {}
    for tied in split_by(ranked, points.__getitem__):
        for group in order_tied(tied, earned, met, rules.tie_breaks):
            order |= dict.fromkeys(group, len(order) + 1)
    alone = [[line.player] for line in lines if line.player not in order]
    keys = _tie_break_values([*split_by(ranked, points.__getitem__), *alone], earned, met)
    rows = [_row(line, order.get(line.player), met, keys[line.player]) for line in lines]
    return tuple(sorted(rows, key=lambda row: (row.place or len(rows) + 1, -row.points, row.player)))


_SHOWN: tuple[TieBreak, ...] = ("head_to_head", "sonneborn_berger", "score_difference")


def _tie_break_values(
    groups: Sequence[list[UUID]], earned: Mapping[UUID, int], met: Sequence[Met]
) -> dict[UUID, dict[str, int]]:  # fmt: skip
    """The tie-breaks as a row shows them, by player."""
    shown: dict[UUID, dict[str, int]] = {}
    for tied in groups:
        keys = {name: KEYS[name](tied, earned, met) for name in _SHOWN}
        shown |= {player: {name: key(player) for name, key in keys.items()} for player in tied}
    return shown


def _row(line: _PlayerPoints, place: int | None, met: Sequence[Met], keys: Mapping[str, int]) -> Row:
    own = [game for game in met if line.player in game.players]
    wins = sum(has_won(game, line.player) for game in own)
    ties = sum(game.places.count(game.places[game.players.index(line.player)]) > 1 for game in own)
    return Row(
        player=line.player, place=place, points=line.points, games=line.games, wins=wins, ties=ties,
        losses=len(own) - wins - ties, contributions=line.parts, **keys,
    )  # fmt: skip
