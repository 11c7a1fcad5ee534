"""Every reader accepts what it is given or refuses it by an error of ours, and is done in time."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .bounds import bound_memory, bounded_time
from .decoders import readers
from .inputs import inputs

EXAMPLES = int(os.environ.get("KIBITZ_FUZZ_EXAMPLES", "25"))
LONG = "KIBITZ_FUZZ_EXAMPLES" in os.environ


@pytest.fixture(scope="module", autouse=True)
def _little_memory() -> None:
    """In a long run, which is a process of its own."""
    if LONG:
        bound_memory()


@pytest.mark.parametrize("name", readers())
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=not LONG, database=None,
    suppress_health_check=list(HealthCheck), print_blob=False,
)  # fmt: skip
@given(data=st.data())
def test_what_cannot_be_read_is_refused_and_nothing_else_happens(name: str, data: st.DataObject) -> None:
    found = readers()[name]
    text = data.draw(inputs(found.samples))
    with bounded_time():
        try:
            found.read(text)
        except found.errors:
            return


@pytest.mark.parametrize("name", [name for name, found in readers().items() if found.samples])
def test_the_samples_are_read(name: str) -> None:
    """Else nothing but the first check of a reader would be tried."""
    found = readers()[name]
    if name in ("queries", "cursors", "depth", "Accept"):
        return
    for sample in found.samples:
        found.read(sample)
