"""Rubbers of Bridge Solitaire: every rubber's sheet, and by player the list, the back score and the totals."""

from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.games.bridge_solitaire.state import Side
from domain.play.events import Finished
from domain.record import Micros, Record
from domain.rulings import STREAM_TYPE as SITE_RULINGS
from projections.boards.standings import LIFE_TIME
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.games.counted_games import games_of
from projections.rubbers import back_scores
from projections.rubbers.back_scores import BackLine, RubberTotals
from projections.rubbers.sheets import RubberSheet, Status, evolve

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
            _fold_rubber(documents, before or RubberSheet(game=game), recorded)


def _fold_rubber(documents: Documents, before: RubberSheet, recorded: Recorded) -> None:
    after = evolve(before, recorded)
    if after != before:
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
        game=rubber.game,
        opened_at=rubber.opened_at,
        ended_at=rubber.ended_at,
        status=rubber.status,
        hands=rubber.sheet.hands,
        games=tuple(game.side for game in rubber.games),
        me=rubber.sheet.me.total,
        it=rubber.sheet.it.total,
        net=rubber.net,
        rated=rubber.rated,
    )


def _update_back_score(documents: Documents, before: RubberSheet, after: RubberSheet) -> None:
    """The back score one line longer, or all of it anew where this rubber does not come last in it."""
    if after.player is None or before.counts == after.counts:
        return
    fresh = RubberTotals(after.player, LIFE_TIME.id)
    so_far = documents.get(totals(), str(after.player)) or fresh
    if after.counts and (after.ended_position or 0) > so_far.last_position:
        _write_lines(documents, *back_scores.running_lines(so_far, [back_scores.line(after)]))
    else:
        _write_lines(documents, *back_scores.running_lines(fresh, _counted_lines(documents, after.player, after)))


def _counted_lines(documents: Documents, player: UUID, rubber: RubberSheet) -> list[BackLine]:
    """The player's lines with this rubber's or without it, as it now counts or not."""
    if not rubber.counts:
        documents.delete(back_lines(player), str(rubber.game))
    others = [line for _, line in documents.scan(back_lines(player)) if line.game != rubber.game]
    return [*others, back_scores.line(rubber)] if rubber.counts else others


def _write_lines(documents: Documents, totals_after: RubberTotals, lines: list[BackLine]) -> None:
    for line in lines:
        if documents.get(back_lines(totals_after.player), str(line.game)) != line:
            documents.put(back_lines(totals_after.player), str(line.game), line, rank_key(line.position))
    if totals_after.last_position:
        documents.put(totals(), str(totals_after.player), totals_after, back_scores.sort_of(totals_after))
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
    version=4,
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
