"""One of the two servers: its process, its folder of substitutions, its log and its records."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from uuid import UUID

import msgspec
import psycopg

from domain.play.events import Sealed
from service.event_store.codec import Codec, standard_codec
from service.event_store.reading import read_stream
from service.keys.sealing import Seals
from tests import forking

_WORLD = Path(__file__).with_name("world.py")
_ROOT = Path(__file__).parents[3]
_SETTINGS = {
    "puzzles": 0,  # a shipped puzzle's game is the same in both worlds, and what leaks is of the game folded last
    "log_level": "debug", "heartbeat": 3600.0, "rate_limit_per_minute": 1_000_000, "run_worker": False,
    "same_deal_days": False, "keep_alive_seconds": 3600,
}  # fmt: skip


class World:
    """One running server, its folder of substitutions and its log."""

    def __init__(self, conninfo: str, folder: Path) -> None:
        self.conninfo, self.folder = conninfo, folder
        self._log = TemporaryFile()  # noqa: SIM115  lasts as long as the process
        (folder / "twists.json").write_text("{}")
        settings = json.dumps({**_SETTINGS, "signing_keys": str(folder / "keys")})
        command = [sys.executable, str(_WORLD), settings, conninfo, str(folder)]
        self.process = forking.Popen(
            command, stdout=subprocess.PIPE, stderr=self._log, cwd=_ROOT, env={"PYTHONPATH": str(_ROOT)}
        )
        self._read = 0
        self.port = 0

    def ready(self) -> None:
        """Wait until it answers."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, os.pread(self._log.fileno(), 100_000, 0).decode()
        self.port = int(line)

    def logged(self) -> list[dict[str, Any]]:
        """The lines logged since this was asked before, without the time of day.

        Left out: process and port, and what psycopg says of ending a pipeline, which hangs on when packets come.
        """
        size = os.fstat(self._log.fileno()).st_size
        text = os.pread(self._log.fileno(), size - self._read, self._read)
        self._read = size
        lines = [json.loads(line) for line in text.splitlines()]
        passing = (("uvicorn.error", "info"), ("psycopg", "warning"))
        compared = [line for line in lines if (line["logger"], line["level"]) not in passing]
        return [{name: value for name, value in line.items() if name != "timestamp"} for line in compared]

    def codec(self) -> Codec:
        """What the server seals with."""
        return standard_codec().sealing(Seals(self.folder / "keys").read())

    def events(self, game: UUID) -> list[bytes]:
        """What happened in a game, with all that is hidden."""
        with psycopg.connect(self.conninfo, autocommit=True) as connection:
            events = [record.event for record in read_stream(connection, game, codec=self.codec())]
        return [msgspec.json.encode(event) for event in events if not isinstance(event, Sealed)]

    def end(self) -> None:
        """Stop the server."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()
