"""A ladder's rows, and who is listed: players who have been away for too long, by recorded times, are not."""

from uuid import UUID

from domain.league.rules import LADDER
from domain.record import DAY, Micros
from projections.engine.contract import Collection, Documents
from projections.ladders.documents import DUE, SEEN, UNRATED, Board, Due, LadderRow, Last, Seen, ladder, sort_of


def put_row(documents: Documents, board: Board, player: UUID, last: Last) -> None:
    """The row that follows from the player's last rated game; none without one."""
    rows = ladder(*board)
    _delete_due(documents, board, documents.get(rows, str(player)))
    if not last.number:
        documents.delete(rows, str(player))
        return
    row = put_rating(documents, board, player, last)
    if row.active:
        due = Due("/".join(board.parts), player)
        documents.put(_due_collection(row), f"{due.board}/{player}", due)


def put_rating(documents: Documents, board: Board, player: UUID, last: Last) -> LadderRow:
    """Write the row without touching its due day, which depends on the time of the last game alone."""
    seen = documents.get(SEEN(), "day")
    row = LadderRow(
        player=player, game_type=board.game_type, rules=LADDER.id, rating=last.after, ordinal=last.after.ordinal,
        games=last.number, weight=last.total,
        provisional=last.number < LADDER.games or last.after.sigma > LADDER.sigma,
        active=seen is None or seen.day - last.at // DAY <= LADDER.days, last_at=last.at, last_position=last.position,
    )  # fmt: skip
    documents.put(ladder(*board), str(player), row, sort_of(row))
    return row


def last_of(row: LadderRow | None) -> Last:
    """The last rated game, as the row tells it; UNRATED without one."""
    return UNRATED if row is None else Last(row.games, row.rating, row.last_at, row.last_position, row.weight)


def _delete_due(documents: Documents, board: Board, row: LadderRow | None) -> None:
    if row is not None:
        documents.delete(_due_collection(row), f"{'/'.join(board.parts)}/{row.player}")


def _due_collection(row: LadderRow) -> Collection[Due]:
    return DUE(str(row.last_at // DAY + LADDER.days + 1))


def advance_day(documents: Documents, at: Micros) -> None:
    """Move the ladder to the day of this time: players who have been away for too long are no longer listed.

    No row is due more than `LADDER.days` + 1 days after the day seen last, so a long jump looks at no more days.
    """
    day, seen = at // DAY, documents.get(SEEN(), "day")
    if seen is not None and seen.day >= day:
        return
    documents.put(SEEN(), "day", Seen(day))
    for passed in range(seen.day + 1, min(day, seen.day + LADDER.days + 1) + 1) if seen else ():
        for key, due in list(documents.scan(DUE(str(passed)))):
            documents.delete(DUE(str(passed)), key)
            game_type, _, rule_set = due.board.partition("/")
            _refresh_row(documents, Board(game_type, rule_set or None), due.player)


def _refresh_row(documents: Documents, board: Board, player: UUID) -> None:
    row = documents.get(ladder(*board), str(player))
    if row is not None:
        put_row(documents, board, player, last_of(row))
