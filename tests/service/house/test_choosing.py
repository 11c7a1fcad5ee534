"""What a bot says in positions where there is a right thing to say."""

from random import Random
from typing import Any

import pytest

from domain.kit.evaluation import Move, Position
from service.house.engine import choose_best, choose_by_lot

LOTS = Random("a bot's lots")


def greedy(position: Position) -> Move | None:
    return choose_best(position, LOTS)


# Megiddo: rings from the innermost, s of seat 0 and o of seat 1, as drawn below.


def megiddo(*rings: str, arbatta: int = 6, captured: tuple[int, int] = (0, 0)) -> Position:
    """Seat 0 is to place a stone."""
    stones = [ring.replace("s", "0").replace("o", "1") for ring in rings]
    vacant = [(r, s) for r, ring in enumerate(stones, 1) for s, stone in enumerate(ring) if stone == "."]
    commands = [{"type": "megiddo/place", "target": f"point_{ring}_{spoke}"} for ring, spoke in vacant]
    facts = {"variant": "megiddo", "rings": stones, "arbatta": arbatta, "captured": captured}
    return Position("megiddo", {"cleopatra": False}, 0, {"to_act": [0], "zones": [], "facts": facts}, commands)


EMPTY = "......"


@pytest.mark.parametrize(
    ("rings", "point"),
    [
        ((EMPTY, "sss.ss", EMPTY, "oooo.o", EMPTY, EMPTY), "point_2_3"),  # its own ring, before the other's
        (("s.....", "s.....", "......", "s.....", "s.....", "s....."), "point_3_0"),  # a spoke
        (("s.....", ".s....", "..s...", "...s..", "....s.", EMPTY), "point_6_5"),  # a spiral
        ((EMPTY, EMPTY, EMPTY, "oooo.o", EMPTY, "s....."), "point_4_4"),  # nothing to win, so block
        (("soo...", EMPTY, EMPTY, "oooo.o", EMPTY, EMPTY), "point_4_4"),  # although there are two to capture
        ((EMPTY, EMPTY, "soo...", EMPTY, EMPTY, EMPTY), "point_3_3"),  # two to capture
    ],
)
def test_megiddo_wins_else_blocks_else_captures(rings: tuple[str, ...], point: str) -> None:
    assert greedy(megiddo(*rings)) == {"type": "megiddo/place", "target": point}


def test_megiddo_does_not_let_the_last_captures_be_made() -> None:
    position = megiddo(EMPTY, EMPTY, "oss...", "soo...", EMPTY, EMPTY, captured=(0, 4))
    assert greedy(position) == {"type": "megiddo/place", "target": "point_3_3"}


def test_megiddo_captures_that_make_six_win() -> None:
    position = megiddo(EMPTY, EMPTY, "soo...", EMPTY, "oooo.o", EMPTY, captured=(4, 0))
    assert greedy(position) == {"type": "megiddo/place", "target": "point_3_3"}


# Spite & Malice


def spite(hand: str, stock: str, decks: list[int], *commands: Move, piles: tuple[str, ...] = ()) -> Position:
    """Seat 0 with these cards; play decks of these heights; kings are wild."""
    zones: list[dict[str, Any]] = [
        {"id": "hand_0", "cards": hand.split()},
        {"id": "stock_0", "cards": [stock]},
        {"id": "stock_1", "cards": ["9H"]},
        *({"id": f"play_{number}", "cards": ["#"] * height} for number, height in enumerate(decks)),
        *({"id": f"discard_0_{number}", "cards": pile.split()} for number, pile in enumerate(piles or ("", ""))),
    ]
    view = {"to_act": [0], "zones": zones, "facts": {"finish": 12}}
    return Position("spite_and_malice", {}, 0, view, commands)


def play(source: str, target: str, card: str | None = None) -> Move:
    named = {} if card is None else {"card": card}
    return {"type": "spite_and_malice/play", "source": source, "target": target, **named}


def discard(card: str, target: str = "discard_0_0") -> Move:
    return {"type": "spite_and_malice/discard", "card": card, "target": target, "source": "hand_0"}


def test_spite_and_malice_plays_its_stock_first() -> None:
    stock = play("stock_0", "play_1")
    assert greedy(spite("3S 7D", "5H", [2, 4], play("hand_0", "play_0", "3S"), stock, discard("7D"))) == stock


def test_spite_and_malice_takes_the_way_that_leads_to_its_stock() -> None:
    way = play("hand_0", "play_1", "4C")
    assert greedy(spite("AS 4C", "5H", [0, 3], play("hand_0", "play_0", "AS"), way, discard("4C"))) == way


def test_spite_and_malice_uses_a_wild_for_what_is_lacking_on_that_way() -> None:
    wild = play("hand_0", "play_0", "KS")
    assert greedy(spite("KS 9D 9C", "5H", [3], wild, discard("9D"))) == wild


def test_spite_and_malice_keeps_a_wild_that_leads_nowhere() -> None:
    commands = (play("hand_0", "play_0", "KS"), discard("KS"), discard("9D"))
    assert greedy(spite("KS 9D", "5H", [7], *commands)) == discard("9D")


