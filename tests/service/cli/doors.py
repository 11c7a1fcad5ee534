"""A way to a database that closes by itself: at its n-th connection all of them break off, and none is taken."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from psycopg.conninfo import conninfo_to_dict, make_conninfo

_NAME = ".s.PGSQL.5432"


class Door:
    """The way; it closes at the connection of this number (from 1), and stays closed until it is opened."""

    def __init__(self, conninfo: str, closes_at: int) -> None:
        given = conninfo_to_dict(conninfo)
        self._folder = Path(tempfile.mkdtemp(prefix="kibitz-door-"))
        self._server = f"{given['host']}/.s.PGSQL.{given.get('port') or 5432}"
        self.conninfo = make_conninfo(conninfo, host=str(self._folder), port="5432")
        self.closed = False
        self._left = closes_at
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.start_unix_server(self._connected, self._folder / _NAME)
        asyncio.run_coroutine_threadsafe(listening, self._loop).result()

    def open(self) -> None:
        self.closed = False

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        shutil.rmtree(self._folder)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._left -= 1
        if self._left == 0:
            self.closed = True
            for other in self._open:
                other.transport.abort()
        if self.closed:
            writer.transport.abort()
            return
        inner_reader, inner_writer = await asyncio.open_unix_connection(self._server)
        self._open |= {writer, inner_writer}
        await asyncio.gather(_copy(reader, inner_writer), _copy(inner_reader, writer))
        self._open -= {writer, inner_writer}


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while text := await reader.read(65_536):
            writer.write(text)
            await writer.drain()
    with suppress(OSError, RuntimeError):
        writer.close()


@contextmanager
def door(conninfo: str, closes_at: int) -> Iterator[Door]:
    way = Door(conninfo, closes_at)
    try:
        yield way
    finally:
        way.end()
