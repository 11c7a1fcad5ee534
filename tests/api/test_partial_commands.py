"""Asking by a partial command, and a page at a time, where the legal commands are many."""

import json
from typing import Any

from .playing import moves, of, opened
from .problems import told
from .serving import Player


def asked(player: Player, game: dict[str, Any], like: Any = None, **query: Any) -> dict[str, Any]:
    if like is not None:
        query["like"] = json.dumps(like)
    answer = player.get(of(game, "/legal-commands"), params=query)
    assert answer.status_code == 200, answer.text
    listed: dict[str, Any] = answer.json()
    return listed


def test_pages_together_are_the_whole_list(ada: Player) -> None:
    game = opened(ada, "bridge_solitaire")
    whole = moves(ada, game)
    paged: list[Any] = []
    page: dict[str, Any] = {"next": ""}
    while (cursor := page["next"]) is not None:
        page = asked(ada, game, limit=500, **({"cursor": cursor} if cursor else {}))
        assert page["total"] == len(whole)
        paged += page["commands"]
    assert paged == whole


def test_a_partial_command_lists_those_that_go_on_from_it(ada: Player) -> None:
    game = opened(ada, "bridge_solitaire")
    whole = moves(ada, game)
    begin = whole[0]["cards"][:2]
    listed = asked(ada, game, {"type": "bridge_solitaire/select", "cards": begin})
    assert listed["commands"] == [said for said in whole if said.get("cards", [])[:2] == begin]
    assert 0 < listed["total"] < len(whole)
    resigning = asked(ada, game, {"type": "game/resign"})
    assert (resigning["commands"], resigning["other_commands"]) == ([], [{"type": "game/resign"}])
    assert asked(ada, game, {"type": "no/such"})["commands"] == []


def test_what_is_no_object_cannot_be_asked(ada: Player) -> None:
    game = opened(ada, "klondike")
    for like in ("[]", "{", "null", "7", "[" * 400):
        told(ada.get(of(game, "/legal-commands"), params={"like": like}), 400, "malformed")
