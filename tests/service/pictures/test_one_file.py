"""A game as one page: all is in it, and all of it is told in full."""

import json
import re
from html import unescape
from typing import Any

import msgspec
import pytest

from domain.capabilities import Chips
from domain.games import GAME_TYPES
from service.live import shapes

from .golden_views import GOLDEN, kept

FEW = [next(name for name, (of, _) in GOLDEN.items() if of == key) for key in GAME_TYPES]


def data(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="kibitz-game">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("name", FEW)
def test_the_boards_the_chips_and_the_frames_of_the_api_are_in_it(name: str) -> None:
    (text, frames), found = kept(name), GAME_TYPES[GOLDEN[name][0]]
    blocks = dict(re.findall(r'<script type="application/json" id="kibitz-(boards|chips)">(.*?)</script>', text))
    boards = json.loads(blocks["boards"])
    assert boards.keys() == {"wide", "tall"}
    assert all(board["width"] and board["places"] for board in boards.values())
    assert len(json.loads(blocks["chips"])["chips"]) == len(found.get(Chips).chips) > 0
    for viewer in data(text)["viewers"]:
        sent = [json.loads(msgspec.json.encode(shapes.frame(frame))) for frame in frames[viewer["key"]]]
        told = [{field: value for field, value in one.items() if field not in ("game_id", "command")} for one in sent]
        assert whole(viewer["frames"]) == told


def whole(frames: list[Any]) -> list[Any]:
    """Whole frames again, of those with what has changed."""
    made: list[Any] = []
    before: Any = None
    for frame in frames:
        view = frame["view"]
        if view is not None and before is not None:
            changed = {zone["id"]: zone for zone in view["zones"]}
            zones = [changed.get(zone["id"], zone) for zone in before["zones"]]
            view = {"facts": before["facts"], **view, "zones": zones}
        made.append({**frame, "view": view})
        before = view
    return made


def test_only_what_has_changed_is_told() -> None:
    text, frames = kept("klondike/draw_one_won")
    told = data(text)["viewers"][0]["frames"]
    assert len(told[0]["view"]["zones"]) == 13
    assert max(len(frame["view"]["zones"]) for frame in told[1:]) < 6
    assert [frame["step"] for frame in told if "facts" in frame["view"]] == [0, 68]
    assert len(frames["seat-0"]) == 117


def test_names_cannot_end_a_script_or_an_element() -> None:
    text, _ = kept("spite_and_malice/any_draw_won")
    assert data(text)["game"]["players"] == ["Ada", "</script><b>Bob"]
    assert "<b>Bob" not in text
    assert text.count("</script>") == 4


def test_the_page_is_small_allows_itself_nothing_and_its_script_loads_nothing() -> None:
    text, _ = kept("klondike/draw_one_won")
    assert len(text.encode()) < 400_000
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    directives = dict(part.strip().split(" ", 1) for part in unescape(policy[1]).split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"].startswith("'sha256-")
    assert directives["style-src"].startswith("'sha256-")
    assert not re.search(r'(?:src|href)="(?!#|data:)', text)
    script = text.rpartition('<script type="module">')[2].partition("</script>")[0]
    assert len(script) > 10_000
    assert not re.search(r"\b(import|export)\b[ {(*]", script)
