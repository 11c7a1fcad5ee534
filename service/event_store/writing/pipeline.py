"""libpq's pipeline mode on an event loop: a transaction is sent at once, without a thread.

Without BEGIN: all statements up to a sync are one transaction, which an error undoes ("Pipeline Mode" in the manual of
PostgreSQL's libpq).
"""

import asyncio
import select
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from psycopg import Connection, OperationalError
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, Format
from psycopg.pq.abc import PGresult

_NO_SUCH_STATEMENT = b"26000"


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
        self._landed: asyncio.Future[None]
        self._results: list[PGresult] = []

    async def commit(self, statements: Iterable[Statement]) -> list[PGresult]:
        """Commit these statements; their results. Raises NotPipelined, or psycopg's OperationalError when unknown."""
        self._results, self._landed = [], self._loop.create_future()
        self._pgconn.enter_pipeline_mode()
        fresh = [sql for statement in statements if (sql := self._send(statement)) is not None]
        self._pgconn.pipeline_sync()
        await self._wait_for_results()
        self._pgconn.exit_pipeline_mode()
        if any(result.status == ExecStatus.FATAL_ERROR for result in self._results):
            self._forget(fresh)
            raise NotPipelined
        return [result for result in self._results if result.status == ExecStatus.TUPLES_OK]

    def _forget(self, fresh: Iterable[bytes]) -> None:
        """Forget these: they may not have been prepared. If the server misses one, forget all."""
        if any(result.error_field(DiagnosticField.SQLSTATE) == _NO_SUCH_STATEMENT for result in self._results):
            self._prepared.clear()
        for sql in fresh:
            self._prepared.pop(sql, None)

    def _send(self, statement: Statement) -> bytes | None:
        """Send one statement; its SQL, if it is prepared for the first time."""
        name, fresh = self._prepared.get(statement.sql), None
        if name is None:
            self._names += 1
            name = self._prepared[statement.sql] = b"kibitz_%d" % self._names
            self._pgconn.send_prepare(name, statement.sql)
            fresh = statement.sql
        formats = [statement.format] * len(statement.params)
        self._pgconn.send_query_prepared(name, statement.params, formats, Format.BINARY)
        return fresh

    async def _wait_for_results(self) -> None:
        socket = self._pgconn.socket
        self._loop.add_reader(socket, self._read)
        try:
            if self._pgconn.flush():
                self._loop.add_writer(socket, self._flush)
            await self._landed
        finally:
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
            while not self._landed.done() and self._has_hung_up():
                self._take()
        except OperationalError as error:
            self._fail(error)

    def _take(self) -> None:
        self._pgconn.consume_input()
        while not self._landed.done() and not self._pgconn.is_busy():
            self._take_result(self._pgconn.get_result())

    def _has_hung_up(self) -> bool:
        """Whether the server has hung up: libuv signals that only once, though there may be more to read."""
        if not hasattr(select, "poll"):  # Windows, where no libuv is
            return False
        looking = select.poll()
        looking.register(self._pgconn.socket, 0)  # POLLERR and POLLHUP are told unasked
        return bool(looking.poll(0))

    def _take_result(self, result: PGresult | None) -> None:
        """Take a result; None comes between two statements, and a sync after the last."""
        if self._pgconn.status == ConnStatus.BAD:
            self._fail(OperationalError("the connection is lost"))
        elif result is not None and result.status == ExecStatus.PIPELINE_SYNC:
            self._landed.set_result(None)
        elif result is not None:
            self._results.append(result)

    def _fail(self, error: OperationalError) -> None:
        """Fail with the server's last error message, if there is one, instead of the lost connection."""
        with suppress(OperationalError):
            while not self._pgconn.is_busy() and (result := self._pgconn.get_result()) is not None:
                self._results.append(result)
        words = [result.get_error_message() for result in self._results if result.status == ExecStatus.FATAL_ERROR]
        if not self._landed.done():
            self._landed.set_exception(OperationalError(words[0]) if words else error)
