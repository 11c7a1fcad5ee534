"""The queue of analyses in PostgreSQL: asking, leasing, noting progress, keeping the report; the worker's search.

A lease is renewed while the child searches, and each verdict is noted: of a worker that dies, or a child that is
killed, nothing is lost but the verdict in hand.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec
import structlog
from psycopg import Connection

from domain.game_type import Illegal
from domain.record import SECOND, Micros
from service.analysis.kinds import Found, Note, Report, analyse
from service.analysis.report import PatienceReport
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.jobs.process import Job
from service.jobs.searching import Search, SearchThread
from service.jobs.stored_games import GameRef
from service.problems import Refused

LEASE: Micros = 30 * SECOND
"""Renewed every few seconds while the search runs; after its end another worker goes on."""
_RENEW_EVERY = 5.0  # seconds between renewals of a lease
_TRIES = 3
"""After so many failed processes the report is made of the notes so far."""
_SHARE, _LEAST = 10, 2
"""An asker has a tenth of the queue, two places at least; all who are not signed in have one share."""

_USUAL = 2_000_000
"""The value of a bound of 0, the game's own, when bounds are compared: the least of the games'."""
MOST = 50_000_000
"""The largest bound."""
_BUSY = "Many games wait for their analysis, or many of yours, or this one with a smaller bound; ask again later."

# An analysis that is asked for again keeps its report until there is another; a full queue takes nothing.
_ASK = """
INSERT INTO analyses (game, version, imported, bound, asked_at, due, findings, player)
SELECT %s, %s, %s, %s, %s, %s, %s, asks.player FROM (VALUES (%s::uuid)) AS asks (player)
WHERE (SELECT count(*) FROM analyses WHERE due IS NOT NULL) < %s
AND (SELECT count(*) FROM analyses WHERE due IS NOT NULL AND player IS NOT DISTINCT FROM asks.player) < %s
ON CONFLICT (game) DO UPDATE SET version = excluded.version, imported = excluded.imported, bound = excluded.bound,
    asked_at = excluded.asked_at, due = excluded.due, attempts = 0, findings = excluded.findings,
    player = excluded.player,
    report = CASE WHEN analyses.imported IS NOT DISTINCT FROM excluded.imported THEN analyses.report END
