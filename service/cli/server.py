"""uvicorn as we run it."""

import gc
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

PATIENCE = 10
"""Seconds that a request under way has to end when the service stops; a stream has no end of its own."""


def configuration(app: Any) -> uvicorn.Config:
    """Our logging instead of uvicorn's, which would write every path that is asked for."""
    return uvicorn.Config(
        app, lifespan="on", log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=PATIENCE
    )


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            settle_garbage_collector()
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Streams break off at once, to be resumed elsewhere; other requests are waited for."""
        self.config.app.state.services.room.close()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def settle_garbage_collector() -> None:
    """What is there at start-up stays: it is not looked at again, and the rest less often. A third less p99 at load."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
