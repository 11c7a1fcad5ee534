"""How many of our modules and functions one warm request passes: `python -m tests.house.warm_calls`.

The service runs in this process over a private PostgreSQL, a client of plain HTTP speaks to it from a thread, and
`sys.setprofile` counts the calls of functions whose file lies in `domain`, `projections` or `service` from the first
byte of the request to the last of the answer, those of the group writer among them. A coroutine that goes on after it
has waited is not counted again. A module is entered whenever a function of it is called by one of another module of
ours.
"""

import asyncio
import gc
import http.client
import json
import os
import shutil
import socket
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from service.app import create_app
from service.cli.server import Server, configuration
from service.event_store.schema import migrate
from service.postgres import private_server
from service.settings import Settings
from service.telemetry import logs

ROOT = str(Path(__file__).parents[2]) + os.sep
_TIMES = 20
"""Requests of which the one with the fewest calls counts: on a busy machine the loop has other work at some."""
OURS = tuple(ROOT + room + os.sep for room in ("domain", "projections", "service"))


class Trace:
    """What was called, and who called whom, while it was listening; `garbage`: objects that such a request left."""

    garbage = 0

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.entries: Counter[str] = Counter()
        self.order: list[str] = []
        self._frames: set[FrameType] = set()

    def begin(self) -> None:
        """Know the coroutines that wait already, in the tasks of the running loop."""
        for task in asyncio.all_tasks():
            waiting: Any = task.get_coro()
            while waiting is not None:
                if (frame := getattr(waiting, "cr_frame", None)) is not None:
                    self._frames.add(frame)
                waiting = getattr(waiting, "cr_await", None)
        sys.setprofile(self.note)

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """A profile function: one event of the interpreter."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(OURS) or frame in self._frames:
            return
        self._frames.add(frame)  # kept, so that no other can be taken for it
        module = code.co_filename.removeprefix(ROOT).removesuffix(".py").replace(os.sep, ".")
        name = f"{module}:{code.co_qualname}"
        self.calls[name] += 1
        self.order.append(name)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(OURS):
            caller = caller.f_back
        if caller is None or caller.f_code.co_filename != code.co_filename:
            self.entries[module] += 1

    @property
    def modules(self) -> set[str]:
        """The modules that were passed."""
        return {name.partition(":")[0] for name in self.calls}


def measure() -> dict[str, Trace]:
    """The traces of a warm command with If-Match, a look and a frame."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-run-"))
    fast = {"fsync": "off", "synchronous_commit": "off"}
    try:
        with private_server(folder, fast) as postgres:
            conninfo = postgres.create_database("house")
            migrate(conninfo)
            return _served(conninfo, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _served(conninfo: str, folder: Path) -> dict[str, Trace]:
    settings = Settings(run_worker=False, data_folder=folder / "data")
    logs.configure("error", "json")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    found: dict[str, Trace] = {}
    server = Server(configuration(create_app(settings, conninfo), settings), lambda: client.start())

    def speak() -> None:
        try:
            found.update(_traces(port, server))
        finally:
            server.should_exit = True

    client = threading.Thread(target=speak)
    server.run(sockets=[listener])
    client.join()
    return found


def _traces(port: int, server: Server) -> dict[str, Trace]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers: dict[str, str] = {"Content-Type": "application/json"}

    def ask(method: str, path: str, body: Any = None, **more: str) -> Any:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, headers | more)
        answer = connection.getresponse()
        told = json.loads(answer.read())
        assert answer.status < 300, told
        return told

    headers["Authorization"] = "Bearer " + ask("POST", "/v1/players", {"name": "house"})["token"]["secret"]
    game = ask("POST", "/v1/games", {"game_type": "klondike", "seed": "a house", "options": {"draw": 1}})
    path, version = f"/v1/games/{game['id']}", game["version"]
    asked = {
        "command": ("POST", f"{path}/commands", {"type": "klondike/draw"}),
        "look": ("GET", path, None),
        "frame": ("GET", f"{path}/frames/3", None),
    }
    loop = server.servers[0].get_loop()
    found = {}
    for name, (method, where, body) in asked.items():
        garbage, traces = list[int](), list[Trace]()
        for _ in range(3):
            more = {"If-Match": f'"{version}"'} if body else {}
            _run_in_loop(loop, gc.disable)
            told = ask(method, where, body, **more)
            garbage.append(_run_in_loop(loop, gc.enable))
            version = told["version"] if body else version
        for _ in range(_TIMES):
            traces.append(Trace())
            _run_in_loop(loop, traces[-1].begin)
            told = ask(method, where, body, **({"If-Match": f'"{version}"'} if body else {}))
            _run_in_loop(loop, partial(sys.setprofile, None))
            version = told["version"] if body else version
        found[name] = min(traces, key=lambda trace: trace.calls.total())
        found[name].garbage = min(garbage)
    connection.close()
    return found


def _run_in_loop(loop: Any, work: Callable[[], object]) -> int:
    """Run this in the loop's thread, and wait for it; how much garbage was there before."""
    garbage: Future[int] = Future()

    def run() -> None:
        found = gc.collect()
        work()
        garbage.set_result(found)

    loop.call_soon_threadsafe(run)
    return garbage.result()


def main() -> None:
    """The figures, and with `-v` every call in its order."""
    for name, trace in measure().items():
        most = trace.entries.most_common(3)
        print(f"{name}: {len(trace.modules)} modules, {sum(trace.calls.values())} calls; entered most: {most}")
        if "-v" in sys.argv:
            print("\n".join(trace.order))
            print(trace.entries.most_common(70))


if __name__ == "__main__":
    main()
