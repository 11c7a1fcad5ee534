"""Pictures as text, drawn."""

from textwrap import dedent

import pytest

from domain.capabilities import Face
from domain.view import Layout, View, Zone
from service.pictures.text import WIDTH, colour_text, picture

from .frames import WON, frame, toy, zones


def drawn(text: str) -> str:
    return dedent(text).lstrip("\n")


def table(*shown: Zone) -> str:
    """The picture without its heading."""
    return picture(zones(*shown)).split("\n\n", 1)[1]


def one(layout: Layout, *cards: str, face_down: int = 0) -> str:
    """A single zone without its label."""
    return table(Zone("z", "Zone", layout, 0, 0, face_down=face_down, cards=cards)).split("\n", 1)[1]


def test_a_whole_picture_has_heading_table_sentences_and_facts() -> None:
    assert picture(frame(toy(0), "Player 2 draws a card.")) == drawn(
        """
        Step 4 | playing, phase play | Player 1 to act

        Stock           Heap
        ## x3           4H x2

        Hand 0
        AS 5H

        Hand 1
        ## ## ##

        Player 2 draws a card.

        draws: 0
        """
    )


def test_suits_can_be_symbols_and_every_card_face_up() -> None:
    assert "Stock           Heap\n2♠ x3           4♥ x2\n\nHand 0\nA♠ 5♥\n\nHand 1\n2♦ 3♦ 6♣\n" in picture(
        frame(toy(-1)), suit_symbols=True
    )


def test_a_heading_tells_the_live_step_the_ending_and_that_it_is_stuck() -> None:
    stuck = View("over", (), True, (), {})
    told = picture(frame(stuck, step=9, live_step=3, status="finished", result=WON))
    assert (
        told
        == "Step 9, showing step 3 again | finished, phase over | stuck | won: hand empty; by Player 2; points 0, 5\n"
    )


def test_a_game_that_waits_has_no_table() -> None:
    waiting = frame(None, "A game of Toy is opened.", step=0, live_step=0, status="waiting")
    assert picture(waiting) == "Step 0 | waiting\n\nA game of Toy is opened.\n"


def test_columns_run_down_beside_each_other_and_an_empty_place_is_marked() -> None:
    columns = (
        Zone("tableau_0", "Column 0", "column", 0, 0, face_down=2, cards=("KH", "QS")),
        Zone("tableau_1", "Column 1", "column", 1.25, 0),
        Zone("tableau_2", "Column 2", "column", 2.5, 0, cards=("#", "*1")),
    )
    assert table(*columns) == drawn(
        """
        Column 0  Column 1  Column 2
        ##        --        ##
        ##                  *1
        KH
        QS
        """
    )


def test_a_zone_under_a_long_column_starts_below_its_last_card() -> None:
    shown = (
        Zone("tableau_0", "Column 0", "column", 0, 0, cards=("KH", "QS", "JH")),
        Zone("free", "Cell", "pile", 3, 0, cards=("2C",)),
        Zone("hand", "Hand", "fan", 0, 1.25, cards=("AS", "AD")),
    )
    assert table(*shown) == drawn(
        """
        Column 0                Cell
        KH                      2C
        QS
        JH

        Hand
        AS AD
        """
    )


def test_a_row_that_would_run_into_its_neighbour_goes_on_below() -> None:
    shown = (
        Zone("a", "Seven", "row", 0, 0, cards=("AS", "2S", "3S", "4S", "5S", "6S", "7S")),
        Zone("b", "Beside", "pile", 2, 0, cards=("KD",)),
    )
    assert table(*shown) == "Seven           Beside\nAS 2S 3S 4S 5S  KD\n6S 7S\n"


def test_a_zone_that_needs_more_room_pushes_the_next_aside() -> None:
    shown = (
        Zone("a", "Close", "column", 0, 0, face_down=123456789),
        Zone("b", "By", "pile", 1, 0, cards=("KD",)),
    )
    assert table(*shown) == "Close         By\n## x123456789 KD\n"


