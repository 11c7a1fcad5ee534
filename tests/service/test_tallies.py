"""Metrics, as Prometheus reads them."""

from uuid import UUID

from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from service.event_store.errors import DuplicateCompanion, StaleVersion, StoreUnavailable
from service.event_store.writing.rows import count_batch
from service.telemetry.metrics import APPENDS, exposition, gauge

OUTCOMES = {"stored": 2, "conflict": 1, "repeated": 1, "failed": 1}


def counted(name: str, **labels: str) -> float:
    """The value of this process's sample."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_a_batch_is_counted_by_what_became_of_its_appends() -> None:
    before = {outcome: counted("kibitz_appends_total", outcome=outcome) for outcome in OUTCOMES}
    size = counted("kibitz_append_batch_size_sum")
    count_batch([7, 8, StaleVersion(UUID(int=1)), DuplicateCompanion("keys"), StoreUnavailable("gone")], 0.01)
    assert {name: counted("kibitz_appends_total", outcome=name) - before[name] for name in OUTCOMES} == OUTCOMES
    assert counted("kibitz_append_batch_size_sum") == size + 5


def test_every_name_keeps_the_conventions_and_has_a_sentence() -> None:
    families = [family for family in REGISTRY.collect() if not family.name.startswith(("python_", "process_"))]
    assert len(families) > 10
    for family in families:
        assert family.name.startswith("kibitz_")
        assert family.documentation.endswith(".")


def test_a_process_among_several_signs_every_sample() -> None:
    APPENDS("stored").inc(0)
    text = exposition([gauge("kibitz_some", "Some.", 2)], "10.0.0.5:8001").decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    assert {"kibitz_some", "kibitz_appends_total", "kibitz_commits_total"} <= {sample.name for sample in samples}
    assert {sample.labels["process"] for sample in samples} == {"10.0.0.5:8001"}
    assert "_created" not in text
