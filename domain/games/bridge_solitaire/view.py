"""What may be seen of table and events; and as data the table, the cards and all that a score sheet prints."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.bridge_solitaire.events import Dealt, Event
from domain.games.bridge_solitaire.rules import scoring, sheet
from domain.games.bridge_solitaire.rules.table import initial
from domain.games.bridge_solitaire.state import (
    BOARDS,
    BOOK,
    BY_JOKERS,
    CARDS,
    GAME,
    GAMES,
    HIDDEN,
    HIGH_TO_LOW,
    LEVELS,
    OFFERED,
    STRAINS,
    Contract,
    Doubling,
    Facts,
    HouseCall,
    Kind,
    Options,
    Place,
    Side,
    State,
    Strain,
    discard_top,
)
from domain.games.bridge_solitaire.words import KINDS, SIDE_NAMES
from domain.kit.cards import SUIT_NAMES, is_joker
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, FACE_DOWN, Card, Layout, View, Viewer, Zone

_STRAIN, _DOUBLING = "The strain that it is for.", "The doubling that it is for."


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table; a spectator sees what the player sees."""
    phase, to_act = ("finished", ()) if state.closed else (state.phase, (0,))
    return View(phase, to_act, False, _zones(state, viewer == ALL_SEEING), _facts(state))


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal without the hidden seven, the stock and what later hands are shuffled from."""
    if viewer == ALL_SEEING or not isinstance(event, Dealt):
        return event
    cards = tuple(card if HIDDEN <= at < HIDDEN + OFFERED else FACE_DOWN for at, card in enumerate(event.cards))
    return replace(event, cards=cards, chance=None)


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The same game with the cards that nobody has been shown, hidden seven and stock, in another order."""
    if viewer == ALL_SEEING:
        return state
    cards = chance.shuffle(sorted(state.hidden + state.stock)).cards
    return replace(state, hidden=cards[: len(state.hidden)], stock=cards[len(state.hidden) :])


class SheetColumn(Struct, frozen=True):
    """A column of the sheet."""

    id: Annotated[Side, Meta(description="The side as contracts and entries name it.")]
    name: Annotated[str, Meta(description="Who it is.")]


class NamedStrain(Struct, frozen=True):
    """What a contract is played in."""

    id: Annotated[Strain, Meta(description="The strain as bids and contracts write it.")]
    name: Annotated[str, Meta(description="What people call it.")]


class TrickPoints(Struct, frozen=True):
    """What the declarer's tricks earn over the book, by strain and doubling."""

    strain: Annotated[Strain, Meta(description=_STRAIN)]
    doubling: Annotated[Doubling, Meta(description=_DOUBLING)]
    first: Annotated[int, Meta(description="Points of the first trick that was bid and made.")]
    further: Annotated[int, Meta(description="Points of every further trick that was bid and made.")]
    overtrick: Annotated[int, Meta(description="Points of every trick more than was bid, not vulnerable.")]
    overtrick_vulnerable: Annotated[int, Meta(description="The same if the declarer is vulnerable.")]


class DoublingPoints(Struct, frozen=True):
    """How a contract comes to be doubled, and what making it earns for that."""

    id: Annotated[Doubling, Meta(description="The doubling as contracts name it.")]
    jokers: Annotated[int, Meta(description="So many jokers in the player's hand make it, whoever declares.")]
    insult: Annotated[int, Meta(description="Points of a contract made, vulnerable or not.")]


class SlamPoints(Struct, frozen=True):
    """What a slam that was bid and made earns besides."""

    id: Annotated[Kind, Meta(description="The kind of its entry on the sheet.")]
    level: Annotated[int, Meta(description="The level that is bid.")]
    points: Annotated[int, Meta(description="Points not vulnerable.")]
    points_vulnerable: Annotated[int, Meta(description="Points if the declarer is vulnerable.")]


class UndertrickPoints(Struct, frozen=True):
    """What the defender earns by a contract that is not made."""

    doubling: Annotated[Doubling, Meta(description=_DOUBLING)]
    vulnerable: Annotated[bool, Meta(description="Whether the declarer is vulnerable.")]
    old_undertricks: Annotated[bool, Meta(description="The option `old_undertricks` that it is for.")]
    points: Annotated[tuple[int, ...], Meta(description="All points of one undertrick, of two, and so on.")]


