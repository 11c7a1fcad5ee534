"""Screaming Yoda: the table as a viewer sees it, its picture, events as sentences, and the printed parts as data."""

from collections.abc import Iterator
from typing import Annotated, Literal, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import GAP, Board, Boards, Place, Seating, frame_board
from domain.capabilities import Chip, Chips
from domain.chance import Chance
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda import state as yoda
from domain.games.screaming_yoda.plays import callable_seats, fits, result
from domain.games.screaming_yoda.rules import initial
from domain.games.screaming_yoda.state import Facts, Options, State, columns
from domain.kit.boards import Cards, Places, card_places, in_row, pack_cards
from domain.kit.cards import PACK, backs, count_cards, draw_as_many, name, names, rank_name
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, Card, Seat, View, Viewer, Zone, player_name

_WIDTH, _HEIGHT = 1.15, 1.25
Effect = Literal["goes_on_anything", "takes_anything", "clears"]


class SpecialRank(Struct, frozen=True):
    """Cards that do more than their rank says."""

    rank: Annotated[str, Meta(description="The rank as cards write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards of the rank.")]
    effects: Annotated[
        tuple[Effect, ...],
        Meta(
            description="Goes on any card; takes any card on it; removes the pile from play, whose player plays again."
        ),
    ]


class Table(Struct, frozen=True):
    """What a number of players is dealt."""

    seats: Annotated[int, Meta(description="The number of players.")]
    columns: Annotated[int, Meta(description="Columns of each: a face-down card with a face-up card on it.")]
    hand: Annotated[int, Meta(description="Cards in the hand of each, which is filled while the draw pile lasts.")]