def test_long_labels_of_close_piles_break_over_their_cards() -> None:
    shown = (
        Zone("a", "Player 1, discard pile 0", "pile", 0, 0, cards=("AS",)),
        Zone("b", "Draw", "pile", 1.25, 0, face_down=40),
    )
    assert table(*shown) == "Player 1,\ndiscard\npile 0    Draw\nAS        ## x40\n"


def test_many_cards_face_down_are_told_by_their_number() -> None:
    assert one("column", "KS", face_down=12) == "## x12\nKS\n"
    assert one("fan", face_down=3) == "## ## ##\n"


@pytest.mark.parametrize("layout", ["grid", "ring", "pyramid", "clock"])
def test_a_place_of_a_figure_is_a_pile(layout: Layout) -> None:
    assert one(layout, "AS", "2S", "3S") == "3S x3\n"
    assert one(layout, face_down=1) == "##\n"
    assert one(layout) == "--\n"


def test_single_places_of_a_grid_are_labelled_by_their_numbers() -> None:
    places = [
        Zone(f"p_{y}_{x}", f"Row {y}, column {x}", "grid", x, y, cards=("KD",) if x == y else ())
        for y in (0, 1)
        for x in (0, 1)
    ]
    assert table(*places) == "0.0     0.1\nKD      --\n\n1.0     1.1\n--      KD\n"


def test_an_empty_score_is_its_label_alone() -> None:
    assert table(Zone("s", "Score", "score", 0, 0)) == "Score\n"


def test_a_broad_table_stays_within_the_width() -> None:
    shown = [Zone(f"z{n}", f"Pile {n}", "pile", 1.25 * n, 0, cards=("KD",)) for n in range(14)]
    assert max(map(len, table(*shown).splitlines())) <= WIDTH


def test_facts_of_every_shape_are_lines() -> None:
    facts = {
        "type": "toy/facts",
        "open": True,
        "left": None,
        "ranks": ("A", "2"),
        "bid": {"level": 1},
        "log": ({"n": 1},),
    }
    assert picture(frame(View("p", (), False, (), facts))).split("\n\n", 1)[1] == drawn(
        """
        open: yes
        left: none
        ranks: A, 2
        bid:
          level: 1
        log:
          n 1
        """
    )


def test_a_board_among_the_facts_is_drawn_row_by_row() -> None:
    facts = {"rings": ("..0", "1..", "..."), "colours": ("red", "red", "red")}
    assert picture(frame(View("p", (), False, (), facts))).split("\n\n", 1)[1] == drawn(
        """
        rings:
          ..0
          1..
          ...
        colours: red, red, red
        """
    )


def test_parts_that_have_parts_are_numbered_and_places_written_with_a_dash() -> None:
    facts = {"seats": ({"score": 3, "built": ({"feature": "star", "cells": ((8, 1), (8, 2))},)},)}
    assert picture(frame(View("p", (), False, (), facts))).split("\n\n", 1)[1] == drawn(
        """
        seats:
          0:
            score: 3
            built:
              feature star, cells 8-1, 8-2
        """
    )


def test_cards_that_stand_for_something_are_written_by_its_mark() -> None:
    faces = {"AS": Face(name="a black stone", mark="B")}
    shown = frame(View("p", (), False, (Zone("z", "Bowl", "pile", 0, 0, cards=("AS", "AS")),), {"marks": ("AS",)}))
    assert picture(shown, faces).split("\n\n", 1)[1] == "Bowl\nB x2\n\nmarks: B\n"


def test_only_red_cards_are_coloured() -> None:
    red = "\x1b[31m"
    assert colour_text("QH QS T♦ *1 ##") == f"{red}QH\x1b[39m QS {red}T♦\x1b[39m *1 ##"
    assert colour_text("6HD A2D2") == "6HD A2D2"
