"""Background work: every thread and task of the service starts here, and none of them ends unnoticed.

Work that raises is logged and, after a pause, called again, so it must be able to start again. If even that fails the
process ends at once, with a line on stderr and an exit code; its supervisor starts another.
"""

import asyncio
import os
import traceback
from collections.abc import Callable, Coroutine, Iterator
from itertools import chain, repeat
from threading import Thread
from time import sleep
from typing import Any, NoReturn

import structlog

EXIT = 70
"""Exit code of a process whose background work cannot go on: EX_SOFTWARE of sysexits.h."""
_PAUSES = (0.1, 0.2, 0.5, 1.0)  # seconds after the first, second, ... failure
_LONGEST = 2.0
_log = structlog.get_logger("background")


def start_thread(work: Callable[[], object], name: str) -> Thread:
    """A daemon thread that works until `work` returns; raises RuntimeError where the system has no thread for it."""
    thread = Thread(target=_run_thread, args=(work, name), name=name, daemon=True)
    thread.start()
    return thread


def start_task(work: Callable[[], Coroutine[Any, Any, None]], name: str) -> asyncio.Task[None]:
    """A task of the running loop that works until `work` returns or the task is cancelled."""
    return asyncio.get_running_loop().create_task(_run_task(work, name), name=name)


def _run_thread(work: Callable[[], object], name: str) -> None:
    try:
        for pause in _pauses():
            try:
                work()
            except Exception as error:  # noqa: BLE001  nobody waits for a thread: it must go on after any error
                _log_failure(name, error, pause)
            else:
                return
            sleep(pause)
    except BaseException:  # noqa: BLE001
        end_process(f"{traceback.format_exc()}{name} cannot go on")


async def _run_task(work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
    try:
        for pause in _pauses():
            try:
                await work()
            except Exception as error:  # noqa: BLE001  nobody waits for a task either
                _log_failure(name, error, pause)
            else:
                return
            await asyncio.sleep(pause)
    except Exception:  # noqa: BLE001  cancellation and signals pass
        end_process(f"{traceback.format_exc()}{name} cannot go on")


def _log_failure(name: str, error: Exception, pause: float) -> None:
    _log.error("background work failed", work=name, again_in_seconds=pause, exc_info=error)


def _pauses() -> Iterator[float]:
    return chain(_PAUSES, repeat(_LONGEST))


def end_process(reason: str) -> NoReturn:
    """End the process at once, with this line on stderr: its supervisor starts another."""
    os.write(2, f"kibitz: {reason}, and the process ends.\n".encode())
    os._exit(EXIT)
