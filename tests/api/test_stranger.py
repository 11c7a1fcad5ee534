"""A client made from the document alone plays Decs Building: it tells what can be done and what it is worth."""

import ast
from pathlib import Path
from typing import Any

import pytest

from . import stranger
from .serving import Service
from .stranger import Stranger


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {"short": True})])
def test_a_whole_game_is_played_from_the_document(service: Service, seats: int, options: dict[str, Any]) -> None:
    player = Stranger(service.url, options, seats, "a stranger's deal")
    compared = 0
    for _ in range(900):
        seen = player.look(0)
        if seen["status"] != "playing":
            break
        seat = seen["view"]["to_act"][0]
        view = player.look(seat)["view"]
        compared += _told_as_listed(player, seat, view)
        player.say(seat, player.choice(seat, view))
    ended = player.look(0)
    assert ended["status"] == "finished"
    assert ended["result"]["reason"] == "most_points"
    assert compared > 40
    untouched = -2 * len(player.empty(0, {"facts": {"seats": [{"features": []}]}}))
    assert min(ended["result"]["scores"]) > untouched / 2
    assert max(ended["result"]["scores"]) > 0
    for told in ended["view"]["facts"]["seats"]:
        assert sum(one["works"] for one in told["features"]) > len(told["features"]) / 2


def _told_as_listed(player: Stranger, seat: int, view: dict[str, Any]) -> bool:
    """What the document tells to be possible is what the service lists; false where nothing of it is due."""
    listed, facts = player.listed(seat), view["facts"]
    if facts["to_place"] is not None:
        places = ([list(cell) for cell in place] for place in player.outlined(facts))
        assert _sorted({"type": "decs_building/place", "cells": cells} for cells in places) == _sorted(listed)
        assert sorted(player.places(seat, view, facts["to_place"])) == sorted(player.outlined(facts))
        return True
    if view["phase"] == "start_card":
        return False
    actions = [one for one in listed if one["type"] == "decs_building/take_action"]
    assert _sorted(player.actions(seat, view)) == _sorted(actions)
    return True


def _sorted(commands: Any) -> list[str]:
    """Each meaning once: two prices of one space may be paid by the same cards."""
    return sorted({repr(sorted(command.items())) for command in commands})


def test_the_client_has_read_no_rules() -> None:
    tree = ast.parse(Path(str(stranger.__file__)).read_text())
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert named == {"collections.abc", "itertools", "typing", "kibitz_client.sync"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
