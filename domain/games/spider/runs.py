"""What a column ends in, and whether a row may be dealt."""

from domain.games.spider.state import COLUMNS, RUN, State
from domain.kit.patience import IN_SUIT, run_length
from domain.view import Card


def movable(column: tuple[Card, ...], face_down: int) -> int:
    """How many cards from the top move as one: face up, in one suit, each one rank below the card it lies on."""
    return run_length(column[face_down:], IN_SUIT)


def ends_in_run(column: tuple[Card, ...], face_down: int) -> bool:
    """Whether the last thirteen cards of a column are face up and king to ace of one suit."""
    return len(column) - face_down >= 13 and column[-13:] == RUN[column[-1][1]]


def row_ready(state: State) -> bool:
    """Whether a row may be dealt: the stock has one and, but for the relaxed rule, no column is empty."""
    return len(state.stock) >= COLUMNS and (state.options.deal_with_spaces or all(state.columns))
