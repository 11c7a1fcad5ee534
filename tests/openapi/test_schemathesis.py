"""The running service against its own description, by a stock tester: every check on and nothing left."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from domain.games import GAME_TYPES
from tests.api.serving import Player
from tests.openapi.test_document import OPERATIONS

HERE = Path(__file__).parent
pytestmark = pytest.mark.timeout(1000)  # two minutes, and several on a machine that is busy


def test_nothing_is_left(address: str, moderator: Player) -> None:
    told = _tested(address, "schemathesis.toml", {"KIBITZ_MODERATOR": moderator.token})
    assert "❌" not in told
    others = len(OPERATIONS) - 1  # it leaves out the operation it read the description from
    assert f"Tested: {others}\n" in told


def test_links_lead_to_accepted_commands_of_every_game_type(address: str, tmp_path: Path) -> None:
    """Each run goes on where the last one stopped counting, at another seed: a tester that follows links strays.

    It begins with opening a game only where some operation tells of players: one may invite them.
    """
    accepted = tmp_path / "accepted"
    accepted.touch()
    chosen = [
        part
        for name in ("open_game", "list_legal_commands", "post_command", "get_player")
        for part in ("--include-operation-id", name)
    ]
    for seed in range(1, 9):
        arguments = ("--phases", "stateful", "--seed", str(seed), *chosen)
        _tested(address, "links.toml", {"KIBITZ_ACCEPTED": str(accepted)}, *arguments)
        counts = Counter(accepted.read_text().split())
        if all(counts[key] >= 2 for key in GAME_TYPES):
            break
    assert {key for key in GAME_TYPES if counts[key] < 2} == set(), f"accepted commands: {counts}"


def _tested(address: str, config: str, more: dict[str, str], *arguments: str) -> str:
    """What the tester says of this server; it must find nothing."""
    command = [
        sys.executable, "-m", "schemathesis.cli", "--no-color", "--config-file", str(HERE / config),
        "run", *arguments, f"{address}/v1/openapi.json",
    ]  # fmt: skip
    # Few variables: for each of thousands of requests it reads all of them, twice, to find a proxy.
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    environment = kept | {"KIBITZ_TESTED_URL": address} | more
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=HERE.parents[1], check=False)
    failures = done.stdout.partition(" FAILURES ")[2][:8000]
    assert done.returncode == 0, failures + done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout
