"""What is to go says so: in every answer, in the description, and for six months at least."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from service.http.call import Deprecation
from service.postgres import Server
from tests.api import serving as module
from tests.api.problems import told
from tests.api.serving import Service, database_of
from tests.openapi.test_document import OPERATIONS


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server with two operations that are to go."""
    with database_of(postgres, template_database) as conninfo, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SERVED", Path(__file__).with_name("served_deprecated.py"))
        running = Service(conninfo, forked=False)
        yield running
        running.end()


def test_the_description_marks_it_and_says_what_to_use_instead(service: Service) -> None:
    paths: Any = service.http.get("/v1/openapi.json").json()["paths"]
    old, older = paths["/v1/old"]["get"], paths["/v1/older"]["get"]
    assert old["deprecated"] is older["deprecated"] is True
    assert old["description"] == "Deprecated since 2026-11-24. Use `get_new`.\n\nAs it was."
    assert older["description"].startswith("Deprecated since 2026-11-24. Use `get_old`. It goes after 2027-06-30.")
    for answer in (*old["responses"].values(), *older["responses"].values()):
        assert answer["headers"]["Deprecation"]["required"] is True
        assert answer["headers"]["Sunset"]["required"] is False
    assert "deprecated" not in paths["/v1/games"]["get"]


def test_nothing_goes_within_six_months() -> None:
    since = date(2026, 11, 24)
    with pytest.raises(ValueError, match="183 days"):
        Deprecation(since=since, until=date(2027, 5, 1), instead="Nothing.")
    assert Deprecation(since=since, until=date(2027, 6, 1), instead="Nothing.").until == date(2027, 6, 1)


def test_nothing_is_deprecated_today_as_the_versions_page_says() -> None:
    marked = [name for name, (_, _, operation) in OPERATIONS.items() if operation.get("deprecated")]
    page = (Path(__file__).parents[2] / "openapi" / "VERSIONS.md").read_text()
    assert [name for name in marked if name not in page] == []
    assert ("Nothing is deprecated today." in page) == (marked == [])


def test_every_answer_of_a_deprecated_operation_says_since_when(service: Service) -> None:
    refused = service.http.get("/v1/old", params={"refused": True})
    told(refused, 404, "no_such_thing")
    for answer in service.http.get("/v1/old"), refused, service.http.get("/v1/old?x=1"), service.http.head("/v1/old"):
        assert answer.headers["deprecation"] == "@1795478400"
        assert answer.headers["link"] == '</v1/docs#operation/get_old>; rel="deprecation"; type="text/html"'
        assert "sunset" not in answer.headers
    last_day_known = service.http.get("/v1/older")
    assert last_day_known.json() == {"old": True}
    assert last_day_known.headers["deprecation"] == "@1795478400"
    assert last_day_known.headers["sunset"] == "Wed, 30 Jun 2027 23:59:59 GMT"
    for path in ("/v1/games", "/v1/nothing", "/livez"):
        assert not {"deprecation", "sunset"} & set(service.http.get(path).headers)
