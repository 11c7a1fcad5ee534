"""The queue of analyses in PostgreSQL: asking, leasing, noting progress, keeping the answer; what its process is told
and writes."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg import Connection

from domain.game_type import Illegal
from domain.record import SECOND, Micros
from service.analysis.kinds import Found, Note, Report
from service.analysis.report import PatienceReport
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live.heavy import GameRef
from service.problems import Refused
from service.settings import Settings

LEASE: Micros = 30 * SECOND
"""Renewed every few seconds while the search goes on; after it another worker goes on with it."""

_SHARE, _LEAST = 10, 2
"""Whoever asks has a tenth of the queue, two places at least; all who are not signed in have one share."""

_USUAL = 2_000_000
"""What a bound of 0, the game's own, is held to be beside another: the least of the games'."""
MOST = 50_000_000
"""The largest bound."""
_BUSY = "Many games wait for their analysis, or many of yours, or this one with a smaller bound; ask again later."

# What is asked for again keeps its report until there is another; a full queue takes nothing.
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


Status = Literal["queued", "running", "done"]


class Asked(NamedTuple):
    """An analysis as it stands. `report` is None until it is done, or the one before where it was asked for again;
    `found`: the verdicts so far."""

    bound: int
    status: Status
    found: tuple[Note, ...]
    expected: int
    report: Report | None


class Leased(NamedTuple):
    """An analysis that is ours until its lease ends."""

    ref: GameRef
    bound: int
    attempts: int
    found: tuple[Note, ...]


class Task(NamedTuple):
    """What the process of one analysis is told. Without `search` it answers with what was found before."""

    conninfo: str
    settings: Settings
    ref: GameRef
    bound: int
    found: Sequence[Note]
    search: bool


class Line(Struct, frozen=True, omit_defaults=True):
    """What it writes: what was found with about how much there will be, or the answer."""

    expected: int = 0
    found: Note | None = None
    report: Report | None = None


async def ask(
    store: EventStore, ref: GameRef, bound: int, most: int, player: UUID | None, beside: Sequence[Companion] = ()
) -> Asked:
    """The analysis of this game, asked for if need be, or again if there is more to find.

    Raises Refused where `most`, or the player's share, wait, or it is looked at with a smaller bound; Illegal for a
    bound that is larger by too little. `beside`: what is stored with it, at once and behind it, even so it is kept.
    """
    kept = await find(store, ref)
    if kept is None or _is_worth_more(kept, bound):
        found, wanted, at = () if kept is None else kept.found, bound, now()
        if kept is not None and not _is_larger(bound, kept.bound):
            wanted = kept.bound
        else:  # what was decided stays so
            found = tuple(one for one in found if not isinstance(one, Found) or one.verdict != "open")
        notes, bounds = msgspec.json.encode(found), (player, most, max(most // _SHARE, _LEAST))
        asking = Companion(_ASK, (ref.game, ref.version, ref.imported, wanted, at, at, notes, *bounds))
        if kept is not None and kept.status != "done":
            asking = Companion(_RAISE, (wanted, notes, ref.game, ref.imported))
        await store.append([], [asking, *beside])
        kept = await find(store, ref)
        if kept is None or kept.status == "done" or bound > _positions(kept.bound):
            raise Refused("busy", _BUSY)
    elif beside:
        await store.append([], beside)
    return kept


def _is_worth_more(kept: Asked, bound: int) -> bool:
    """Whether more may be found with this bound: in an incomplete report with any, of what is open with a larger one;
    raises Illegal for one that is named and larger by too little."""
    report, done = kept.report, kept.status == "done"
    complete = report is not None and report.complete
    if (
        done
        and complete
        and not (isinstance(report, PatienceReport) and any(a.verdict == "open" for a in report.asked))
    ):
        return False
    if bound > _positions(kept.bound) and not _is_larger(bound, kept.bound):
        raise Illegal("bound_not_doubled", "What is open is looked at again with a bound at least twice as large.")
    return _is_larger(bound, kept.bound) or (done and not complete)


def _is_larger(bound: int, than: int) -> bool:
    """Whether it is at least twice as large, or the largest there is."""
    return _positions(than) < _positions(bound) >= min(2 * _positions(than), MOST)


def _positions(bound: int) -> int:
    return bound or _USUAL


async def find(store: EventStore, ref: GameRef) -> Asked | None:
    """The analysis of this game; None: nobody has asked."""
    rows = await store.query(_FIND, (ref.game, ref.imported))
    if not rows:
        return None
    bound, due, found, expected, report = rows[0]
    told = None if report is None else msgspec.json.decode(report, type=Report)
    status: Status = "done" if due is None else "running" if due > now() else "queued"
    return Asked(bound, status, _decode_found(found), expected, told)


async def reports_of(store: EventStore, games: Sequence[UUID]) -> dict[UUID, Report]:
    """The answers that there are of these games, which were played here."""
    rows = await store.query(_REPORTS, (list(games),))
    return {UUID(str(game)): msgspec.json.decode(report, type=Report) for game, report in rows}


def lease(connection: Connection[Any]) -> Leased | None:
    """The next one, one of each who asked in turn and their oldest first; None: nothing is due."""
    at = now()
    row = connection.execute(_LEASE, (at, at + LEASE)).fetchone()
    if row is None:
        return None
    game, version, imported, bound, attempts, found = row
    ref = GameRef(UUID(str(game)), version, None if imported is None else bytes(imported))
    return Leased(ref, bound, attempts, _decode_found(found))


def renew(connection: Connection[Any], leased: Leased) -> bool:
    """Whether the lease is still ours, and goes on."""
    return connection.execute(_RENEW, (now() + LEASE, *_key(leased))).rowcount > 0


def note(connection: Connection[Any], leased: Leased, found: Sequence[Note], expected: int) -> None:
    """Note the verdicts so far."""
    connection.execute(_NOTE, (now() + LEASE, msgspec.json.encode(found), expected, *_key(leased)))


def keep(connection: Connection[Any], leased: Leased, report: bytes) -> None:
    """Keep the answer: it is done."""
    connection.execute(_KEEP, (report, *_key(leased)))


def give_back(connection: Connection[Any], leased: Leased, *, tried: bool) -> None:
    """Let another worker take it up at once; `tried`: this counts as an attempt."""
    connection.execute(_GIVE_BACK, (now(), 0 if tried else 1, *_key(leased)))


def drop(connection: Connection[Any], leased: Leased) -> None:
    """Forget that it was asked for: the game cannot be read."""
    connection.execute(_SETTLE, _key(leased))
    connection.execute(_DROP, _key(leased))


def _key(leased: Leased) -> tuple[UUID, int]:
    return leased.ref.game, leased.attempts


def _decode_found(text: bytes) -> tuple[Note, ...]:
    return msgspec.json.decode(text, type=tuple[Note, ...])
