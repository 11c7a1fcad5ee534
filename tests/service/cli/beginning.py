"""Programs that are begun and may take their time, or never come up; a way to their database that closes."""

import asyncio
import json
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import httpx
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests import forking
from tests.waiting import until

from .programs import ROOT, environment

SERVE = ("service.cli", "serve", "--port", "0")


class Begun:
    """A program that was begun in a folder of its own, where its keys lie, and what it has said so far."""

    def __init__(self, where: Path, words: tuple[str, ...], conninfo: str, handed: tuple[int, ...] = ()) -> None:
        where.mkdir(exist_ok=True)
        self._out, self._log = where / "stdout", where / "stderr"
        said = environment(KIBITZ_SIGNING_KEYS=str(where / "keys"), DATABASE_URL=conninfo)
        with open(self._out, "w") as out, open(self._log, "w") as log:
            self.process = forking.Popen(
                [sys.executable, "-m", *words], stdout=out, stderr=log, env=said, pass_fds=handed, cwd=ROOT
            )

    @property
    def log(self) -> str:
        return self._log.read_text()

    @property
    def said(self) -> str:
        return self._out.read_text()

    def comes_up(self) -> str:
        """The first line that it says, once it does."""
        self._until(lambda: "\n" in self.said)
        return self.said.splitlines()[0]

    def waits(self, times: int = 1) -> None:
        """It has told so often that it waits."""
        self._until(lambda: len(self.pauses()) >= times)

    def pauses(self) -> list[float]:
        """For how long, each time; by whichever of its processes."""
        lines = [json.loads(line) for line in self.log.splitlines(keepends=True) if line.endswith("\n")]
        return [line["again_in_seconds"] for line in lines if line["event"] == "the database is away"]

    def _until(self, true: Callable[[], bool]) -> None:
        until(lambda: true() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextmanager
def begun(where: Path, words: tuple[str, ...], conninfo: str, handed: tuple[int, ...] = ()) -> Iterator[Begun]:
    program = Begun(where, words, conninfo, handed)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.end()


def registers(address: str) -> None:
    """The service at this address does what it is there for, at once or when it is asked again: it says when."""
    answer = httpx.post(f"{address}/v1/players", json={"name": "Ada"}, timeout=60)
    if answer.status_code == 503:  # a process has a connection from before its database could be written to
        time.sleep(float(answer.headers["Retry-After"]))
        answer = httpx.post(f"{address}/v1/players", json={"name": "Ada"}, timeout=60)
    answer.raise_for_status()


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
