"""Law: every frame of every golden game can be drawn in every form, from its zones alone."""

import xml.etree.ElementTree as Xml
from collections import Counter
from functools import cache
from itertools import combinations

import pytest
from msgspec.structs import replace

from domain.capabilities import CardFaces
from domain.games import GAME_TYPES
from domain.view import FACE_DOWN, Zone
from service.pictures.spoken import spoken
from service.pictures.svg.faces import symbol_id
from service.pictures.svg.frame import drawing
from service.pictures.svg.placing import Placed, PlacedZone, place_zones
from service.pictures.text import WIDTH, picture

from .golden_views import GOLDEN, golden_frames

SVG = "{http://www.w3.org/2000/svg}"
games = pytest.mark.parametrize("name", GOLDEN)


@games
def test_every_frame_is_text_that_fits_and_names_every_zone(name: str) -> None:
    faces = GAME_TYPES[GOLDEN[name][0]].get(CardFaces).by_card
    for frame in golden_frames(name):
        text = picture(frame, faces)
        assert text.endswith("\n")
        assert max(map(len, text.splitlines())) <= WIDTH + 40, text
        assert frame.view is not None
        said = spoken(frame, faces).splitlines()
        assert all(any(line.startswith(f"{zone.label}: ") for line in said) for zone in frame.view.zones)


@games
def test_cards_of_games_with_faces_of_their_own_are_never_written_as_playing_cards(name: str) -> None:
    faces = GAME_TYPES[GOLDEN[name][0]].get(CardFaces).by_card
    for frame in golden_frames(name):
        if faces and frame.view is not None:
            table = picture(frame, faces).partition("\n\n")[2]
            assert not any(f" {card} " in f" {table} " for card in faces)


@games
def test_every_frame_is_a_drawing_with_every_card_as_often_as_it_shows(name: str) -> None:
    found = GAME_TYPES[GOLDEN[name][0]]
    for frame in golden_frames(name)[::7]:
        root = Xml.fromstring(drawing(frame, found.name, found.get(CardFaces).by_card))
        shown = Counter(str(group.get("data-card")) for group in root.iter(f"{SVG}g") if group.get("data-card"))
        assert frame.view is not None
        assert shown == Counter(card for zone in frame.view.zones for card in _to_be_seen(zone))
        symbols = [symbol.get("id") for symbol in root.iter(f"{SVG}symbol")]
        assert sorted(symbols) == sorted({symbol_id(card) for card in shown})
        _complete(root)


def _to_be_seen(zone: Zone) -> list[str]:
    """Spread cards all, of a heap the upper two."""
    cards = [*[FACE_DOWN] * zone.face_down, *zone.cards]
    return cards if zone.layout in ("column", "row", "fan", "score") else cards[-2:]


def _complete(root: Xml.Element) -> None:
    """Whatever is used is there, once; nothing comes from elsewhere, nothing is a script."""
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    links = [element.get("href") or "" for element in root.iter(f"{SVG}use")]
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    assert not list(root.iter(f"{SVG}script"))
    assert not [element for element in root.iter() if any(name.endswith("}href") for name in element.attrib)]


@cache
def placed(name: str) -> tuple[Placed, ...]:
    """The table of every frame."""
    return tuple(place_zones(frame.view.zones) for frame in golden_frames(name) if frame.view is not None)


@cache
def layouts(name: str) -> tuple[Placed, ...]:
    """A table for each way in which zones, their labels and plates lie: most frames of a game lie alike."""
    return tuple({_areas(table): table for table in placed(name)}.values())


def _areas(table: Placed) -> tuple[object, ...]:
    return (*(replace(zone, count=0) for zone in table.zones), *table.plates)


@games
def test_every_frame_keeps_within_its_drawing_and_no_two_zones_overlap(name: str) -> None:
    for table in placed(name):
        _within(table)
    for table in layouts(name):
        overlapping = [(one.zone, other.zone) for one, other in combinations(table.zones, 2) if _overlap(one, other)]
        assert overlapping == []


@games
def test_no_label_runs_into_a_zone_or_another_label(name: str) -> None:
    for table in layouts(name):
        words = [_words(zone) for zone in table.zones if zone.label is not None]
        assert not [(word.zone, zone.zone) for word in words for zone in table.zones if _overlap(word, zone)]
        assert not [(one.zone, other.zone) for one, other in combinations(words, 2) if _overlap(one, other)]


@games
def test_a_plate_lies_under_the_zones_of_its_seat_alone(name: str) -> None:
    view = golden_frames(name)[0].view
    assert view is not None
    owners = {zone.id: zone.owner for zone in view.zones}  # zones have the same owners in every frame: a law
    for table in layouts(name):
        areas = [replace(table.zones[0], zone=f"plate of {plate.seat}", x=plate.x, y=plate.y, width=plate.width,
                         height=plate.height) for plate in table.plates]  # fmt: skip
        assert not [(one, other) for one, other in combinations(areas, 2) if _overlap(one, other)]
        on = [(plate.seat, owners[zone.zone]) for plate, area in zip(table.plates, areas, strict=True)
              for zone in table.zones if _overlap(area, zone)]  # fmt: skip
        assert all(seat == owner for seat, owner in on)
        assert len(on) == (sum(owner is not None for owner in owners.values()) if table.plates else 0)


def _words(zone: PlacedZone) -> PlacedZone:
    """The area of a zone's label, as if it were a zone."""
    label = zone.label
    assert label is not None
    top = label.baselines[0] - 0.8 * label.size
    return replace(zone, x=label.x, y=top, width=label.width, height=label.y - top)


def _within(table: Placed) -> None:
    for zone in table.zones:
        assert zone.x >= 0
        assert zone.y >= 0
        assert zone.x + zone.width <= table.width
        assert zone.y + zone.height <= table.height
        assert zone.label is None or (zone.label.x + zone.label.width <= table.width and zone.label.baselines[0] > 0)
    areas = {zone.zone: zone for zone in table.zones}
    assert all(_inside(card.x, card.y, areas[card.zone]) for card in table.cards)


def _inside(x: float, y: float, area: PlacedZone) -> bool:
    return area.x - 0.01 <= x <= area.x + area.width - 99.98 and area.y - 0.01 <= y <= area.y + area.height - 139.98


def _overlap(one: PlacedZone, other: PlacedZone) -> bool:
    beside = one.x + one.width <= other.x + 0.01 or other.x + other.width <= one.x + 0.01
    above = one.y + one.height <= other.y + 0.01 or other.y + other.height <= one.y + 0.01
    return not (beside or above)
