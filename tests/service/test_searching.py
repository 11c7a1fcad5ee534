"""A process that searches beside the worker gives way to play, alone and as the session that it is."""

import os
from pathlib import Path

import pytest

from service.workers.searching import read_lines, started


@pytest.mark.parametrize("niceness", [0, 7])
def test_a_search_gives_way_and_so_does_its_whole_session(niceness: int) -> None:
    with started("tests.service.searching_child", "a task", niceness) as child:
        told = [one for one in read_lines(child, tuple[str, int, list[str], bool]) if one is not None]
    session = ["nice", str(niceness)] if Path("/proc/self/autogroup").exists() else []
    assert told == [("a task", niceness, session, niceness > 0 and hasattr(os, "SCHED_IDLE"))]
