"""The drawing of a table is the same in Python and in the browser, number for number."""

import json
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from domain.games import GAME_TYPES
from service.pictures.svg.placing import place_zones
from service.records.one_file import script
from tests.service.pictures.golden_views import GOLDEN, golden_frames, sent

SCRIPT = f"(text) => {{ {script('placing.js')} return JSON.stringify(JSON.parse(text).map((one) => placed(one))); }}"


@pytest.mark.parametrize("key", GAME_TYPES)
def test_both_sides_place_every_frame_of_the_golden_games_alike(page: Page, key: str) -> None:
    frames = [frame for name, (of, _) in GOLDEN.items() if of == key for frame in golden_frames(name)]
    there: list[Any] = json.loads(page.evaluate(SCRIPT, f"[{','.join(sent(frame).decode() for frame in frames)}]"))
    for frame, drawn in zip(frames, there, strict=True):
        assert frame.view is not None
        here = json.loads(msgspec.json.encode(place_zones(frame.view.zones)))
        assert drawn == here, frame.step


def test_a_table_without_zones_is_a_margin_on_both_sides(page: Page) -> None:
    assert json.loads(page.evaluate(SCRIPT, "[[]]")) == [json.loads(msgspec.json.encode(place_zones(())))]
