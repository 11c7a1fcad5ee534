"""A receiver of webhooks in a process of its own, which may be killed and started again at its port."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

_CHALLENGE = "webhook.verification"
_PROGRAM = Path(__file__).with_name("receiver.py")


class Receiver:
    """A running receiver, and what it has received in all its lives; `certificate`: it speaks TLS, as `localhost`."""

    def __init__(self, folder: Path, certificate: Path | None = None, host: str = "127.0.0.1", port: int = 0) -> None:
        self._host, self.port = host, port
        self._certificate = [] if certificate is None else [str(certificate)]
        self._file = folder / "received"
        self._file.touch()
        self.start()

    def start(self) -> None:
        """Start it at the port that it had."""
        self._process = subprocess.Popen(
            [sys.executable, str(_PROGRAM), str(self.port), str(self._file), self._host, *self._certificate],
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    def kill(self) -> None:
        """Kill it in the middle of whatever it does."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def url(self, wish: str) -> str:
        """Where it answers so."""
        return (
            f"https://localhost:{self.port}/{wish}" if self._certificate else f"http://{self._host}:{self.port}/{wish}"
        )

    def received(self, wish: str = "") -> list[Any]:
        """The events that came, in order; at this path, if one is named."""
        return [entry for entry in self._entries(wish) if _CHALLENGE not in entry.get("body", "")]

    def challenges(self, wish: str = "") -> list[Any]:
        """The challenges that came."""
        return [entry for entry in self._entries(wish) if _CHALLENGE in entry.get("body", "")]

    def _entries(self, wish: str) -> list[Any]:
        entries = [json.loads(line) for line in self._file.read_text().splitlines() if line.endswith("}")]
        return [entry for entry in entries if entry["path"] == f"/{wish}" or not wish]
