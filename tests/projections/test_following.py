"""Following the log in rounds: what is kept from batch to batch, and what is not."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from projection_logs import Span, folded, real_log, season, span
from psycopg import Connection

from projections import PROJECTIONS
from projections.boards.scoreboards import SCOREBOARDS, Standing
from projections.engine import batches
from projections.engine.builds import builds, live_fingerprint
from projections.engine.contract import Collection, Documents, Family, Placed, Projection, Recorded
from projections.engine.following import Follower
from projections.engine.rows import fingerprint
from projections.games.game_lists import GAMES

LIMIT = 50
ALL = tuple(PROJECTIONS.values())


@pytest.fixture
def connection(database: str) -> Iterator[Connection[Any]]:
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


def log() -> list[Placed]:
    """Real games, and a season of hand-made ones behind them."""
    real = list(real_log())
    return real + [Placed(one.position + real[-1].position, one.record) for one in season()]


def reads(connection: Connection[Any], after: int, limit: int, topics: frozenset[str] | None) -> Span:
    return span(log(), after, limit, topics)


def followed(connection: Connection[Any], follower: Follower, rounds: int = 10**6) -> None:
    """So many rounds at most."""
    for _ in range(rounds):
        if not follower.round(connection):
            return


def stored(connection: Connection[Any]) -> dict[str, str]:
    return {one.name: live_fingerprint(connection, one) for one in ALL}


def wanted(position: int = 10**9) -> dict[str, str]:
    """The fingerprints of the log up to there."""
    known = [one for one in log() if one.position <= position]
    return {one.name: fingerprint(folded(one, known).rows()) for one in ALL}


@pytest.mark.parametrize("most", [0, 5, 300])
def test_what_is_kept_and_forgotten_between_batches_changes_nothing(
    connection: Connection[Any], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(batches, "KEPT", most)
    follower = Follower(ALL, reads, LIMIT)
    follower.begin(connection)
    followed(connection, follower)
    assert stored(connection) == wanted()


def test_documents_are_kept_from_batch_to_batch(connection: Connection[Any]) -> None:
    """What is damaged behind its back a follower does not see, until it begins anew."""
    follower = Follower([SCOREBOARDS], reads, LIMIT)
    follower.begin(connection)
    followed(connection, follower, rounds=2)
    connection.execute("UPDATE documents SET body = 'x'")
    followed(connection, follower, rounds=1)
    assert not follower.failing
    follower.begin(connection)
    followed(connection, follower)
    assert follower.failing == ("scoreboards",)


def test_what_was_kept_is_dropped_when_somebody_else_has_gone_on(connection: Connection[Any]) -> None:
    """As when the lock was lost for a while: the builds stand where another worker has left them."""
    first, second = Follower(ALL, reads, LIMIT), Follower(ALL, reads, LIMIT)
    first.begin(connection)
    followed(connection, first, rounds=2)
    second.begin(connection)
    followed(connection, second, rounds=2)
    followed(connection, first)
    assert stored(connection) == wanted()


def test_a_batch_that_was_not_committed_is_forgotten(connection: Connection[Any]) -> None:
    follower = Follower(ALL, reads, LIMIT)
    follower.begin(connection)
    followed(connection, follower, rounds=2)
    before = stored(connection)
    connection.execute("ALTER TABLE documents ADD CONSTRAINT never CHECK (build < 0) NOT VALID")
    with pytest.raises(psycopg.errors.CheckViolation):
        followed(connection, follower)
    assert (stored(connection), {build.position for build in builds(connection)}) == (before, {positions(connection)})
    connection.execute("ALTER TABLE documents DROP CONSTRAINT never")
    followed(connection, follower)
    assert stored(connection) == wanted()


def positions(connection: Connection[Any]) -> int:
    """Where all builds stand."""
    (position,) = {build.position for build in builds(connection)}
    return position


@pytest.mark.parametrize("most", [1, 50_000])
def test_a_fold_that_raises_leaves_nothing_and_the_others_go_on(
    connection: Connection[Any], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """However much of the batch it has sent ahead of the position by then."""
    monkeypatch.setattr(batches, "_MOST_WRITTEN", most)
    last = log()[-5].position
    others = [one for one in ALL if one.name != "scoreboards"]
    follower = Follower([*others, replace(SCOREBOARDS, fold=failing_from(last))], reads, 10**6)
    follower.begin(connection)
    followed(connection, follower)
    assert follower.failing == ("scoreboards",)
    assert stored(connection) == wanted() | {"scoreboards": fingerprint([])}
    assert {build.projection for build in builds(connection) if build.position == 0} == {"scoreboards"}
    whole = Follower(ALL, reads, 10**6)
    whole.begin(connection)
    followed(connection, whole)
    assert stored(connection) == wanted()


def failing_from(position: int) -> Callable[[Documents, Recorded], None]:
    def fold(documents: Documents, recorded: Recorded) -> None:
        if recorded.position >= position:
            raise ZeroDivisionError
        SCOREBOARDS.fold(documents, recorded)

    return fold


def test_where_nobody_reads_anything_positions_move_alone(connection: Connection[Any]) -> None:
    def silence(connection: Connection[Any], after: int, limit: int, topics: frozenset[str] | None) -> Span:
        return Span((), 700, 700)

    follower = Follower(ALL, silence, LIMIT)
    follower.begin(connection)
    assert not follower.round(connection)
    assert {build.position for build in builds(connection)} == set(follower.positions.values()) == {700}


def test_a_reader_is_asked_for_the_topics_of_all_and_for_everything_where_one_reads_everything(
    connection: Connection[Any],
) -> None:
    asked: list[frozenset[str] | None] = []

    def read(connection: Connection[Any], after: int, limit: int, topics: frozenset[str] | None) -> Span:
        asked.append(topics)
        return Span((), 0, 0)

    for group in ([SCOREBOARDS, GAMES], [replace(SCOREBOARDS, topics=None), GAMES]):
        follower = Follower(group, read, LIMIT)
        follower.begin(connection)
        follower.round(connection)
    assert asked == [(SCOREBOARDS.topics or frozenset()) | (GAMES.topics or frozenset()), None]


def test_what_comes_and_goes_within_a_batch_leaves_no_trace(connection: Connection[Any]) -> None:
    """Whether it was there before or not."""
    rows: Collection[Standing] = Family("board", Standing)("klondike")
    lots = {"was": (True, False), "new": (False, False), "again": (True, True), "came": (False, True)}

    def fold(documents: Documents, recorded: Recorded) -> None:
        for name, (before, after) in lots.items():
            row = Standing(recorded.record.stream, "klondike", None, name)
            if recorded.position == 10 and before:
                documents.put(rows, name, row)
            elif recorded.position > 10:
                documents.put(rows, name, row)
                documents.delete(rows, name)
                if after:
                    documents.put(rows, name, row)

    table = Projection(name="table", version=1, topics=None, families=(), fold=fold)
    follower = Follower([table], lambda connection, after, limit, topics: span(log()[:2], after, 1, topics), 1)
    follower.begin(connection)
    followed(connection, follower)
    keys = connection.execute("SELECT key FROM documents ORDER BY key").fetchall()
    assert [key for (key,) in keys] == ["again", "came"]
