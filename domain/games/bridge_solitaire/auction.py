"""The auction: the house has called; the player bids above it, or passes if it bid."""

from collections.abc import Iterator

from domain.game_type import Illegal
from domain.games.bridge_solitaire.commands import Bid, Pass
from domain.games.bridge_solitaire.contract import BY_JOKERS, LEVELS, STRAINS, Call, Contract, Side, Strain
from domain.games.bridge_solitaire.evaluation import lengths
from domain.games.bridge_solitaire.events import BidMade, ContractMade, Event, HouseLed, Passed
from domain.games.bridge_solitaire.state import State
from domain.kit.cards import is_joker
from domain.view import Card

_NO_TRUMP_SHAPES = ([3, 3, 3, 4], [3, 3, 3, 3], [2, 3, 3, 3])
"""Four suits short to long; the thirteen cards are filled up with no, one or two jokers."""


def calls(state: State) -> Iterator[Bid | Pass]:
    """A pass where it is allowed, then every bid from the lowest."""
    house = _house(state)
    if not house.is_pass:
        yield Pass()
    balanced = no_trump_shape(state.hand)
    strains = STRAINS if balanced else STRAINS[:4]
    yield from (Bid(n, strain) for n in LEVELS for strain in strains if _outranks(n, strain, house))


def bid(state: State, command: Bid) -> tuple[Event, ...]:
    """The player declares and the house leads; raises Illegal."""
    _check(state, command)
    made = _contract(state, "me", command.level, command.strain)
    return (BidMade(command.level, command.strain), made, HouseLed(state.stock[0]))


def pass_call(state: State) -> tuple[Event, ...]:
    """The house declares and the player leads; raises Illegal where the house passed."""
    house = _house(state)
    if house.strain is None:
        raise Illegal("must_bid", "The house has passed, so the player must bid.")
    return (Passed(), _contract(state, "it", house.level, house.strain))


def no_trump_shape(hand: tuple[Card, ...]) -> bool:
    """4-3-3-3, 3-3-3-3 and a joker, or 3-3-3-2 and two jokers: no trump may be bid."""
    return sorted(lengths(hand).values()) in _NO_TRUMP_SHAPES


def _check(state: State, command: Bid) -> None:
    if command.level not in LEVELS or command.strain not in STRAINS:
        raise Illegal("no_such_bid", "Bids run from one club to seven no trump.")
    if not _outranks(command.level, command.strain, _house(state)):
        raise Illegal("bid_too_low", "A bid must be higher than the house's.")
    if command.strain == "NT" and not no_trump_shape(state.hand):
        raise Illegal("no_trump_shape", "No trump needs a hand of 4-3-3-3, jokers filling a suit up.")


def _outranks(level: int, strain: Strain, house: Call) -> bool:
    if house.strain is None:
        return True
    return (level, STRAINS.index(strain)) > (house.level, STRAINS.index(house.strain))


def _house(state: State) -> Call:
    return state.call or Call()


def _contract(state: State, declarer: Side, level: int, strain: Strain) -> ContractMade:
    """The jokers in the player's thirteen cards double and redouble, whoever declares."""
    doubling = BY_JOKERS[sum(map(is_joker, state.hand))]
    return ContractMade(Contract(declarer, level, strain, doubling), state.vulnerable)
