"""The Python client's README runs and names what there is; its version and its needs are the service's."""

import re
import tomllib
from pathlib import Path

import kibitz_client
import pytest

from tests.openapi.test_guide import ADDRESS, BLOCK, run

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "openapi" / "clients" / "python"
SNIPPETS = [text for language, text in BLOCK.findall((FOLDER / "README.md").read_text()) if language == "python"]


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_the_readme_runs(number: int, address: str, tmp_path: Path) -> None:
    assert ADDRESS in SNIPPETS[number]
    done = run("python", SNIPPETS[number].replace(ADDRESS, address), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "resigned" in done.stdout or "True" in done.stdout


def test_all_that_the_readme_names_is_there() -> None:
    text = (FOLDER / "README.md").read_text()
    table = text.partition("## What there is")[2].partition("* **Repeats")[0]
    from kibitz_client.sync import Game, Kibitz

    client = Kibitz("http://127.0.0.1:9")
    areas = (client, client.games, client.records, client.leagues, client.contests, client.account, client.inbox, Game)
    named = {name for name in re.findall(r"`(\w+)`", table) if name not in ("Game", "operationId")}
    assert len(named) > 30
    assert not [name for name in named if not any(hasattr(area, name) for area in areas)]
    for name in re.findall(r"`([A-Z]\w+)` ?[(,;.]", text.partition("**Exceptions:**")[2].partition("* **A later")[0]):
        assert issubclass(getattr(kibitz_client, name), kibitz_client.KibitzError)


def test_its_version_is_that_of_the_service_and_its_needs_are_the_services() -> None:
    own, whole = (tomllib.loads((folder / "pyproject.toml").read_text()) for folder in (FOLDER, ROOT))
    assert own["project"]["version"] == whole["project"]["version"] == kibitz_client.__version__
    needs = {line.partition("#")[0].strip() for line in whole["project"]["dependencies"]}
    assert {*own["project"]["dependencies"]} <= needs
    assert {*own["dependency-groups"]["generate"]} <= {*whole["dependency-groups"]["dev"]}
