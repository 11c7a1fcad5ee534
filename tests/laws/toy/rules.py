"""The toy's rules: lay cards of the heap's suit or rank, one or two of equal rank, else draw."""

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.kit.cards import suit
from domain.view import Card

from .values import DECK, Blocked, Dealt, Draw, Drew, Laid, Lay, Options, Reshuffled, State


def settle(options: Options, seats: int) -> Options:
    if options.undo and seats > 1:
        raise Illegal("undo_alone", "Only a game of one seat offers undo.")
    return options


def deal(options: Options, chance: Chance, seats: int) -> Sequence[Struct]:
    cards, rest = chance.shuffle(DECK)
    held = options.hand * seats
    hands = tuple(cards[seat * options.hand : (seat + 1) * options.hand] for seat in range(seats))
    return [Dealt(hands, cards[held : held + 1], cards[held + 1 :], rest)]


def initial(options: Options, seats: int) -> State:
    return State(options, ((),) * seats)


def decide(state: State, seat: int, command: Struct) -> Sequence[Struct]:
    if result(state) is not None:
        raise Illegal("finished", "The game is finished.")
    if seat != state.turn:
        raise Illegal("turn", "It is the other seat's turn.")
    return _laid(state, seat, command) if isinstance(command, Lay) else _drawn(state, seat)


def _drawn(state: State, seat: int) -> Sequence[Struct]:
    if state.stock:
        return [Drew(seat, state.stock[0])]
    if len(state.heap) < 2 or state.chance is None:
        return [Blocked(seat)]
    cards, rest = state.chance.shuffle(state.heap[:-1])
    return [Reshuffled(cards, rest), Drew(seat, cards[0])]


def _laid(state: State, seat: int, command: Lay) -> Sequence[Struct]:
    cards = _held(state, seat, command)
    top = state.heap[-1]
    if not any(card[0] == top[0] or suit(card) == suit(top) for card in cards):
        raise Illegal("suit_or_rank", "The card must have the suit or the rank of the heap's top.")
    return [Laid(seat, cards)]


def _held(state: State, seat: int, command: Lay) -> tuple[Card, ...]:
    hand, cards = state.hands[seat], command.cards
    if command.source != f"hand_{seat}" or len(set(cards)) != len(cards) or not set(cards) <= set(hand):
        raise Illegal("own_hand", "These cards are not in that seat's hand.")
    if len(cards) not in (1, 2) or len({card[0] for card in cards}) != 1:
        raise Illegal("equal_ranks", "Lay one card, or two of equal rank.")
    return tuple(sorted(card for card in hand if card in cards))


def evolve(state: State, event: Struct) -> State:
    match event:
        case Dealt():
            return replace(state, hands=event.hands, heap=event.heap, stock=event.stock, chance=event.chance)
        case Drew(seat, card):
            hands = put(state.hands, seat, (*state.hands[seat], card))
            return _passed(replace(state, hands=hands, stock=state.stock[1:], draws=state.draws + 1))
        case Laid(seat, cards):
            kept = tuple(card for card in state.hands[seat] if card not in cards)
            return _passed(replace(state, hands=put(state.hands, seat, kept), heap=state.heap + cards))
        case Reshuffled():
            return replace(state, stock=event.stock, heap=state.heap[-1:], chance=event.chance)
    return replace(state, blocked=True)


def _passed(state: State) -> State:
    return replace(state, turn=(state.turn + 1) % len(state.hands))


def put(hands: tuple[tuple[Card, ...], ...], seat: int, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """The hands with that seat's replaced."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def legal_commands(state: State, seat: int) -> Sequence[Struct]:
    if seat != state.turn or result(state) is not None:
        return ()
    hand = sorted(state.hands[seat])
    choices = [*combinations(hand, 1), *combinations(hand, 2)]
    return (Draw(), *(lay for cards in choices if _accepted(state, seat, lay := Lay(f"hand_{seat}", "heap", cards))))


def _accepted(state: State, seat: int, lay: Lay) -> bool:
    try:
        return bool(decide(state, seat, lay))
    except Illegal:
        return False


def canonical(state: State, seat: int, command: Struct) -> Struct:
    return replace(command, cards=tuple(sorted(command.cards))) if isinstance(command, Lay) else command


def result(state: State) -> Result | None:
    if state.blocked:
        return Result("lost" if len(state.hands) == 1 else "drawn", "blocked")
    done = tuple(seat for seat, hand in enumerate(state.hands) if not hand and state.heap)
    return Result("won", "hand_empty", done) if done else None


def undoable(options: Options) -> bool:
    return options.undo
