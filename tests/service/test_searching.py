"""A process that searches beside the worker gives way to play, alone and as the session that it is."""

from pathlib import Path

from service.workers.searching import read_lines, started


def test_a_search_gives_way_and_so_does_its_whole_session() -> None:
    with started("tests.service.searching_child", "a task", 7) as child:
        told = [one for one in read_lines(child, tuple[str, int, list[str]]) if one is not None]
    session = ["nice", "7"] if Path("/proc/self/autogroup").exists() else []
    assert told == [("a task", 7, session)]