class Material(Struct, frozen=True, tag="screaming_yoda/material"):
    """The places of every table, what each is dealt, the cards and those that do more than their rank says."""

    places: Places
    tables: Annotated[tuple[Table, ...], Meta(description="What is dealt, by the number of players.")]
    cards: Cards
    special: Annotated[tuple[SpecialRank, ...], Meta(description="The ranks that do more.")]
    alike: Annotated[int, Meta(description="So many cards of one rank in the pile clear it as well.")]


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: the own hand, the pile and all face-up cards; counts of the rest.

    To act are the seat on turn, those who can shout or call, or those who still exchange cards.
    """
    if result(state) is not None:
        phase, to_act = "finished", tuple[Seat, ...]()
    elif state.swapping:
        phase, to_act = "swap", state.swapping
    else:
        phase, due = "deal" if state.turn is None else "play", {state.turn, *state.exposed}
        to_act = tuple(seat for seat in yoda.playing(state) if seat in due or callable_seats(state, seat))
    top = state.pile[-1][0] if state.pile else None
    facts = Facts(
        turn=None if phase == "finished" else state.turn, to_beat=None if top is None or top in yoda.RESETTING else top,
        cards_left=tuple(yoda.total(state, seat) for seat in range(len(state.hands))), exposed=state.exposed,
        skips=state.skips, swapping=state.swapping, out=state.out, resigned=state.resigned,
    )  # fmt: skip
    return View(phase, to_act, False, tuple(_zones(state, viewer)), facts)


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance, and without the cards that this viewer is not shown."""
    match event:
        case ev.TurnStarted() | ev.Played() | ev.PickedUp() | ev.FalselyCalled() | ev.Cleared() | ev.Flipped():
            return event
        case ev.Drawn():
            return event if viewer in (event.seat, ALL_SEEING) else ev.Drawn(event.seat, backs(event.cards))
        case ev.Penalised() | ev.Dealt() if viewer == ALL_SEEING:
            return replace(event, chance=None)
        case ev.Penalised():
            drawn = event.drawn if viewer == event.seat else backs(event.drawn)
            removed = None if event.removed is None else backs(event.removed)
            return ev.Penalised(event.seat, drawn, event.from_pile, removed)
        case ev.Dealt():
            hands = tuple(hand if seat == viewer else backs(hand) for seat, hand in enumerate(event.hands))
            face_down = tuple(map(backs, event.face_down))
            return ev.Dealt(event.first, face_down, event.face_up, hands, backs(event.draw))
        case ev.OneLeft() | ev.Shouted() | ev.Caught() | ev.Skipped() | ev.Swapped() | ev.BecameReady() | ev.TurnedUp():
            return event
        case ev.WentOut() | ev.Withdrawn():
            return event
        case _:
            assert_never(event)


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards this viewer does not see in other places: hands, face-down cards, draw, removed.

    Nothing but chance tells where they lie; whoever has followed the pile knows more.
    """
    if viewer == ALL_SEEING:
        return state
    seats = range(len(state.hands))
    under = [card for seat in seats for card in state.face_down[seat] if card is not None]
    held = [card for seat in seats if seat != viewer for card in state.hands[seat]]
    pool, chance = chance.shuffle(sorted((*under, *held, *state.draw, *state.removed)))
    cards = iter(pool)
    return replace(
        state,
        hands=tuple(state.hands[seat] if seat == viewer else draw_as_many(cards, state.hands[seat]) for seat in seats),
        face_down=tuple(tuple(None if card is None else next(cards) for card in row) for row in state.face_down),
        draw=draw_as_many(cards, state.draw),
        removed=draw_as_many(cards, state.removed),
        chance=None if state.chance is None else chance,
    )


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    """A face-down card under a face-up card is secret, and the hand of another seat is as many backs."""
    all_seeing = viewer == ALL_SEEING
    yield closed_pile(yoda.DRAW, "Draw pile", 0, 0, state.draw[::-1], all_seeing)
    yield closed_pile(yoda.REMOVED, "Removed cards", _WIDTH, 0, state.removed, all_seeing)
    yield Zone(yoda.PILE, "Pile", "fan", 2 * _WIDTH, 0, cards=state.pile)
    for seat, hand in enumerate(state.hands):
        owner, y = player_name(seat), (seat + 1) * _HEIGHT
        for column, (under, over) in enumerate(zip(state.face_down[seat], state.face_up[seat], strict=True)):
            cards, face_up = (tuple(card for card in row if card is not None) for row in ((under, over), (over,)))
            visible = cards if all_seeing else face_up
            label, face_down = f"{owner}, column {column + 1}", len(cards) - len(visible)
            yield Zone(yoda.COLUMN[seat][column], label, "pile", column * _WIDTH, y, seat, face_down, visible)
        cards, x = hand if all_seeing or viewer == seat else backs(hand), len(state.face_up[seat]) * _WIDTH
        yield Zone(yoda.HAND[seat], f"Hand of {owner}", "fan", x, y, seat, 0, cards)


_STEP, _PLATE = 1 + GAP, 0.24
_BESIDE = 0.3

CHIPS = Chips((
    Chip(fact="to_beat", label="To beat", shown="words"), Chip(fact="cards_left.@", label="Cards", seat=True),
    Chip(fact="turn", label="On turn", shown="seats"), Chip(fact="exposed", label="To be called", shown="seats"),
    Chip(fact="skips", label="Loses a turn", shown="seats"), Chip(fact="swapping", label="Exchanging", shown="seats"),
    Chip(fact="out", label="Out of cards", shown="seats"), Chip(fact="resigned", label="Given up", shown="seats"),
), {"swap": "Exchange cards, then say that you are ready"})  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """For two to five seats."""
    return Boards(_wide(seats), _tall(seats))


def _wide(seats: int) -> Board:
    """The others clockwise from the left: the first and the last of three and more sit lower."""
    scale, count = 0.56, columns(seats)
    width = count * scale * _STEP
    spots = _round_the_table(seats - 1, width)
    others = [_other(seat, x, y, count, scale) for seat, (x, y) in enumerate(spots, 1)]
    middle, own = (10.4 - 5.3) / 2, count * _STEP
    return frame_board(
        [
            *(place for places, _ in others for place in places),
            *in_row((yoda.DRAW, yoda.REMOVED), Place("", middle, 1.62)),
            Place(yoda.PILE, middle + 2.3, 1.62, "right", 3, 0.3),
            *_columns(0, count, Place("", 0, 3.02, label=False)),
            Place("hand_@0", own + 0.2, 3.02, "right", 10.2 - own, label=False),
        ],
        (*(plate for _, plate in others), Seating("@0", 0, 2.74, 10.4, _PLATE)),
    )  # fmt: skip


def _round_the_table(others: int, width: float) -> list[tuple[float, float]]:
    left, right, low = 0.0, 10.4 - width, 0.9
    if others == 1:
        return [((10.4 - width) / 2, 0)]
    between = others - 2
    first = (10.4 - between * width - (between - 1) * _BESIDE) / 2
    top = [(first + at * (width + _BESIDE), 0.0) for at in range(between)]
    return [(left, low), *top, (right, low)]


def _tall(seats: int) -> Board:
    count, scale = columns(seats), 0.84 if seats < 4 else 0.78
    width, high = count * scale * _STEP, _PLATE + 0.04 + 2 * scale + 0.06
    if alone := seats == 2:
        spots = [((7.44 - width) / 2, 0.0)]
    else:
        spots = [((at % 2) * (7.44 - width), (at // 2) * (high + 0.14)) for at in range(seats - 1)]
    others = [_other(seat, x, y, count, scale) for seat, (x, y) in enumerate(spots, 1)]
    top = (1 if alone else (seats) // 2) * (high + 0.14) + 0.14
    return frame_board(
        [
            *(place for places, _ in others for place in places),
            *in_row((yoda.DRAW, yoda.REMOVED), Place("", 0.6, top)), Place(yoda.PILE, 3, top, "right", 3.6, 0.3),
            *_columns(0, count, Place("", (7.44 - count * _STEP) / 2, top + 1.4, label=False)),
            Place("hand_@0", 0, top + 2.46, "right", 7.44, label=False),
        ],
        (*(plate for _, plate in others), Seating("@0", 0, top + 1.12, 7.44, _PLATE)),
    )  # fmt: skip


def _other(seat: int, x: float, y: float, count: int, scale: float) -> tuple[list[Place], Seating]:
    """The plate, below it the columns, and the hand below these."""
    width, top = count * scale * _STEP - GAP * scale, y + _PLATE + 0.04
    hand = Place(f"hand_@{seat}", x, top + scale + 0.06, "right", width, 0.6, scale=scale, label=False)
    cards = _columns(seat, count, Place("", x, top, scale=scale, label=False))
    return [*cards, hand], Seating(f"@{seat}", x, y, width, _PLATE)


def _columns(seat: int, count: int, first: Place) -> list[Place]:
    return in_row((f"column_@{seat}_{number}" for number in range(count)), first, GAP * first.scale)


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer."""
    match event:
        case ev.TurnStarted():
            return (
                f"{player_name(event.seat)} plays again." if event.again else f"{player_name(event.seat)} is on turn."
            )
        case ev.Played():
            held = event.cards[: len(event.cards) - len(event.columns)]
            source = "" if not event.columns else ", from the hand and face up" if held else ", face up"
            return f"{player_name(event.seat)} plays {names(event.cards)}{source}."
        case ev.PickedUp():
            return f"{player_name(event.seat)} picks up the pile: {names(event.cards)}."
        case ev.Drawn():
            return f"{player_name(event.seat)} draws {_name_unseen(event.cards, event.seat, viewer)}."
        case ev.Penalised():
            drawn = f"{_name_unseen(event.drawn, event.seat, viewer)} from the removed cards"
            taken = f"{names(event.from_pile)} from the pile"
            parts = [part for part, cards in ((drawn, event.drawn), (taken, event.from_pile)) if cards]
            return f"{player_name(event.seat)} has to take {' and '.join(parts) or 'nothing'}."
        case ev.FalselyCalled():
            return f"{player_name(event.by)} calls {player_name(event.seat)} without cause."
        case ev.Cleared():
            by = "A ten" if event.reason == "ten" else "Four of a kind"
            return f"{by} clears the pile: {count_cards(len(event.cards))} removed from play."
        case ev.Flipped():
            sentence = f"{player_name(event.seat)} flips the {name(event.card)}"
            return f"{sentence}." if fits(state, event.card[0]) else f"{sentence}, which is too low."
        case ev.Dealt():
            columns, hand = len(event.face_up[0]), count_cards(len(event.hands[0]))
            return f"Everybody is dealt {columns} columns and {hand}; {player_name(event.first)} is the first."
        case ev.TurnedUp():
            return f"The {name(event.card)} is turned up."
        case ev.Swapped():
            return f"{player_name(event.seat)} lays down the {name(event.card)} and takes up the {name(event.taken)}."
        case ev.BecameReady():
            return f"{player_name(event.seat)} is ready."
        case ev.WentOut():
            return f"{player_name(event.seat)} has played its last card."
        case ev.OneLeft():
            return f"{player_name(event.seat)} has one card left and has not shouted."
        case ev.Shouted():
            return f"{player_name(event.seat)} shouts Yoda."
        case ev.Caught():
            return f"{player_name(event.by)} says Yoda first: {player_name(event.seat)} is caught."
        case ev.Skipped():
            return f"{player_name(event.seat)} loses a turn."
        case ev.Withdrawn():
            return f"{player_name(event.seat)} is out of the game and its cards are out of play."
        case _:
            assert_never(event)


