"""Positions drawn as short texts: one zone per line, piles bottom to top, the draw pile next card first.

`up_0` and `down_0` are the face-up and face-down cards of seat 0, column by column; `-` is a column without one.
"""

from typing import Any

from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda.events import Command, Flip, Play
from domain.games.screaming_yoda.state import Cards, Options, State
from domain.kit.cards import PACK
from domain.kit.patience import with_value_at
from tests.games.tables import SEED, After, Table

YODA = Table(GAME)
say, folded, rule = YODA.say, YODA.folded, YODA.refused


def position(drawing: str, turn: int = 0, seats: int = 4, **given: Any) -> State:
    """The state as drawn, seat `turn` to play; `given` are options, or fields of the state such as `exposed`."""
    fields = {name: given.pop(name) for name in list(given) if name in State.__struct_fields__}
    empty = GAME.initial(GAME.get(OptionRules).settle(Options(**given), seats), seats)
    state = replace(empty, turn=turn, chance=Chance(SEED), **fields)
    for line in drawing.strip().splitlines():
        zone, _, cards = line.partition(":")
        state = _with(state, zone.strip(), tuple(cards.split()))
    return state


def _with(state: State, zone: str, cards: Cards) -> State:
    kind, _, seat = zone.partition("_")
    if not seat:
        return replace(state, **{kind: cards})
    if kind == "hand":
        return replace(state, hands=with_value_at(state.hands, int(seat), cards))
    field = {"up": "face_up", "down": "face_down"}[kind]
    width = len(getattr(state, field)[int(seat)])
    columns = (*(None if card == "-" else card for card in cards), *(None,) * (width - len(cards)))
    return replace(state, **{field: with_value_at(getattr(state, field), int(seat), columns)})


def dealt(seats: int = 4, chance: Chance | None = None, **options: Any) -> After:
    """A game as it begins."""
    return YODA.opened(seats, chance, **options)


def play(state: State, cards: str, shout: bool = False) -> After:
    """The seat on turn plays cards."""
    return say(state, Play(tuple(cards.split()), shout=shout))


def flip(state: State, column: int, shout: bool = False) -> After:
    """The seat on turn flips a face-down card of its own."""
    return say(state, Flip(f"column_{state.turn}_{column}", shout=shout))


def plays(state: State) -> list[str]:
    """What the seat on turn may play, each once, as texts, sorted; `pick up` and the columns to flip among them."""
    return sorted({_text(command) for command in GAME.legal_commands(state, state.turn or 0)})


def _text(command: Command) -> str:
    if isinstance(command, Play):
        return " ".join(command.cards)
    return command.source if isinstance(command, Flip) else type(command).__name__


def given(turned_up: str, seats: int) -> Chance:
    """A deal of the pack in its order whose card turned up is the one named."""
    cards = [card for card in PACK if card != turned_up]
    before = seats * (2 * (3 if seats == 5 else 4) + 3)
    return Chance(SEED, given=(*cards[:before], turned_up, *cards[before:]))


def held(state: State) -> list[str]:
    """Every card of the game, wherever it lies, sorted."""
    laid = [card for columns in (*state.face_up, *state.face_down) for card in columns if card is not None]
    return sorted((*state.draw, *state.pile, *state.removed, *laid, *(card for hand in state.hands for card in hand)))
