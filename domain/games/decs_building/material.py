"""Decs Building: what is printed on the board, the grid and the cards, as data; made from the tables the rules use."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from domain.games.decs_building import state as decs
from domain.games.decs_building.grid import HAND, orientations
from domain.games.decs_building.rules import ANY, KIND, WILD, payers
from domain.games.decs_building.state import FeatureId, SpaceId, StackId
from domain.kit.boards import Places
from domain.kit.cards import SUIT_NAMES
from domain.view import Card, Cell, Cells

Symbol = Literal["S", "H", "D", "C", "J", "Q", "K", "?"]
_SHORT, _TENS = "The option `short` that it is for.", "The option `two_player_tens` that it is for."
_TURNS = "The cells of every way it may be drawn, as rows and columns from the upper left corner of its frame: 0, 0."


class CostSymbol(Struct, frozen=True):
    """A symbol of a cost: one card is paid for each."""

    id: Annotated[Symbol, Meta(description="The symbol as it stands in a cost.")]
    name: Annotated[str, Meta(description="What it asks for.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards that pay it.")]
    extra_cards: Annotated[tuple[Card, ...], Meta(description="The cards that pay it in an extra action.")]
    one_colour: Annotated[
        bool,
        Meta(description="All cards paid for it in one action share a colour, but in an extra action; wilds have any."),
    ]


class Price(Struct, frozen=True):
    """One way to pay for a space and what it brings."""

    cost: Annotated[tuple[Symbol, ...], Meta(description="A card is paid for each symbol.")]
    alternative: Annotated[decs.Alternative | None, Meta(description="How the command names this way, where it must.")]
    gains_from: Annotated[
        tuple[StackId, ...],
        Meta(description="Brings the top card of this stack; of several the command names one as its `source`."),
    ]


class BoardSpace(Struct, frozen=True):
    """A space of the board, where an action is taken."""

    id: Annotated[SpaceId, Meta(description="The id by which commands, events and pawns name it.")]
    name: Annotated[str, Meta(description="What is printed on it.")]
    bauble: Annotated[bool, Meta(description="Needs a pawn of one's own there, or a spare one that is put there.")]
    prices: Annotated[tuple[Price, ...], Meta(description="The ways to pay for it: one of them is paid.")]
    draws: Annotated[FeatureId | None, Meta(description="What is drawn in one's own grid.")]
    removes_second: Annotated[bool, Meta(description="The second card paid leaves the game.")]
    extra_action: Annotated[bool, Meta(description="An extra action follows, whose suits any number pays.")]


class DrawnShape(Struct, frozen=True):
    """What can be drawn in a grid. Points and powers count only if it works: it is powered or needs no power."""

    id: Annotated[FeatureId, Meta(description="The id by which facts and events name it.")]
    name: Annotated[str, Meta(description="What is printed beside it.")]
    letter: Annotated[str, Meta(description="Its letter in the drawn grid of the facts.")]
    points: Annotated[int, Meta(description="What it is worth by itself.")]
    shape: Annotated[tuple[str, ...], Meta(description="As it is printed, row by row from the top: X a cell, . none.")]
    turnings: Annotated[tuple[Cells, ...], Meta(description=_TURNS)]
    needs_power: Annotated[bool, Meta(description="Works only if a side of it touches what gives power.")]
    on_power: Annotated[bool, Meta(description="Can be drawn only where a side of it touches what gives power.")]
    conducts: Annotated[decs.Conducts | None, Meta(description="Whether it gives power itself.")]
    hand: Annotated[int, Meta(description="So many cards more of hand size.")]
    each_two_away: Annotated[
        int, Meta(description="Points for each of its kind exactly two spaces away in a straight line.")
    ]
    each_alike: Annotated[int, Meta(description="Points for each of its kind in the grid, itself too.")]


class Grid(Struct, frozen=True):
    """The empty grid of every seat. Rows and columns count from 1, row 1 on top."""

    short: Annotated[bool, Meta(description=_SHORT)]
    first_row: Annotated[int, Meta(description="The top row that is drawn.")]
    last_row: Annotated[int, Meta(description="The lowest row.")]
    columns: Annotated[int, Meta(description="How many columns there are.")]
    sources: Annotated[tuple[Cell, ...], Meta(description="The power sources that are printed: row, column.")]
    empty_space: Annotated[int, Meta(description="Points of every space that is empty at the end.")]


class StackOfCards(Struct, frozen=True):
    """A stack before the starting decks are taken."""

    id: Annotated[StackId, Meta(description="The id of the stack's zone.")]
    cards: Annotated[tuple[Card, ...], Meta(description="Its cards from the top.")]


class Setup(Struct, frozen=True):
    """What is laid out for a number of players. Each takes the top card of every suit stack as a starting deck."""

    seats: Annotated[int, Meta(description="The number of players that it is for.")]
    short: Annotated[bool, Meta(description=_SHORT)]
    two_player_tens: Annotated[bool, Meta(description=_TENS)]
    pawns: Annotated[int, Meta(description="Pawns of each player.")]
    stacks: Annotated[tuple[StackOfCards, ...], Meta(description="The eight stacks.")]


class Material(Struct, frozen=True, tag="decs_building/material"):
    """The board, what can be drawn, the grid and the cards of Decs Building.

    Costs but those of two spaces, baubles, shapes and the grid are reconstructed: the game type says so.
    """

    places: Places
    symbols: Annotated[tuple[CostSymbol, ...], Meta(description="What the symbols of a cost ask for.")]
    wilds: Annotated[
        tuple[Card, ...], Meta(description="The cards that count as either colour where one is asked for.")
    ]
    spaces: Annotated[tuple[BoardSpace, ...], Meta(description="The spaces of the board in its order.")]
    features: Annotated[tuple[DrawnShape, ...], Meta(description="What can be drawn.")]
    hand: Annotated[int, Meta(description="The hand size without what adds to it.")]
    grids: Annotated[tuple[Grid, ...], Meta(description="The empty grid, of the plain and of the short game.")]
    setups: Annotated[tuple[Setup, ...], Meta(description="Pawns and cards by players and options.")]


SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
_ASKS = {suit: f"a number of {name}" for suit, name in SUIT_NAMES.items()}
_ASKS |= {"J": "a jack", "Q": "a queen", "K": "a king", ANY: "any card"}


def print_material(places: Places) -> Material:
    """The material, with the places for its cards."""
    return Material(
        places=places,
        symbols=tuple(
            CostSymbol(symbol, _ASKS[symbol], payers(symbol, False), payers(symbol, True), symbol == ANY)
            for symbol in SYMBOLS
        ),
        wilds=tuple(card for card, kind in KIND.items() if kind == WILD),
        spaces=tuple(_print_space(key, space) for key, space in decs.SPACES.items()),
        features=tuple(_print_shape(key, kind) for key, kind in decs.KINDS.items()),
        hand=HAND,
        grids=tuple(
            Grid(
                short,
                decs.SHORT_FIRST_ROW if short else 1,
                decs.ROWS,
                decs.COLUMNS,
                decs.PRINTED_SOURCES,
                decs.EMPTY_SPACE,
            )
            for short in (False, True)
        ),
        setups=tuple(_print_setups()),
    )


def _print_space(key: SpaceId, space: decs.Space) -> BoardSpace:
    prices = []
    for way in space.ways:
        stacks: tuple[StackId, ...] = () if way.stack is None else (way.stack,)
        cost = tuple(symbol for mark in way.cost for symbol in SYMBOLS if symbol == mark)
        prices.append(Price(cost, way.alternative, decs.SUIT_STACKS if space.any_suit else stacks))
    drawn, removes, extra = space.feature, space.removes_second, space.extra_action
    return BoardSpace(key, space.name, space.bauble, tuple(prices), drawn, removes, extra)


def _print_shape(key: FeatureId, kind: decs.Kind) -> DrawnShape:
    return DrawnShape(
        id=key, name=kind.name, letter=kind.letter, points=kind.points, shape=tuple(kind.shape.split("/")),
        turnings=tuple(orientations(kind)), needs_power=kind.needs_power, on_power=kind.on_power,
        conducts=kind.conducts, hand=kind.hand, each_two_away=kind.each_two_away, each_alike=kind.each_alike,
    )  # fmt: skip


def _print_setups() -> Iterator[Setup]:
    for seats, short, tens in product(decs.PAWNS, (False, True), (True, False)):
        stacks = decs.piles(decs.Options(short=short, two_player_tens=tens), seats)
        named = tuple(StackOfCards(stack, cards) for stack, cards in zip(decs.STACKS, stacks, strict=True))
        yield Setup(seats, short, tens, decs.PAWNS[seats], named)
