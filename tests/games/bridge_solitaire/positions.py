"""Positions of Bridge Solitaire from short pictures: `AKQJT8 C, Q87 H, *1` is a hand, `7D 5D AH` a run of cards."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire.events import Bid, Command, Event, Pass, Play, Select
from domain.games.bridge_solitaire.rules import fold
from domain.games.bridge_solitaire.state import CARDS, TRICKS, Contract, Doubling, Side, State
from domain.games.bridge_solitaire.state import BoardOptions as Options
from domain.view import Card

SEED = bytes(range(32))


def hand(picture: str) -> tuple[Card, ...]:
    """`AKQ S, 3 D, *1` as cards."""
    return tuple(card for group in picture.split(",") for card in _group(group.split()))


def _group(words: list[str]) -> list[Card]:
    return words if len(words) == 1 else [rank + words[1] for rank in words[0]]


def run(picture: str) -> tuple[Card, ...]:
    """`7D 5D AH` as cards."""
    return tuple(picture.split())


def opened(cards: Sequence[Card] | None = None, seed: bytes = SEED, **options: Any) -> State:
    """A game that has just been dealt, from these cards in dealing order if given."""
    chosen = Options(**options)
    given = None if cards is None else tuple(cards)
    return fold(GAME.initial(chosen, 1), GAME.deal(chosen, Chance(seed, given=given), 1))


def dealing(hidden: Iterable[Card], offered: Iterable[Card], stock: Iterable[Card] = ()) -> tuple[Card, ...]:
    """The 54 cards in dealing order; the stock is filled up with what is left."""
    known = (*hidden, *offered, *stock)
    return known + tuple(card for card in CARDS if card not in known)


def say(state: State, command: Command) -> tuple[State, Sequence[Event]]:
    """The command decided and folded: the state after it and its events."""
    events = GAME.decide(state, 0, command)
    return fold(state, events), events


def after(state: State, *commands: Command) -> State:
    """The state after several commands."""
    for command in commands:
        state = say(state, command)[0]
    return state


def plays(picture: str) -> tuple[Play, ...]:
    """`8C AC` as commands."""
    return tuple(Play(card) for card in run(picture))


def bidding(picture: str, stock: str = "", **options: Any) -> State:
    """The auction of a player with this hand, the house having called."""
    held = hand(picture)
    kept = (*(card for card in held if card[0] == "*"), *(card for card in held if card[0] != "*"))[:6]
    rest = [card for card in CARDS if card not in (*held, *run(stock)) and card[0] != "*"][:7]
    hidden = [card for card in held if card not in kept]
    return after(opened(dealing(hidden, (*kept, *rest), run(stock)), **options), Select(kept))


def declared(picture: str, call: Bid | Pass, stock: str = "") -> State:
    """Play about to begin after the player's call."""
    return after(bidding(picture, stock), call)


def contract(picture: str, declarer: Side = "me") -> Contract:
    """`4H`, `4H doubled`, `3NT redoubled` as a contract."""
    words = picture.split()
    doubling: Doubling = "undoubled"
    if words[1:]:
        doubling = "doubled" if words[1] == "doubled" else "redoubled"
    strain: Any = words[0][1:]
    return Contract(declarer, int(words[0][0]), strain, doubling)


def in_play(held: str, stock: str, bid: str = "1C", *, led: str = "", tricks: int = 0, declarer: Side = "me") -> State:
    """A position in play: the player's cards, the stock from its top, what the house has led, the player's tricks."""
    cards = hand(held)
    return replace(
        opened(),
        phase="play",
        hidden=(),
        offered=(),
        hand=cards,
        held=cards,
        stock=run(stock),
        trick=run(led),
        leader="it" if led else None,
        tricks_me=tricks,
        tricks_it=TRICKS - tricks - len(cards),
        contract=contract(bid, declarer),
    )


def refused(state: State, command: Command) -> str:
    """The slug of the rule that forbids the command; empty if it is allowed."""
    try:
        GAME.decide(state, 0, command)
    except Illegal as illegal:
        return illegal.rule
    return ""


def zone(state: State, id: str, viewer: int | None = 0) -> tuple[int, tuple[Card, ...]]:
    """How many cards lie unseen in a zone, and the open ones."""
    found = next(zone for zone in GAME.look(state, viewer).zones if zone.id == id)
    return found.face_down, found.cards
