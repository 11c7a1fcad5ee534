"""Klondike and Canfield with all cards known: what no card can need goes home.

Stock and waste are one: a draw counts only with the move that uses it, and all cards that drawing and turning over can
bring up are computed once per talon.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.games import AnyGameType
from domain.games.canfield import CANFIELD
from domain.games.canfield import events as canfield
from domain.games.canfield import rules as canfield_rules
from domain.games.canfield.state import State2 as Canfield
from domain.games.klondike import KLONDIKE
from domain.games.klondike import events as klondike
from domain.games.klondike import rules as klondike_rules
from domain.games.klondike.state import State2 as Klondike
from domain.kit.cards import RANK
from domain.kit.columns import only_changes_place
from domain.kit.patience import SUIT_PLACE, cards_home
from domain.kit.talon import WASTE, can_recycle
from service.solving.search import Puzzle, Solver, Way, best_first, single_ways, state_after
from service.solving.solvers.cells import Safe, safe_home


@dataclass(frozen=True, eq=False)
class _Game:
    """What the solver asks of a game type.

    is_safe  foundations, suit -> whether no card can need the suit's next one
    wanted   position -> the cards that would have a place if they lay on top of the waste
    moves    position -> all moves
    """

    game_type: AnyGameType
    draw: Any
    recycle: Any
    is_safe: Safe
    wanted: Callable[[Any], set[str]]
    moves: Callable[[Any], Iterable[Any]]


def _ways(game: _Game, state: Any) -> Iterable[Way]:
    legal = game.game_type.legal_commands(state, 0)
    played = [command for command in legal if isinstance(command, klondike.Move | canfield.Move)]
    safe = [move for move in played if _is_safe(game, state, move)]
    if safe or not legal:
        return single_ways(game.game_type, state, safe[:1])
    return _all_ways(game, state, played)


def _is_safe(game: _Game, state: Any, move: Any) -> bool:
    """Whether the card goes home and none needs it; where three are drawn, what leaves the waste shifts the rest."""
    if move.target not in SUIT_PLACE or (move.source == WASTE and state.options.draw == 3):
        return False
    return game.is_safe(state.foundations, SUIT_PLACE[move.target])


def _all_ways(game: _Game, state: Any, played: Sequence[Any]) -> Iterator[Way]:
    """The moves, and the ways that draw, perhaps turn over, and then play the top card of the waste."""
    moves = [move for move in played if not only_changes_place(state.columns, move.source, move.target, move.count)]
    yield from single_ways(game.game_type, state, moves)
    places = game.wanted(state)
    for turn in _turns(game, _bare_talon(game, state)):
        if turn.waste and turn.waste[-1] in places:
            there = replace(state, stock=turn.stock, waste=turn.waste, recycles=state.recycles + turn.recycles)
            for move in game.moves(there):
                if move.source == WASTE:
                    yield Way((*turn.commands, move), state_after(game.game_type, there, move))


class _Turn(NamedTuple):
    """The commands that lead to this stock and waste, and how often the waste was turned over on the way."""

    commands: tuple[Any, ...]
    stock: tuple[str, ...]
    waste: tuple[str, ...]
    recycles: int


def _bare_talon(game: _Game, state: Any) -> Any:
    """The position with only the talon, as a key for the cache of turns."""
    recycles = 0 if state.options.passes is None else state.recycles
    return replace(_empty_table(game, state.options), stock=state.stock, waste=state.waste, recycles=recycles)


@lru_cache
def _empty_table(game: _Game, options: Any) -> Any:
    return game.game_type.initial(options, 1)


@lru_cache(maxsize=20_000)
def _turns(game: _Game, bare: Any) -> tuple[_Turn, ...]:
    return tuple(_each_turn(game, bare))


def _each_turn(game: _Game, bare: Any) -> Iterator[_Turn]:
    """The turns, the shortest first: once the talon lies as before, the rest has been seen."""
    seen, state = {bare.waste}, bare
    commands: tuple[Any, ...] = ()
    while command := game.draw if state.stock else game.recycle if can_recycle(state) else None:
        state, commands = state_after(game.game_type, state, command), (*commands, command)
        if state.waste in seen:
            return
        seen.add(state.waste)
        yield _Turn(commands, state.stock, state.waste, state.recycles - bare.recycles)


def _phase(state: Klondike | Canfield) -> Hashable:
    """Where the talon stands; its cards are known from those that lie elsewhere.

    Where passes are not limited, every card can come up if they are drawn one at a time; three at a time, those come up
    that a new pass brings, which is the case at each third card, and else also those that this pass brings.
    """
    if state.options.passes is not None:
        return len(state.waste), state.recycles
    return len(state.waste) % 3 and len(state.waste) if state.options.draw == 3 and state.stock else 0


def _klondike_key(state: Klondike) -> Hashable:
    """Columns in any order, foundations, and the talon's phase."""
    columns = [f"{down}{''.join(column)}" for down, column in zip(state.face_down, state.columns, strict=True)]
    return " ".join(sorted(columns)), state.foundations, _phase(state)


def _klondike_distance(state: Klondike) -> float:
    """Cards not home, face-down cards, the talon, and cards that lie over a lower one of their suit, face down."""
    columns = zip(state.columns, state.face_down, strict=True)
    blocked = sum(_blocked_cards(column, hidden) for column, hidden in columns if hidden)
    talon = len(state.stock) + len(state.waste)
    return 4 * (52 - cards_home(state)) + 10 * sum(state.face_down) + blocked + talon


def _blocked_cards(column: tuple[str, ...], hidden: int) -> int:
    lowest: dict[str, int] = {}
    blocked = 0
    for place, card in enumerate(column):
        blocked += lowest.get(card[1], 14) < RANK[card]
        if place < hidden:
            lowest[card[1]] = min(lowest.get(card[1], 14), RANK[card])
    return blocked


def _canfield_key(state: Canfield) -> Hashable:
    """Columns in any order, foundations, the reserve's size, and the talon's phase."""
    return " ".join(sorted(map("".join, state.columns))), state.foundations, len(state.reserve), _phase(state)


def _canfield_distance(state: Canfield) -> float:
    return 4 * (52 - cards_home(state) + len(state.reserve)) + len(state.stock) + len(state.waste)


def _canfield_safe_home(home: Sequence[int], suit: int) -> bool:
    """As `safe_home`, but columns go on from the first rank to the last.

    A card of the base rank never goes for nothing, and neither does one that another card of the base rank could still
    come to lie on, or under a card on it.
    """
    if home[suit] == 0 or (home[suit] > 1 and home[3 - suit] == 0):
        return False
    return all(home[other] for other in ((1, 2) if suit in (0, 3) else (0, 3))) and safe_home(home, suit)


def _solver(game: _Game, same: Callable[[Any], Hashable], distance: Callable[[Any], float]) -> Solver:
    puzzle = Puzzle(same, partial(_ways, game), distance, cards_home)
    return Solver(game.game_type, 100_000, partial(best_first, game.game_type, puzzle))


SOLVERS = (
    _solver(
        _Game(
            KLONDIKE, klondike.Draw(), klondike.Recycle(), safe_home, klondike_rules.find_wanted, klondike_rules.moves
        ),
        _klondike_key,
        _klondike_distance,
    ),
    _solver(
        _Game(
            CANFIELD, canfield.Draw(), canfield.Recycle(), _canfield_safe_home,
            canfield_rules.find_wanted, canfield_rules.moves,
        ),
        _canfield_key,
        _canfield_distance,
    ),
)  # fmt: skip
