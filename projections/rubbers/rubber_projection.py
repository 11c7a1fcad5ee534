"""Rubbers of Bridge Solitaire: every rubber's sheet, and by player the list, the back score and the totals."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.games.bridge_solitaire.scoring import back_score
from domain.games.bridge_solitaire.state import Side
from domain.play.events import Finished
from domain.record import Micros, Record
from domain.rulings import STREAM_TYPE as SITE_RULINGS
from projections.boards.scoreboards import LIFE_TIME, UNIT
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.games.counted_games import games_of
from projections.rubbers.sheets import RubberSheet, Status, evolve


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


def back_line(rubber: RubberSheet) -> BackLine:
    """A rubber that counts, as the first line of a back score."""
    sheet, hundreds = rubber.sheet, back_score(rubber.net)
    return BackLine(
        game=rubber.game, position=rubber.ended_position or 0, ended_at=rubber.ended_at or 0, status=rubber.status,
        games_me=sheet.me.games, games_it=sheet.it.games, net=rubber.net, hundreds=hundreds, running_net=rubber.net,
        running_hundreds=hundreds,
    )  # fmt: skip


def running_lines(totals: RubberTotals, lines: Iterable[BackLine]) -> tuple[RubberTotals, list[BackLine]]:
    """The totals after these further rubbers, in the order of their finish, and their lines with the sums so far."""
    written: list[BackLine] = []
    for line in sorted(lines, key=lambda line: line.position):
        totals = add_rubber(totals, line)
        written.append(replace(line, running_net=totals.back_net, running_hundreds=totals.back_hundreds))
    return totals, written


def add_rubber(totals: RubberTotals, line: BackLine) -> RubberTotals:
    """The totals with one more rubber."""
    totals = replace(
        totals,
        back_net=totals.back_net + line.net,
        back_hundreds=totals.back_hundreds + line.hundreds,
        closed=totals.closed + (line.status == "closed"),
        resigned=totals.resigned + (line.status == "resigned"),
        last_position=line.position,
    )
    return _add_completed(totals, line) if line.status == "completed" else totals


def _add_completed(totals: RubberTotals, line: BackLine) -> RubberTotals:
    """By points, whoever took the games; 2-0 counts where both go to the player."""
    completed, net = totals.completed + 1, totals.net + line.net
    return replace(
        totals,
        completed=completed,
        won=totals.won + (line.net > 0),
        drawn=totals.drawn + (line.net == 0),
        lost=totals.lost + (line.net < 0),
        won_two_nil=totals.won_two_nil + (line.net > 0 and (line.games_me, line.games_it) == (2, 0)),
        net=net,
        average=Fraction(net, completed).as_integer_ratio(),
        best_net=line.net if totals.best_net is None else max(totals.best_net, line.net),
        listed=completed >= LIFE_TIME.least_games,
    )


def sort_of(totals: RubberTotals) -> bytes | None:
    """Listed players by average, then by completed rubbers.

    Averages in whole billionths: different ones stay apart as long as the rubbers of two players multiply to less
    than a billion.
    """
    above, below = totals.average
    return rank_key(above * UNIT // below, totals.completed) if totals.listed else None


GAME_TYPE = "bridge_solitaire"


class RubberRow(Struct, frozen=True):
    """A rubber in its player's lists; `me` and `it` are the totals so far."""

    game: UUID
    opened_at: Micros
    ended_at: Micros | None
    status: Status
    hands: int
    games: tuple[Side, ...]
    me: int
    it: int
    net: int
    rated: bool


SHEETS: Family[RubberSheet] = Family("sheets", RubberSheet)
ROWS: Family[RubberRow] = Family("rubbers", RubberRow)
PUBLIC: Family[RubberRow] = Family("public_rubbers", RubberRow)
BACK: Family[BackLine] = Family("back", BackLine)
TOTALS: Family[RubberTotals] = Family("totals", RubberTotals)


def sheets() -> Collection[RubberSheet]:
    """The sheets, by game."""
    return SHEETS()


def rubbers(player: UUID) -> Collection[RubberRow]:
    """A player's rubbers by game, newest first: going on, ended, rated or not."""
    return ROWS(player)


