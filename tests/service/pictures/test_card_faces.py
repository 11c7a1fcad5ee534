"""Card faces: every card has its own, few bytes, and nothing from elsewhere."""

import re
import xml.etree.ElementTree as Xml

import pytest

from domain.capabilities import CardFaces, Face
from domain.games import GAME_TYPES
from domain.kit.cards import PACK
from service.pictures.cards import EVERY_CARD, pips, symbol_id, symbols


def drawn(text: str) -> Xml.Element:
    return Xml.fromstring(f"<svg>{text}</svg>")


def test_every_card_has_a_symbol_of_its_own_in_a_small_sprite() -> None:
    faces = {symbol.get("id"): Xml.tostring(symbol) for symbol in drawn(symbols(EVERY_CARD)).iter("symbol")}
    assert list(faces) == [symbol_id(card) for card in EVERY_CARD]
    without_ids = {re.sub(rb"card-(back|joker-\d|[A2-9TJQK][SHDC])", b"", face) for face in faces.values()}
    assert len(without_ids) == len(EVERY_CARD) == 57
    assert len(symbols(EVERY_CARD).encode()) < 60_000
    assert [symbol_id(card) for card in ("QH", "TD", "*1", "#")] == ["card-QH", "card-TD", "card-joker-1", "card-back"]


def test_a_card_that_is_asked_for_twice_is_there_once_with_only_the_parts_it_needs() -> None:
    root = drawn(symbols(["2C", "2C"]))
    assert [element.get("id") for element in root.iter() if element.get("id")] == [
        "card-rank-2", "card-suit-C", "card-2C", "half-card-2C",
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(2, 11))
def test_a_number_card_has_that_many_pips(number: int) -> None:
    turned, alone = pips(number)
    assert 2 * len(turned) + len(alone) == number
    card = f"{'23456789T'[number - 2]}H"
    body = drawn(symbols([card])).find("symbol")
    assert body is not None
    uses = [use.get("href") for use in body.iter("use")]
    half = body.find(".//g[@id]")
    assert half is not None
    upper = [use.get("href") for use in half.iter("use")].count("#card-suit-H") - 1
    assert 2 * upper + uses.count("#card-suit-H") - upper - 1 == number


def test_cards_that_stand_for_something_are_drawn_as_it() -> None:
    faces = {"AS": Face(name="a stone", mark="<b", colour="#112233"), "AH": Face(name="a plug", shape="tile")}
    text = symbols(["AS", "AH", "#"], faces)
    assert '<circle class="card-face"' in text
    assert 'fill="#112233"' in text
    assert "&lt;b" in text
    assert 'fill="#ffffff"' in text
    assert '<rect class="card-face"' in text
    assert "card-rank-A" not in text


@pytest.mark.parametrize("key", [key for key, found in GAME_TYPES.items() if found.get(CardFaces).by_card])
def test_marks_are_short_and_differ_where_things_do(key: str) -> None:
    faces = GAME_TYPES[key].get(CardFaces).by_card
    assert all(1 <= len(face.mark) <= 9 and re.fullmatch(r"#[0-9a-f]{6}", face.colour) for face in faces.values())
    assert len({face.mark for face in faces.values()}) == len({face.name for face in faces.values()}) == len(faces)
    assert set(faces) <= {*PACK, "*1", "*2", "*3", "*4"}