WHERE analyses.imported IS DISTINCT FROM excluded.imported OR analyses.due IS NULL
"""
_RAISE = """
UPDATE analyses SET bound = %s, findings = %s WHERE game = %s AND imported IS NOT DISTINCT FROM %s
AND due IS NOT NULL AND attempts = 0
"""
_FIND = """
SELECT bound, due, findings, expected, report FROM analyses WHERE game = %s AND imported IS NOT DISTINCT FROM %s
"""
_REPORTS = "SELECT game, report FROM analyses WHERE game = ANY(%s) AND imported IS NULL AND report IS NOT NULL"
_LEASE = """
WITH taken AS (
    SELECT game FROM analyses AS waiting WHERE due <= %s ORDER BY (
        SELECT count(*) FROM analyses AS earlier WHERE earlier.due IS NOT NULL
        AND earlier.player IS NOT DISTINCT FROM waiting.player AND earlier.asked_at < waiting.asked_at
    ), asked_at LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED
)
UPDATE analyses SET due = %s, attempts = attempts + 1 FROM taken WHERE analyses.game = taken.game
RETURNING analyses.game, version, imported, bound, attempts, findings
"""
_OURS = "WHERE game = %s AND attempts = %s AND due IS NOT NULL"
_RENEW = f"UPDATE analyses SET due = %s {_OURS}"
_NOTE = f"UPDATE analyses SET due = %s, findings = %s, expected = %s {_OURS}"
_KEEP = f"UPDATE analyses SET due = NULL, player = NULL, report = %s, mined = false {_OURS}"
_GIVE_BACK = f"UPDATE analyses SET due = %s, attempts = attempts - %s {_OURS}"
_SETTLE = f"UPDATE analyses SET due = NULL, player = NULL {_OURS} AND report IS NOT NULL"
_DROP = f"DELETE FROM analyses {_OURS}"
_log = structlog.get_logger("analysis")
Status = Literal["queued", "running", "done"]


class StoredAnalysis(NamedTuple):
    """An analysis in its present state. `notes`: the verdicts so far; `report`: None until it is done, or the earlier
    one where it is done again."""

    bound: int
    status: Status
    notes: tuple[Note, ...]
    expected: int
    report: Report | None


class Lease(NamedTuple):
    """An analysis that this worker alone goes on with until the lease ends."""

    ref: GameRef
    bound: int
    attempts: int
    notes: tuple[Note, ...]

    def update(self, connection: Connection[Any], statement: str, *values: Any) -> bool:
        """Execute this statement if the lease is still ours; whether it was."""
        return connection.execute(statement.encode(), (*values, self.ref.game, self.attempts)).rowcount > 0

    def give_back(self, connection: Connection[Any], *, tried: bool) -> None:
        """Let another worker take it up at once; `tried`: this counts as an attempt."""
        self.update(connection, _GIVE_BACK, now(), 0 if tried else 1)


async def ask(
    store: EventStore, ref: GameRef, bound: int, most: int, player: UUID | None, companions: Sequence[Companion] = ()
) -> StoredAnalysis:
    """The analysis of this game, put in the queue if need be, or again if there is more to find.

    Raises Refused where `most`, or the player's share, wait, or it runs with a smaller bound; Illegal for a bound that
    is larger by too little. `companions`: stored with it, at once and behind it, even if it is there already.
    """
    stored = await find(store, ref)
    if stored is None or _is_worth_more(stored, bound):
        notes, at, next_bound = () if stored is None else stored.notes, now(), bound
        if stored is not None and not _is_larger(bound, stored.bound):
            next_bound = stored.bound
        else:  # decided verdicts stay
            notes = tuple(note for note in notes if not isinstance(note, Found) or note.verdict != "open")
        text, bounds = msgspec.json.encode(notes), (player, most, max(most // _SHARE, _LEAST))
        asking = Companion(_ASK, (ref.game, ref.version, ref.imported, next_bound, at, at, text, *bounds))
        if stored is not None and stored.status != "done":
            asking = Companion(_RAISE, (next_bound, text, ref.game, ref.imported))
        await store.append([], [asking, *companions])
        stored = await find(store, ref)
        if stored is None or stored.status == "done" or bound > _positions(stored.bound):
            raise Refused("busy", _BUSY)
    elif companions:
        await store.append([], companions)
    return stored


def _is_worth_more(stored: StoredAnalysis, bound: int) -> bool:
    """Whether this bound may find more: any bound in an incomplete report, a larger one where verdicts are open.

    Raises Illegal for a bound that is named and larger by too little.
    """
    report, is_done = stored.report, stored.status == "done"
    is_complete = report is not None and report.complete
    has_open = isinstance(report, PatienceReport) and any(verdict.verdict == "open" for verdict in report.asked)
    if is_done and is_complete and not has_open:
        return False
    if bound > _positions(stored.bound) and not _is_larger(bound, stored.bound):
        raise Illegal("bound_not_doubled", "What is open is looked at again with a bound at least twice as large.")
    return _is_larger(bound, stored.bound) or (is_done and not is_complete)


def _is_larger(bound: int, than: int) -> bool:
    """Whether it is at least twice as large, or the largest there is."""
    return _positions(than) < _positions(bound) >= min(2 * _positions(than), MOST)


def _positions(bound: int) -> int:
    return bound or _USUAL


async def find(store: EventStore, ref: GameRef) -> StoredAnalysis | None:
    """The analysis of this game, if there is one."""
    rows = await store.query(_FIND, (ref.game, ref.imported))
    if not rows:
        return None
    bound, due, notes, expected, text = rows[0]
    report = None if text is None else msgspec.json.decode(text, type=Report)
    status: Status = "done" if due is None else "running" if due > now() else "queued"
    return StoredAnalysis(bound, status, _decode_notes(notes), expected, report)


async def reports_of(store: EventStore, games: Sequence[UUID]) -> dict[UUID, Report]:
    """The reports that there are on these games, which were played here."""
    rows = await store.query(_REPORTS, (list(games),))
    return {UUID(str(game)): msgspec.json.decode(report, type=Report) for game, report in rows}


def lease(connection: Connection[Any]) -> Lease | None:
    """Lease the next analysis, one of each asker in turn and their oldest first; None: none is due."""
    at = now()
    row = connection.execute(_LEASE, (at, at + LEASE)).fetchone()
    if row is None:
        return None
    game, version, imported, bound, attempts, notes = row
    ref = GameRef(UUID(str(game)), version, None if imported is None else bytes(imported))
    return Lease(ref, bound, attempts, _decode_notes(notes))


def _decode_notes(text: bytes) -> tuple[Note, ...]:
    return msgspec.json.decode(text, type=tuple[Note, ...])


def run_next(thread: SearchThread, connection: Connection[Any]) -> bool:
    """Analyse the game that is due next; False: none is."""
    if (leased := lease(connection)) is None:
        return False
    is_search, notes, renewed = leased.attempts <= _TRIES, list(leased.notes), monotonic()
    job: Job = analyse, (thread.conninfo, thread.settings, leased.ref, leased.bound, leased.notes, is_search), {}
    for value in thread.notes_of(connection, job):
        if isinstance(value, bytes):
            leased.update(connection, _KEEP, value)
            return True
        if value is not None:
            note, expected = value
            notes.append(note)
            leased.update(connection, _NOTE, now() + LEASE, msgspec.json.encode(notes), expected)
        if monotonic() - renewed > _RENEW_EVERY:
            renewed = monotonic()
            if not leased.update(connection, _RENEW, now() + LEASE):
                break
    if thread.is_stopping or is_search:
        leased.give_back(connection, tried=not thread.is_stopping)
    else:  # the game cannot be read
        _log.warning("no analysis", game=str(leased.ref.game))
        leased.update(connection, _SETTLE)
        leased.update(connection, _DROP)
    return True


ANALYSES = Search("analyses", niceness=10, run=run_next)
