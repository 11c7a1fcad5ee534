"""libpq's pipeline mode on an event loop: a batch of appends is one transaction, sent at once, without a thread.

There is no BEGIN: all statements up to a sync are one transaction, which an error undoes ("Pipeline Mode" in the manual
of PostgreSQL's libpq). All events of a batch are one statement, companions with `many` one per table, other companions
one each. The driver's adapters cost more than the statement, so parameters are encoded here (formats: "Frontend/Backend
Protocol" and "Arrays" in the manual); a value that cannot be encoded raises one of UNFIT.
"""

import asyncio
import re
import select
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, reduce
from struct import error, pack, unpack
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection, OperationalError
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, Format
from psycopg.pq.abc import PGresult

from service.event_store.writing.rows import CHANNEL, WRITE, Append, Companion

_NO_SUCH_STATEMENT = b"26000"


UNFIT = (TypeError, ValueError, error)
"""Errors for a value that cannot be encoded: unknown kind, too large, or a text with a NUL."""
INT4, TEXT, BYTEA, UUID_ = 23, 25, 17, 2950


# Other statements follow at once, so this one must fail if the epoch moved on: it divides by 0.
_CHECKED = "(SELECT coalesce(max(head), 0) / count(*) AS head FROM taken) AS checked"
_PLACEHOLDERS = {
    "%(count)s": "$1::bigint", "%(epoch)s": "$2::bigint", "%(streams)b": "$3", "%(versions)b": "$4",
    "%(topics)b": "$5", "%(states)b": "$6", "SELECT head FROM taken":
    f"SELECT head, pg_notify('{CHANNEL}', head::text) FROM {_CHECKED}",
}  # fmt: skip
_PIPELINED = reduce(lambda sql, name: sql.replace(name, _PLACEHOLDERS[name]), _PLACEHOLDERS, WRITE).encode()


class NotPipelined(Exception):
    """A statement was refused, and nothing of its transaction is stored."""


class Statement(NamedTuple):
    """SQL with `$1`, `$2`, and its parameters in the given format."""

    sql: bytes
    params: Sequence[bytes | None]
    format: Format = Format.TEXT


class Pipeline:
    """The pipeline of one connection, used by one batch at a time; statements are prepared once."""

    def __init__(self, connection: Connection[Any]) -> None:
        self.connection = connection
        self._pgconn = connection.pgconn
        self._prepared: dict[bytes, bytes] = {}
        self._names = 0
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[None]
        self._watched_socket: int | None = None
        self._results: list[PGresult] = []

    async def commit(self, statements: Sequence[Statement]) -> int:
        """Commit these statements; the number that the first one returns.

        Raises NotPipelined, or psycopg's OperationalError where the outcome is unknown.
        """
        self._results, self._done = [], self._loop.create_future()
        self._pgconn.enter_pipeline_mode()
        fresh = []
        for sql, params, format in statements:
            if (name := self._prepared.get(sql)) is None:
                fresh.append(sql)
                self._names += 1
                name = self._prepared[sql] = b"kibitz_%d" % self._names
                self._pgconn.send_prepare(name, sql)
            self._pgconn.send_query_prepared(name, params, [format] * len(params), Format.BINARY)
        self._pgconn.pipeline_sync()
        await self._wait_for_results()
        self._pgconn.exit_pipeline_mode()
        rows = []
        for result in self._results:
            if result.status == ExecStatus.FATAL_ERROR:
                # The new statements may not have been prepared; if the server misses one, all are forgotten.
                if any(each.error_field(DiagnosticField.SQLSTATE) == _NO_SUCH_STATEMENT for each in self._results):
                    self._prepared.clear()
                for sql in fresh:
                    self._prepared.pop(sql, None)
                raise NotPipelined
            if result.status == ExecStatus.TUPLES_OK:
                rows.append(result)
        return int(unpack("!q", rows[0].get_value(0, 0) or b"")[0])

    async def _wait_for_results(self) -> None:
        self._watched_socket = socket = self._pgconn.socket
        self._loop.add_reader(socket, self._read)
        try:
            if self._pgconn.flush():
                self._loop.add_writer(socket, self._flush)
            await self._done
        finally:
            self._stop_watching()

    def _stop_watching(self) -> None:
        """Stop at once: libpq has closed a lost connection's socket, and a new one may have its number."""
        if (socket := self._watched_socket) is not None:
            self._watched_socket = None
            self._loop.remove_reader(socket)
            self._loop.remove_writer(socket)

    def _flush(self) -> None:
        try:
            if not self._pgconn.flush():
                self._loop.remove_writer(self._pgconn.socket)
        except OperationalError as error:
            self._fail(error)

    def _read(self) -> None:
        try:
            self._take()
            while not self._done.done() and self._has_hung_up():
                self._take()
        except OperationalError as error:
            self._fail(error)

    def _take(self) -> None:
        """Take the results that have arrived; None comes between two statements, and a sync after the last."""
        self._pgconn.consume_input()
        while not self._done.done() and not self._pgconn.is_busy():
            result = self._pgconn.get_result()
            if self._pgconn.status == ConnStatus.BAD:
                self._fail(OperationalError("the connection is lost"))
            elif result is not None and result.status == ExecStatus.PIPELINE_SYNC:
                self._done.set_result(None)
            elif result is not None:
                self._results.append(result)

    def _has_hung_up(self) -> bool:
        """Whether the server has hung up: libuv signals that only once, though there may be more to read."""
        poll = select.poll()
        poll.register(self._pgconn.socket, 0)  # POLLERR and POLLHUP are always reported
        return bool(poll.poll(0))

    def _fail(self, error: OperationalError) -> None:
        """Fail with the server's last error message, if there is one, instead of the lost connection."""
        self._stop_watching()
        with suppress(OperationalError):
            while not self._pgconn.is_busy() and (result := self._pgconn.get_result()) is not None:
                self._results.append(result)
        messages = [result.get_error_message() for result in self._results if result.status == ExecStatus.FATAL_ERROR]
        if not self._done.done():
            self._done.set_exception(OperationalError(messages[0]) if messages else error)


