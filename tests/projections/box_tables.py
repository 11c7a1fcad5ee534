"""Tables of a box league in which somebody has won."""

from uuid import UUID

from projection_logs import folded
from seasons import LEAGUE, Founded, ended, log, member

from domain.league import events as lg
from projections.leagues.boxes import Row
from projections.leagues.league_projection import LEAGUES_PROJECTION, TABLES, Table

A, B, C, D = (member(number) for number in range(4))


def table(made: Founded) -> Table:
    return next(table for _, table in folded(LEAGUES_PROJECTION, log(made)).scan(TABLES(LEAGUE)))


def rows(made: Founded) -> dict[UUID, Row]:
    return {row.player: row for row in table(made).rows}


def fixture(made: Founded, *players: UUID) -> lg.Fixture:
    return next(one for one in made.fixtures if set(one.players) == set(players))


def win(made: Founded, number: int, winner: UUID, loser: UUID, scores: tuple[int, int] = (0, 0)) -> None:
    """A game between the two; the scores are the winner's and the loser's."""
    one = fixture(made, winner, loser)
    seat = one.players.index(winner)
    made.play(one, number, ended(one.players, [seat], (scores[seat], scores[1 - seat]) if any(scores) else ()))
