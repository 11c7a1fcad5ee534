"""Positions drawn as short texts, one thing per line; what is not drawn is as after the set-up, hands and decks empty.

hand_0: 5H 6S          deck_0: 2S 3H        (next card first)
played_1: KH           pawns_1: comet santa
stack_jacks: JH JS     (bottom to top)      removed: 2C
grid_0: small_star 7,2; comet 1,1 turned 2  (the upper left corner of the shape's frame, quarter turns)
"""

from typing import Any

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import state as decs
from domain.games.decs_building.events import Discard, Event, Pass, Place, TakeAction, TakeStartCard
from domain.games.decs_building.grid import orientations
from domain.games.decs_building.state import Cards, Feature, SpaceId, State
from domain.kit.patience import with_value_at
from domain.view import Cells
from tests.games.tables import SEED, After, Table

DECS = Table(GAME, decs.to_act)
say, folded, refused = DECS.say, DECS.folded, DECS.refused
IDS: dict[str, decs.FeatureId] = {feature: feature for feature in decs.KINDS}
SPACE_IDS: dict[str, SpaceId] = {space: space for space in decs.SPACES}


def position(drawing: str, seats: int = 2, **fields: Any) -> State:
    """The state as drawn, in the middle of round 3, seat 0 on turn unless said otherwise."""
    options = fields.pop("options", decs.Options())
    stacks = [pile[::-1] for pile in decs.piles(options, seats)]
    left = (*(stack[:-seats] for stack in stacks[:4]), *stacks[4:])
    state = replace(GAME.initial(options, seats), stacks=left, round=3, turn=0)
    for line in drawing.strip().splitlines():
        zone, _, words = line.partition(":")
        state = _with(state, zone.strip(), words.strip())
    return replace(state, **fields)


def _with(state: State, zone: str, words: str) -> State:
    if zone in decs.STACK:
        return replace(state, stacks=with_value_at(state.stacks, decs.STACK[zone], cards(words)))
    if zone == "removed":
        return replace(state, removed=cards(words))
    kind, _, seat = zone.partition("_")
    drawn = {"grid": ("features", drawing), "pawns": ("pawns", _pawns)}
    field, read = drawn.get(kind, (kind, cards))
    player: decs.Player = replace(state.players[int(seat)], **{field: read(words)})
    return replace(state, players=with_value_at(state.players, int(seat), player))


def cards(words: str) -> Cards:
    """`5H 6S *1` as cards."""
    return tuple(words.split())


def _pawns(words: str) -> tuple[SpaceId, ...]:
    return tuple(SPACE_IDS[word] for word in words.split())


def drawing(words: str) -> tuple[Feature, ...]:
    """`small_star 7,2; comet 1,1 turned 2` as features."""
    return tuple(_feature(part.split()) for part in words.split(";") if part.strip())


def _feature(words: list[str]) -> Feature:
    feature, corner, *turned = words
    return Feature(IDS[feature], cells(feature, corner, int(turned[1]) if turned else 0))


def cells(feature: str, corner: str, turned: int = 0) -> Cells:
    """The cells of a feature whose frame has its upper left corner at `row,column`."""
    top, left = map(int, corner.split(","))
    shape = orientations(decs.KINDS[IDS[feature]])[turned]
    return tuple((top + row, left + column) for row, column in shape)


def take(space: str, payment: str, **fields: Any) -> TakeAction:
    """An action, its payment in words."""
    return TakeAction(SPACE_IDS[space], cards(payment), **fields)


def start(stack: str) -> TakeStartCard:
    return TakeStartCard(decs.STACKS[decs.STACK[stack]])


def discard(words: str) -> Discard:
    first, *more = words.split()
    return Discard(first, tuple(more) if more else None)


def place(feature: str, corner: str, turned: int = 0) -> Place:
    return Place(cells(feature, corner, turned))


def all_pass(state: State) -> After:
    """Everybody who is to act passes until the round is over."""
    events, number = tuple[Event, ...](), state.round
    while state.round == number and state.over is None:
        after = say(state, Pass())
        events, state = events + after.events, after.state
    return After(events, state)


def opened(seats: int = 2, seed: bytes = SEED, given: Cards | None = None, **options: Any) -> After:
    """A game as dealt."""
    return DECS.opened(seats, Chance(seed, given=given), **options)


def held(state: State) -> list[str]:
    """Every card of the game, wherever it lies, sorted."""
    own = [pile for player in state.players for pile in (player.deck, player.hand, player.played)]
    return sorted(card for pile in (*state.stacks, state.removed, *own) for card in pile)


def everything(state: State) -> list[str]:
    """Every card that there should be, sorted."""
    return sorted(decs.pack(state.options, len(state.players)))
