"""A frame as SVG: what is said on it and what reads it out."""

import xml.etree.ElementTree as Xml
from math import cos, pi, sin
from typing import Any

from domain.play.frames import Frame
from domain.view import View, Zone
from service.pictures.spoken import spoken
from service.pictures.svg.frame import drawing
from service.pictures.svg.placing import place_zones

from .frames import WON, frame, toy

SVG = "{http://www.w3.org/2000/svg}"


def root(shown: Frame, name: str = "Toy") -> Xml.Element:
    return Xml.fromstring(drawing(shown, name))


def texts(shown: Frame) -> list[str]:
    return ["".join(text.itertext()) for text in root(shown).iter(f"{SVG}text")]


def only(found: Xml.Element, tag: str) -> str:
    element = found.find(f"{SVG}{tag}")
    assert element is not None
    return element.text or ""


def test_it_reads_itself_out() -> None:
    found = root(frame(toy(0), "Seat 1 draws a card."), "A <b> & c")
    assert only(found, "title") == "A <b> & c, step 4"
    assert only(found, "desc") == spoken(frame(toy(0), "Seat 1 draws a card."))
    assert found.get("role") == "img"
    zone = found.find(f".//{SVG}g[@data-zone-id='heap']/{SVG}title")
    assert zone is not None
    assert zone.text == "Heap: four of hearts, on top of one card."


def test_turn_sentences_labels_counts_and_facts_are_written() -> None:
    said = texts(frame(toy(0), "Seat 1 draws a card."))
    for text in ("Toy, step 4", "Phase: play. Seat 0 to act.", "Seat 1 draws a card.", "Hand 1", "2", "draws: 0"):
        assert text in said


def test_an_undo_an_ending_and_a_stuck_game_are_told() -> None:
    over = texts(frame(View("over", (), False, (), {}), step=9, live_step=3, status="finished", result=WON))
    assert "The table of step 3 stands again." in over
    assert "The game is over, won: hand empty; by seat 1; points 0, 5." in " ".join(over)
    assert any("stuck" in text for text in texts(frame(View("play", (0,), True, (), {}))))


def test_a_game_that_waits_has_words_only() -> None:
    waiting = frame(None, "A game of Toy is opened.", step=0, live_step=0, status="waiting")
    assert texts(waiting) == ["Toy, step 0", "A game of Toy is opened."]
    assert not list(root(waiting).iter(f"{SVG}symbol"))


def test_a_board_among_the_facts_is_squares() -> None:
    found = root(frame(View("p", (), False, (), {"grid": ("..C", "...", "+..")})))
    squares = [path.get("d") or "" for path in found.iter(f"{SVG}path") if path.get("class") == "table-square"]
    assert [path.count("M") for path in squares] == [3, 3, 3]


def spread(layout: Any, count: int, *others: Zone) -> list[tuple[float, float]]:
    cards = tuple("A23456789TJQK"[number % 13] + "S" for number in range(count))
    table = place_zones((Zone("z", "Z", layout, 0, 0, cards=cards), *others))
    return [
        (round(card.x - table.cards[0].x, 2), round(card.y - table.cards[0].y, 2))
        for card in table.cards
        if card.zone == "z"
    ]


def test_columns_run_down_and_rows_and_fans_to_the_right() -> None:
    assert spread("column", 3) == [(0, 0), (0, 32), (0, 64)]
    assert spread("row", 3) == [(0, 0), (108, 0), (216, 0)]
    assert spread("fan", 3) == [(0, 0), (46, 0), (92, 0)]
    assert spread("pile", 2) == [(0, 0), (0, 0)]


def test_steps_shrink_where_the_room_is_small_and_never_below_the_least() -> None:
    right, below = Zone("r", "R", "pile", 2, 0), Zone("b", "B", "pile", 0, 2)
    assert spread("fan", 5, right)[-1] == (92, 0)
    assert spread("column", 11, below)[-1] == (0, 105)
    assert spread("fan", 100, right)[-1] == (594, 0)


