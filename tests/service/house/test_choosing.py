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


LAST = (EMPTY, EMPTY, "oss...", "soo...", EMPTY, EMPTY)


@pytest.mark.parametrize(("rings", "captured", "point"), [
    ((EMPTY, "sss.ss", EMPTY, "oooo.o", EMPTY, EMPTY), (0, 0), "point_2_3"),  # its own ring, before the other's
    (("s.....", "s.....", "......", "s.....", "s.....", "s....."), (0, 0), "point_3_0"),  # a spoke
    (("s.....", ".s....", "..s...", "...s..", "....s.", EMPTY), (0, 0), "point_6_5"),  # a spiral
    ((EMPTY, EMPTY, EMPTY, "oooo.o", EMPTY, "s....."), (0, 0), "point_4_4"),  # nothing to win, so block
    (("soo...", EMPTY, EMPTY, "oooo.o", EMPTY, EMPTY), (0, 0), "point_4_4"),  # although there are two to capture
    ((EMPTY, EMPTY, "soo...", EMPTY, EMPTY, EMPTY), (0, 0), "point_3_3"),  # two to capture
    ((EMPTY, EMPTY, "soo...", EMPTY, "oooo.o", EMPTY), (4, 0), "point_3_3"),  # captures that make six win
    (LAST, (0, 4), "point_3_3"),  # nor lets it the other's last captures be made
])  # fmt: skip
def test_megiddo_wins_else_blocks_else_captures(rings: tuple[str, ...], captured: tuple[int, int], point: str) -> None:
    assert greedy(megiddo(*rings, captured=captured)) == {"type": "megiddo/place", "target": point}


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


FOUR, WILD, STOCK = play("hand_0", "play_1", "4C"), play("hand_0", "play_0", "KS"), play("stock_0", "play_1")
BESIDE = discard("8D", "discard_0_1")


@pytest.mark.parametrize(("position", "move"), [
    (spite("3S 7D", "5H", [2, 4], play("hand_0", "play_0", "3S"), STOCK, discard("7D")), STOCK),
    # The way that leads to its stock; a wild for what is lacking on it, but none that leads nowhere.
    (spite("AS 4C", "5H", [0, 3], play("hand_0", "play_0", "AS"), FOUR, discard("4C")), FOUR),
    (spite("KS 9D 9C", "5H", [3], WILD, discard("9D")), WILD),
    (spite("KS 9D", "5H", [7], WILD, discard("KS"), discard("9D")), discard("9D")),
    (spite("8D KS", "AH", [3], discard("8D"), BESIDE, piles=("3C", "9H")), BESIDE),  # in falling runs
])  # fmt: skip
def test_spite_and_malice_plays_towards_its_stock(position: Position, move: Move) -> None:
    assert greedy(position) == move


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


SHOUT, BOTH = {"type": "screaming_yoda/shout"}, lay("5S", "5D")
READY = {"type": "screaming_yoda/ready"}
STRONG, WEAK = ({"type": "screaming_yoda/swap", "card": card, "target": "column_0_0"} for card in ("TS", "3S"))


@pytest.mark.parametrize(("position", "move"), [
    (yoda(lay("5S"), CALL, exposed=(2,)), CALL),  # who has not shouted
    (yoda(CALL, to_act=(0, 1)), None),  # nobody without cause, and then it says nothing
    (yoda(lay("5S"), lay("5S", shout=True)), lay("5S", shout=True)),
    (yoda(CALL, SHOUT, exposed=(0, 2)), SHOUT),
    (yoda(lay("2S"), lay("TS"), lay("5S"), BOTH, lay("KS"), PICK_UP), BOTH),  # low and many, no twos and tens
    (yoda(lay("2S"), PICK_UP), lay("2S")),
    (yoda(lay("9S"), lay("QS"), pile="QH QD 2C QC"), lay("QS")),  # the fourth
    (yoda(WEAK, STRONG, READY, to_act=(0, 1, 2)), STRONG),  # its strong cards open, and then it is ready
    (yoda(WEAK, READY, to_act=(0, 1, 2)), READY),
])  # fmt: skip
def test_screaming_yoda_calls_shouts_and_lays_low(position: Position, move: Move | None) -> None:
    assert greedy(position) == move


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
