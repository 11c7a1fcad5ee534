"""What the pages of this folder say of the code is so."""

import re
from pathlib import Path

from service import api
from service.cli.doctor import OLDEST_POSTGRESQL, PER_PROCESS
from service.http.operation import Operation

DEPLOY = Path(__file__).parents[2] / "deploy"


def test_the_operations_that_may_lag_are_those_that_the_page_lists() -> None:
    described: list[Operation] = [one.opt["operation"] for one in api.find_handlers() if "operation" in one.opt]
    lagging = {one.id for one in described if one.may_lag}
    section = _page("UPGRADE.md").partition("## Reads from replicas")[2].partition("So are the records")[0]
    assert set(re.findall(r"`([a-z]+_[a-z_]+)`", section)) - {"log_position"} == lagging
    assert all(one.method == "GET" for one in described if one.may_lag)


def test_no_operation_that_plays_looks_at_a_game_or_knows_a_secret_may_lag() -> None:
    described: list[Operation] = [one.opt["operation"] for one in api.find_handlers() if "operation" in one.opt]
    never = {"get_game", "list_legal_commands", "stream_game", "list_inbox", "stream_inbox", "get_me", "list_tokens"}
    assert never <= {one.id for one in described}
    assert not {one.id for one in described if one.may_lag} & never


def test_the_page_counts_versions_and_connections_as_the_doctor_does() -> None:
    page = " ".join(_page("UPGRADE.md").split())
    assert f"PostgreSQL {OLDEST_POSTGRESQL} or newer" in page
    assert f"opens at most {PER_PROCESS}:" in page


def test_every_file_that_a_page_names_is_there() -> None:
    for page in DEPLOY.glob("*.md"):
        for name in re.findall(r"`((?:deploy|tests|kubernetes|systemd|pgbouncer)/[\w./-]+)`", page.read_text("utf-8")):
            places = (DEPLOY / name, DEPLOY.parent / name)
            assert any(place.exists() for place in places), (page.name, name)


def _page(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")
