"""What may be seen: the zones of cards and the facts beside them, and the events as they may be known."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.bridge_solitaire.contract import Contract, Side, Strain
from domain.games.bridge_solitaire.events import Dealt, Event
from domain.games.bridge_solitaire.sheet import Sheet
from domain.games.bridge_solitaire.state import HIDDEN, OFFERED, State, discard_top
from domain.view import ALL_SEEING, FACE_DOWN, Card, Layout, View, Viewer, Zone


class HouseCall(Struct, frozen=True):
    """What the house called; level 0 and no strain: it passed."""

    level: int
    strain: Strain | None


class Facts(Struct, frozen=True, tag="bridge_solitaire/facts"):
    """Beside the cards: the hand's number, calls and tricks, the card on top of the discards, and the sheet.

    `house_call`: none before the house has called, level 0 without a strain when it passed. `discard_top` is also the
    last of `skipped` while those lie open. `vulnerable`: the sides that are so in this hand; `board`: the board of
    duplicate bridge that it is, 0 where it is none.
    """

    length: Literal["rubber", "hand"]
    hand: int
    house_call: HouseCall | None
    contract: Contract | None
    tricks_me: int
    tricks_it: int
    discard_top: Card | None
    last_winner: Side | None
    sheet: Sheet
    vulnerable: tuple[Side, ...]
    board: int


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table; a spectator sees what the player sees."""
    zones = _zones(state, viewer == ALL_SEEING)
    if state.closed:
        return View("finished", (), False, zones, _facts(state))
    return View(state.phase, (0,), False, zones, _facts(state))


def _facts(state: State) -> Facts:
    return Facts(
        length=state.options.length,
        hand=state.hand_number,
        house_call=None if state.call is None else HouseCall(state.call.level, state.call.strain),
        contract=state.contract,
        tricks_me=state.tricks_me,
        tricks_it=state.tricks_it,
        discard_top=discard_top(state),
        last_winner=state.last_winner,
        sheet=state.sheet,
        vulnerable=state.vulnerable,
        board=state.board,
    )


def _zones(state: State, known: bool) -> tuple[Zone, ...]:
    return (
        _unseen("stock", "Stock", (0, 0), state.stock[::-1], known),
        _discard(state, known),
        _seen("trick", "Trick", "row", (3.5, 0), state.trick),
        _seen("last_trick", "Last trick", "row", (6.5, 0), state.last_trick),
        _unseen("tricks_won_0", "The player's tricks", (9.5, 0), state.won_me, known),
        _unseen("tricks_house", "The house's tricks", (11.5, 0), state.won_it, known),
        _seen("skipped", "Skipped, on the discards", "fan", (0, 1.5), state.skipped),
        _seen("offered", "Offered", "fan", (0, 3), state.offered),
        replace(_unseen("hidden_seven", "Hidden cards of the hand", (0, 4.5), state.hidden, known), layout="fan"),
        replace(_seen("hand_0", "Hand", "fan", (0, 6), state.hand), owner=0),
    )


def _seen(id: str, label: str, layout: Layout, at: tuple[float, float], cards: tuple[Card, ...]) -> Zone:
    return Zone(id, label, layout, *at, cards=cards)


def _unseen(id: str, label: str, at: tuple[float, float], cards: tuple[Card, ...], known: bool) -> Zone:
    return Zone(id, label, "pile", *at, cards=cards) if known else Zone(id, label, "pile", *at, face_down=len(cards))


def _discard(state: State, known: bool) -> Zone:
    """Only the top lies open; while cards just skipped are spread on the pile, that is one of them."""
    pile = Zone("discard", "Discards", "pile", 1.5, 0)
    if known:
        return replace(pile, cards=state.discard)
    if state.skipped:
        return replace(pile, face_down=len(state.discard))
    return replace(pile, face_down=max(len(state.discard) - 1, 0), cards=state.discard[-1:])


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal without the hidden seven, the stock and what later hands are shuffled from."""
    if viewer == ALL_SEEING or not isinstance(event, Dealt):
        return event
    cards = tuple(card if _offered(at) else FACE_DOWN for at, card in enumerate(event.cards))
    return replace(event, cards=cards, chance=None)


def _offered(at: int) -> bool:
    return HIDDEN <= at < HIDDEN + OFFERED


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The same game with the cards that nobody has been shown, hidden seven and stock, in another order."""
    if viewer == ALL_SEEING:
        return state
    cards = chance.shuffled(state.hidden + state.stock).cards
    return replace(state, hidden=cards[: len(state.hidden)], stock=cards[len(state.hidden) :])
