"""A process that searches beside the worker gives way to play, alone and as the session that it is."""

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import psutil
import pytest

from service.jobs.process import Start
from service.jobs.searching import Pace, read_notes, search_process
from tests.api.watching import until
from tests.jobs.searching_child import telling


@pytest.mark.parametrize("niceness", [0, 7])
def test_a_search_gives_way_and_so_does_its_whole_session(niceness: int) -> None:
    with search_process("tests", Start(niceness, is_search=True), telling("a task")) as child:
        told = [note for note in read_notes(child, int) if note is not None]
    session = ["nice", str(niceness)] if Path("/proc/self/autogroup").exists() else []
    lowered = min(os.getpriority(os.PRIO_PROCESS, 0) + niceness, 19)
    assert told == [("a task", lowered, session, niceness > 0 and hasattr(os, "SCHED_IDLE"))]


def test_a_search_stands_still_while_the_log_grows_fast_and_has_its_turn() -> None:
    pace, head, still = Pace(0.0, 0, 2), 0, list[bool]()
    for tick in range(1, 1_000):  # ten looks a second
        head += 60 if 10 <= tick < 900 else 40 if tick >= 950 else 0
        still.append(pace.is_paused(tick / 10, head))
    assert not any(still[:9])
    assert sum(still[9:900]) >= 0.98 * 891, "it hardly runs"
    assert [still[9:900].count(False), still[9:309].count(False)] == [still[9:900].count(False), 0]
    assert 4 <= still[9:900].count(False) <= 8, "of thirty seconds a quarter of one"
    assert not any(still[905:]), "400 a second are few for two cores"


def test_a_process_is_stopped_while_the_log_grows_and_goes_on_in_a_lull() -> None:
    heads, busy = count(step=10_000), True
    with search_process("tests", Start(7, is_search=True), telling("wait")) as child:
        told = read_notes(child, lambda: next(heads) if busy else 0)
        process = psutil.Process(child.pid)
        until(lambda: next(told) is None and process.status() == psutil.STATUS_STOPPED)
        busy = False
        until(lambda: next(told) is None and process.status() != psutil.STATUS_STOPPED)


_PARENT = """
from service.jobs.process import Start
from service.jobs.searching import read_notes, search_process
from tests.jobs.searching_child import telling
with search_process("tests", Start(7, is_search=True), telling("wait")) as child:
    notes = read_notes(child, int)
    while next(notes) is None:
        pass
    print(child.pid, flush=True)
    input()
"""


def test_one_that_stands_still_ends_with_its_parent() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", _PARENT], stdin=pipe, stdout=pipe, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        child.send_signal(signal.SIGSTOP)
        parent.kill()
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
