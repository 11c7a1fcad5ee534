"""Pictures as text, drawn."""

from textwrap import dedent
from typing import Any

import pytest

from domain.capabilities import Face
from domain.view import Layout, View, Zone
from service.pictures.text import WIDTH, colour_text, picture

from .frames import WON, frame, toy, zones


def table(*shown: Zone) -> str:
    """The picture without its heading."""
    return picture(zones(*shown)).split("\n\n", 1)[1]


def one(layout: Layout, *cards: str, face_down: int = 0) -> str:
    """A single zone without its label."""
    return table(Zone("z", "Zone", layout, 0, 0, face_down=face_down, cards=cards)).split("\n", 1)[1]


def test_a_whole_picture_has_heading_table_sentences_and_facts() -> None:
    assert picture(frame(toy(0), "Player 2 draws a card.")) == dedent("""
        Step 4 | playing, phase play | Player 1 to act

        Stock           Heap
        ## x3           4H x2

        Hand 0
        AS 5H

        Hand 1
        ## ## ##

        Player 2 draws a card.

        draws: 0
        """).lstrip("\n")


def test_suits_can_be_symbols_and_every_card_face_up() -> None:
    assert "Stock           Heap\n2♠ x3           4♥ x2\n\nHand 0\nA♠ 5♥\n\nHand 1\n2♦ 3♦ 6♣\n" in picture(
        frame(toy(-1)), suit_symbols=True
    )


def test_a_heading_tells_the_live_step_the_ending_and_that_it_is_stuck() -> None:
    stuck = View("over", (), True, (), {})
    told = picture(frame(stuck, step=9, live_step=3, status="finished", result=WON))
    assert told == "Step 9, showing step 3 again | finished, phase over | stuck | Player 2 won: hand empty, 0 : 5\n"


def test_a_game_that_waits_has_no_table() -> None:
    waiting = frame(None, "A game of Toy is opened.", step=0, live_step=0, status="waiting")
    assert picture(waiting) == "Step 0 | waiting\n\nA game of Toy is opened.\n"


@pytest.mark.parametrize(("shown", "lines"), [
    # Columns run down beside each other, and an empty place is marked.
    ([("Column 0", "column", 0, 0, 2, "KH QS"), ("Column 1", "column", 1.25, 0),
      ("Column 2", "column", 2.5, 0, 0, "# *1")],
     ["Column 0  Column 1  Column 2", "##        --        ##", "##                  *1", "KH", "QS"]),
    # A zone under a long column starts below its last card.
    ([("Column 0", "column", 0, 0, 0, "KH QS JH"), ("Cell", "pile", 3, 0, 0, "2C"),
      ("Hand", "fan", 0, 1.25, 0, "AS AD")],
     ["Column 0                Cell", "KH                      2C", "QS", "JH", "", "Hand", "AS AD"]),
    # A row that would run into its neighbour goes on below, and a zone that needs more room pushes the next aside.
    ([("Seven", "row", 0, 0, 0, "AS 2S 3S 4S 5S 6S 7S"), ("Beside", "pile", 2, 0, 0, "KD")],
     ["Seven           Beside", "AS 2S 3S 4S 5S  KD", "6S 7S"]),
    ([("Close", "column", 0, 0, 123456789), ("By", "pile", 1, 0, 0, "KD")], ["Close         By", "## x123456789 KD"]),
    # Long labels of close piles break over their cards; single places of a grid are labelled by their numbers.
    ([("Player 1, discard pile 0", "pile", 0, 0, 0, "AS"), ("Draw", "pile", 1.25, 0, 40)],
     ["Player 1,", "discard", "pile 0    Draw", "AS        ## x40"]),
    ([(f"Row {y}, column {x}", "grid", x, y, 0, "KD" * (x == y)) for y in (0, 1) for x in (0, 1)],
     ["0.0     0.1", "KD      --", "", "1.0     1.1", "--      KD"]),
    ([("Score", "score", 0, 0)], ["Score"]),
])  # fmt: skip
def test_zones_are_laid_out_beside_and_below_each_other(shown: list[Any], lines: list[str]) -> None:
    zones = [
        Zone(f"z{number}", label, layout, x, y, face_down=next(iter(more), 0), cards=tuple("".join(more[1:]).split()))
        for number, (label, layout, x, y, *more) in enumerate(shown)
    ]
    assert table(*zones).splitlines() == lines


def test_many_cards_face_down_are_told_by_their_number() -> None:
    assert one("column", "KS", face_down=12) == "## x12\nKS\n"
    assert one("fan", face_down=3) == "## ## ##\n"


@pytest.mark.parametrize("layout", ["grid", "ring", "pyramid", "clock"])
def test_a_place_of_a_figure_is_a_pile(layout: Layout) -> None:
    assert one(layout, "AS", "2S", "3S") == "3S x3\n"
    assert one(layout, face_down=1) == "##\n"
    assert one(layout) == "--\n"


def test_a_broad_table_stays_within_the_width() -> None:
    shown = [Zone(f"z{n}", f"Pile {n}", "pile", 1.25 * n, 0, cards=("KD",)) for n in range(14)]
    assert max(map(len, table(*shown).splitlines())) <= WIDTH


@pytest.mark.parametrize(("facts", "lines"), [
    ({"type": "toy/facts", "open": True, "left": None, "ranks": ("A", "2"), "bid": {"level": 1}, "log": ({"n": 1},)},
     ["open: yes", "left: none", "ranks: A, 2", "bid:", "  level: 1", "log:", "  n 1"]),
    # A board is drawn row by row.
    ({"rings": ("..0", "1..", "..."), "colours": ("red", "red", "red")},
     ["rings:", "  ..0", "  1..", "  ...", "colours: red, red, red"]),
    # Parts that have parts are numbered, places written with a dash.
    ({"seats": ({"score": 3, "built": ({"feature": "star", "cells": ((8, 1), (8, 2))},)},)},
     ["seats:", "  0:", "    score: 3", "    built:", "      feature star, cells 8-1, 8-2"]),
])  # fmt: skip
def test_facts_of_every_shape_are_lines(facts: dict[str, object], lines: list[str]) -> None:
    assert picture(frame(View("p", (), False, (), facts))).split("\n\n", 1)[1].splitlines() == lines


def test_cards_that_stand_for_something_are_written_by_its_mark() -> None:
    faces = {"AS": Face(name="a black stone", mark="B")}
    shown = frame(View("p", (), False, (Zone("z", "Bowl", "pile", 0, 0, cards=("AS", "AS")),), {"marks": ("AS",)}))
    assert picture(shown, faces).split("\n\n", 1)[1] == "Bowl\nB x2\n\nmarks: B\n"


def test_only_red_cards_are_coloured() -> None:
    red = "\x1b[31m"
    assert colour_text("QH QS T♦ *1 ##") == f"{red}QH\x1b[39m QS {red}T♦\x1b[39m *1 ##"
    assert colour_text("6HD A2D2") == "6HD A2D2"
