"""Pyramid positions drawn as text, and what the tests say about them.

The pyramid is drawn row by row, `--` for an empty place and `##` for any card that is not drawn; rows that are left out
at the end are empty. Then come `waste 9C 4S` and `stock 2S 3S` (3S is next), bottom to top. All other cards are in the
discard.
"""

from domain.capabilities import Spelling
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.pyramid import PYRAMID, Command, Event, Remove
from domain.games.pyramid import Options2 as Options
from domain.games.pyramid import State2 as State
from domain.kit.cards import PACK

PLAIN = Options()
MICROSOFT = Options(passes=3, stock_top=True)

PUBLISHED = """
    AC  3S JD  TS 7C TD  8C AD KS JH  TC 3H 9D 6C KC  KD QC 8H 5C QH 2S  2D AH 9C 5S 4D 7S 9H
    KH AS TH 4S 9S 6H 8S 6S 2H 3C 4C 6D QS JS 4H JC 5D 3D QD 7D 8D 7H 5H 2C
"""
"""The ninth deal in the results of mchung94/pyramid-solver."""

SOLVED = """
    6D  5H AH  JD 4S KS  6S 8C 2H 4D  9S KD 6C AD 8S  AC 5C 9D 7H 3H 8D  5S 4C QC JH KC KH 3C
    3S 9C AS 5D QH TS 4H 7S TD 9H TH 7C 8H 2C 7D TC 2D 6H 2S JS QD 3D QS JC
"""
"""The first deal there, with a shortest solution by Microsoft's rules."""


def position(text: str, options: Options = PLAIN, recycles: int = 0, just_drawn: bool = False) -> State:
    """The position that the text draws."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    piles = {first: tuple(cards) for first, *cards in lines if first in ("waste", "stock")}
    drawn = [card for first, *cards in lines if first not in piles for card in (first, *cards)]
    named = {*drawn, *(card for pile in piles.values() for card in pile)}
    spare = iter([card for card in PACK if card not in named])
    places = [next(spare) if card == "##" else card.replace("--", "") for card in drawn]
    stock, waste = piles.get("stock", ()), piles.get("waste", ())
    pyramid = (*places, *[""] * (28 - len(places)))
    up = options.stock_top and bool(stock)
    return State(options, pyramid, stock, waste, tuple(spare), recycles, up, just_drawn)


def dealt(cards: str = PUBLISHED, options: Options = PLAIN) -> State:
    """The position after these cards are dealt."""
    state = PYRAMID.initial(options, 1)
    for event in PYRAMID.deal(options, Chance(bytes(32), given=tuple(cards.split())), 1):
        state = PYRAMID.evolve(state, event)
    return state


def remove(text: str) -> Remove:
    """`60 waste`: the two zones, places of the pyramid by row and number; `61` a king."""
    source, target = (*text.split(), "discard")[:2]
    return Remove(_zone(source), _zone(target))


def _zone(short: str) -> str:
    return f"pyramid_{short[0]}_{short[1]}" if short.isdigit() else short


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in PYRAMID.decide(state, 0, command):
            state = PYRAMID.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Event, ...]:
    return tuple(PYRAMID.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed in its one spelling; deciding must say the same."""
    listed = PYRAMID.get(Spelling).canonical(state, 0, command) in PYRAMID.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        PYRAMID.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = PYRAMID.look(state, 0).stuck
    assert told == PYRAMID.look(state, None).stuck
    return told
