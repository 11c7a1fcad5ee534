"""A connection whose other end takes what is sent to it, or is cut off.

uvicorn stops to send where a client reads too slowly, and then waits for ever: a stream to somebody who never reads
would keep its game, its place and its buffers. A client that is gone without a word is found by the kernel
(`service.cli.listening`).
"""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.settings import Settings


class Heard(HttpToolsProtocol):
    """A connection that is given up when its buffer has been full for `client_silence` seconds on end."""

    settings: ClassVar[Settings]
    _deaf: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The buffer is full."""
        super().pause_writing()
        self._deaf = self.loop.call_later(self.settings.client_silence, self.transport.abort)

    def resume_writing(self) -> None:
        """The other end has taken something."""
        super().resume_writing()
        self._hopeful()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._hopeful()
        super().connection_lost(exc)

    def _hopeful(self) -> None:
        if self._deaf is not None:
            self._deaf.cancel()
            self._deaf = None