class HonourPoints(Struct, frozen=True):
    """What honours in the player's hand earn, whoever declares; not on a board."""

    strain: Annotated[Strain, Meta(description=_STRAIN)]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards that are its honours.")]
    held: Annotated[int, Meta(description="Exactly so many of them are held.")]
    points: Annotated[int, Meta(description="What they earn.")]


class SheetLine(Struct, frozen=True):
    """A kind of entry."""

    id: Annotated[Kind, Meta(description="The kind as entries name it.")]
    name: Annotated[str, Meta(description="What its points are for.")]
    place: Annotated[Place, Meta(description="Above or below the line of a rubber's sheet; on a board all are above.")]


class RubberPoints(Struct, frozen=True):
    """What makes a game and a rubber, and the premiums at its end."""

    game: Annotated[int, Meta(description="Points below the line that make a game.")]
    games: Annotated[int, Meta(description="Games that make the rubber.")]
    premium: Annotated[
        tuple[int, ...], Meta(description="The rubber premium if the other side has no game, and if it has one.")
    ]
    unfinished_game: Annotated[int, Meta(description="Of an unfinished rubber: to the only side with a game.")]
    unfinished_part_score: Annotated[
        int, Meta(description="Of an unfinished rubber: to the only side with a part score in the open game.")
    ]


class BoardOfHand(Struct, frozen=True):
    """A board of duplicate bridge."""

    board: Annotated[int, Meta(description="The option `board` that it is for.")]
    vulnerable: Annotated[tuple[Side, ...], Meta(description="The sides that are vulnerable.")]


class BoardPoints(Struct, frozen=True):
    """The boards of duplicate bridge, and what a contract that is made earns there besides."""

    boards: Annotated[tuple[BoardOfHand, ...], Meta(description="The boards in their order.")]
    game: Annotated[int, Meta(description="A contract is a game if its tricks earn so much, doubled or not.")]
    part_score_bonus: Annotated[int, Meta(description="Points of a contract that is less than a game.")]
    game_bonus: Annotated[int, Meta(description="Points of a game, not vulnerable.")]
    game_bonus_vulnerable: Annotated[int, Meta(description="Points of a game if the declarer is vulnerable.")]


class Material(Struct, frozen=True, tag="bridge_solitaire/material"):
    """The table, the cards, and the tables of a score sheet."""

    places: Places
    cards: Cards
    sides: Annotated[tuple[SheetColumn, ...], Meta(description="The columns of the sheet.")]
    strains: Annotated[tuple[NamedStrain, ...], Meta(description="The strains, the lowest in rank first.")]
    book: Annotated[int, Meta(description="The declarer's tricks that do not count: level 1 needs one more.")]
    tricks: Annotated[tuple[TrickPoints, ...], Meta(description="Tricks by strain and doubling.")]
    doublings: Annotated[tuple[DoublingPoints, ...], Meta(description="Doublings by jokers.")]
    slams: Annotated[tuple[SlamPoints, ...], Meta(description="The slams.")]
    undertricks: Annotated[
        tuple[UndertrickPoints, ...], Meta(description="Undertricks by doubling, vulnerability and option.")
    ]
    honours: Annotated[tuple[HonourPoints, ...], Meta(description="Honours by strain and number.")]
    lines: Annotated[tuple[SheetLine, ...], Meta(description="The kinds of entries on the sheet.")]
    rubber: Annotated[RubberPoints, Meta(description="Games, the rubber and its premiums.")]
    boards: Annotated[
        BoardPoints | None, Meta(description="Boards of duplicate bridge; null: this revision has none.")
    ] = None


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
        closed_pile("stock", "Stock", 0, 0, state.stock[::-1], known),
        _discards(state, known),
        _open_zone("trick", "Trick", "row", (3.5, 0), state.trick),
        _open_zone("last_trick", "Last trick", "row", (6.5, 0), state.last_trick),
        closed_pile("tricks_won_0", "The player's tricks", 9.5, 0, state.won_me, known),
        closed_pile("tricks_house", "The house's tricks", 11.5, 0, state.won_it, known),
        _open_zone("skipped", "Skipped, on the discards", "fan", (0, 1.5), state.skipped),
        _open_zone("offered", "Offered", "fan", (0, 3), state.offered),
        replace(closed_pile("hidden_seven", "Hidden cards of the hand", 0, 4.5, state.hidden, known), layout="fan"),
        replace(_open_zone("hand_0", "Hand", "fan", (0, 6), state.hand), owner=0),
    )


