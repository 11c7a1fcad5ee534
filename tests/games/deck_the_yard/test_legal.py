"""The listed commands against every command that can be said, along random games."""

from random import Random

import msgspec
import pytest

from domain.chance import Chance
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard.events import ClaimPattern, Command, Discard, EndGame, PlayBubble, PlayColour, UsePlug
from domain.games.deck_the_yard.state import FACE_UP, HAND_SIZE, PATTERNS, STOCK, Options

from .positions import names, rule_against

KINDS = sorted({*STOCK, *PATTERNS, "QD"})
EVERYTHING = [
    *(say(card) for card in KINDS for say in (PlayColour, Discard)),
    *map(ClaimPattern, FACE_UP),
    PlayBubble(),
    UsePlug(True),
    UsePlug(False),
    EndGame(),
]
VARIANTS = [Options(), Options(free_first_bulb=True), Options(play_on=True), Options(True, True)]


def walk(options, seed):
    """The positions of a random game that likes to play bulbs."""
    choose, state = Random(seed), DECK_THE_YARD.initial(options, 1)
    pending = DECK_THE_YARD.deal(options, Chance(seed.to_bytes(32, "big")), 1)
    while pending:
        for event in pending:
            state = DECK_THE_YARD.evolve(state, event)
        yield state
        listed = DECK_THE_YARD.legal_commands(state, 0)
        played = [command for command in listed if isinstance(command, PlayColour | PlayBubble)]
        choices = played if played and choose.random() < 0.8 else listed
        pending = DECK_THE_YARD.decide(state, 0, choose.choice(choices)) if listed else ()


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal(options):
    for seed in range(4):
        for state in walk(options, seed):
            listed = DECK_THE_YARD.legal_commands(state, 0)
            assert len(set(listed)) == len(listed)
            assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


@pytest.mark.parametrize("options", VARIANTS)
def test_no_card_is_lost_or_doubled_and_no_hand_is_larger_than_five(options):
    for seed in range(30):
        for state in walk(options, seed):
            drawn = () if state.drawn is None else (state.drawn,)
            bubble = () if state.bubble is None else (state.bubble,)
            face_up = tuple(card for card in state.face_up if card is not None)
            piles = (state.stock, state.hand, state.bulbs, bubble, face_up, state.claims, state.discard, drawn)
            cards = [card for pile in (*piles, state.pattern_stock) for card in pile]
            assert sorted(cards) == sorted((*STOCK, *PATTERNS))
            assert len(state.hand) <= HAND_SIZE


@pytest.mark.parametrize("options", [Options(), Options(play_on=True)])
def test_the_line_up_is_always_the_beginning_of_a_face_up_pattern(options):
    for seed in range(30):
        for state in walk(options, seed):
            fitting = [PATTERNS[card][: len(state.bulbs)] == state.bulbs for card in state.face_up if card is not None]
            assert any(fitting), names(state.bulbs)


@pytest.mark.parametrize("options", VARIANTS)
def test_every_game_comes_to_an_end(options):
    for seed in range(30):
        *_, last = walk(options, seed)
        result = DECK_THE_YARD.result(last)
        assert result is not None
        assert (result.ending == "won") == (len(last.claims) >= 8)


@pytest.mark.parametrize("options", VARIANTS)
def test_between_two_events_of_a_step_the_table_can_be_looked_at_and_told(options):
    for seed in range(10):
        for state in walk(options, seed):
            for command in DECK_THE_YARD.legal_commands(state, 0):
                between = state
                for event in DECK_THE_YARD.decide(state, 0, command):
                    assert DECK_THE_YARD.tell(between, event, 0).endswith(".")
                    assert DECK_THE_YARD.redact(between, event, 0) is not None
                    between = DECK_THE_YARD.evolve(between, event)
                    assert len(DECK_THE_YARD.look(between, None).zones) == 9
                    assert isinstance(DECK_THE_YARD.legal_commands(between, 0), tuple)


def test_commands_are_stored_with_the_zones_that_they_name():
    assert msgspec.json.encode(PlayBubble()) == (
        b'{"type":"deck_the_yard/play_bubble","card":"*1","source":"hand_0","target":"lineup"}'
    )
    assert msgspec.json.decode(b'{"type":"deck_the_yard/play_bubble"}', type=Command) == PlayBubble()


@pytest.mark.parametrize(
    "said",
    [
        {"type": "deck_the_yard/play_colour", "card": "red"},
        {"type": "deck_the_yard/play_colour", "card": "AH", "source": "stock"},
        {"type": "deck_the_yard/play_bubble", "card": "*2"},
        {"type": "deck_the_yard/use_plug"},
        {"type": "deck_the_yard/claim_pattern", "source": "pattern_2"},
    ],
)
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Command)
