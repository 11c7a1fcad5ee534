"""Ladders and scoreboards as CSV and as text."""

from collections.abc import Iterable, Sequence

from service.api.boards.ladder_shapes import Ladder, LadderEntry
from service.api.boards.scoreboard_shapes import BestShown, Board, Row
from service.api.tabular import csv_text, safe_name

_LADDER = (
    "rank",
    "player",
    "name",
    "ordinal",
    "mu",
    "sigma",
    "games",
    "weight",
    "last_game_at",
    "rules",
    "log_position",
)
_BOARD = (
    "rank", "player", "name", "clean_games", "clean_wins", "clean_win_rate", "clean_bound", "games", "wins", "losses",
    "draws", "not_completed", "win_rate", "bound", "streak", "best_streak",
)  # fmt: skip
_BEST = ("fewest_moves", "shortest_seconds", "best_score")


def ladder_csv(ladder: Ladder) -> str:
    """One line a player under a line of names; the rules and the log position stand in each."""
    return csv_text(_LADDER, (_ladder_line(row, ladder) for row in ladder.rows))


def _ladder_line(row: LadderEntry, ladder: Ladder) -> Sequence[object]:
    rating = row.rating
    said = (row.rank, row.player.id, safe_name(row.player.name), rating.ordinal, rating.mu, rating.sigma, row.games)
    return (*said, row.weight, row.last_game_at.isoformat(), ladder.rules, ladder.log_position)


def ladder_text(ladder: Ladder) -> str:
    """The page of the ladder as lines."""
    head = [f"Ladder of {ladder.game_type}, rules {ladder.rules}.", ""]
    columns = f"{'':>5} {'':<24}{'rating':>8}{'mu':>8}{'sigma':>8}{'games':>7}{'weight':>8}"
    shared = [row.rank for row in ladder.rows]
    rows = [_ladder_row(row, shared.count(row.rank) > 1) for row in ladder.rows]
    return _page([*head, columns, *rows], ladder.next, ladder.log_position)


def _ladder_row(row: LadderEntry, shared: bool) -> str:
    rating = row.rating
    numbers = f"{rating.ordinal:>8.2f}{rating.mu:>8.2f}{rating.sigma:>8.2f}{row.games:>7}{row.weight:>8.2f}"
    return f"{_place(row.rank, shared):>5} {_name(row.player.name):<24}{numbers}"


def board_csv(board: Board) -> str:
    """One line a player under a line of names; the rules and the log position stand in each."""
    return csv_text((*_BOARD, *_BEST, "rules", "log_position"), (_board_line(row, board) for row in board.rows))


def _board_line(row: Row, board: Board) -> Sequence[object]:
    said = [safe_name(row.name) if column == "name" else getattr(row, column) for column in _BOARD]
    best: Iterable[BestShown | None] = (getattr(row, column) for column in _BEST)
    return (*said, *(None if one is None else one.value for one in best), board.rules, board.log_position)


def board_text(board: Board) -> str:
    """The page of the board as lines."""
    head = [f"Board of {board.game_type}, rules {board.rules}: from {board.least_games} clean games on.", ""]
    columns = f"{'':>5} {'':<24}{'clean':>7}{'won':>6}{'bound':>8}{'all':>7}{'won':>6}{'best run':>10}"
    shared = [row.rank for row in board.rows]
    rows = [_board_row(row, shared.count(row.rank) > 1) for row in board.rows]
    return _page([*head, columns, *rows], board.next, board.log_position)


def _board_row(row: Row, shared: bool) -> str:
    clean = f"{row.clean_games:>7}{row.clean_wins:>6}{row.clean_bound:>8.3f}"
    return f"{_place(row.rank, shared):>5} {_name(row.name):<24}{clean}{row.games:>7}{row.wins:>6}{row.best_streak:>10}"


def _place(rank: int | None, shared: bool) -> str:
    return "-" if rank is None else f"{'=' if shared else ''}{rank}"


def _name(name: str | None) -> str:
    return (name or "(erased)")[:23]


def _page(lines: Sequence[str], following: str | None, position: str) -> str:
    more = [] if following is None else [f"More behind the cursor {following}."]
    return "\n".join([*lines, "", *more, f"As of event {position}."]) + "\n"
