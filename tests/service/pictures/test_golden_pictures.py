"""Law: every frame of every golden game can be drawn in every form, from its zones alone."""

import xml.etree.ElementTree as Xml
from collections import Counter

import pytest

from domain.capabilities import CardFaces
from domain.games import GAME_TYPES
from service.pictures.cards import symbol_id
from service.pictures.placing import place_cards
from service.pictures.svg import drawing, setting_of
from service.pictures.text import WIDTH, picture
from service.pictures.words import speak_frame

from .golden_views import GOLDEN, golden_frames
from .test_golden_boards import board, played

SVG = "{http://www.w3.org/2000/svg}"
games = pytest.mark.parametrize("name", GOLDEN)


@games
def test_every_frame_is_text_that_fits_names_every_zone_and_shows_no_card_but_by_its_face(name: str) -> None:
    faces = GAME_TYPES[GOLDEN[name][0]].get(CardFaces).by_card
    for frame in golden_frames(name):
        text = picture(frame, faces)
        assert text.endswith("\n")
        assert max(map(len, text.splitlines())) <= WIDTH + 40, text
        assert frame.view is not None
        said = speak_frame(frame, faces).splitlines()
        assert all(any(line.startswith(f"{zone.label}: ") for line in said) for zone in frame.view.zones)
        table = text.partition("\n\n")[2]
        assert not any(f" {card} " in f" {table} " for card in faces)


@games
def test_every_frame_is_a_drawing_with_every_card_that_the_board_shows(name: str) -> None:
    game = played(name)
    setting = setting_of(game, 0)
    for frame in golden_frames(name)[::7]:
        root = Xml.fromstring(drawing(frame, setting))
        shown = Counter(str(group.get("data-card")) for group in root.iter(f"{SVG}g") if group.get("data-card"))
        assert frame.view is not None
        assert shown == Counter(card.card for card in place_cards(board(name, "wide"), frame.view.zones) if card.shown)
        assert {one.get("data-zone-id") for one in root.iter(f"{SVG}g")} >= {zone.id for zone in frame.view.zones}
        symbols = [symbol.get("id") for symbol in root.iter(f"{SVG}symbol")]
        assert sorted(symbols) == sorted({symbol_id(card) for card in shown})
        _complete(root)


def _complete(root: Xml.Element) -> None:
    """Whatever is used is there, once; nothing comes from elsewhere, nothing is a script."""
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    links = [element.get("href") or "" for element in root.iter(f"{SVG}use")]
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    assert not list(root.iter(f"{SVG}script"))
    assert not [element for element in root.iter() if any(name.endswith("}href") for name in element.attrib)]
