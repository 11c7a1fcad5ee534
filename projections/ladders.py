"""Ladders: one rating for each player, game type and rule set, from rated games of several players.

The order of games makes the numbers: it is the order of their first finish in the log. Each player's ratings are kept
by position; a void or a correction is folded again from that game on, for those whom it touches.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.game import events as ev
from domain.league.rules import LADDER, LadderRules
from domain.record import Micros, Record
from domain.rulings import RULINGS
from domain.rulings import STREAM_TYPE as SITE_RULINGS
from projections.plays import TOPICS, Play, games_of, known, places
from projections.projection import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.ratings import START, Rating, rated

_DAY = 86_400_000_000


class RatedGame(Struct, frozen=True):
    """A game of the ladder, by position."""

    game: UUID
    position: int
    at: Micros
    players: tuple[UUID, ...]
    places: tuple[int, ...]
    public: bool


class Rated(Struct, frozen=True):
    """What one game made of a player's rating; the `number`-th rated game of theirs. `place` counts from 1."""

    game: UUID
    position: int
    at: Micros
    number: int
    place: int
    before: Rating
    after: Rating
    opponents: tuple[UUID, ...]
    public: bool


class LadderRow(Struct, frozen=True):
    """A player's place on a ladder; listed when neither provisional nor inactive. `ordinal` is in hundredths."""

    player: UUID
    game_type: str
    rules: str
    rating: Rating
    ordinal: int
    games: int
    provisional: bool
    active: bool
    last_at: Micros
    last_position: int


class Seen(Struct, frozen=True):
    """The newest UTC day that the log has come to, as days since 1970: what inactivity is judged by."""

    day: int


class Due(Struct, frozen=True):
    """A row that is to be looked at on a day: whether its player has been away for too long."""

    board: str
    player: UUID


PLAYS: Family[Play] = Family("ladder_plays", Play)
GAMES: Family[RatedGame] = Family("ladder_games", RatedGame)
HISTORY: Family[Rated] = Family("ladder_history", Rated)
ROWS: Family[LadderRow] = Family("ladder", LadderRow)
SEEN: Family[Seen] = Family("ladder_seen", Seen)
DUE: Family[Due] = Family("ladder_due", Due)


class Board(NamedTuple):
    """One ladder: a game type and a rule set."""

    game_type: str
    rule_set: str | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.game_type,) if self.rule_set is None else (self.game_type, self.rule_set)


def ladder(game_type: str, rule_set: str | None = None) -> Collection[LadderRow]:
    """The rows by player; the listed ones in order."""
    return ROWS(*Board(game_type, rule_set).parts)


def history(player: UUID, game_type: str, rule_set: str | None = None) -> Collection[Rated]:
    """The player's rated games in order, each with what it made of the rating; the newest first."""
    return HISTORY(player, *Board(game_type, rule_set).parts)


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game, or a ruling that holds everywhere."""
    record = recorded.record
    _to_day(documents, record.time // _DAY)
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
        self.changed: dict[UUID, Rated | None] = {}

    def of(self, player: UUID, position: int) -> Rated | None:
        """The player's last rated game before this position."""
        if player in self.changed:
            return self.changed[player]
        return self._last(player) if self._newest else self._before(player, position)

    def _last(self, player: UUID) -> Rated | None:
        row = self._documents.get(ladder(*self._board), str(player))
        if row is None:
            return None
        return self._documents.get(history(player, *self._board), _key(row.last_position))

    def _before(self, player: UUID, position: int) -> Rated | None:
        earlier = [one for _, one in self._documents.scan(history(player, *self._board)) if one.position < position]
        return earlier[-1] if earlier else None


def _rate(documents: Documents, board: Board, game: RatedGame, standing: _Standing) -> None:
    """One more game, and its players' rows."""
    documents.put(GAMES(*board.parts), _key(game.position), game)
    _count(documents, board, game, standing)
    for player in game.players:
        _row(documents, board, player, standing.changed[player])


