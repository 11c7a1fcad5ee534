"""When a game of Deck the Yard is told as stuck, in both directions."""

import pytest

from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard.events import EndGame

from .positions import after, discard, play, position


def stuck(text):
    """As the player and a spectator are told, which is the same."""
    state = position(text)
    told = DECK_THE_YARD.look(state, 0).stuck
    assert told == DECK_THE_YARD.look(state, None).stuck
    return told


@pytest.mark.parametrize(
    ("text", "claimable"),
    [
        ("hand YELLOW PURPLE\nlineup RED GREEN PINK", True),
        ("hand PURPLE YELLOW\nlineup RED GREEN PINK", True),
        ("hand YELLOW BUBBLE\nlineup RED GREEN PINK", True),
        ("hand YELLOW RED\nlineup RED GREEN PINK BUBBLE", True),
        ("hand YELLOW RED\nlineup RED GREEN PINK", False),
        ("hand PURPLE BUBBLE\nlineup RED GREEN PINK", False),
        ("hand PLUG PLUG\nlineup RED GREEN PINK BUBBLE", False),
        ("hand RED YELLOW PURPLE GREEN PINK", True),
        ("hand RED YELLOW PURPLE GREEN BUBBLE", True),
        ("hand RED YELLOW PURPLE PINK BUBBLE", False),
        ("hand RED YELLOW PURPLE GREEN BLUE", False),
    ],
)
def test_with_an_empty_stock_it_is_stuck_unless_the_hand_completes_a_pattern(text, claimable):
    assert stuck(text) is not claimable
    assert claims(position(text)) == claimable


def claims(state):
    """Whether some way to play the hand out claims a card."""
    commands = [said for said in DECK_THE_YARD.legal_commands(state, 0) if not isinstance(said, EndGame)]
    return bool(state.claims) or any(claims(after(state, command)) for command in commands)


def test_while_the_stock_has_cards_nothing_is_told():
    assert not stuck("hand RED\nlineup RED GREEN PINK\nstock BROKEN")


def test_a_finished_game_is_not_stuck():
    assert not DECK_THE_YARD.look(after(position("hand RED"), discard("RED")), 0).stuck


def test_a_line_up_that_can_still_grow_without_a_claim_is_stuck():
    state = position("hand PINK RED\nlineup RED GREEN")
    assert DECK_THE_YARD.look(state, 0).stuck
    assert play("PINK") in DECK_THE_YARD.legal_commands(state, 0)
