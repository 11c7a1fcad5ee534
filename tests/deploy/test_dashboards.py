"""Dashboard, alerts and scrape configuration ask for what the service really tells.

No PromQL is parsed here: names of metrics and labels are found in the expressions and compared with an exposition.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.api.playing import opened, say
from tests.api.serving import registered, serving

FOLDER = Path(__file__).parents[2] / "deploy" / "dashboards"
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "kibitz.json").read_text("utf-8"))
ALERTS: dict[str, Any] = yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))
SCRAPES: dict[str, Any] = yaml.safe_load((FOLDER / "prometheus.yaml").read_text("utf-8"))
_NAME = re.compile(r"\b((?:kibitz|process|python)_\w+)")
_LABELS = re.compile(r"(?:by|without) \(([^)]*)\)|[{,]\s*(\w+)\s*(?:=~|!~|!=|=)")
_TARGETS = {"up", "job", "instance", "le"}
_SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def rules() -> list[dict[str, Any]]:
    return [rule for group in ALERTS["groups"] for rule in group["rules"]]


def expressions() -> Iterator[str]:
    yield from (target["expr"] for panel in panels() for target in panel["targets"])
    yield from (rule["expr"] for rule in rules())


@pytest.fixture(scope="module")
def exposed(postgres: Any, template_database: str) -> tuple[set[str], set[str]]:
    """The names and labels that a server and its worker tell after some play."""
    name = f"watched_{uuid4().hex}"  # this module's tests may run in several workers
    with serving(postgres.create_database(name, template_database)) as service:
        ada = registered(service, "Ada")
        say(ada, opened(ada), {"type": "klondike/draw"})
        families = list(text_string_to_metric_families(service.metrics()))
    postgres.drop_database(name)
    names = {family.name + end for family in families for end in _SUFFIXES.get(family.type, ("", "_info"))}
    labels = {label for family in families for sample in family.samples for label in sample.labels}
    return names, labels


def test_every_metric_that_is_asked_for_is_told(exposed: tuple[set[str], set[str]]) -> None:
    names = {name for expression in expressions() for name in _NAME.findall(expression)}
    assert len(names) > 25
    assert names <= exposed[0], names - exposed[0]


def test_every_label_that_is_asked_for_is_told(exposed: tuple[set[str], set[str]]) -> None:
    matches = [match for expression in expressions() for match in _LABELS.findall(expression)]
    labels = {label.strip() for several, single in matches for label in (several.split(",") if several else [single])}
    assert labels <= exposed[1] | _TARGETS, labels - exposed[1] - _TARGETS


def test_parentheses_close() -> None:
    for expression in expressions():
        for opening, closing in ("()", "{}", "[]"):
            assert expression.count(opening) == expression.count(closing), expression


def test_the_dashboard_has_what_grafana_asks_of_one() -> None:
    assert DASHBOARD.keys() >= {"uid", "title", "schemaVersion", "panels", "time", "templating", "refresh"}
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    variables = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    for panel in panels():
        assert panel["type"] in ("timeseries", "stat")
        assert panel["title"]
        assert panel["datasource"]["uid"] == "${source}"
        assert panel["gridPos"].keys() == {"h", "w", "x", "y"}
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
        refs = [target["refId"] for target in panel["targets"]]
        assert refs
        assert len(set(refs)) == len(refs)
    used = {name for text in (*expressions(), "${source}") for name in re.findall(r"\$\{?(\w+)", text)}
    assert used - {"__rate_interval", "labels", "value"} == variables


def test_no_two_panels_lie_on_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


def test_alerts_have_what_prometheus_asks_of_them() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(set(names)) == len(names)
    for rule in rules():
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"].endswith((".", "slow."))
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "1m"))
    required = {"KibitzStoreGone", "KibitzProjectionStopped", "KibitzNoWorker", "KibitzReadModelsBehind"}
    assert required | {"KibitzServerErrors"} <= set(names)


def test_each_alert_has_a_page_of_ten_lines_in_the_runbook() -> None:
    title, *pages = (FOLDER.parent / "RUNBOOK.md").read_text("utf-8").split("\n## ")
    assert title.startswith("# Runbook")
    assert [page.split("\n")[0] for page in pages] == [rule["alert"] for rule in rules()]
    assert all(len(page.rstrip().split("\n")) <= 10 for page in pages)
    for rule in rules():
        assert rule["annotations"]["runbook_url"] == f"deploy/RUNBOOK.md#{rule['alert'].lower()}"


def test_no_alert_looks_at_a_longer_time_than_it_waits() -> None:
    """Else one moment's errors fire it when they are over. Without `for` it tells that something has happened."""
    for rule in (rule for rule in rules() if "for" in rule):
        assert all(_seconds(window) <= _seconds(rule["for"]) for window in re.findall(r"\[(\w+)\]", rule["expr"])), rule


def _seconds(duration: str) -> int:
    return int(duration[:-1]) * {"s": 1, "m": 60, "h": 3_600}[duration[-1]]


def test_the_scrape_configuration_names_the_alerts_and_the_jobs_they_look_at() -> None:
    assert SCRAPES["rule_files"] == ["alerts.yaml"]
    assert all(job["job_name"].startswith("kibitz") for job in SCRAPES["scrape_configs"])
