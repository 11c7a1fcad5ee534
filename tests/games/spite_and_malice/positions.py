"""Positions drawn as short texts: one zone per line, piles bottom to top, the draw deck next card first.

`A-J` is a run of spades, `24x` that many cards of a pack; zones that are not drawn are empty.
"""

from functools import partial
from typing import Any

from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice.events import Play
from domain.games.spite_and_malice.state import Cards, Options, State
from domain.kit.cards import PACK, RANKS
from domain.kit.patience import with_value_at
from tests.games.tables import SEED, After, Table

SPITE = Table(GAME)
say, opened = SPITE.say, partial(SPITE.opened, 2)


def position(drawing: str, turn: int = 0, **options: Any) -> State:
    """The state as drawn, seat `turn` to play; a stock that is not drawn holds one seven."""
    empty = GAME.initial(GAME.get(OptionRules).settle(Options(**options), 2), 2)
    state = replace(empty, turn=turn, stocks=(("7C",), ("7D",)), chance=Chance(SEED))
    for line in drawing.strip().splitlines():
        zone, _, cards = line.partition(":")
        state = _with(state, zone.strip(), tuple(card for token in cards.split() for card in _token(token)))
    return state


def _with(state: State, zone: str, cards: Cards) -> State:
    kind, *numbers = zone.split("_")
    if kind in ("draw", "removed"):
        return replace(state, **{kind: cards})
    if kind == "discard":
        seat, pile = map(int, numbers)
        return replace(
            state, discards=with_value_at(state.discards, seat, with_value_at(state.discards[seat], pile, cards))
        )
    field = {"hand": "hands", "stock": "stocks", "play": "play_decks"}[kind]
    return replace(state, **{field: with_value_at(getattr(state, field), int(numbers[0]), cards)})


def _token(token: str) -> Cards:
    if token.endswith("x"):
        return (PACK * 2)[: int(token[:-1])]
    if "-" in token:
        first, last = (RANKS.index(rank) for rank in token.split("-"))
        return PACK[first : last + 1]
    return (token,)


def play(state: State, source: str, card: str | None = None, target: str | None = None) -> After:
    """The seat on turn plays a card."""
    return say(state, Play(source, card, target))


def given(top_0: str, top_1: str, pack: Cards = PACK * 2, stock: int = 20) -> Chance:
    """A deal of these cards whose first stock cards are the two named."""
    rest = list(pack)
    rest.remove(top_0)
    rest.remove(top_1)
    return Chance(SEED, given=(*rest[: 2 * stock - 2], top_0, top_1, *rest[2 * stock - 2 :]))


def held(state: State) -> list[str]:
    """Every card of the game, wherever it lies, sorted."""
    piles = (*state.play_decks, *state.stocks, *state.hands, *state.discards[0], *state.discards[1])
    return sorted((*state.draw, *state.removed, *(card for pile in piles for card in pile)))
