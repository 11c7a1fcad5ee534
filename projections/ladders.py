"""Ladders: one rating for each player, game type and rule set, from rated games of several players.

The order of games makes the numbers: it is the order of their first finish in the log. Each player's ratings are kept
by position; a void or a correction is folded again from that game on, for those whom it touches.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from domain.game import events as ev
from domain.record import Record
from domain.rulings import RULINGS
from domain.rulings import STREAM_TYPE as SITE_RULINGS
from projections.ladder_documents import (
    DUE,
    GAMES,
    HISTORY,
    PLAYS,
    ROWS,
    SEEN,
    Board,
    Last,
    Rated,
    RatedGame,
    history,
    key_of,
    ladder,
)
from projections.ladder_rows import last_of, put_row, to_day
from projections.placings import places
from projections.plays import TOPICS, Play, games_of, known
from projections.projection import Collection, Documents, Projection, Recorded, Wanted, rank_key
from projections.ratings import START, rated


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game, or a ruling that holds everywhere."""
    record = recorded.record
    to_day(documents, record.time)
    if isinstance(record.event, RULINGS) and record.type != SITE_RULINGS:
        return
    for game in games_of(record.event, record.stream):
        before = documents.get(PLAYS(), str(game)) or Play(game, record.type)
        after = known(before, recorded)
        if after != before:
            if len(after.players) != 1:
                documents.put(PLAYS(), str(game), after)
            _recount(documents, recorded, before, after)


def _recount(documents: Documents, recorded: Recorded, before: Play, after: Play) -> None:
    old, new = rated_game(before), rated_game(after)
    if old == new:
        return
    board = Board(after.game_type, after.rule_set)
    if old is None and new is not None and new.position == recorded.position:
        _rate(documents, board, new, _Standing(documents, board, newest=True))
    else:
        _again(documents, board, old, new)


def rated_game(play: Play) -> RatedGame | None:
    """The game as a ladder counts it; None for a solo game, one that counts for nothing, or against oneself."""
    present = [player for player in play.players if player is not None]
    if not play.counts or len(set(present)) != len(play.players) or len(present) < 2:
        return None
    if (placed := places(play)) is None:
        return None
    return RatedGame(play.game, play.position, play.finished_at, tuple(present), placed, play.public)


class _Standing:
    """Players' ratings as the fold goes on: those changed already, else as they were stored before the game at hand.

    `newest`: the game at hand is the newest there is, so that the row tells the rating before it.
    """

    def __init__(self, documents: Documents, board: Board, *, newest: bool = False) -> None:
        self._documents, self._board, self._newest = documents, board, newest
        self.changed: dict[UUID, Last | None] = {}

    def of(self, player: UUID, position: int) -> Last | None:
        """The player's last rated game before this position."""
        if player in self.changed:
            return self.changed[player]
        return self._last(player) if self._newest else self._before(player, position)

    def _last(self, player: UUID) -> Last | None:
        row = self._documents.get(ladder(*self._board), str(player))
        return None if row is None else last_of(row)

    def _before(self, player: UUID, position: int) -> Last | None:
        step = self._documents.before(history(player, *self._board), key_of(position))
        return None if step is None else Last(step.number, step.after, step.at, step.position)


def _rate(documents: Documents, board: Board, game: RatedGame, standing: _Standing) -> None:
    """One more game, and its players' rows."""
    documents.put(GAMES(*board.parts), key_of(game.position), game)
    _count(documents, board, game, standing)
    for player in game.players:
        put_row(documents, board, player, standing.changed[player])


def _count(documents: Documents, board: Board, game: RatedGame, standing: _Standing) -> None:
    before = [standing.of(player, game.position) for player in game.players]
    after = rated([START if one is None else one.after for one in before], game.places)
    for player, place, last, rating in zip(game.players, game.places, before, after, strict=True):
        step = Rated(
            game=game.game, position=game.position, at=game.at, number=1 if last is None else last.number + 1,
            place=place + 1, before=START if last is None else last.after, after=rating,
            opponents=tuple(other for other in game.players if other != player), public=game.public,
        )  # fmt: skip
        documents.put(history(player, *board), key_of(game.position), step, rank_key(game.position))
        standing.changed[player] = Last(step.number, rating, game.at, game.position)


def _again(documents: Documents, board: Board, old: RatedGame | None, new: RatedGame | None) -> None:
    """From this game on, everything that it touches: its players, whoever met them later, and so on."""
    game = new or old
    if game is None:
        return
    standing = _Standing(documents, board)
    if old is not None:
        _forget(documents, board, old, standing)
    if new is not None:
        documents.put(GAMES(*board.parts), key_of(new.position), new)
    for _, later in documents.scan(GAMES(*board.parts), key_of(game.position)):
        if later.game == game.game or any(player in standing.changed for player in later.players):
            _count(documents, board, later, standing)
    for player, last in standing.changed.items():
        put_row(documents, board, player, last)


def _forget(documents: Documents, board: Board, old: RatedGame, standing: _Standing) -> None:
    documents.delete(GAMES(*board.parts), key_of(old.position))
    for player in old.players:
        standing.changed[player] = standing.of(player, old.position)
        documents.delete(history(player, *board), key_of(old.position))


def wants(record: Record[Any, Any]) -> Wanted:
    """The game, and when it finishes its players' rows."""
    yield SEEN(), "day"
    yield from ((PLAYS(), str(game)) for game in games_of(record.event, record.stream))
    yield from _rows_of(record)


def _rows_of(record: Record[Any, Any]) -> Iterator[tuple[Collection[Any], str]]:
    if isinstance(record.event, ev.Finished) and len(record.event.players) > 1:
        rows = ladder(record.type, record.event.rule_set)
        yield from ((rows, str(player)) for player in _present(record.event.players))


def _present(players: Iterable[UUID | None]) -> list[UUID]:
    return [player for player in players if player is not None]


LADDERS = Projection(
    name="ladders",
    version=2,
    topics=TOPICS,
    families=(PLAYS, GAMES, HISTORY, ROWS, SEEN, DUE),
    fold=fold,
    wants=wants,
)