def statements(epoch: int, appends: Sequence[Append]) -> list[Statement]:
    """The statements that store these appends, all or nothing; raises one of UNFIT for a bad value."""
    statements = [_insert_events(epoch, appends)]
    together: dict[str, list[Companion]] = {}
    for append in appends:
        for companion in append.companions:
            if companion.many:
                together.setdefault(companion.many, []).append(companion)
            else:
                statements.append(Statement(_numbered_sql(companion.sql), [_text(value) for value in companion.params]))
    for sql, alike in together.items():
        columns = zip(*(companion.params for companion in alike), strict=True)
        statements.append(Statement(sql.encode(), [_text(column) for column in columns]))
    return statements


def _insert_events(epoch: int, appends: Sequence[Append]) -> Statement:
    streams, versions, topics, states = [], [], [], []
    for append in appends:
        for row in append.rows:
            streams.append(row.stream.bytes)
            versions.append(pack("!i", row.version))
            topics.append(row.topic.encode())
            states.append(row.state)
    count = pack("!q", len(states))
    columns = [_array(UUID_, streams), _array(INT4, versions), _array(TEXT, topics), _array(BYTEA, states)]
    return Statement(_PIPELINED, [count, pack("!q", epoch), *columns], Format.BINARY)


@cache
def _numbered_sql(sql: str) -> bytes:
    """SQL with the driver's placeholders turned into the server's."""
    number = iter(range(1, 100))
    return re.sub("%s", lambda _: f"${next(number)}", sql).encode()


def _array(element: int, items: Sequence[bytes]) -> bytes:
    """A one-dimensional array without NULLs, in binary: `element` is the type's oid, `items` are in binary."""
    if not items:
        return pack("!iiI", 0, 0, element)
    parts = [pack("!iiIii", 1, 0, element, len(items), 1)]
    for item in items:
        parts += pack("!i", len(item)), item
    return b"".join(parts)


def _text(value: Any) -> bytes | None:
    """One value as text; None is NULL."""
    if value is None:
        return None
    if isinstance(value, bool):
        return b"t" if value else b"f"
    if isinstance(value, int | str | UUID):
        if "\0" in (text := str(value)):  # libpq would cut it there
            raise ValueError("a text with a NUL")
        return text.encode()
    if isinstance(value, bytes):
        return b"\\x" + value.hex().encode()
    if isinstance(value, list | tuple):
        return b"{" + b",".join(map(_quoted_item, value)) + b"}"
    raise TypeError(f"{type(value).__name__} has no text here")


def _quoted_item(value: Any) -> bytes:
    text = _text(value)
    return b"NULL" if text is None else b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
