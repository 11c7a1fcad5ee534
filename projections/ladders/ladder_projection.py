"""Ladders: one rating for each player, game type and rule set, from rated games of several players.

Ratings depend on the order of games: the order of their first finish in the log. Each game keeps its players' ratings
before and after it, by its weight, and how often any two of them had met before; after a void or a correction the later
games of those affected are rated again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.league.rules import LADDER
from domain.play import events as ev
from domain.record import DAY, Micros, Record
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.games.counted_games import TOPICS, Play, changed_plays, games_of, places
from projections.ladders.ratings import START, Rating, pairs, rate_players, weights


class Rated(Struct, frozen=True, array_like=True):
    """What one game made of a player's rating; the `number`-th rated game of theirs.

    `weight` of this game, and `total` of all of them, in millionths.
    """

    number: int
    before: Rating
    after: Rating
    weight: int
    total: int


class RatedGame(Struct, frozen=True):
    """A game of the ladder, by position, and by player what it made of the rating. Places count from 0.

    `met`: how often each pair of its players (`ratings.pairs`) had met before.
    """

    game: UUID
    position: int
    at: Micros
    players: tuple[UUID, ...]
    places: tuple[int, ...]
    ratings: tuple[Rated, ...] = ()
    met: tuple[int, ...] = ()

    def last(self, player: UUID) -> "Last":
        """Where the player stands after this game."""
        made = self.ratings[self.players.index(player)]
        return Last(made.number, made.after, self.at, self.position, made.total)


class Last(NamedTuple):
    """Where a player stands after the last of so many rated games: what the next one goes on from."""

    number: int
    after: Rating
    at: Micros
    position: int
    total: int


UNRATED = Last(0, START, 0, 0, 0)


class Mark(Struct, frozen=True):
    """A game at this position is one of a player's."""

    position: int


class Met(Struct, frozen=True):
    """How often two players have met in rated games."""

    games: int


class LadderRow(Struct, frozen=True):
    """A player's place on a ladder; listed when neither provisional nor inactive. `ordinal` is in hundredths.

    `weight`: what all the games weigh together, in millionths.
    """

    player: UUID
    game_type: str
    rules: str
    rating: Rating
    ordinal: int
    games: int
    weight: int
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
HISTORY: Family[Mark] = Family("ladder_history", Mark)
ROWS: Family[LadderRow] = Family("ladder", LadderRow)
MET: Family[Met] = Family("ladder_met", Met)
SEEN: Family[Seen] = Family("ladder_seen", Seen)
DUE: Family[Due] = Family("ladder_due", Due)
FAMILIES = (PLAYS, GAMES, HISTORY, ROWS, MET, SEEN, DUE)


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


def games(game_type: str, rule_set: str | None = None) -> Collection[RatedGame]:
    """The ladder's games in the order of positions, each with what it made of its players' ratings."""
    return GAMES(*Board(game_type, rule_set).parts)


def history(player: UUID, game_type: str, rule_set: str | None = None) -> Collection[Mark]:
    """Which of the ladder's games are the player's: by the same keys, the newest first."""
    return HISTORY(player, *Board(game_type, rule_set).parts)


def met(game_type: str, rule_set: str | None = None) -> Collection[Met]:
    """How often any two have met, by both their ids, the lower one first."""
    return MET(*Board(game_type, rule_set).parts)


def key_of(position: int) -> str:
    """The key of a game, in the order of positions."""
    return f"{position:020}"


def sort_of(row: LadderRow) -> bytes | None:
    """By ordinal, then by games; equal rows share the rank."""
    return rank_key(row.ordinal, row.games) if row.active and not row.provisional else None


