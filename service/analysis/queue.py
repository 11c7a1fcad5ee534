"""The queue of analyses in PostgreSQL: asking, leasing, noting progress, keeping the answer; what its process is told
and writes."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Union
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg import Connection

from domain.games import AnyGameType
from domain.record import SECOND, Micros
from service.analysis.kinds import Report
from service.analysis.report import PatienceReport, VerdictSpan
from service.analysis.swings import Swing
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live.heavy import GameRef
from service.problems import Refused
from service.settings import Settings
from service.solving import Finding, Verdict

LEASE: Micros = 30 * SECOND
"""Renewed every few seconds while the search goes on; after it another worker goes on with it."""

_SHARE, _LEAST = 10, 2
"""Whoever asks has a tenth of the queue, two places at least; all who are not signed in have one share."""

_USUAL = 2_000_000
"""What a bound of 0, the game's own, is held to be beside another: the least of the games'."""

# What is asked for again with a larger bound goes on from what was decided, and is looked through for puzzles anew; a
# full queue takes nothing.
_ASK = f"""
INSERT INTO analyses (game, version, imported, bound, asked_at, due, findings, player)
SELECT %s, %s, %s, %s, %s, %s, %s, asks.player FROM (VALUES (%s::uuid)) AS asks (player)
WHERE (SELECT count(*) FROM analyses WHERE due IS NOT NULL) < %s
AND (SELECT count(*) FROM analyses WHERE due IS NOT NULL AND player IS NOT DISTINCT FROM asks.player) < %s
ON CONFLICT (game) DO UPDATE SET version = excluded.version, imported = excluded.imported, bound = excluded.bound,
    asked_at = excluded.asked_at, due = excluded.due, attempts = 0, report = NULL, findings = excluded.findings,
    mined = false, player = excluded.player
WHERE analyses.imported IS DISTINCT FROM excluded.imported
    OR (analyses.due IS NULL AND COALESCE(NULLIF(analyses.bound, 0), {_USUAL}) <
        COALESCE(NULLIF(excluded.bound, 0), {_USUAL}))
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
_KEEP = f"UPDATE analyses SET due = NULL, player = NULL, report = %s {_OURS}"
_GIVE_BACK = f"UPDATE analyses SET due = %s, attempts = attempts - %s {_OURS}"
_DROP = f"DELETE FROM analyses {_OURS}"


class Found(Struct, frozen=True, tag_field="kind", tag="verdict"):
    """A verdict as it is kept: commands as in a record; `spans`: what it and those before it tell of every step."""

    step: int
    verdict: Verdict
    positions: int
    commands: tuple[dict[str, Any], ...]
    spans: tuple[VerdictSpan, ...] = ()


class Judged(Struct, frozen=True, tag_field="kind", tag="swing"):
    """A move that was judged."""

    swing: Swing


Note = Found | Judged
"""What a search has found until now, so that whoever goes on with it need not begin anew."""


class Asked(NamedTuple):
    """An analysis as it stands. `report` is None until it is done; `found`: the verdicts so far."""

    bound: int
    running: bool
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
    """The analysis of this game, asked for if need be; raises Refused where `most`, or the player's share, wait.

    `beside`: what is stored with it, at once and behind it; also where it was asked for before.
    """
    kept = await find(store, ref)
    if kept is None or _is_worth_more(kept, bound):
        at, decided = (
            now(),
            () if kept is None else [one for one in kept.found if isinstance(one, Found) and one.verdict != "open"],
        )
        values = (ref.game, ref.version, ref.imported, bound, at, at, msgspec.json.encode(decided))
        bounds = (player, most, max(most // _SHARE, _LEAST))
        await store.append([], [Companion(_ASK, values + bounds), *beside])
        kept = await find(store, ref)
    elif beside:
        await store.append([], beside)
    if kept is None:
        raise Refused("busy", "Many games wait for their analysis, or some that you asked for; ask again later.")
    return kept


def _is_worth_more(kept: Asked, bound: int) -> bool:
    """Whether this bound may decide what the kept analysis has left open."""
    report, more = kept.report, (bound or _USUAL) > (kept.bound or _USUAL)
    return more and isinstance(report, PatienceReport) and any(one.verdict == "open" for one in report.asked)


async def find(store: EventStore, ref: GameRef) -> Asked | None:
    """The analysis of this game; None: nobody has asked."""
    rows = await store.query(_FIND, (ref.game, ref.imported))
    if not rows:
        return None
    bound, due, found, expected, report = rows[0]
    told = None if report is None else msgspec.json.decode(report, type=Report)
    return Asked(bound, due is not None and due > now(), _decode_found(found), expected, told)


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
    connection.execute(_DROP, _key(leased))


def _key(leased: Leased) -> tuple[UUID, int]:
    return leased.ref.game, leased.attempts


def _decode_found(text: bytes) -> tuple[Note, ...]:
    return msgspec.json.decode(text, type=tuple[Note, ...])


def found_of(step: int, finding: Finding, spans: tuple[VerdictSpan, ...]) -> Found:
    """A finding to be kept."""
    return Found(step, finding.verdict, finding.positions, tuple(map(msgspec.to_builtins, finding.commands)), spans)


def command_type(kind: AnyGameType) -> Any:
    """The type of every command of this game type, to read what is kept as JSON."""
    return Union[kind.commands]  # noqa: UP007  a union made of a tuple


def findings_of(found: Sequence[Note], kind: AnyGameType) -> dict[int, Finding]:
    """The findings that were kept of a game of this type."""
    commands: Any = command_type(kind)
    return {
        one.step: Finding(one.verdict, msgspec.convert(one.commands, tuple[commands, ...]), one.positions)
        for one in found
        if isinstance(one, Found)
    }
