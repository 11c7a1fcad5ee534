"""Frames as they are read aloud."""

from domain.capabilities import Face
from domain.view import View, Zone
from service.pictures.words import speak_frame

from .frames import WON, frame, toy, zones


def test_a_frame_is_read_sentence_by_sentence() -> None:
    assert speak_frame(frame(toy(0), "Player 2 draws a card.")).splitlines() == [
        "Step 4.",
        "Player 2 draws a card.",
        "Stock: three cards face down.",
        "Heap: four of hearts, on top of one card.",
        "Hand 0: ace of spades, five of hearts.",
        "Hand 1: three cards face down.",
        "To act: Player 1.",
        "Draws: 0.",
    ]


def test_a_column_tells_first_what_lies_face_down() -> None:
    column = Zone("tableau_3", "Tableau 3", "column", 0, 0, face_down=4, cards=("QH", "JS"))
    assert "Tableau 3: four cards face down, then queen of hearts, jack of spades.\n" in speak_frame(zones(column))


def test_empty_places_jokers_and_great_numbers_are_said() -> None:
    shown = (
        Zone("a", "Waste", "pile", 0, 0),
        Zone("b", "Stock", "pile", 1, 0, face_down=24),
        Zone("c", "Cell", "row", 2, 0, cards=("*1",)),
    )
    assert speak_frame(zones(*shown)).splitlines()[1:4] == [
        "Waste: empty.",
        "Stock: 24 cards face down.",
        "Cell: joker.",
    ]


def test_an_undo_and_an_ending_are_said() -> None:
    text = speak_frame(frame(None, step=9, live_step=3, result=WON))
    assert (
        text
        == "Step 9. The table of step 3 stands again.\nThe game is over, won: hand empty; by Player 2; points 0, 5.\n"
    )


def test_cards_among_the_facts_are_named() -> None:
    assert speak_frame(frame(View("p", (), False, (), {"top": "6H"}))).splitlines()[-1] == "Top: six of hearts."


def test_cards_that_stand_for_something_are_called_by_its_name() -> None:
    faces = {"AS": Face(name="a black stone")}
    shown = frame(View("p", (), False, (Zone("z", "Point 3", "ring", 0, 0, cards=("AS",)),), {"next": "AS"}))
    assert speak_frame(shown, faces).splitlines()[1:] == ["Point 3: a black stone.", "Next: a black stone."]


def test_a_place_of_a_figure_is_told_by_its_top() -> None:
    shown = Zone("z", "1 o'clock", "clock", 0, 0, face_down=3, cards=("AS",))
    assert "1 o'clock: ace of spades, on top of three cards.\n" in speak_frame(zones(shown))


def test_a_board_among_the_facts_is_not_read_out_and_parts_are_numbered() -> None:
    facts = {"grid": ("...", ".o.", "..."), "seats": ({"score": 1}, {"score": 2})}
    assert speak_frame(frame(View("p", (), False, (), facts))).splitlines()[1:] == [
        "Seats, 0: score 1.",
        "Seats, 1: score 2.",
    ]
