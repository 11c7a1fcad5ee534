"""Reliability: of the games a player has begun with others, how many they saw to their end. It is no rating.

Running out of time, leaving a table that plays on or before a game counts (`Counting`), and not showing up for a
fixture count against a player. Giving up a game of two is a way of ending it (our ruling).
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import rulings
from domain.league import events as lg
from domain.league.rules import RELIABILITY
from domain.play import events as ev
from domain.record import DAY, Micros, Record
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, Wanted
from projections.games.counted_games import TOPICS, Play, evolve_play, games_of, places

Kind = Literal["finished", "timed_out", "left", "no_show"]


class Kept(Struct, frozen=True):
    """One game, or a fixture without one, and whether the player saw it through."""

    what: UUID
    position: int
    at: Micros
    kind: Kind


class Reliability(Struct, frozen=True):
    """A player's last games: how many, how many seen through, and until when rated tables are barred (0: are not)."""

    player: UUID
    rules: str
    games: int
    kept: int
    barred_until: Micros
    bars: int


class Run(Struct, frozen=True):
    """Of a player's last games whether each was seen through (`1` or `0`, the newest behind), and when any was not."""

    games: str = ""
    failures: tuple[Micros, ...] = ()
    position: int = 0


class Watched(Struct, frozen=True):
    """A game of several, with who ran out of time."""

    play: Play
    late: tuple[int, ...] = ()


GAMES: Family[Watched] = Family("watched", Watched)
KEPT: Family[Kept] = Family("kept", Kept)
ROWS: Family[Reliability] = Family("reliability", Reliability)
RUNS: Family[Run] = Family("runs", Run)
MISSED: Family[lg.WalkoverGiven] = Family("missed", lg.WalkoverGiven)


def rows() -> Collection[Reliability]:
    """Everybody's reliability, by player."""
    return ROWS()


def kept(player: UUID) -> Collection[Kept]:
    """A player's games, in the order of their ends."""
    return KEPT(player)


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game, a fixture that was not played, or a ruling that holds everywhere."""
    event, record = recorded.record.event, recorded.record
    if isinstance(event, lg.WalkoverGiven | lg.NotPlayed | lg.FixtureReopened):
        _fold_fixture(documents, recorded)
    elif not isinstance(event, rulings.RULINGS) or record.type == rulings.STREAM_TYPE:
        for game in games_of(event, record.stream):
            _fold_game(documents, recorded, game)


def _fold_fixture(documents: Documents, recorded: Recorded) -> None:
    """Note who was absent; first take back what an earlier ruling on the fixture noted."""
    event = recorded.record.event
    before = documents.get(MISSED(), str(event.fixture))
    for player in before.absent if before else ():
        _put_game(documents, player, event.fixture, None)
    if isinstance(event, lg.FixtureReopened):
        documents.delete(MISSED(), str(event.fixture))
        return
    nobody, line = UUID(int=0), Kept(event.fixture, recorded.position, recorded.record.time, "no_show")
    documents.put(MISSED(), str(event.fixture), lg.WalkoverGiven(event.fixture, nobody, event.reason, event.absent))
    for player in event.absent:
        _put_game(documents, player, event.fixture, line)


def _fold_game(documents: Documents, recorded: Recorded, game: UUID) -> None:
    record = recorded.record
    before = documents.get(GAMES(), str(game)) or Watched(Play(game, record.type))
    after = replace(before, play=evolve_play(before.play, recorded))
    if isinstance(record.event, ev.TimedOut):
        after = replace(after, late=(*after.late, record.event.seat))
    if after == before or len(after.play.players) == 1:
        return
    documents.put(GAMES(), str(game), after)
    old, new = dict(player_outcomes(before)), dict(player_outcomes(after))
    for player in {**old, **new}:
        if old.get(player) != new.get(player):
            _put_game(documents, player, game, new.get(player))


def player_outcomes(watched: Watched) -> Iterator[tuple[UUID, Kept]]:
    """By player, whether they saw a finished rated game through; nothing for a void one."""
    play, finish = watched.play, watched.play.finish
    if finish is None or play.voided or not play.rated:
        return
    for seat, player in enumerate(finish.players):
        if player is not None:
            yield player, Kept(play.game, play.position, play.finished_at, _kind(watched, seat))


def _kind(watched: Watched, seat: int) -> Kind:
    if seat in watched.late:
        return "timed_out"
    play = watched.play
    spoiled = len(play.players) > 2 or not play.begun or places(play) is None
    gone = any(departure.seat == seat for departure in play.left)
    return "left" if gone and spoiled else "finished"


def _put_game(documents: Documents, player: UUID, what: UUID, line: Kept | None) -> None:
    """Write one game of the player; all games are read again only if this one does not come last."""
    before, run = documents.get(kept(player), str(what)), documents.get(RUNS(), str(player)) or Run()
    if line is None:
        documents.delete(kept(player), str(what))
    else:
        documents.put(kept(player), str(what), line)
    if line is not None and before is None and line.position > run.position:
        after = extended_run([line], run)
    else:
        after = extended_run(game for _, game in documents.scan(kept(player)))
    documents.put(RUNS(), str(player), after)
    documents.put(rows(), str(player), reliability(player, after))


def extended_run(games: Iterable[Kept], after: Run = Run()) -> Run:  # noqa: B008 a value
    """The run after these further games, in the order of their ends."""
    ordered = sorted(games, key=lambda line: line.position)
    seen = after.games + "".join("01"[line.kind == "finished"] for line in ordered)
    failures = tuple(line.at for line in ordered if line.kind != "finished")
    position = ordered[-1].position if ordered else after.position
    return Run(seen[-RELIABILITY.window :], after.failures + failures, position)


def reliability(player: UUID, run: Run) -> Reliability:
    """A pure function of a player's games: each bar soon after another is twice as long."""
    recent: list[Micros] = []
    bars: list[Micros] = []
    until, long = 0, RELIABILITY.bar_days
    for at in run.failures:
        recent = [time for time in recent if at - time < RELIABILITY.days * DAY] + [at]
        if len(recent) >= RELIABILITY.failures:
            again = bool(bars) and at - bars[-1] < RELIABILITY.memory_days * DAY
            long = 2 * long if again else RELIABILITY.bar_days
            until, recent = at + long * DAY, []
            bars.append(at)
    return Reliability(player, RELIABILITY.id, len(run.games), run.games.count("1"), until, len(bars))


def wants(record: Record[Any, Any]) -> Wanted:
    """The game, and its players' rows when it ends."""
    yield from ((GAMES(), str(game)) for game in games_of(record.event, record.stream))
    if isinstance(record.event, ev.Finished) and len(record.event.players) > 1:
        for player in record.event.players:
            if player is not None:
                yield RUNS(), str(player)
                yield kept(player), str(record.stream)


RELIABILITIES = Projection(
    name="reliability",
    version=6,
    topics=TOPICS | {"league/walkover_given", "league/not_played", "league/fixture_reopened"},
    families=(GAMES, KEPT, ROWS, RUNS, MISSED),
    fold=fold,
    wants=wants,
)
