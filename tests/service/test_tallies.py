"""Tallies, as Prometheus reads them."""

from collections import Counter
from uuid import UUID

from prometheus_client.parser import text_string_to_metric_families

from service.event_store.errors import DuplicateCompanion, StaleVersion, StoreUnavailable
from service.event_store.writing.rows import count_batch
from service.telemetry.metrics import APPENDS, BATCH_SIZE, TALLIES, Counts, Distributions, exposition, gauge


def samples(name: str) -> dict[tuple[str, ...], float]:
    """The samples of this name: values of the labels but `process` -> value."""
    return {
        tuple(value for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(exposition([gauge("kibitz_some", "Some.", 2)]).decode())
        for sample in family.samples
        if sample.name == name
    }


def forget(tally: Counts | Distributions) -> None:
    """Take it out again: by identity, for tallies that have counted the same are equal."""
    TALLIES[:] = [one for one in TALLIES if one is not tally]


def test_counts_and_gauges_are_told_by_their_labels() -> None:
    counts = Counts("kibitz_tried_total", 'With "quotes"\nand lines.', "kind", "why")
    counts["klondike", "accepted"] += 2
    counts["klondike", 'a "rule"\n\\'] += 1
    try:
        assert samples("kibitz_tried_total") == {("klondike", "accepted"): 2, ("klondike", 'a "rule"\n\\'): 1}
    finally:
        forget(counts)
    assert samples("kibitz_some") == {(): 2}


def test_a_count_without_labels_is_there_before_anything_was_counted() -> None:
    counts = Counts("kibitz_none_yet_total", "None.")
    try:
        assert samples("kibitz_none_yet_total") == {(): 0}
    finally:
        forget(counts)


def test_a_distribution_counts_what_lies_at_or_under_each_bound() -> None:
    found = Distributions("kibitz_size", "Sizes.", bounds=(1, 2, 4))
    for value in (1, 2, 2, 3, 9):
        found[()].add(value)
    try:
        assert samples("kibitz_size_bucket") == {("1.0",): 1, ("2.0",): 3, ("4.0",): 4, ("+Inf",): 5}
        assert samples("kibitz_size_sum") == {(): 17}
        assert samples("kibitz_size_count") == {(): 5}
    finally:
        forget(found)


def test_a_batch_is_counted_by_what_became_of_its_appends() -> None:
    before, size = Counter(APPENDS), BATCH_SIZE[()].total
    count_batch([7, 8, StaleVersion(UUID(int=1)), DuplicateCompanion("keys"), StoreUnavailable("gone")], 0.01)
    outcomes = {"stored": 2, "conflict": 1, "repeated": 1, "failed": 1}
    assert {name: APPENDS[(name,)] - before[(name,)] for name in outcomes} == outcomes
    assert BATCH_SIZE[()].total == size + 5


def test_every_name_keeps_the_conventions() -> None:
    for tally in TALLIES:
        assert tally.name.startswith("kibitz_")
        assert tally.name.endswith("_total") == isinstance(tally, Counts)
        assert tally.says.endswith(".")


def test_a_process_among_several_signs_every_sample() -> None:
    told = exposition([gauge("kibitz_some", "Some.", 2)], "10.0.0.5:8001").decode()
    labels = [sample.labels for family in text_string_to_metric_families(told) for sample in family.samples]
    assert len(labels) > 20
    assert {one["process"] for one in labels} == {"10.0.0.5:8001"}
