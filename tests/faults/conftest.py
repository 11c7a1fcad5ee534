"""One installation for the tests that leave it standing, and the judgement after each of them."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests import clusters
from tests.conftest import _clear, on_disk

from .world import World, installed


@pytest.fixture(scope="package")
def world() -> Iterator[World]:
    """An installation with durable data; every test leaves it as ready as it was."""
    folder: Path = on_disk("kibitz-test-")
    try:
        with installed(clusters.fill(folder), {"max_connections": "40"}) as made:
            yield made
    finally:
        _clear(folder)


@pytest.fixture
def lots() -> Random:
    """What decides when a fault strikes; told by pytest when a test fails."""
    return Random(7)
