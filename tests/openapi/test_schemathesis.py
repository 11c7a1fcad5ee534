"""The running service against its own description, by a stock tester: every check on and nothing left."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.serving import Player
from tests.openapi.test_document import OPERATIONS

HERE = Path(__file__).parent
pytestmark = pytest.mark.timeout(1000)  # two minutes, and several on a machine that is busy


def test_a_short_run_over_all_operations_finds_nothing(address: str, moderator: Player) -> None:
    """A made-up request each; the written examples, chains of operations and edges of parameters are `make soak`'s."""
    nothing_is_left(address, moderator, "--phases", "fuzzing", "--max-examples", "1")


def nothing_is_left(address: str, moderator: Player, *arguments: str) -> None:
    """Run every check on every operation."""
    report = run_tester(address, "schemathesis.toml", {"KIBITZ_MODERATOR": moderator.token}, *arguments)
    assert "❌" not in report
    others = len(OPERATIONS) - 1  # it leaves out the operation it read the description from
    assert f"Tested: {others}\n" in report


def run_tester(address: str, config: str, more: dict[str, str], *arguments: str) -> str:
    """What the tester says of this server; it must find nothing."""
    command = [
        sys.executable, "-m", "schemathesis.cli", "--no-color", "--config-file", str(HERE / config),
        "run", *arguments, f"{address}/v1/openapi.json",
    ]  # fmt: skip
    # Few variables: for each of thousands of requests it reads all of them, twice, to find a proxy.
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    environment = inherited | {"KIBITZ_TESTED_URL": address} | more
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=HERE.parents[1], check=False)
    failures = done.stdout.partition(" FAILURES ")[2][:8000]
    assert done.returncode == 0, failures + done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout
