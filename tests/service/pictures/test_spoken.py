"""Frames as they are read aloud."""

import pytest

from domain.capabilities import Face
from domain.play.frames import Frame
from domain.view import View, Zone
from service.pictures.words import speak_frame

from .frames import WON, frame, toy, zones

STONE = {"AS": Face(name="a black stone")}


def facts(**told: object) -> Frame:
    return frame(View("p", (), False, (), told))


@pytest.mark.parametrize(("shown", "lines"), [
    (frame(toy(0), "Player 2 draws a card."), [
        "Step 4.", "Player 2 draws a card.", "Stock: three cards face down.",
        "Heap: four of hearts, on top of one card.", "Hand 0: ace of spades, five of hearts.",
        "Hand 1: three cards face down.", "To act: Player 1.", "Draws: 0.",
    ]),
    (zones(Zone("tableau_3", "Tableau 3", "column", 0, 0, face_down=4, cards=("QH", "JS"))),
     ["Step 4.", "Tableau 3: four cards face down, then queen of hearts, jack of spades.", "To act: Player 1."]),
    (zones(Zone("a", "Waste", "pile", 0, 0), Zone("b", "Stock", "pile", 1, 0, face_down=24),
           Zone("c", "Cell", "row", 2, 0, cards=("*1",))),
     ["Step 4.", "Waste: empty.", "Stock: 24 cards face down.", "Cell: joker.", "To act: Player 1."]),
    (zones(Zone("z", "1 o'clock", "clock", 0, 0, face_down=3, cards=("AS",))),
     ["Step 4.", "1 o'clock: ace of spades, on top of three cards.", "To act: Player 1."]),
    (frame(None, step=9, live_step=3, result=WON),
     ["Step 9. The table of step 3 stands again.", "The game is over, Player 2 won: hand empty, 0 : 5."]),
    (facts(top="6H"), ["Step 4.", "Top: six of hearts."]),
    # A board among the facts is not read out, and parts are numbered.
    (facts(grid=("...", ".o.", "..."), seats=({"score": 1}, {"score": 2})),
     ["Step 4.", "Seats, 0: score 1.", "Seats, 1: score 2."]),
])  # fmt: skip
def test_a_frame_is_read_sentence_by_sentence(shown: Frame, lines: list[str]) -> None:
    assert speak_frame(shown).splitlines() == lines


def test_cards_that_stand_for_something_are_called_by_its_name() -> None:
    shown = frame(View("p", (), False, (Zone("z", "Point 3", "ring", 0, 0, cards=("AS",)),), {"next": "AS"}))
    assert speak_frame(shown, STONE).splitlines()[1:] == ["Point 3: a black stone.", "Next: a black stone."]
