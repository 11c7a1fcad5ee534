"""Connections are files: the service asks for as many as it may have, and promises no more than it gets."""

import resource
import subprocess
import sys

SAYS = (
    "from service.connections.files import room; import resource as r; print(room(8000), *r.getrlimit(r.RLIMIT_NOFILE))"
)


def said(soft: int, hard: int) -> list[int]:
    """What a process with these limits says."""
    done = subprocess.run(
        [sys.executable, "-c", SAYS], capture_output=True, check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
    )  # fmt: skip
    return [int(word) for word in done.stdout.split()]


def test_the_soft_limit_is_raised_as_far_as_need_be() -> None:
    assert said(1_024, 20_000) == [8_000, 10_200, 20_000]
    assert said(15_000, 20_000) == [8_000, 15_000, 20_000]


def test_where_the_hard_limit_is_low_there_are_fewer_connections() -> None:
    assert said(1_024, 2_200) == [1_600, 2_200, 2_200]
    assert said(256, 256) == [44, 256, 256]
