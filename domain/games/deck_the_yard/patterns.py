"""How a line-up stands to the patterns that lie face up."""

from collections import Counter

from domain.games.deck_the_yard.pack import BUBBLE, COLOUR, PATTERNS, Cards
from domain.games.deck_the_yard.state import STRAND, State, lineup
from domain.view import Card


def fits(state: State, pattern: Card | None) -> bool:
    """Whether the line-up is the beginning of this pattern. Our ruling: any face-up pattern may be the one in hand."""
    return pattern is not None and PATTERNS[pattern][: len(state.bulbs)] == state.bulbs


def next_bulbs(state: State) -> Cards:
    """The colour bulbs that could be played now, in the order of the colours.

    Our ruling: the first bulb too must begin a pattern that lies face up, unless `free_first_bulb` says otherwise. The
    last place is not for a colour bulb where a bubble bulb has it.
    """
    if state.options.free_first_bulb and not state.bulbs:
        return tuple(COLOUR)
    if len(lineup(state)) == STRAND:
        return ()
    wanted = {PATTERNS[card][len(state.bulbs)] for card in state.face_up if card is not None and fits(state, card)}
    return tuple(bulb for bulb in COLOUR if bulb in wanted)


def takes_bubble(state: State) -> bool:
    """Whether a bubble bulb may be played: one in a pattern, at any time, first and last included (our ruling).

    After a free first bulb that begins no pattern there is no pattern whose end it could be (our ruling).
    """
    return state.bubble is None and len(state.bulbs) < STRAND and any(fits(state, card) for card in state.face_up)


def completed(state: State) -> list[int]:
    """The places of the face-up patterns that the line-up completes: with the shipped patterns one at most."""
    if len(lineup(state)) < STRAND:
        return []
    return [place for place, card in enumerate(state.face_up) if fits(state, card)]


def within_reach(state: State, pattern: Card | None) -> bool:
    """Whether the hand alone completes this pattern."""
    if pattern is None or not fits(state, pattern):
        return False
    wanting = PATTERNS[pattern][len(state.bulbs) :]
    if state.bubble is not None or BUBBLE in state.hand:
        wanting = wanting[: STRAND - 1 - len(state.bulbs)]
    return not Counter(wanting) - Counter(state.hand)
