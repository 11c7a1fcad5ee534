"""Spite & Malice: the state of a game, how it stands and what can be read from it."""

from typing import Literal

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Concealed, Result
from domain.games.spite_and_malice.options import VALUE, Options, Settings, settings_of, settle
from domain.view import Card, Seat

Over = Literal["cannot_draw", "two_idle_turns", "three_idle_redeals"]
Cards = tuple[Card, ...]


class State(Concealed, frozen=True, omit_defaults=True):
    """Everything on and under the table. Piles run bottom to top; the draw deck has its next card first.

    `turned` tells for each seat whether the top of its stock lies face up; `played` whether the seat on turn has
    played; `idle` counts turns in a row that ended without a discard or a play; `redeals` how
    often everything outside the stocks was dealt again since a stock card was last played.
    """

    settings: Settings = Settings()
    draw: Cards = ()
    removed: Cards = ()
    play_decks: tuple[Cards, ...] = ()
    stocks: tuple[Cards, ...] = ((), ())
    hands: tuple[Cards, ...] = ((), ())
    discards: tuple[tuple[Cards, ...], ...] = ((), ())
    turned: tuple[bool, ...] = (True, True)
    turn: Seat | None = None
    played: bool = False
    idle: int = 0
    redeals: int = 0
    over: Over | None = None
    chance: Chance | None = None


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    return cleared(State(settings=settings_of(settle(options, seats))))


def cleared(state: State) -> State:
    """The state with empty play decks, discard piles and hands."""
    decks, piles = ((),) * state.settings.play_decks, ((),) * state.settings.discards
    return replace(state, play_decks=decks, discards=(piles, piles), hands=((), ()))


def takers(state: State, card: Card) -> list[int]:
    """The play decks that take this card, lowest first: the next in sequence, or any for a wild."""
    value = VALUE[card]
    if value >= state.settings.wild_from:
        return list(range(len(state.play_decks)))
    return [deck for deck, cards in enumerate(state.play_decks) if len(cards) + 1 == value]


def result(state: State) -> Result | None:
    """Won with the last stock card; otherwise as the cards or the plays ran out; None while it goes on."""
    if state.over is not None:
        return _run_out(state)
    if state.turn is None or all(state.stocks):
        return None
    return Result("won", "stock_played", (state.stocks.index(()),))


def _run_out(state: State) -> Result:
    left = [len(stock) for stock in state.stocks]
    if state.over != "cannot_draw" or state.settings.on_exhaustion != "fewest_stock_wins":
        return Result("drawn", str(state.over))
    if left[0] == left[1]:
        return Result("drawn", "equal_stocks")
    return Result("won", "fewest_stock_cards", (left.index(min(left)),))
