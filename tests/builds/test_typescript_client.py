"""The client for TypeScript has the types of the description, installs, plays, and does as its README says."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.debian import program
from tests.openapi import typescript_types
from tests.openapi.test_guide import ADDRESS, blocks

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "openapi" / "clients" / "typescript"
CONDUCT = ROOT / "tests" / "openapi" / "typescript_client" / "conduct.mjs"


def run(folder: Path, *words: str | Path) -> str:
    """What the program writes."""
    quiet = {**os.environ, "NO_COLOR": "1", "npm_config_fund": "false", "npm_config_audit": "false"}
    done = subprocess.run([str(word) for word in words], cwd=folder, env=quiet, capture_output=True, text=True)
    if (unreached := re.search("^npm error .*reason:.*", done.stderr, re.MULTILINE)) is not None:
        pytest.fail(f"npm does not reach its registry: {unreached[0]}", pytrace=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stranger's folder into which the client is packed and installed as its README says; to pack is to compile."""
    empty = tmp_path_factory.mktemp("empty")
    program("npm", ("npm",))
    copied = empty / CLIENT.relative_to(ROOT)
    shutil.copytree(CLIENT, copied, ignore=shutil.ignore_patterns("dist", "node_modules"))
    (empty / "package.json").write_text("{}")
    run(empty, "sh", "-e", "-c", blocks(CLIENT / "README.md", "sh"))
    return empty


def test_the_types_are_those_of_the_description(tmp_path: Path) -> None:
    typescript_types.write(tmp_path / "openapi.ts")
    assert (tmp_path / "openapi.ts").read_text() == typescript_types.COMMITTED.read_text()


def test_the_packed_client_plays_resumes_and_tells_refusals_apart(installed: Path, address: str) -> None:
    shutil.copy(CONDUCT, installed)
    assert run(installed, "node", CONDUCT.name, address) == "all of it\n"


def test_the_readme_runs_as_it_stands(installed: Path, address: str) -> None:
    (installed / "readme.mjs").write_text(blocks(CLIENT / "README.md", "js").replace(ADDRESS, address))
    assert "The rule" in run(installed, "node", "readme.mjs")
