"""Spite & Malice: the table as a viewer sees it, its picture, events as sentences, and the printed parts as data."""

from collections.abc import Iterator
from typing import Annotated, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import GAP, Board, Boards, Place, Seating, frame_board
from domain.capabilities import Chip, Chips
from domain.chance import Chance
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice import state as spite
from domain.games.spite_and_malice.rules import initial, result, settle
from domain.games.spite_and_malice.state import Facts, MinimumWild, Options, State
from domain.kit.boards import Cards, Places, card_places, in_row, pack_cards, pile
from domain.kit.cards import PACK, RANKS, backs, count_cards, draw_as_many, name, names
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, View, Viewer, Zone, player_name

_WIDTH, _HEIGHT = 1.15, 1.25
_STOCKS, _HANDS = ([f"{what} of {player_name(seat)}" for seat in spite.SEATS] for what in ("Stock", "Hand"))
_PILES = [[f"{player_name(seat)}, {spite.LABEL[pile]}" for pile in spite.DISCARD[seat]] for seat in spite.SEATS]
_DECKS = [spite.LABEL[deck].capitalize() for deck in spite.PLAY]
"""The labels of the zones."""
_ROW = (2, 0)
"""The row of each seat's stock and hand: seat 0 below the play decks, seat 1 above; the discard piles grow below."""


class NamedTable(Struct, frozen=True):
    """Settings under a name that players know: what the option `preset` fills in."""

    id: Annotated[spite.PresetKey, Meta(description="The value of the option `preset`.")]
    name: Annotated[str, Meta(description="What players call it.")]
    options: Annotated[Options, Meta(description="All that it sets, as options.")]


class LowestWild(Struct, frozen=True):
    """A value of the option `minimum_wild`."""

    id: Annotated[MinimumWild, Meta(description="The value of the option.")]
    wild_from: Annotated[int, Meta(description="Cards that count so much or more are wild.")]
    finish: Annotated[int, Meta(description="The number of cards that completes a play deck.")]


class Material(Struct, frozen=True, tag="spite_and_malice/material"):
    """The places of the largest table, the named tables, and the cards; options say how many there are of each."""

    places: Places
    tables: Annotated[tuple[NamedTable, ...], Meta(description="The tables that have names.")]
    wilds: Annotated[tuple[LowestWild, ...], Meta(description="What is wild by the option `minimum_wild`.")]
    cards: Cards


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: own hand, stock tops, discard piles and play decks; counts of all the rest."""
    over, settings = result(state) is not None, state.settings
    facts = Facts(
        next_ranks=tuple([RANKS[len(cards)] for cards in state.play_decks]),
        finish=settings.finish,
        minimum_wild=settings.minimum_wild,
        hand=settings.hand,
        stock_left=tuple([len(stock) for stock in state.stocks]),
        played=state.played,
        idle_turns=state.idle,
    )
    phase = "finished" if over else "deal" if state.turn is None else "play"
    to_act = () if over or state.turn is None else (state.turn,)
    return View(phase, to_act, False, tuple(_zones(state, viewer)), facts)


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance, and without the cards that this viewer is not shown."""
    match event:
        case ev.Played() | ev.TurnStarted() | ev.Discarded() | ev.StockTurned():
            return event
        case ev.Drawn():
            return event if viewer in (event.seat, ALL_SEEING) else ev.Drawn(event.seat, backs(event.cards))
        case ev.Dealt() | ev.Reshuffled() | ev.DeckRemoved() | ev.Redealt() if viewer == ALL_SEEING:
            return replace(event, chance=None)
        case ev.Reshuffled() | ev.DeckRemoved() | ev.Redealt():
            return replace(event, chance=None, draw=None if event.draw is None else backs(event.draw))
        case ev.Dealt():
            ours, theirs = (backs(stock[:-1]) + stock[-1:] for stock in event.stocks)
            return ev.Dealt((ours, theirs), backs(event.draw))
        case ev.TurnEnded() | ev.Exhausted() | ev.Deadlocked():
            return event
        case _:
            assert_never(event)


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards this viewer does not see in other places: stocks below the top, hands, draw deck.

    Respects what the table's settings tell (no wilds among the stocks); counting cards tells a player more.
    """
    if viewer == ALL_SEEING:
        return state
    buried = [max(0, len(stock) - turned) for stock, turned in zip(state.stocks, state.turned, strict=True)]
    unseen = [*state.draw]
    for seat in spite.SEATS:
        unseen += state.stocks[seat][: buried[seat]]
        unseen += () if viewer == seat else state.hands[seat]
    pool, chance = chance.shuffle(sorted(unseen))
    plain = [card for card in pool if state.settings.wilds_in_stock or not state.settings.is_wild(card)]
    below, others = plain[: sum(buried)], list(pool)
    for card in below:
        others.remove(card)
    stocked, rest = iter(below), iter(others)
    stocks = [
        draw_as_many(stocked, stock[:count]) + stock[count:] for stock, count in zip(state.stocks, buried, strict=True)
    ]
    return replace(
        state,
        stocks=tuple(stocks),
        hands=tuple(hand if seat == viewer else draw_as_many(rest, hand) for seat, hand in enumerate(state.hands)),
        draw=draw_as_many(rest, state.draw),
        chance=None if state.chance is None else chance,
    )


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    for seat in spite.SEATS:
        stock, y = state.stocks[seat], _ROW[seat] * _HEIGHT
        face_up = stock if viewer == ALL_SEEING else stock[-1:] if state.turned[seat] else ()
        yield Zone(spite.STOCK[seat], _STOCKS[seat], "pile", 0, y, seat, len(stock) - len(face_up), face_up)
        hand = state.hands[seat] if viewer in (seat, ALL_SEEING) else backs(state.hands[seat])
        yield Zone(spite.HAND[seat], _HANDS[seat], "fan", 2 * _WIDTH, y, seat, 0, hand)
    for seat in spite.SEATS:
        first = seat * (state.settings.discards + 1)
        piles = zip(spite.DISCARD[seat], _PILES[seat], state.discards[seat], strict=False)
        for place, (zone, label, cards) in enumerate(piles, first):
            yield Zone(zone, label, "column", place * _WIDTH, 3 * _HEIGHT, seat, 0, cards)
    for place, (zone, label, cards) in enumerate(zip(spite.PLAY, _DECKS, state.play_decks, strict=False)):
        yield Zone(zone, label, "pile", place * _WIDTH, _HEIGHT, None, 0, cards)
    place, known = len(state.play_decks) + 1, viewer == ALL_SEEING
    yield closed_pile(spite.DRAW, "Draw deck", place * _WIDTH, _HEIGHT, state.draw[::-1], known)
    yield closed_pile(spite.REMOVED, "Removed cards", (place + 1) * _WIDTH, _HEIGHT, state.removed, known)


_STEP, _PHONE, _FAR = 1 + GAP, 7.44, 0.7
"""From card to card, the width of a phone in cards, and the size of the other's cards."""

