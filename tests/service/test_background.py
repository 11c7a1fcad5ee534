"""Background work outlives whatever it meets, or ends the process loudly; and all of it begins at one place."""

import ast
import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

import service
from service.event_store.errors import StoreUnavailable
from service.event_store.writing.rows import Append, Row
from service.event_store.writing.writer import GroupWriter, WriterConnection
from service.outbox.delivery import _wait_for_any
from service.telemetry import tracing
from service.telemetry.background import EXIT, start_task, start_thread
from tests.service.event_store.made import on_a_loop

SOURCE = Path(service.__file__).parent
BEGINNINGS = {"Thread", "Timer", "create_task", "ensure_future", "TaskGroup", "start_new_thread"}
PLACES = {"telemetry/background.py": "the place"}
AWAITED = {
    "cli/bot.py": "the command waits for the bot itself",
    "outbox/delivery.py": "its own loop awaits deliveries and challenges, also when it stops",
    "cluster/forwarding.py": "the forwarded request waits for its answer, unless the other process is gone",
    "house/client.py": "a bot waits for each table's result, and ends with what that raised; it imports no service",
    "api/play/line.py": "the line waits for its commands, ends its subscriptions, and logs what they raise",
    "event_store/connections.py": "who waits for a connection begins another that fails, and gives up in time",
    "jobs/process.py": "the request waits for its job, and is told what that raised",
}


def beginnings(tree: ast.AST) -> Iterator[str]:
    """What in this source begins a thread or a task."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in BEGINNINGS:
                yield name


def test_every_thread_and_every_task_begins_at_one_place() -> None:
    found = {
        str(path.relative_to(SOURCE)): list(beginnings(ast.parse(path.read_text())))
        for path in sorted(SOURCE.rglob("*.py"))
    }
    assert {path for path, begun in found.items() if begun} == {*PLACES, *AWAITED}


def test_the_search_sees_threads_and_tasks() -> None:
    planted = "import threading\nthreading.Thread(target=f).start()\nloop.create_task(f())\nThread(target=f)"
    assert sorted(beginnings(ast.parse(planted))) == ["Thread", "Thread", "create_task"]


class Failing:
    """Work that raises so often, and then is done."""

    def __init__(self, error: Callable[[], BaseException], times: int) -> None:
        self.error, self.times, self.done = error, times, Event()

    def once(self) -> None:
        self.times -= 1
        if self.times >= 0:
            raise self.error()
        self.done.set()

    async def once_in_loop(self) -> None:
        self.once()


ERRORS = pytest.mark.parametrize("error", [RuntimeError, MemoryError, BlockingIOError, AssertionError, RecursionError])


@ERRORS
def test_a_thread_goes_on_after_what_it_has_met(error: Callable[[], BaseException]) -> None:
    work = Failing(error, 3)
    with capture_logs() as lines:
        start_thread(work.once, "planted").join(60)
    assert work.done.is_set()
    assert [line["work"] for line in lines if line["event"] == "background work failed"] == ["planted"] * 3


@ERRORS
@on_a_loop
async def test_a_task_goes_on_after_what_it_has_met(error: Callable[[], BaseException]) -> None:
    work = Failing(error, 3)
    with capture_logs() as lines:
        await start_task(work.once_in_loop, "planted")
    assert work.done.is_set()
    assert [line["work"] for line in lines if line["event"] == "background work failed"] == ["planted"] * 3


@on_a_loop
async def test_a_task_that_is_cancelled_ends() -> None:
    begun = asyncio.Event()

    async def work() -> None:
        begun.set()
        await asyncio.sleep(3600)

    task = start_task(work, "planted")
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


UNFIT = """
import asyncio, time, structlog
from service.telemetry.background import start_task, start_thread

def deaf(*_, **__): raise OSError("no line can be written")
structlog.configure(processors=[deaf])
def fail(): raise ValueError("planted")
async def fail_in_loop(): fail()
async def serve():
    {begun}
    await asyncio.sleep(60)
asyncio.run(serve())
"""


@pytest.mark.parametrize(
    "begun", ["start_thread(fail, 'planted')", "start_task(fail_in_loop, 'planted')", "start_thread(exit, 'planted')"]
)
def test_where_not_even_that_can_be_done_the_process_ends_loudly(begun: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", UNFIT.format(begun=begun)], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == EXIT
    assert "planted cannot go on" in ended.stderr


@on_a_loop
async def test_who_waits_for_the_writer_is_answered_whatever_the_writer_has_met(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("planted")

    writer = GroupWriter(WriterConnection(database), lambda error: None)
    await writer.open()
    try:
        with monkeypatch.context() as patched, capture_logs() as lines:
            patched.setattr(tracing, "batch", broken)
            lost = appended(writer)
            with pytest.raises(StoreUnavailable):
                await asyncio.wait_for(lost, 60)
            behind = appended(writer)  # it has queued while the writer stands still
            with pytest.raises(StoreUnavailable):
                await asyncio.wait_for(behind, 60)
        assert await asyncio.wait_for(appended(writer), 60) > 0
    finally:
        await writer.close()
    assert {line["work"] for line in lines} == {"event-store-writer"}


def appended(writer: GroupWriter) -> "asyncio.Future[int]":
    waiter: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    writer.submit(Append((Row(uuid4(), 1, "planted", b"{}"),), ()), waiter)
    return waiter


@pytest.mark.parametrize("number", range(3))
@on_a_loop
async def test_deliveries_wait_no_longer_than_for_a_change_an_end_or_a_stop(number: int) -> None:
    events = changed, done, stopping = asyncio.Event(), asyncio.Event(), Event()
    waiting = asyncio.create_task(_wait_for_any(3600.0, changed, done, stopping))
    await asyncio.sleep(0)
    assert not waiting.done()
    events[number].set()
    await asyncio.wait_for(waiting, 60)
