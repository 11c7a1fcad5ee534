"""A frame as SVG: what is said on it and what reads it out."""

import xml.etree.ElementTree as Xml

from domain.board import Board, Figure, Place, Seating
from domain.capabilities import Chip
from domain.play.frames import Frame
from domain.view import View, Zone
from service.pictures.placing import place_cards
from service.pictures.sheet import figure
from service.pictures.svg import Setting, drawing
from service.pictures.words import chip_text, speak_frame

from .frames import WON, frame, toy

SVG = "{http://www.w3.org/2000/svg}"


def root(shown: Frame, name: str = "Toy") -> Xml.Element:
    return Xml.fromstring(drawing(shown, Setting(name)))


def texts(shown: Frame) -> list[str]:
    return ["".join(text.itertext()) for text in root(shown).iter(f"{SVG}text")]


def only(found: Xml.Element, tag: str) -> str:
    element = found.find(f"{SVG}{tag}")
    assert element is not None
    return element.text or ""


def test_it_reads_itself_out() -> None:
    found = root(frame(toy(0), "Player 2 draws a card."), "A <b> & c")
    assert only(found, "title") == "A <b> & c, step 4"
    assert only(found, "desc") == speak_frame(frame(toy(0), "Player 2 draws a card."))
    assert found.get("role") == "img"
    zone = found.find(f".//{SVG}g[@data-zone-id='heap']/{SVG}title")
    assert zone is not None
    assert zone.text == "Heap: four of hearts, on top of one card."


def test_turn_sentences_labels_counts_and_facts_are_written() -> None:
    said = texts(frame(toy(0), "Player 2 draws a card."))
    for text in ("Toy, step 4", "Phase: play. Player 1 to act.", "Player 2 draws a card.", "Hand 1", "2", "draws: 0"):
        assert text in said


def test_an_undo_an_ending_and_a_stuck_game_are_told() -> None:
    over = texts(frame(View("over", (), False, (), {}), step=9, live_step=3, status="finished", result=WON))
    assert "The table of step 3 stands again." in over
    assert "The game is over, Player 2 won: hand empty, 0 : 5." in " ".join(over)
    assert any("stuck" in text for text in texts(frame(View("play", (0,), True, (), {}))))


def test_a_game_that_waits_has_words_only() -> None:
    waiting = frame(None, "A game of Toy is opened.", step=0, live_step=0, status="waiting")
    assert texts(waiting) == ["Toy, step 0", "A game of Toy is opened."]
    assert not list(root(waiting).iter(f"{SVG}symbol"))


def test_a_board_among_the_facts_is_squares() -> None:
    found = root(frame(View("p", (), False, (), {"grid": ("..C", "...", "+..")})))
    squares = [path.get("d") or "" for path in found.iter(f"{SVG}path") if path.get("class") == "table-square"]
    assert [path.count("M") for path in squares] == [3, 3, 3]


def spread(place: Place, cards: tuple[str, ...]) -> list[tuple[float, float]]:
    zone = Zone(place.zone, "Z", "pile", 0, 0, cards=cards)
    return [(card.x, card.y) for card in place_cards(Board(9, 9, (place,)), (zone,))]


def test_cards_spread_down_right_and_turned_and_shrink_where_room_is_small() -> None:
    three = ("AS", "2S", "3S")
    assert spread(Place("z", 0, 0, "down", 3), three) == [(0, 0), (0, 39.2), (0, 78.4)]
    assert spread(Place("z", 0, 0, "down", 3), ("#", *three[1:])) == [(0, 0), (0, 19.6), (0, 58.8)]
    assert spread(Place("z", 1, 0, "right", 4), three) == [(100, 0), (208, 0), (316, 0)]
    assert spread(Place("z", 0, 0, "right", 4, 0.3), three) == [(0, 0), (30, 0), (60, 0)]
    assert spread(Place("z", 0, 1), three) == [(0, 140)] * 3
    cards = ("#", "#", "AS", "2S")
    assert spread(Place("z", 0, 0, "down", 1.28), cards) == [(0, 0), (0, 9.8), (0, 19.6), (0, 39.2)]
    assert spread(Place("z", 0, 0, "right", 1.01), cards)[-1] == (12, 0)
    two = ("AS", "2S")
    assert spread(Place("z", 1, 1, "right", 3, turn=90), two) == [(100, 140), (100, 248)]
    assert spread(Place("z", 0, 0, "right", 3, scale=0.5), two) == [(0, 0), (54, 0)]


def test_of_a_waste_the_topmost_cards_and_of_a_heap_two_show() -> None:
    zone = Zone("z", "Z", "pile", 0, 0, cards=("AS", "2S", "3S", "4S", "5S"))
    cards = place_cards(Board(9, 9, (Place("z", 0, 0, "right", 1.6, 0.3, 3),)), (zone,))
    assert [card.x for card in cards] == [0, 0, 0, 30, 60]
    assert [card.shown for card in cards] == [False, True, True, True, True]
    zone = Zone("z", "Z", "clock", 0, 0, face_down=2, cards=("AS", "2S"))
    cards = place_cards(Board(9, 9, (Place("z", 0, 0),)), (zone,))
    assert [(card.card, card.shown) for card in cards] == [("#", False), ("#", False), ("AS", True), ("2S", True)]


def test_places_are_drawn_in_their_order() -> None:
    zones = (Zone("a", "A", "pile", 0, 0, cards=("AS",)), Zone("b", "B", "pile", 0, 0, cards=("2S",)))
    board = Board(9, 9, (Place("b", 0, 0), Place("a", 0, 0)))
    assert [card.zone for card in place_cards(board, zones)] == ["b", "a"]


def test_a_picture_names_the_people_that_it_knows_and_no_seats() -> None:
    board = Board(9, 9, (), (Seating("0", 0, 0, 3, 0.3), Seating("1", 0, 1, 3, 0.3)))
    chips = (Chip(fact="draws", label="Drawn"), Chip(fact="left.@", label="Left", seat=True))
    view = View("play", (0,), False, toy(0).zones, {"draws": 4, "left": [2, 3], "more": 1})
    setting = Setting("Toy", board=board, chips=chips, players=("Ada", None))
    said = ["".join(text.itertext()) for text in Xml.fromstring(
        drawing(frame(view, "Player 1 draws a card for Player 2."), setting)
    ).iter(f"{SVG}text")]  # fmt: skip
    told = {"Phase: play. Ada to act.", "Ada draws a card for Player 2.", "more: 1"}
    assert told | {"Ada", "Player 2", "Drawn 4", "Left 2", "Left 3"} <= set(said)
    assert not any(text.startswith(("draws", "left")) for text in said)


def test_a_board_among_the_facts_is_drawn_where_the_board_says() -> None:
    parts = [{"feature": "star", "cells": [[3, 1], [3, 2]], "works": True}]
    area = Figure("seats.0.grid", "seats.0.features", 1, 0, 3, 3 * 100 / 140)
    drawn = figure(area, ["..", "oS"], parts)
    assert "translate(100 0) scale(150)" in drawn
    assert drawn.count("M") == 4 + 2
    assert "<title>star</title>" in drawn
    assert figure(area, None, None) == ""


def test_a_chip_says_only_what_is_of_use() -> None:
    chip = Chip(fact="run_limit", label="Cards at once", least=2, most=12)
    texts = [chip_text(chip, {"run_limit": limit}) for limit in (1, 2, 12, 13, 1280)]
    assert texts == ["", "Cards at once 2", "Cards at once 12", "", ""]
