"""The whole API for minutes: every operation at random, and chains of them. Run by `make fuzz`, not by `make test`."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from service.postgres import Server
from tests.api.serving import database_of, moderating, serving

HERE = Path(__file__).parents[1] / "openapi"
SECONDS = int(os.environ["KIBITZ_FUZZ_SECONDS"])
ROOM = 400 * 2**20
"""Bytes by which the service may grow: games, tables and decoders that it has not had before."""


@pytest.mark.timeout(3 * SECONDS + 600)
def test_nothing_that_the_tester_says_breaks_the_service(postgres: Server, template_database: str) -> None:
    quiet = {"log_level": "info", "log_commands": False, "rate_limit_per_minute": 10**9, "max_streams": 10**6}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **quiet) as service:
        known = {"KIBITZ_TESTED_URL": service.url, "KIBITZ_MODERATOR": moderating(service).token}
        before = psutil.Process(service.process.pid).memory_info().rss
        command = [
            sys.executable, "-m", "schemathesis.cli", "--no-color", "--config-file", str(HERE / "schemathesis.toml"),
            "run", "--max-time", str(SECONDS), "--seed", str(int.from_bytes(os.urandom(4), "big")),
            f"{service.url}/v1/openapi.json",
        ]  # fmt: skip
        done = subprocess.run(command, env=os.environ | known, cwd=HERE.parents[1], check=False)
        grown = psutil.Process(service.process.pid).memory_info().rss - before
        print(f"The service has grown by {grown >> 20} MB.")
        assert service.process.poll() is None
        assert not [line for line in service.log().splitlines() if "Traceback" in line]
        assert grown < ROOM
        assert done.returncode == 0
