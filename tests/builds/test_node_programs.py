"""Where npm reaches no registry, each test that needs its packages says so in one line, and npm tries once."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = """
import sys
from pathlib import Path
import pytest
from tests.openapi import node_programs

sys.prefix = str(Path(__file__).parent)

@pytest.fixture
def packages():
    return node_programs.installed()

def test_with_a_fixture(packages):
    pass

def test_by_itself():
    node_programs.installed()
"""


def test_a_registry_that_is_not_reached_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "test_packages.py").write_text(TESTS)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = inherited | {
        "npm_config_registry": "http://127.0.0.1:9", "npm_config_fetch_retries": "0", "PYTHONPATH": str(ROOT),
        "npm_config_cache": str(tmp_path / "cache"),
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-rN", "-p", "tests.conftest", "test_packages.py"]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    line = f"These tests need packages of Node, which `npm ci` in {ROOT / 'tests/openapi/node'} does not get: "
    reports = [text for text in run.stdout.splitlines() if "npm ci" in text]
    assert [text.startswith(line) and "ECONNREFUSED" in text for text in reports] == [True, True], run.stdout
    assert "node_programs.py" not in run.stdout
    assert len(list((tmp_path / "cache" / "_logs").iterdir())) == 1, "npm ran once"
