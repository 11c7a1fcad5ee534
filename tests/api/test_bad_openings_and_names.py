"""Openings and names that cannot be, or that a rule forbids."""

import re
from typing import Any
from unicodedata import category

import pytest

from domain.kit.cards import PACK
from service import problems

from .problems import told
from .serving import Player, Service

pytestmark = pytest.mark.usefixtures("nothing_recorded")
CARDS = list(PACK)


OPENINGS: dict[str, tuple[Any, str | None]] = {
    "no type": ({}, None),
    "an unknown type": ({"game_type": "poker"}, None),
    "an unknown field": ({"game_type": "klondike", "colour": "red"}, None),
    "an unknown option": ({"game_type": "klondike", "options": {"colour": "red"}}, None),
    "an option of the wrong type": ({"game_type": "klondike", "options": {"draw": "three"}}, None),
    "an option out of range": ({"game_type": "klondike", "options": {"draw": 53}}, None),
    "seats of a solo game": ({"game_type": "klondike", "seats": 2}, None),
    "too many seats": ({"game_type": "spite_and_malice", "seats": 3}, None),
    "a seat out of range": ({"game_type": "spite_and_malice", "seat": 2}, None),
    "a negative seat": ({"game_type": "spite_and_malice", "seat": -1}, None),
    "no visibility": ({"game_type": "klondike", "visibility": "secret"}, None),
    "an empty seed": ({"game_type": "klondike", "seed": ""}, None),
    "a long seed": ({"game_type": "klondike", "seed": "s" * 65}, None),
    "a seed with a NUL": ({"game_type": "klondike", "seed": "a\0"}, None),
    "a seed with a line": ({"game_type": "klondike", "seed": "a\n"}, None),
    "a seed beyond ASCII": ({"game_type": "klondike", "seed": "é"}, None),
    "a long deal": ({"game_type": "klondike", "deal": ["AS"] * 501}, None),
    "a deal of numbers": ({"game_type": "klondike", "deal": list(range(52))}, None),
    "a doubled card": ({"game_type": "klondike", "deal": ["AS", *CARDS]}, "given_deal"),
    "a card twice for another": ({"game_type": "klondike", "deal": [*CARDS[:-1], CARDS[0]]}, "given_deal"),
    "a missing card": ({"game_type": "klondike", "deal": CARDS[1:]}, "given_deal"),
    "no cards": ({"game_type": "klondike", "deal": []}, "given_deal"),
    "a face-down card": ({"game_type": "klondike", "deal": ["#", *CARDS[1:]]}, None),
    "foreign text": ({"game_type": "klondike", "deal": ["<script>", *CARDS[1:]]}, None),
    "a NUL for a card": ({"game_type": "klondike", "deal": ["\0", *CARDS[1:]]}, None),
    "a long card": ({"game_type": "klondike", "deal": ["x" * 100_000, *CARDS[1:]]}, None),
    "seed and deal": ({"game_type": "klondike", "deal": CARDS, "seed": "s"}, "one_deal"),
}  # fmt: skip


@pytest.mark.parametrize("what", OPENINGS)
def test_an_opening_that_cannot_be_read_or_is_against_the_rules_opens_nothing(what: str, ada: Player) -> None:
    body, rule = OPENINGS[what]
    answer = ada.post("/v1/games", body)
    problem = told(answer, 409 if rule else 400, "illegal" if rule else "malformed", rule)
    assert len(str(problem["detail"])) < 1_000


@pytest.mark.parametrize(
    "name",
    ["", " ", " Ada", "Ada ", "Ada\n", "A\0da", "A\tda", "\x7f", "a" * 41, "\u2028", "A\u202eda", "\u200b", 7, None],
)
def test_a_name_that_nobody_could_read_is_malformed(name: Any, service: Service, ada: Player) -> None:
    told(service.http.post("/v1/players", json={"name": name}), 400, "malformed")
    told(ada.http.patch("/v1/players/me", json={"name": name}), 400, "malformed")
    told(ada.post("/v1/tokens", {"label": name}), 400, "malformed")


UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u180b\u180e\u2003\u200b\u200c\u200d\u200e\u200f\u2028\u202a\u202e\u202f\u205f"
    "\u2060\u2066\u2069\u206f\u2800\u3164\ue000\uf8ff\ufdd0\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffc\uffff\u00a0\u0085"
)


@pytest.mark.parametrize("letter", UNSEEN, ids=lambda letter: f"{ord(letter):04X}")
def test_a_name_with_a_letter_that_nobody_sees_is_malformed(letter: str, service: Service, ada: Player) -> None:
    for name in (letter, f"A{letter}da", f"{letter}Ada", f"Ada{letter}"):
        told(service.http.post("/v1/players", json={"name": name}), 400, "malformed")
    told(ada.http.patch("/v1/players/me", json={"name": f"A{letter}da"}), 400, "malformed")
    told(ada.post("/v1/tokens", {"label": f"A{letter}da"}), 400, "malformed")


@pytest.mark.parametrize("name", ["A" + "\u0300" * 4, "\u0301Ada", "Ad\u0e47\u0e47\u0e47\u0e47a", "\u20dd"])
def test_a_name_whose_marks_pile_up_or_stand_on_nothing_is_malformed(name: str, service: Service, ada: Player) -> None:
    problem = told(service.http.post("/v1/players", json={"name": name}), 400, "malformed")
    assert "at most three marks on a letter" in problem["detail"]


def test_every_letter_that_unicode_hides_is_refused_or_shown() -> None:
    """By Python's own tables: formats, controls, private use, separators but the blank and the ideographic one."""
    readable = re.compile(problems.NAME)
    kinds = {"Cf", "Cc", "Co", "Zl", "Zp", "Zs"}
    shown = {
        code for code in range(0xF0000)
        if category(chr(code)) in kinds and readable.search(f"A{chr(code)}a") and not problems.HIDDEN.search(chr(code))
    }  # fmt: skip
    assert shown - {0x20, 0x3000} <= SEEN_FORMATS


SEEN_FORMATS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Signs that are drawn, though Unicode counts them as formats (Prepended_Concatenation_Mark)."""
