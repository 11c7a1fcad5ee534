"""The judge finds what it is there for: each loss and each doubling, made by hand in what was remembered or stored."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.event_store.connections import open_connection
from tests.faults.judge import Judgement, judge
from tests.faults.load import load
from tests.faults.world import World, installed


@pytest.fixture
def world(data_folder: Path) -> Iterator[World]:
    """An installation of its own: each of six judgements is of every load that there was."""
    with installed(data_folder) as made:
        yield made


def test_the_judge_finds_what_is_lost_doubled_or_inexact(world: World) -> None:
    with load(world, clients=2) as running:
        running.grow(30)
    client = running.clients[0]
    assert judge(world).faults == ()
    said = client.acknowledged.pop()
    assert found(world).doubled == 1, "stored, and never acknowledged"
    client.acknowledged += [said, said._replace(version=said.version + 1)]
    assert found(world).lost == 1, "acknowledged at a version that it does not stand at"
    client.acknowledged[-1:] = []
    client.opened.append(said.key)
    assert any("LOST the opening" in fault for fault in found(world).faults)
    client.opened.pop()
    client.acknowledged[-1] = said._replace(answer=b"")
    assert any("ANSWERED OTHERWISE" in fault for fault in found(world).faults)
    client.acknowledged[-1] = said
    with open_connection(world.conninfo, "test") as connection:
        connection.execute("UPDATE documents SET body = body || ' '")
    assert any("INEXACT" in fault for fault in found(world).faults), "and it has rebuilt them"
    judge(world).hold()


def found(world: World) -> Judgement:
    """A judgement that finds something."""
    judgement = judge(world)
    assert judgement.faults
    return judgement
