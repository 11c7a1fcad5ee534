"""The thirteen offered cards: which six may be kept, and what becomes of the other seven."""

from collections.abc import Iterator
from itertools import combinations

from domain.game_type import Illegal
from domain.games.bridge_solitaire.commands import Select
from domain.games.bridge_solitaire.evaluation import house_call
from domain.games.bridge_solitaire.events import Event, HandShown, HouseCalled, Selected
from domain.games.bridge_solitaire.state import KEPT, State
from domain.kit.cards import is_joker
from domain.view import Card


def selections(state: State) -> Iterator[Select]:
    """Every six that may be kept, jokers first and the rest as dealt: up to 1716.

    Complete up to `discard_top`: each stands for its seven choices of the discard left in sight.
    """
    jokers = _jokers(state)
    others = [card for card in state.offered if not is_joker(card)]
    return (Select((*jokers, *kept)) for kept in combinations(others, KEPT - len(jokers)))


def listed(state: State, command: Select) -> Select:
    """The selection as it is listed: in listing order, without the choice of the card on top if that is a discard."""
    places = {card: (not is_joker(card), at) for at, card in enumerate(state.offered)}
    kept = tuple(sorted(command.cards, key=lambda card: places.get(card, (True, len(places)))))
    discards = set(state.offered) - set(kept)
    return Select(kept, None if command.discard_top in discards else command.discard_top)


def select(state: State, command: Select) -> tuple[Event, ...]:
    """The six are kept, the seven hidden cards join them and the house calls; raises Illegal."""
    _check(state, command)
    selected = Selected(_kept(state, command), _discarded(state, command))
    hand = selected.cards + state.hidden
    call = house_call(hand, selected.discarded, state.options)
    return (selected, HandShown(state.hidden), HouseCalled(call.level, call.strain))


def _check(state: State, command: Select) -> None:
    if len(command.cards) != KEPT or len(set(command.cards)) != KEPT:
        raise Illegal("six_cards", "Six different cards are kept.")
    if not set(command.cards) <= set(state.offered):
        raise Illegal("card_not_offered", "A card to keep must be one of the thirteen.")
    if not set(_jokers(state)) <= set(command.cards):
        raise Illegal("jokers_compulsory", "A joker among the thirteen must be kept.")
    if command.discard_top is not None and command.discard_top not in _rest(state, command):
        raise Illegal("top_not_discarded", "The card to lie on top must be one of the seven discards.")


def _jokers(state: State) -> tuple[Card, ...]:
    return tuple(card for card in state.offered if is_joker(card))


def _kept(state: State, command: Select) -> tuple[Card, ...]:
    return tuple(card for card in state.offered if card in command.cards)


def _rest(state: State, command: Select) -> tuple[Card, ...]:
    return tuple(card for card in state.offered if card not in command.cards)


def _discarded(state: State, command: Select) -> tuple[Card, ...]:
    rest = _rest(state, command)
    top = command.discard_top or rest[-1]
    return (*(card for card in rest if card != top), top)