def _name_unseen(cards: tuple[Card, ...], seat: Seat, viewer: Viewer) -> str:
    """The cards for whom they are, and a number for all others."""
    return names(cards) if viewer in (seat, ALL_SEEING) else count_cards(len(cards))


def _describe_rank(rank: str) -> SpecialRank:
    does: dict[Effect, str] = {
        "goes_on_anything": yoda.ON_ANYTHING,
        "takes_anything": yoda.RESETTING,
        "clears": yoda.CLEARING,
    }
    effects = tuple(effect for effect, ranks in does.items() if rank in ranks)
    return SpecialRank(rank, rank_name(rank), tuple(card for card in PACK if card[0] == rank), effects)


_SEATS = range(2, yoda.MOST_SEATS + 1)
MATERIAL = Material(
    places=card_places(*(look(initial(Options(), seats), None) for seats in _SEATS)),
    tables=tuple(Table(seats, columns(seats), yoda.FULL_HAND) for seats in _SEATS),
    cards=pack_cards(values={card: yoda.VALUE[card[0]] for card in PACK}),
    special=tuple(
        _describe_rank(rank) for rank in yoda.VALUE if rank in yoda.ON_ANYTHING + yoda.RESETTING + yoda.CLEARING
    ),
    alike=yoda.ALIKE_CLEAR,
)
