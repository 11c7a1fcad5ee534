"""One version for the program, its API and the changelog."""

import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

from service import VERSION
from tests.openapi.described import DOCUMENT

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_program_the_description_and_the_changelog_have_one_version() -> None:
    newest, day = re.findall(r"^## (\S+)(?: - (\S+))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert {VERSION, DOCUMENT["info"]["version"], newest} == {PROJECT["version"]}, "make .venv/.ready"
    assert date.fromisoformat(day) <= date.today()
    ran = subprocess.run([Path(sys.executable).with_name("kibitz"), "--version"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"kibitz {VERSION}\n", "")


def test_the_licence_that_is_declared_is_there() -> None:
    assert PROJECT["license"] == DOCUMENT["info"]["license"]["identifier"] == "MIT"
    for name in PROJECT["license-files"]:
        assert (ROOT / name).read_text().startswith("MIT License\n\nCopyright (c) 2026 the Kibitz authors\n")


def test_what_a_version_promises_stands_in_the_description() -> None:
    told = DOCUMENT["info"]["description"]
    promised = (ROOT / "openapi" / "VERSIONS.md").read_text()
    for named in ("`Deprecation`", "`Sunset`", "RFC 9745", "RFC 8594", "without notice", "six months ahead at least"):
        assert named in told
        assert named.strip("`") in " ".join(promised.split())
