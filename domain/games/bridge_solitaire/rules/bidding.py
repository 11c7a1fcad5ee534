"""Before the play: which six of thirteen are kept, what the house calls on that hand, and the player's one call."""

from collections.abc import Iterable
from itertools import combinations
from typing import Literal

from domain.game_type import Illegal
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.state import (
    BY_JOKERS,
    HIGH_TO_LOW,
    KEPT,
    LEVELS,
    STRAINS,
    Call,
    Contract,
    Options,
    Side,
    State,
    Strain,
)
from domain.kit.cards import is_joker
from domain.view import Card

SUITS: tuple[Strain, ...] = STRAINS[:4]

_NO_TRUMP_SHAPES = ([3, 3, 3, 4], [3, 3, 3, 3], [2, 3, 3, 3])
"""The lengths of the four suits, shortest first; no, one or two jokers make up the thirteen cards."""


def selections(state: State) -> tuple[ev.Select, ...]:
    """Every six that may be kept, jokers first and the rest as dealt: up to 1716.

    Complete up to `discard_top`: each stands for its seven choices of the discard left in sight.
    """
    jokers = _jokers(state)
    others = [card for card in state.offered if not is_joker(card)]
    return tuple([ev.Select((*jokers, *kept)) for kept in combinations(others, KEPT - len(jokers))])


def list_selection(state: State, command: ev.Select) -> ev.Select:
    """The selection as it is listed: in listing order, without the choice of the card on top if that is a discard."""
    places = {card: (not is_joker(card), at) for at, card in enumerate(state.offered)}
    kept = tuple(sorted(command.cards, key=lambda card: places.get(card, (True, len(places)))))
    discards = set(state.offered) - set(kept)
    return ev.Select(kept, None if command.discard_top in discards else command.discard_top)


def select_six(state: State, command: ev.Select) -> tuple[ev.Event, ...]:
    """The six are kept, the seven hidden cards join them and the house calls; raises Illegal."""
    kept = tuple(card for card in state.offered if card in command.cards)
    rest = tuple(card for card in state.offered if card not in command.cards)
    _check_selection(state, command, rest)
    top = command.discard_top or rest[-1]
    discards = (*(card for card in rest if card != top), top)
    call = house_call(kept + state.hidden, discards, state.options)
    return (ev.Selected(kept, discards), ev.HandShown(state.hidden), ev.HouseCalled(call.level, call.strain))


def calls(state: State) -> tuple[ev.Bid | ev.Pass, ...]:
    """A pass where it is allowed, then every bid from the lowest."""
    house = _house(state)
    strains = STRAINS if no_trump_shape(state.hand) else SUITS
    bids = [ev.Bid(n, strain) for n in LEVELS for strain in strains if _outranks(n, strain, house)]
    return tuple(bids) if house.is_pass else (ev.Pass(), *bids)


def make_bid(state: State, command: ev.Bid) -> tuple[ev.Event, ...]:
    """The player declares and the house leads; raises Illegal."""
    if command.level not in LEVELS or command.strain not in STRAINS:
        raise Illegal("no_such_bid", "Bids run from one club to seven no trump.")
    if not _outranks(command.level, command.strain, _house(state)):
        raise Illegal("bid_too_low", "A bid must be higher than the house's.")
    if command.strain == "NT" and not no_trump_shape(state.hand):
        raise Illegal("no_trump_shape", "No trump needs a hand of 4-3-3-3, jokers filling a suit up.")
    contract = _make_contract(state, "me", command.level, command.strain)
    return (ev.BidMade(command.level, command.strain), contract, ev.HouseLed(state.stock[0]))


def pass_bid(state: State) -> tuple[ev.Event, ...]:
    """The house declares and the player leads; raises Illegal where the house passed."""
    house = _house(state)
    if house.strain is None:
        raise Illegal("must_bid", "The house has passed, so the player must bid.")
    return (ev.Passed(), _make_contract(state, "it", house.level, house.strain))


def no_trump_shape(hand: tuple[Card, ...]) -> bool:
    """4-3-3-3, 3-3-3-3 and a joker, or 3-3-3-2 and two jokers: no trump may be bid."""
    return sorted(lengths(hand).values()) in _NO_TRUMP_SHAPES


def house_call(hand: tuple[Card, ...], discards: tuple[Card, ...], options: Options) -> Call:
    """Six less the player's winners in the player's shortest suit; a pass when nothing is left."""
    level = 6 - winners(hand, discards if options.exclude_discards else ())
    return Call(level, shortest_suit(hand, options.house_tie)) if level > 0 else Call()


def winners(hand: tuple[Card, ...], out: tuple[Card, ...] = ()) -> int:
    """The sure tricks of a hand, suit by suit; jokers count nothing."""
    return sum(suit_winners(_ranks(hand, suit), _ranks(out, suit)) for suit in SUITS)


def suit_winners(held: Iterable[str], out: Iterable[str] = ()) -> int:
    """The sure tricks of one suit's ranks, counted as Denexa's text does it.

    From the ace down: a rank that the player holds wins; any other is the house's and takes the player's lowest
    card. Ranks in `out` are nobody's.
    """
    left, wins = sorted(held, key=HIGH_TO_LOW.index), 0
    for rank in HIGH_TO_LOW:
        if left and left[0] == rank:
            left, wins = left[1:], wins + 1
        elif rank not in out:
            left = left[:-1]
    return wins


def shortest_suit(hand: tuple[Card, ...], tie: Literal["highest", "lowest"] = "highest") -> Strain:
    """The suit with the fewest cards; of equals the highest ranking unless told otherwise (house rule, ours)."""
    held = lengths(hand)
    tied = [suit for suit in SUITS if held[suit] == min(held.values())]
    return tied[-1] if tie == "highest" else tied[0]


def lengths(hand: tuple[Card, ...]) -> dict[Strain, int]:
    """How many cards of each suit; a void counts 0."""
    return {suit: len(_ranks(hand, suit)) for suit in SUITS}


def _jokers(state: State) -> tuple[Card, ...]:
    return tuple(card for card in state.offered if is_joker(card))


def _check_selection(state: State, command: ev.Select, rest: tuple[Card, ...]) -> None:
    if len(command.cards) != KEPT or len(set(command.cards)) != KEPT:
        raise Illegal("six_cards", "Six different cards are kept.")
    if not set(command.cards) <= set(state.offered):
        raise Illegal("card_not_offered", "A card to keep must be one of the thirteen.")
    if not set(_jokers(state)) <= set(command.cards):
        raise Illegal("jokers_compulsory", "A joker among the thirteen must be kept.")
    if command.discard_top is not None and command.discard_top not in rest:
        raise Illegal("top_not_discarded", "The card to lie on top must be one of the seven discards.")


def _house(state: State) -> Call:
    return state.call or Call()


def _outranks(level: int, strain: Strain, house: Call) -> bool:
    if house.strain is None:
        return True
    return (level, STRAINS.index(strain)) > (house.level, STRAINS.index(house.strain))


def _make_contract(state: State, declarer: Side, level: int, strain: Strain) -> ev.ContractMade:
    """The jokers in the player's thirteen cards double and redouble, whoever declares."""
    doubling = BY_JOKERS[sum(map(is_joker, state.hand))]
    return ev.ContractMade(Contract(declarer, level, strain, doubling), state.vulnerable)


def _ranks(cards: tuple[Card, ...], suit: Strain) -> str:
    return "".join(card[0] for card in cards if card[1] == suit)