CHIPS = Chips((
    Chip(fact="stock_left.@", label="Stock", seat=True), Chip(fact="minimum_wild", label="Wild from", shown="words"),
    Chip(fact="idle_turns", label="Turns without a play", least=1), Chip(fact="finish", label="Complete at"),
    *(Chip(fact=fact, shown="elsewhere") for fact in ("hand", "played", "next_ranks")),
))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """For the number of play decks, discard piles and cards of a hand in these options, which are settled."""
    decks, discards, hand = options.play_decks or 4, options.discards or 4, options.hand or 5
    return Boards(_wide(decks, discards, min(hand, 5)), _tall(decks, discards))


def _wide(decks: int, discards: int, hand: int) -> Board:
    """Stocks, hands and play decks on the left, discard piles on the right."""
    left = _STEP * max(decks + 1, hand) + 0.2
    own, other = min(1.2, 5.2 / (discards * _STEP)), min(0.95, 4.1 / (discards * _STEP))
    hand_room = left - _STEP - GAP
    return frame_board(
        [
            Place("stock_@1", 0, 0, scale=_FAR, title="Stock"),
            Place("hand_@1", _FAR + GAP, 0, "right", min(0.78 * hand, hand_room - 1), scale=_FAR, title="Hand"),
            Place(spite.REMOVED, left - 0.6, 0, scale=0.5, title="Out"),
            *_discards(1, discards, Place("", left + 0.2, 0, "down", 1.48, scale=other)),
            *_place_shared(decks, Place("", 0, 1.36), "takes {} next"),
            Place("stock_@0", 0, 3.04, title="Stock"), Place("hand_@0", _STEP, 3.04, "right", hand_room, title="Hand"),
            *_discards(0, discards, Place("", left + 0.2, 1.7, "down", 2.34, scale=own)),
        ],
        (Seating("@1", 0, 0.76, left - GAP, 0.22), Seating("@0", 0, 2.56, left - GAP, 0.24)),
    )  # fmt: skip