def _open_zone(id: str, label: str, layout: Layout, at: tuple[float, float], cards: tuple[Card, ...]) -> Zone:
    return Zone(id, label, layout, *at, cards=cards)


def _discards(state: State, known: bool) -> Zone:
    """Only the top lies open; while cards just skipped are spread on the pile, that is one of them."""
    pile = Zone("discard", "Discards", "pile", 1.5, 0)
    if known:
        return replace(pile, cards=state.discard)
    if state.skipped:
        return replace(pile, face_down=len(state.discard))
    return replace(pile, face_down=max(len(state.discard) - 1, 0), cards=state.discard[-1:])


def _trick_points(strain: Strain, doubling: Doubling) -> TrickPoints:
    one, two = (Contract("me", level, strain, doubling) for level in (1, 2))
    first = scoring.trick_score(one)
    over, exposed = scoring.overtrick(one, vulnerable=False), scoring.overtrick(one, vulnerable=True)
    return TrickPoints(strain, doubling, first, scoring.trick_score(two) - first, over, exposed)


def _slams() -> Iterator[SlamPoints]:
    for level in LEVELS:
        contract = Contract("me", level, "NT")
        plain, exposed = scoring.slam(contract, vulnerable=False), scoring.slam(contract, vulnerable=True)
        for (kind, points), (_, more) in zip(plain, exposed, strict=True):
            yield SlamPoints(kind, level, points, more)


def _undertricks(doubling: Doubling, vulnerable: bool, old: bool) -> UndertrickPoints:
    contract = Contract("me", LEVELS[-1], "NT", doubling)
    points = [scoring.penalty(contract, down, vulnerable, old) for down in range(1, contract.needs + 1)]
    return UndertrickPoints(doubling, vulnerable, old, tuple(points))


def _honours(strain: Strain) -> Iterator[HonourPoints]:
    suits, ranks, table = (
        (SUIT_NAMES, "A", scoring.ACE_POINTS) if strain == "NT" else (strain, scoring.HONOURS, scoring.HONOUR_POINTS)
    )
    cards = tuple(rank + suit for suit in suits for rank in ranks)
    return (HonourPoints(strain, cards, held, points) for held, points in table.items())


_HEIGHT = {card: 0 if is_joker(card) else len(HIGH_TO_LOW) + 1 - HIGH_TO_LOW.index(card[0]) for card in CARDS}

MATERIAL_1 = Material(
    places=card_places(look(initial(Options(), 1), None)),
    cards=pack_cards(CARDS, _HEIGHT),
    sides=tuple(SheetColumn(side, name) for side, name in SIDE_NAMES.items()),
    strains=tuple(NamedStrain(strain, SUIT_NAMES.get(strain, "no trump")) for strain in STRAINS),
    book=BOOK,
    tricks=tuple(_trick_points(strain, doubling) for strain in STRAINS for doubling in BY_JOKERS),
    doublings=tuple(
        DoublingPoints(doubling, jokers, scoring.insult(Contract("me", 1, "NT", doubling)))
        for jokers, doubling in enumerate(BY_JOKERS)
    ),
    slams=tuple(_slams()),
    undertricks=tuple(_undertricks(*case) for case in product(BY_JOKERS, (False, True), (False, True))),
    honours=tuple(row for strain in STRAINS for row in _honours(strain)),
    lines=tuple(SheetLine(kind, name, scoring.place_of(kind)) for kind, name in KINDS.items()),
    rubber=RubberPoints(GAME, GAMES, sheet.RUBBER, sheet.UNFINISHED_GAME, sheet.UNFINISHED_PART_SCORE),
)

MATERIAL = replace(
    MATERIAL_1,
    boards=BoardPoints(
        boards=tuple(BoardOfHand(board, sides) for board, sides in enumerate(BOARDS, 1)),
        game=GAME,
        part_score_bonus=scoring.PART_SCORE_BONUS,
        game_bonus=scoring.GAME_BONUS,
        game_bonus_vulnerable=scoring.VULNERABLE_GAME_BONUS,
    ),
)
"""Revision 2 knows boards."""