Shift = Mapping[str, int]
"""By pair, how many meetings more than stored there are before every later game."""


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game, or a ruling that holds everywhere."""
    advance_day(documents, recorded.record.time)
    for before, after in changed_plays(documents, PLAYS(), recorded):
        if len(after.players) != 1:
            documents.put(PLAYS(), str(after.game), after)
        _recount(documents, recorded, before, after)


def _recount(documents: Documents, recorded: Recorded, before: Play, after: Play) -> None:
    old, new = rated_game(before), rated_game(after)
    if old == new:
        return
    board = Board(after.game_type, after.rule_set)
    if old is None and new is not None and new.position == recorded.position:
        _rate(documents, board, new)
    else:
        _refold_from(documents, board, old, new)


def rated_game(play: Play) -> RatedGame | None:
    """The game as a ladder counts it; None for a solo game, one that counts for nothing, or against oneself."""
    present = [player for player in play.players if player is not None]
    if not play.counts or len(set(present)) != len(play.players) or len(present) < 2:
        return None
    if not play.begun or (placed := places(play)) is None:
        return None
    return RatedGame(play.game, play.position, play.finished_at, tuple(present), placed)


def _rate(documents: Documents, board: Board, game: RatedGame) -> None:
    rows = ladder(*board)
    game = replace(game, met=meetings(documents, board, game.players))
    made = _with_ratings(game, [last_of(documents.get(rows, str(player))) for player in game.players])
    _put_game(documents, board, made)
    add_meetings(documents, board, game.players, 1)
    for player in game.players:
        put_row(documents, board, player, made.last(player))


def _with_ratings(game: RatedGame, before: Sequence[Last]) -> RatedGame:
    """The game with what it makes of the ratings that its players bring to it."""
    ratings = [last.after for last in before]
    weighed = weights(ratings, [last.number for last in before], game.met, game.places)
    after = rate_players(ratings, game.places, weighed)
    made = (
        Rated(last.number + 1, last.after, rating, weight.game, last.total + weight.game)
        for last, rating, weight in zip(before, after, weighed, strict=True)
    )
    return replace(game, ratings=tuple(made))


def _put_game(documents: Documents, board: Board, game: RatedGame) -> None:
    key = key_of(game.position)
    documents.put(games(*board), key, game)
    for player in game.players:
        documents.put(history(player, *board), key, Mark(game.position), rank_key(game.position))


def _refold_from(documents: Documents, board: Board, old: RatedGame | None, new: RatedGame | None) -> None:
    """Rate again from this game on: its players, whoever met them later, and so on.

    `standing`: the new ratings of players whose rating has changed.
    """
    position = max(game.position for game in (old, new) if game)
    own = dict.fromkeys(player for game in (old, new) if game for player in game.players)
    standing = {player: _last_before(documents, board, player, position) for player in own}
    stored = documents.get(games(*board), key_of(position))
    shift = Counter[str]()
    if old is not None:
        shift.subtract(pair_keys(old.players))
        documents.delete(games(*board), key_of(old.position))
        add_meetings(documents, board, old.players, -1)
        for player in old.players:
            documents.delete(history(player, *board), key_of(old.position))
    if new is not None:
        shift.update(pair_keys(new.players))
        before = meetings_before(documents, board, new) if stored is None else stored.met
        made = _with_ratings(replace(new, met=before), [standing[player] for player in new.players])
        _put_game(documents, board, made)
        add_meetings(documents, board, made.players, 1)
        standing |= {player: made.last(player) for player in made.players}
    for key, later in documents.scan(games(*board), key_of(position + 1)):
        times = shifted_meetings(later, shift)
        if times != later.met or not standing.keys().isdisjoint(later.players):
            documents.put(games(*board), key, _rate_again(replace(later, met=times), standing))
    for player, last in standing.items():
        (put_row if player in own else put_rating)(documents, board, player, last)


def _last_before(documents: Documents, board: Board, player: UUID, position: int) -> Last:
    mark = documents.before(history(player, *board), key_of(position))
    game = None if mark is None else documents.get(games(*board), key_of(mark.position))
    return UNRATED if game is None else game.last(player)


def _rate_again(game: RatedGame, standing: dict[UUID, Last]) -> RatedGame:
    """A later game rated again; a player whose rating after it is unchanged leaves `standing`."""
    stored = zip(game.players, game.ratings, strict=True)
    before = [
        standing.get(player) or Last(made.number - 1, made.before, 0, 0, made.total - made.weight)
        for player, made in stored
    ]
    again = _with_ratings(game, before)
    for player, was, now in zip(game.players, game.ratings, again.ratings, strict=True):
        if (was.number, was.after, was.total) == (now.number, now.after, now.total):
            standing.pop(player, None)
        else:
            standing[player] = again.last(player)
    return again


def pair_keys(players: Sequence[UUID]) -> list[str]:
    """The key of every pair of these players, in the order in which meetings are counted."""
    return ["/".join(sorted((str(players[first]), str(players[other])))) for first, other in pairs(len(players))]


def meetings(documents: Documents, board: Board, players: Sequence[UUID]) -> tuple[int, ...]:
    """How often each pair has met in all."""
    return tuple(_stored_count(documents, board, key) for key in pair_keys(players))


def meetings_before(documents: Documents, board: Board, game: RatedGame) -> tuple[int, ...]:
    """How often each pair had met before a game that is not stored: taken from the pair's next stored game."""
    counts, keys = dict[str, int](), set(pair_keys(game.players))
    for _, later in documents.scan(games(*board), key_of(game.position + 1)):
        if len(counts) == len(keys):
            break
        if len(set(later.players).intersection(game.players)) > 1:
            there = zip(pair_keys(later.players), later.met, strict=True)
            counts = {key: times for key, times in there if key in keys} | counts
    return tuple(
        counts[key] if key in counts else _stored_count(documents, board, key) for key in pair_keys(game.players)
    )


def add_meetings(documents: Documents, board: Board, players: Sequence[UUID], times: int) -> None:
    """Add to each pair's number of meetings; a pair with none has no document."""
    for key in pair_keys(players):
        if many := _stored_count(documents, board, key) + times:
            documents.put(met(*board), key, Met(many))
        else:
            documents.delete(met(*board), key)


def shifted_meetings(game: RatedGame, shift: Shift) -> tuple[int, ...]:
    """The meetings before a later game, as they are now."""
    if not shift:
        return game.met
    return tuple(times + shift.get(key, 0) for key, times in zip(pair_keys(game.players), game.met, strict=True))


def _stored_count(documents: Documents, board: Board, key: str) -> int:
    count = documents.get(met(*board), key)
    return 0 if count is None else count.games


def wants(record: Record[Any, Any]) -> Wanted:
    """The game, and when it finishes its players' rows."""
    yield SEEN(), "day"
    yield from ((PLAYS(), str(game)) for game in games_of(record.event, record.stream))
    if isinstance(record.event, ev.Finished) and len(record.event.players) > 1:
        rows = ladder(record.type, record.event.rule_set)
        present = [player for player in record.event.players if player is not None]
        yield from ((rows, str(player)) for player in present)
        yield from ((met(record.type, record.event.rule_set), key) for key in pair_keys(present))


LADDERS = Projection(name="ladders", version=5, topics=TOPICS, families=FAMILIES, fold=fold, wants=wants)


def put_row(documents: Documents, board: Board, player: UUID, last: Last) -> None:
    """The row that follows from the player's last rated game; none without one."""
    rows = ladder(*board)
    if (before := documents.get(rows, str(player))) is not None:
        documents.delete(_due_collection(before), f"{'/'.join(board.parts)}/{player}")
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
            board = Board(game_type, rule_set or None)
            if (row := documents.get(ladder(*board), str(due.player))) is not None:
                put_row(documents, board, due.player, last_of(row))