def public_rubbers(player: UUID) -> Collection[RubberRow]:
    """Those that are public; a list of its own, or its pages would tell how many others there are."""
    return PUBLIC(player)


def back_lines(player: UUID) -> Collection[BackLine]:
    """A player's back score by game, the last finish first."""
    return BACK(player)


def totals() -> Collection[RubberTotals]:
    """The rubber board, by player; the listed ones in order."""
    return TOTALS()


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game of Bridge Solitaire, or a ruling that holds everywhere; other game types are passed over."""
    record = recorded.record
    if record.type not in (GAME_TYPE, SITE_RULINGS):
        return
    for game in games_of(record.event, record.stream):
        before = documents.get(sheets(), str(game))
        if before is not None or record.type == GAME_TYPE:
            before = before or RubberSheet(game=game)
            if (after := evolve(before, recorded)) != before:
                documents.put(sheets(), str(after.game), after)
                _update_list(documents, before, after)
                _update_back_score(documents, before, after)


def _update_list(documents: Documents, before: RubberSheet, after: RubberSheet) -> None:
    if before.player is not None and (before.player != after.player or not after.told):
        for listed in rubbers(before.player), public_rubbers(before.player):
            documents.delete(listed, str(after.game))
    if after.player is not None and after.told:
        documents.put(rubbers(after.player), str(after.game), _row(after), rank_key(after.opened_position))
        if after.visibility == "public":
            documents.put(public_rubbers(after.player), str(after.game), _row(after), rank_key(after.opened_position))


def _row(rubber: RubberSheet) -> RubberRow:
    return RubberRow(
        game=rubber.game, opened_at=rubber.opened_at, ended_at=rubber.ended_at, status=rubber.status,
        hands=rubber.sheet.hands, games=tuple(game.side for game in rubber.games), me=rubber.sheet.me.total,
        it=rubber.sheet.it.total, net=rubber.net, rated=rubber.rated,
    )  # fmt: skip


def _update_back_score(documents: Documents, before: RubberSheet, after: RubberSheet) -> None:
    """The back score one line longer, or all of it anew where this rubber does not come last in it."""
    if after.player is None or before.counts == after.counts:
        return
    fresh = RubberTotals(after.player, LIFE_TIME.id)
    so_far = documents.get(totals(), str(after.player)) or fresh
    if after.counts and (after.ended_position or 0) > so_far.last_position:
        _write_lines(documents, *running_lines(so_far, [back_line(after)]))
    else:
        if not after.counts:
            documents.delete(back_lines(after.player), str(after.game))
        lines = [line for _, line in documents.scan(back_lines(after.player)) if line.game != after.game]
        lines += [back_line(after)] if after.counts else []
        _write_lines(documents, *running_lines(fresh, lines))


def _write_lines(documents: Documents, totals_after: RubberTotals, lines: list[BackLine]) -> None:
    for line in lines:
        if documents.get(back_lines(totals_after.player), str(line.game)) != line:
            documents.put(back_lines(totals_after.player), str(line.game), line, rank_key(line.position))
    if totals_after.last_position:
        documents.put(totals(), str(totals_after.player), totals_after, sort_of(totals_after))
    else:
        documents.delete(totals(), str(totals_after.player))


def wants(record: Record[Any, Any]) -> Wanted:
    """The sheet and, when the game finishes, its player's totals."""
    if record.type == SITE_RULINGS:
        yield from ((sheets(), str(game)) for game in games_of(record.event, record.stream))
    if record.type == GAME_TYPE:
        yield sheets(), str(record.stream)
        if isinstance(record.event, Finished):
            yield from ((totals(), str(player)) for player in record.event.players if player is not None)


_TABLE = ("opened", "joined", "left", "finished", "revealed", "voided")
_SHEET = ("hand_scored", "rubber_scored", "rubber_closed", "hands_voided")

RUBBERS = Projection(
    name="rubbers",
    version=5,
    topics=frozenset(
        [
            *(f"game/{name}" for name in _TABLE),
            *(f"{GAME_TYPE}/{name}" for name in _SHEET),
            *(f"ruling/{name}" for name in ("games_voided", "voids_withdrawn")),
        ]
    ),
    families=(SHEETS, ROWS, PUBLIC, BACK, TOTALS),
    fold=fold,
    wants=wants,
)
