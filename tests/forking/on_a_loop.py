"""What an event loop starts, forked as well: in place of `asyncio.create_subprocess_exec`, for programs of ours."""

import asyncio
import os
from asyncio.streams import FlowControlMixin
from typing import Any

from . import Popen


class _Forked:
    """As much of an `asyncio.subprocess.Process` as the service asks for."""

    def __init__(
        self, process: "Popen", stdin: asyncio.StreamWriter | None, stdout: asyncio.StreamReader | None
    ) -> None:
        self._process, self.stdin, self.stdout = process, stdin, stdout
        self.pid = process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.poll()  # type: ignore[no-any-return]

    def kill(self) -> None:
        self._process.kill()

    async def wait(self) -> int:
        """Its exit code, once it has ended."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        if self.returncode is None:
            watched = os.pidfd_open(self.pid)
            loop.add_reader(watched, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(watched)
                os.close(watched)
        if self.stdin is not None:
            self.stdin.close()
        return self._process.wait()  # type: ignore[no-any-return]


async def create_subprocess_exec(
    *words: Any, stdin: int | None = None, stdout: int | None = None, stderr: int | None = None, **more: Any
) -> Any:
    """A process with pipes to it and from it, where they are asked for."""
    loop = asyncio.get_running_loop()
    process = Popen(words, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, **more)
    writer = reader = None
    if process.stdin is not None:
        transport, protocol = await loop.connect_write_pipe(FlowControlMixin, process.stdin)
        writer = asyncio.StreamWriter(transport, protocol, None, loop)
    if process.stdout is not None:
        reader = asyncio.StreamReader()
        made = asyncio.StreamReaderProtocol(reader)
        await loop.connect_read_pipe(lambda: made, process.stdout)
    return _Forked(process, writer, reader)
