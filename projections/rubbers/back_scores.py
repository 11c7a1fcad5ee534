"""A player's rubbers one after the other: the back score's running line, and what they come to over a life time."""

from collections.abc import Iterable
from fractions import Fraction
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.games.bridge_solitaire.scoring import back_score
from domain.record import Micros
from projections.boards.standings import LIFE_TIME, UNIT
from projections.engine.contract import rank_key
from projections.rubbers.sheets import RubberSheet, Status


class BackLine(Struct, frozen=True):
    """One counted rubber: exact margin and whole hundreds, and the sums of both up to here in the order of finish."""

    game: UUID
    position: int
    ended_at: Micros
    status: Status
    games_me: int
    games_it: int
    net: int
    hundreds: int
    running_net: int
    running_hundreds: int


class RubberTotals(Struct, frozen=True):
    """A player's rubbers over a life time.

    `closed` and `resigned` ones are not completed: only the back score counts their points. `net` adds up the
    completed ones; `average` is that by their number, a fraction in lowest terms.
    """

    player: UUID
    rules: str
    completed: int = 0
    closed: int = 0
    resigned: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    won_two_nil: int = 0
    net: int = 0
    average: tuple[int, int] = (0, 1)
    best_net: int | None = None
    back_net: int = 0
    back_hundreds: int = 0
    listed: bool = False
    last_position: int = 0


def line(rubber: RubberSheet) -> BackLine:
    """A rubber that counts, as the first line of a back score."""
    sheet, hundreds = rubber.sheet, back_score(rubber.net)
    return BackLine(
        game=rubber.game,
        position=rubber.ended_position or 0,
        ended_at=rubber.ended_at or 0,
        status=rubber.status,
        games_me=sheet.me.games,
        games_it=sheet.it.games,
        net=rubber.net,
        hundreds=hundreds,
        running_net=rubber.net,
        running_hundreds=hundreds,
    )


def running_lines(totals: RubberTotals, lines: Iterable[BackLine]) -> tuple[RubberTotals, list[BackLine]]:
    """The totals after these further rubbers, in the order of their finish, and their lines with the sums so far."""
    written: list[BackLine] = []
    for one in sorted(lines, key=lambda line: line.position):
        totals = add_rubber(totals, one)
        written.append(replace(one, running_net=totals.back_net, running_hundreds=totals.back_hundreds))
    return totals, written


def add_rubber(totals: RubberTotals, one: BackLine) -> RubberTotals:
    """The totals with one more rubber."""
    totals = replace(
        totals,
        back_net=totals.back_net + one.net,
        back_hundreds=totals.back_hundreds + one.hundreds,
        closed=totals.closed + (one.status == "closed"),
        resigned=totals.resigned + (one.status == "resigned"),
        last_position=one.position,
    )
    return _add_completed(totals, one) if one.status == "completed" else totals


def _add_completed(totals: RubberTotals, one: BackLine) -> RubberTotals:
    """By points, whoever took the games; 2-0 counts where both go to the player."""
    completed, net = totals.completed + 1, totals.net + one.net
    return replace(
        totals,
        completed=completed,
        won=totals.won + (one.net > 0),
        drawn=totals.drawn + (one.net == 0),
        lost=totals.lost + (one.net < 0),
        won_two_nil=totals.won_two_nil + (one.net > 0 and (one.games_me, one.games_it) == (2, 0)),
        net=net,
        average=Fraction(net, completed).as_integer_ratio(),
        best_net=one.net if totals.best_net is None else max(totals.best_net, one.net),
        listed=completed >= LIFE_TIME.least_games,
    )


def sort_of(totals: RubberTotals) -> bytes | None:
    """Listed players by average, then by completed rubbers.

    Averages in whole billionths: different ones stay apart as long as the rubbers of two players multiply to less
    than a billion.
    """
    above, below = totals.average
    return rank_key(above * UNIT // below, totals.completed) if totals.listed else None