def _count(documents: Documents, board: Board, game: RatedGame, standing: _Standing) -> None:
    before = [standing.of(player, game.position) for player in game.players]
    after = rated([START if one is None else one.after for one in before], game.places)
    for player, place, last, rating in zip(game.players, game.places, before, after, strict=True):
        step = Rated(
            game=game.game, position=game.position, at=game.at, number=1 if last is None else last.number + 1,
            place=place + 1, before=START if last is None else last.after, after=rating,
            opponents=tuple(other for other in game.players if other != player), public=game.public,
        )  # fmt: skip
        documents.put(history(player, *board), _key(game.position), step, rank_key(game.position))
        standing.changed[player] = step


def _again(documents: Documents, board: Board, old: RatedGame | None, new: RatedGame | None) -> None:
    """From this game on, everything that it touches: its players, whoever met them later, and so on."""
    game = new or old
    if game is None:
        return
    standing = _Standing(documents, board)
    if old is not None:
        _forget(documents, board, old, standing)
    if new is not None:
        documents.put(GAMES(*board.parts), _key(new.position), new)
    for _, later in list(documents.scan(GAMES(*board.parts), _key(game.position))):
        if later.game == game.game or any(player in standing.changed for player in later.players):
            _count(documents, board, later, standing)
    for player, last in standing.changed.items():
        _row(documents, board, player, last)


def _forget(documents: Documents, board: Board, old: RatedGame, standing: _Standing) -> None:
    documents.delete(GAMES(*board.parts), _key(old.position))
    for player in old.players:
        standing.changed[player] = standing.of(player, old.position)
        documents.delete(history(player, *board), _key(old.position))


def _row(documents: Documents, board: Board, player: UUID, last: Rated | None, rules: LadderRules = LADDER) -> None:
    """The row that follows from the player's last rated game; none without one."""
    rows = ladder(*board)
    _withdraw(documents, board, documents.get(rows, str(player)), rules)
    if last is None:
        documents.delete(rows, str(player))
        return
    seen = documents.get(SEEN(), "day")
    row = LadderRow(
        player=player, game_type=board.game_type, rules=rules.id, rating=last.after, ordinal=last.after.ordinal,
        games=last.number, provisional=last.number < rules.games or last.after.sigma > rules.sigma,
        active=seen is None or seen.day - last.at // _DAY <= rules.days, last_at=last.at, last_position=last.position,
    )  # fmt: skip
    documents.put(rows, str(player), row, sort_of(row))
    if row.active:
        due = Due("/".join(board.parts), player)
        documents.put(_due(row, rules), f"{due.board}/{player}", due)


def _withdraw(documents: Documents, board: Board, row: LadderRow | None, rules: LadderRules) -> None:
    if row is not None:
        documents.delete(_due(row, rules), f"{'/'.join(board.parts)}/{row.player}")


def _due(row: LadderRow, rules: LadderRules) -> Collection[Due]:
    return DUE(str(row.last_at // _DAY + rules.days + 1))


def sort_of(row: LadderRow) -> bytes | None:
    """By ordinal, then by games; equal rows share the rank."""
    return rank_key(row.ordinal, row.games) if row.active and not row.provisional else None


def _to_day(documents: Documents, day: int) -> None:
    """The log has come to this day: rows whose players have been away for too long are listed no more."""
    seen = documents.get(SEEN(), "day")
    if seen is not None and seen.day >= day:
        return
    documents.put(SEEN(), "day", Seen(day))
    for passed in range(max(seen.day + 1, day - 400) if seen else day, day + 1):
        for key, due in list(documents.scan(DUE(str(passed)))):
            documents.delete(DUE(str(passed)), key)
            game_type, _, rule_set = due.board.partition("/")
            _look_again(documents, Board(game_type, rule_set or None), due.player)


def _look_again(documents: Documents, board: Board, player: UUID) -> None:
    row = documents.get(ladder(*board), str(player))
    if row is not None:
        _row(documents, board, player, documents.get(history(player, *board), _key(row.last_position)))


def _key(position: int) -> str:
    return f"{position:020}"


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
    version=1,
    topics=TOPICS,
    families=(PLAYS, GAMES, HISTORY, ROWS, SEEN, DUE),
    fold=fold,
    wants=wants,
)
