"""The Dockerfiles and the compose file, linted and held against the program; `make deploy-rehearsal` runs them."""

import re
import subprocess
import sysconfig
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from service.cli import COMMANDS, reference

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: one for name, one in SERVICES.items() if one["image"] == "kibitz"}
VARIABLES = {row.variable for row in reference.rows()}
NO_SETTINGS = {"PATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "POD_IP"}


class Instruction(NamedTuple):
    """One instruction: `RUN` and what follows it, continued lines joined."""

    word: str
    rest: str


def stages() -> list[list[Instruction]]:
    """The instructions of each stage, its FROM first."""
    found: list[list[Instruction]] = []
    lines = [line for line in (DEPLOY / "Dockerfile").read_text("utf-8").splitlines() if not line.startswith("#")]
    for line in filter(None, re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()):
        one = Instruction(*line.split(maxsplit=1))
        if one.word == "FROM":
            found.append([])
        found[-1].append(one)
    return found


def said(stage: list[Instruction], word: str) -> list[str]:
    """What follows each instruction of this name."""
    return [one.rest for one in stage if one.word == word]


def environment(stage: list[Instruction]) -> dict[str, str]:
    """The variables that the stage sets."""
    return dict(pair.split("=", 1) for rest in said(stage, "ENV") for pair in rest.split())


def is_setting(variable: str) -> bool:
    return variable.removesuffix("_FILE") in VARIABLES


@pytest.mark.parametrize("file", ["Dockerfile", "pgbouncer/Dockerfile", "failover/Dockerfile"])
def test_the_linter_has_nothing_to_say(file: str) -> None:
    linter = Path(sysconfig.get_path("scripts")) / "hadolint"
    linted = subprocess.run([linter, DEPLOY / file], capture_output=True, text=True, check=False)
    assert (linted.returncode, linted.stdout, linted.stderr) == (0, "", "")


def test_the_image_runs_as_a_user_that_kubernetes_can_tell_from_root() -> None:
    final = stages()[-1]
    assert said(final, "USER") == ["10001"]
    assert "--uid 10001" in said(final, "RUN")[0]
    assert final[-1].word == "CMD"


def test_what_builds_stays_in_the_first_stage() -> None:
    build, final = stages()
    assert all("pip " not in run and "apt" not in run for run in said(final, "RUN"))
    assert "uninstall --yes setuptools pip" in said(build, "RUN")[-1]
    assert all("--constraint constraints.txt" in run or "--no-deps" in run
               for run in said(build, "RUN") if "pip install" in run)  # fmt: skip


def test_everything_copied_is_there_and_sent_to_the_builder() -> None:
    sources = {source for rest in said(stages()[0], "COPY") for source in rest.split()[:-1]}
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    sent = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert sources == sent
    assert all((ROOT / source).exists() for source in sources)


def test_the_image_sets_only_what_can_be_set() -> None:
    given = environment(stages()[-1])
    assert {name for name in given if not is_setting(name)} <= NO_SETTINGS


def test_compose_sets_only_what_can_be_set() -> None:
    for service in OURS.values():
        assert all(map(is_setting, service["environment"])), service["environment"]
        assert service.get("command", ["serve"])[0] in COMMANDS


def test_every_container_is_locked_up() -> None:
    for service in SERVICES.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert any(mount.startswith("/tmp") for mount in service["tmpfs"])
    assert [name for name, service in SERVICES.items() if "cap_add" in service] == ["database"]


def test_only_the_api_is_published_and_the_database_is_in_a_network_without_a_way_out() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["api"]
    assert SERVICES["database"]["networks"] == ["back"]
    assert COMPOSE["networks"]["back"] == {"internal": True}


def test_the_secrets_that_are_mounted_are_those_that_the_script_makes(tmp_path: Path) -> None:
    script = tmp_path / "secrets.sh"
    script.write_text((DEPLOY / "secrets.sh").read_text("utf-8"))
    for again in (0, 1):
        made = subprocess.run(["sh", script], capture_output=True, text=True, check=False)
        assert bool(made.returncode) is bool(again), "a second run must not throw the password away"
    files = {path.name for path in (tmp_path / "secrets").iterdir()}
    assert files == {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()}
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
