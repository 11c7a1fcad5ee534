"""Connections are files: the service asks for as many as it may have, and promises no more than it gets."""

import json
import resource
import subprocess
import sys

import httpx

from tests.service.cli.programs import KIBITZ, ROOT, environment, folder, serving

SAYS = """
import resource as r
from service.http.connections.files import allowed_connections
print(allowed_connections(8000), *r.getrlimit(r.RLIMIT_NOFILE))
"""


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
    assert said(220, 220) == [16, 220, 220]


def test_where_there_is_no_file_for_a_connection_the_service_says_what_it_needs_and_does_not_start() -> None:
    refused = kibitz_with(219, 219)
    assert refused.returncode == 1
    assert refused.stderr == (
        "kibitz: This process may open 219 files, and Kibitz needs 220 at the least: allow it 10200, as with "
        "`ulimit -n 10200` or LimitNOFILE=10200 of systemd.\n"
    )


def test_few_connections_are_told_of_at_the_start() -> None:
    with folder() as data, serving(data, "--no-worker", files=(256, 400)) as service:
        lines = [json.loads(line) for line in (service.folder / "stderr").read_text().splitlines()]
        assert [(line["connections"], line["of"]) for line in lines if "connections" in line] == [(160, 8000)]
        assert httpx.get(f"{service.address}/livez", timeout=60).status_code == 200


def kibitz_with(soft: int, hard: int) -> "subprocess.CompletedProcess[str]":
    """`kibitz serve` with these limits, to its end."""
    with folder() as data:
        return subprocess.run(
            [*KIBITZ, "serve", "--port", "0", "--data-folder", str(data)],
            capture_output=True, text=True, env=environment(), timeout=60, cwd=ROOT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
        )  # fmt: skip
