"""Deals of The Clock drawn as text or told by the order in which their cards show, and what the tests say about them.

A drawing has one line per pile, cards bottom to top: `12 # # # 5H`. `#`, and the piles without a line, are any cards
that are not drawn. An order is the cards as they are turned up; cards left out of it lie where they are never reached.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.the_clock import THE_CLOCK, Command, Options, State, Turned
from domain.kit.cards import PACK
from domain.view import Card

PLAIN = Options()
KINGS = ("KS", "KH", "KD", "KC")


def dealt(cards: Sequence[Card], options: Options = PLAIN) -> State:
    """The table after the deal of these cards, in dealing order."""
    state = THE_CLOCK.initial(options, 1)
    for event in THE_CLOCK.deal(options, Chance(b"", given=tuple(cards)), 1):
        state = THE_CLOCK.evolve(state, event)
    return state


def position(text: str, options: Options = PLAIN) -> State:
    """The deal that the text draws."""
    drawn = {int(line.split()[0]): line.split()[1:] for line in text.strip().splitlines()}
    spare = iter([card for card in PACK if card not in text])
    piles = [[next(spare) if card == "#" else card for card in drawn.get(pile, "####")] for pile in range(13)]
    return dealt(in_dealing_order(piles, options), options)


def showing(order: Sequence[Card], options: Options = PLAIN) -> State:
    """The deal whose cards are turned up in this order."""
    taken: list[list[Card]] = [[] for _ in range(13)]
    for before, card in zip(("K?", *order[:-1]), order, strict=True):
        taken["A23456789TJQK".index(before[0])].append(card)
    never = iter([card for card in PACK if card not in order])
    piles = [[*pile, *(next(never) for _ in range(4 - len(pile)))] for pile in taken]
    return dealt(in_dealing_order([_laid(pile, options) for pile in piles], options), options)


def _laid(taken: list[Card], options: Options) -> list[Card]:
    return taken[::-1] if options.take_from == "top" else taken


def in_dealing_order(piles: Sequence[Sequence[Card]], options: Options) -> list[Card]:
    if options.pile_by_pile:
        return [card for pile in piles for card in pile]
    return [pile[row] for row in range(4) for pile in piles]


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in events(state, command):
            state = THE_CLOCK.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Struct, ...]:
    return tuple(THE_CLOCK.decide(state, 0, command))


def turned(state: State, command: Command) -> list[Card]:
    """The cards that the command turns up."""
    return [event.card for event in events(state, command) if isinstance(event, Turned)]


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal; listing must say the same."""
    listed = command in THE_CLOCK.legal_commands(state, 0)
    try:
        THE_CLOCK.decide(state, 0, command)
    except Illegal as refusal:
        assert not listed
        return refusal.rule
    assert listed
    return None


def zones(state: State, viewer: int | None = 0):
    return {zone.id: zone for zone in THE_CLOCK.look(state, viewer).zones}


def ranks(text: str) -> list[Card]:
    """Cards of these ranks, each rank's four cards in the order of the suits."""
    seen: dict[str, int] = {}
    cards = []
    for rank in text:
        cards.append(rank + "SHDC"[seen.setdefault(rank, 0)])
        seen[rank] += 1
    return cards
