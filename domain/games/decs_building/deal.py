"""Decs Building: the deal: sorted stacks, a shuffled starting deck for each seat, the first player by lot."""

from collections import defaultdict
from collections.abc import Sequence

from domain.chance import Chance, Shuffle
from domain.games.decs_building import events as ev
from domain.games.decs_building.course import Course
from domain.games.decs_building.options import Options, pack, piles
from domain.games.decs_building.rounds import begin_round
from domain.games.decs_building.state import Cards, initial
from domain.kit.cards import SUITS
from domain.view import Card, Seat

Places = tuple[int, ...]
"""Cards by their places in the shuffled pack."""


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """`dealt`, then the first round with its draws; raises Illegal for a given deal that is not the pack.

    House rule, ours: the first player is the seat whose six comes first in the shuffled pack (spades for seat 0,
    hearts for seat 1, ...). Each starting deck has a shuffle of its own; in a given deal, which is the pack in any
    order, its cards lie as they do there.
    """
    order = chance.shuffled(pack(options, seats))
    stacks = _sorted(options, seats, order.cards)
    decks = [tuple(stack[seat] for stack in stacks[:4]) for seat in range(seats)]
    dealt = _as_given(order, decks) if chance.given is not None else _shuffled(order, decks)
    left = tuple(stack[seats:] if place < 4 else stack for place, stack in enumerate(stacks))
    return _begun(options, seats, ev.Dealt(tuple(_cards(order, stack[::-1]) for stack in left), dealt), order)


def _sorted(options: Options, seats: int, cards: Sequence[Card]) -> list[Places]:
    """The eight stacks from the top; of equal cards the one that comes first in the pack lies higher."""
    places = defaultdict(list)
    for place in reversed(range(len(cards))):
        places[cards[place]].append(place)
    return [tuple(places[card].pop() for card in pile) for pile in piles(options, seats)]


def _cards(order: Shuffle, places: Places) -> Cards:
    return tuple(order.cards[place] for place in places)


def _as_given(order: Shuffle, decks: list[Places]) -> tuple[Cards, ...]:
    return tuple(_cards(order, tuple(sorted(deck))) for deck in decks)


def _shuffled(order: Shuffle, decks: list[Places]) -> tuple[Cards, ...]:
    shuffles, chance = [], order.chance
    for deck in decks:
        shuffles.append(chance.shuffled(_cards(order, deck)))
        chance = shuffles[-1].chance
    return tuple(shuffle.cards for shuffle in shuffles)


def _begun(options: Options, seats: int, dealt: ev.Dealt, order: Shuffle) -> Sequence[ev.Event]:
    course = Course((), initial(options, seats)).then(dealt)
    return begin_round(course, ev.RoundStarted(1, first_player(order.cards, seats))).events


def first_player(cards: Sequence[Card], seats: int) -> Seat:
    """Whose six comes first; there is one six of every suit, whatever the options."""
    return min(range(seats), key=lambda seat: cards.index("6" + SUITS[seat]))