def test_of_a_heap_only_the_upper_two_show() -> None:
    table = place_zones((Zone("z", "Z", "clock", 0, 0, face_down=2, cards=("AS", "2S")),))
    assert [(card.card, card.shown) for card in table.cards] == [
        ("#", False), ("#", False), ("AS", True), ("2S", True),
    ]  # fmt: skip
    assert table.zones[0].count == 4


def test_long_labels_take_as_many_lines_as_show_them_large_and_end_where_the_next_begins() -> None:
    shown = (Zone("a", "Seat 0, discard pile 0", "pile", 0, 0), Zone("b", "B", "pile", 1.15, 0))
    label = place_zones(shown).zones[0].label
    assert label is not None
    assert (label.lines, label.size) == (("Seat 0,", "discard", "pile 0"), 18)
    assert label.width <= 101


def test_the_labels_of_a_table_have_one_size() -> None:
    piles = tuple(Zone(f"p{place}", f"Play deck {place}", "pile", 1.15 * place, 0) for place in range(4))
    sizes = {zone.label.size for zone in place_zones(piles).zones if zone.label is not None}
    assert sizes == {16.4}


def test_a_row_goes_down_as_far_as_its_labels_need() -> None:
    high = Zone("a", "A", "pile", 0, 0)
    short, long = Zone("b", "B", "pile", 0, 1.25), Zone("b", "Seat 0, discard pile 0", "pile", 0, 1.25)
    beside = Zone("c", "C", "pile", 1.15, 1.25)
    usual, lower = place_zones((high, short, beside)).zones, place_zones((high, long, beside)).zones
    assert [zone.y - usual[0].y for zone in usual] == [0, 175, 175]
    label = lower[1].label
    assert label is not None
    assert [round(zone.y - lower[0].y, 2) for zone in lower] == [0, *[round(140 + label.height + 6, 2)] * 2]


def test_type_and_counts_are_larger_on_a_large_table() -> None:
    far = Zone("far", "Far", "pile", 29, 0)
    table = place_zones((Zone("near", "Near", "pile", 0, 0, cards=("AS", "2S")), far))
    assert (table.scale, table.zones[0].label and table.zones[0].label.size) == (3, 54)


def test_what_belongs_to_a_seat_lies_on_plates_of_its_own() -> None:
    zones = (
        Zone("stock_0", "S", "pile", 0, 0, 0), Zone("hand_0", "H", "fan", 1.15, 0, 0), Zone("draw", "D", "pile", 3, 0),
        Zone("discard_0", "D", "column", 0, 1.25, 0), Zone("discard_1", "D", "column", 1.15, 1.25, 1),
    )  # fmt: skip
    assert [plate.seat for plate in place_zones(zones).plates] == [0, 0, 1]
    assert place_zones(zones[:3]).plates == ()


def test_places_of_a_board_have_no_label() -> None:
    assert place_zones((Zone("a", "Ring 1 spoke 2", "ring", 0, 0),)).zones[0].label is None


def board(rings: int, spokes: int) -> tuple[Zone, ...]:
    """Places of a board, ring by ring, from the right on clockwise."""
    return tuple(
        Zone(f"p_{ring}_{spoke}", "Place", "ring", 9 + 1.5 * ring * x, 9 + ring * y)
        for ring in range(1, rings + 1)
        for spoke in range(spokes)
        for x, y in [(cos(2 * pi * spoke / spokes), sin(2 * pi * spoke / spokes))]
    )


def test_the_places_of_a_board_are_joined_round_and_outwards() -> None:
    lines = place_zones(board(3, 6)).lines
    assert [len(line) for line in lines] == [7, 7, 7, 3, 3, 3, 3, 3, 3]
    assert all(ring[0] == ring[-1] for ring in lines[:3])
    assert [spoke[0] for spoke in lines[3:]] == list(lines[0][:-1])


def test_places_that_are_no_rings_are_not_joined() -> None:
    assert place_zones(board(3, 6)[:-1]).lines == ()
    assert place_zones(board(1, 2)).lines == ()
    assert place_zones((Zone("a", "A", "pile", 0, 0),)).lines == ()
