"""What each viewer of the toy sees and hears."""

from msgspec import Struct
from msgspec.structs import replace

from domain.chance import Chance
from domain.kit.cards import name, names
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer, Zone

from .rules import put, result
from .values import Blocked, Dealt, Drew, Facts, Laid, Reshuffled, State


def _sees(state: State, viewer: Viewer, seat: int) -> bool:
    alone = len(state.hands) == 1
    return viewer in (ALL_SEEING, seat) or state.options.hands == "open" or alone


def look(state: State, viewer: Viewer) -> View[Facts]:
    stock = _pile("stock", 0, state.stock, viewer == ALL_SEEING)
    hands = [_hand(state, seat, _sees(state, viewer, seat)) for seat in range(len(state.hands))]
    over = result(state) is not None
    zones = (stock, Zone("heap", "Heap", "pile", 2, 0, cards=state.heap), *hands)
    return View("over" if over else "play", () if over else (state.turn,), False, zones, Facts(state.draws))


def _pile(key: str, x: float, cards: tuple[Card, ...], shown: bool) -> Zone:
    return Zone(key, key.capitalize(), "pile", x, 0, face_down=0 if shown else len(cards), cards=cards if shown else ())


def _hand(state: State, seat: int, shown: bool) -> Zone:
    cards = state.hands[seat] if shown else (FACE_DOWN,) * len(state.hands[seat])
    return Zone(f"hand_{seat}", f"Hand {seat}", "fan", 0, 1.5 * (seat + 1), seat, cards=cards)


def redact(state: State, event: Struct, viewer: Viewer) -> Struct:
    match event:
        case Dealt():
            hands = tuple(_masked(hand, _sees(state, viewer, seat)) for seat, hand in enumerate(event.hands))
            return Dealt(hands, event.heap, _masked(event.stock, viewer == ALL_SEEING))
        case Drew(seat, _) if not _sees(state, viewer, seat):
            return Drew(seat, FACE_DOWN)
        case Reshuffled():
            return Reshuffled(_masked(event.stock, viewer == ALL_SEEING))
    return event


def _masked(cards: tuple[Card, ...], shown: bool) -> tuple[Card, ...]:
    return cards if shown else (FACE_DOWN,) * len(cards)


def tell(state: State, event: Struct, viewer: Viewer) -> str:
    who = "The player" if len(state.hands) == 1 else f"Seat {getattr(event, 'seat', 0)}"
    match event:
        case Drew(seat, card):
            return f"{who} draws {'the ' + name(card) if _sees(state, viewer, seat) else 'a card'}."
        case Laid(_, cards):
            return f"{who} lays the {names(cards)}."
        case Blocked():
            return f"{who} finds nothing to draw."
    return "The cards are dealt." if isinstance(event, Dealt) else "The heap is shuffled into the stock."


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The cards that this viewer cannot see, exchanged among stock and hands."""
    closed = [seat for seat in range(len(state.hands)) if not _sees(state, viewer, seat)]
    unseen = chance.shuffle(sorted((*state.stock, *(card for seat in closed for card in state.hands[seat])))).cards
    stock, unseen = unseen[: len(state.stock)], unseen[len(state.stock) :]
    hands = state.hands
    for seat in closed:
        hands, unseen = put(hands, seat, unseen[: len(hands[seat])]), unseen[len(hands[seat]) :]
    return replace(state, stock=stock, hands=hands)