def _tall(decks: int, discards: int) -> Board:
    near, far = min(1.25, _PHONE / (discards * _STEP)), min(0.75, 3.2 / (discards * _STEP))
    shared = min(1.15, (_PHONE - 0.8) / ((decks + 1) * _STEP))
    left = (_PHONE - discards * near * _STEP) / 2
    return frame_board(
        [
            Place("stock_@1", 0, 0.36, scale=_FAR, label=False),
            Place("hand_@1", _FAR + GAP, 0.36, "right", 3.2, scale=_FAR, label=False),
            *_discards(1, discards, Place("", 4.2, 0, "down", 1.3, scale=far)),
            *_place_shared(decks, Place("", 0, 1.5, scale=shared), "takes {}"),
            Place(spite.REMOVED, _PHONE - 0.66, 1.5, scale=0.66, title="Out"),
            *_discards(0, discards, Place("", left, 2.9, "down", 2.1, scale=near)),
            pile("stock_@0", 0, 5.48), Place("hand_@0", _STEP + 0.1, 5.48, "right", _PHONE - _STEP - 0.1, label=False),
        ],
        (Seating("@1", 0, 0, 4.1, 0.32), Seating("@0", 0, 5.12, _PHONE, 0.32)),
    )  # fmt: skip


def _discards(seat: int, count: int, first: Place) -> list[Place]:
    """The discard piles, which have one title."""
    places = in_row((f"discard_@{seat}_{number}" for number in range(count)), first, GAP * first.scale)
    return [replace(places[0], title="Discards"), *(replace(place, label=False) for place in places[1:])]


def _place_shared(decks: int, first: Place, note: str) -> list[Place]:
    """The play decks, each with what it takes, and the draw deck."""
    *piles, draw = in_row((*spite.PLAY[:decks], spite.DRAW), first, GAP * first.scale)
    notes = (note.replace("{}", f"{{next_ranks.{number}}}") for number in range(decks))
    return [*(replace(place, note=text) for place, text in zip(piles, notes, strict=True)), draw]


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer."""
    match event:
        case ev.Drawn():
            cards = names(event.cards) if viewer in (event.seat, ALL_SEEING) else count_cards(len(event.cards))
            return f"{player_name(event.seat)} draws {cards}."
        case ev.Played():
            origin = "hand" if event.source in spite.HAND else spite.LABEL[event.source]
            what, height = f"the {name(event.card)}", len(state.play_decks[spite.PLAY_INDEX[event.target]]) + 1
            if spite.VALUE[event.card] != height:  # a wild card says its value
                rank = name(PACK[height - 1]).split()[0]
                what += f" as {'an' if rank in ('ace', 'eight') else 'a'} {rank}"
            return f"{player_name(event.seat)} plays {what} from the {origin} to {spite.LABEL[event.target]}."
        case ev.TurnStarted():
            if state.turn is None:
                return f"{player_name(event.seat)} has the higher card and begins."
            return f"{player_name(event.seat)} is on turn."
        case ev.Discarded():
            return f"{player_name(event.seat)} discards the {name(event.card)} on {spite.LABEL[event.target]}."
        case ev.StockTurned():
            return f"{player_name(event.seat)} turns up the {name(event.card)}."
        case ev.DeckRemoved():
            sentence = f"{spite.LABEL[event.deck].capitalize()} is complete and leaves the table"
            return sentence + (", shuffled into the draw deck." if event.draw is not None else ".")
        case ev.Reshuffled():
            if state.draw:
                return "The draw deck is shuffled."
            return f"The {count_cards(len(event.draw))} removed from the table are shuffled into a new draw deck."
        case ev.TurnEnded():
            return f"{player_name(event.seat)} has no card left and ends the turn."
        case ev.Dealt():
            tops = [f"{player_name(seat)} turns up the {name(stock[-1])}" for seat, stock in enumerate(event.stocks)]
            return f"{count_cards(len(event.stocks[0]))} each are dealt to the stocks: {' and '.join(tops)}."
        case ev.Redealt():
            cards = count_cards(len(event.draw))
            return f"The draw deck is exhausted: the {cards} outside the stocks are shuffled into a new one."
        case ev.Exhausted():
            return f"{player_name(event.seat)} cannot complete its draw: the game is over."
        case ev.Deadlocked(reason="three_idle_redeals"):
            return "No stock card has been played since the cards were dealt again three times: the game is over."
        case ev.Deadlocked():
            return "Two turns in a row have passed without a play or a discard: the game is over."
        case _:
            assert_never(event)


_LARGEST = Options(play_decks=spite.MOST_PILES, discards=spite.MOST_PILES)

MATERIAL = Material(
    places=card_places(look(initial(_LARGEST, 2), None)),
    tables=tuple(NamedTable(key, name, settle(Options(preset=key), 2)) for key, (name, _) in spite.NAMES.items()),
    wilds=tuple(LowestWild(one, spite.WILD_FROM[one], spite.WILD_FROM[one] - 1) for one in get_args(MinimumWild)),
    cards=pack_cards(spite.VALUE, spite.VALUE),
)