def test_spite_and_malice_discards_in_falling_runs() -> None:
    there, here = discard("8D", "discard_0_1"), discard("8D", "discard_0_0")
    assert greedy(spite("8D KS", "AH", [3], here, there, piles=("3C", "9H"))) == there


# Screaming Yoda


def yoda(*commands: Move, pile: str = "", exposed: tuple[int, ...] = (), to_act: tuple[int, ...] = (0,)) -> Position:
    zones = [{"id": "pile", "cards": pile.split()}, {"id": "column_0_0", "face_down": 1, "cards": ["4S"]}]
    return Position(
        "screaming_yoda", {}, 0, {"to_act": to_act, "zones": zones, "facts": {"exposed": exposed}}, commands
    )


def lay(*cards: str, **more: Any) -> Move:
    return {"type": "screaming_yoda/play", "cards": list(cards), **more}


CALL = {"type": "screaming_yoda/call", "seat": 2}
PICK_UP = {"type": "screaming_yoda/pick_up"}


def test_screaming_yoda_calls_who_has_not_shouted() -> None:
    assert greedy(yoda(lay("5S"), CALL, exposed=(2,))) == CALL


def test_screaming_yoda_calls_nobody_without_cause_and_then_says_nothing() -> None:
    assert greedy(yoda(CALL, to_act=(0, 1))) is None


def test_screaming_yoda_shouts() -> None:
    shouted = lay("5S", shout=True)
    assert greedy(yoda(lay("5S"), shouted)) == shouted
    assert greedy(yoda(CALL, {"type": "screaming_yoda/shout"}, exposed=(0, 2))) == {"type": "screaming_yoda/shout"}


def test_screaming_yoda_plays_low_and_many_and_keeps_twos_and_tens() -> None:
    both = lay("5S", "5D")
    assert greedy(yoda(lay("2S"), lay("TS"), lay("5S"), both, lay("KS"), PICK_UP)) == both
    assert greedy(yoda(lay("2S"), PICK_UP)) == lay("2S")


def test_screaming_yoda_lays_the_fourth() -> None:
    assert greedy(yoda(lay("9S"), lay("QS"), pile="QH QD 2C QC")) == lay("QS")


def test_screaming_yoda_lays_its_strong_cards_open_and_then_is_ready() -> None:
    swap = {"type": "screaming_yoda/swap", "card": "TS", "target": "column_0_0"}
    weaker = {"type": "screaming_yoda/swap", "card": "3S", "target": "column_0_0"}
    ready = {"type": "screaming_yoda/ready"}
    assert greedy(yoda(weaker, swap, ready, to_act=(0, 1, 2))) == swap
    assert greedy(yoda(weaker, ready, to_act=(0, 1, 2))) == ready


# Decs Building


def decs(*commands: Move, to_place: str | None = None) -> Position:
    """An empty grid with one power source."""
    grid = ["........"] * 4 + ["...o...."] + ["........"] * 3
    facts = {"seats": [{"grid": grid, "features": []}], "to_place": to_place}
    return Position("decs_building", {}, 0, {"to_act": [0], "zones": [], "facts": facts}, commands)


def action(space: str, *payment: str) -> Move:
    return {"type": "decs_building/take_action", "space": space, "payment": list(payment)}


def place(*cells: list[int]) -> Move:
    return {"type": "decs_building/place", "cells": list(cells)}


def test_decs_building_draws_where_there_is_power() -> None:
    assert greedy(decs(place([1, 1]), place([5, 5]), place([8, 8]), to_place="small_star")) == place([5, 5])


def test_decs_building_takes_the_decoration_of_most_points_and_passes_at_last() -> None:
    star, big = action("small_star", "2D", "3C"), action("big_star", "2D", "3D", "4S")
    over = {"type": "decs_building/pass"}
    discarded = {"type": "decs_building/discard", "card": "2D"}
    assert greedy(decs(star, big, discarded, over)) == big
    assert greedy(decs(discarded, over)) == over


# Any game type


def unknown(to_act: tuple[int, ...] = (0,)) -> Position:
    return Position("made_up", {}, 0, {"to_act": to_act}, [{"type": "made_up/a"}, {"type": "made_up/b"}])


def test_a_game_type_that_nothing_is_known_of_is_played_by_lot() -> None:
    chosen = [greedy(unknown()) for _ in range(50)]
    assert {"type": "made_up/a"} in chosen
    assert {"type": "made_up/b"} in chosen


def test_by_lot_something_is_always_said_where_nobody_else_may_act() -> None:
    assert all(choose_by_lot(unknown(), LOTS) for _ in range(50))
    spoken = [choose_by_lot(unknown((0, 1)), LOTS) for _ in range(50)]
    assert None in spoken
    assert any(spoken)


def test_the_same_seed_draws_the_same_lots() -> None:
    once, again = ([choose_by_lot(unknown((0, 1)), lots) for _ in range(20)] for lots in (Random("7"), Random("7")))
    assert once == again
