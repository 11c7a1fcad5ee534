"""What the player of Spider says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.spider.state import Foundation, Tableau
from domain.view import Card


class Move(Struct, frozen=True, tag="spider/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or a run in suit of the top `count` cards, onto another column."""

    source: Annotated[Tableau, Meta(description="The column that the cards leave.")]
    target: Annotated[Tableau, Meta(description="The column that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class RemoveSuit(Struct, frozen=True, tag="spider/remove_suit", forbid_unknown_fields=True):
    """Remove the finished run, king to ace in suit, on top of a column; only where runs do not go by themselves."""

    source: Annotated[Tableau, Meta(description="The column that ends in the run.")]
    target: Annotated[Foundation, Meta(description="The first empty foundation.")]


class Deal(Struct, frozen=True, tag="spider/deal", forbid_unknown_fields=True):
    """Deal a row: one card of the stock, face up, onto each column."""


class Dealt(Concealed, frozen=True, tag="spider/dealt"):
    """The 104 cards in dealing order: four rows and four more, a row face up, the stock with its next card first."""

    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="spider/moved"):
    """Cards, bottom to top, went from one column onto another."""

    cards: tuple[Card, ...]
    source: Tableau
    target: Tableau


class Turned(Struct, frozen=True, tag="spider/turned"):
    """A face-down card was uncovered and turned up."""

    source: Tableau
    card: Card


class RowDealt(Struct, frozen=True, tag="spider/row_dealt"):
    """Ten cards came from the stock, one onto each column, in the order of the columns."""

    cards: tuple[Card, ...]


class SuitRemoved(Struct, frozen=True, tag="spider/suit_removed"):
    """A finished run, king to ace, left its column for good."""

    cards: tuple[Card, ...]
    source: Tableau
    target: Foundation


Command = Move | RemoveSuit | Deal
Event = Dealt | Moved | Turned | RowDealt | SuitRemoved

COMMANDS: tuple[type[Command], ...] = (Move, RemoveSuit, Deal)
EVENTS: tuple[type[Event], ...] = (Dealt, Moved, Turned, RowDealt, SuitRemoved)
