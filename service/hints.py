"""The hint: what to do next, and whether this can still be won, as far as the player can know.

It is a function of `Knowledge`, which holds all that a hint may depend on and no hidden card's place: two games that
look the same from the seat have equal knowledge. A solver looks at deals that look the same, within a bound in
positions, so that the same knowledge has the same hint on every machine.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import permutations
from math import factorial
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.capabilities import Undoing
from domain.games import GAME_TYPES, AnyGameType
from domain.view import FACE_DOWN, Card
from service import solving
from service.analysis.foresight import dealt_state, seen_places, with_cards
from service.analysis.history import History, history_of
from service.jobs.process import WorkerPool
from service.jobs.stored_games import GameRef, records_of
from service.settings import Settings

Outlook = Literal["winnable", "impossible", "open"]
_BOUND = 200_000
"""Positions for the verdicts on all the deals together."""
_KNOWN_BOUND = 2_000_000
"""Positions for the verdict on the one deal that it can be: Black Hole often needs more than 200,000."""
_MEMORY = 64 << 20
_NICENESS = 15
"""Of the process: commands go first."""
_COMPARED = 4
"""So many commands are compared."""
_CACHED = 256
_WORLDS = 8
"""So many deals that look the same are tried, where there are more."""
_Ask = Callable[[Any], solving.Finding]


class Knowledge(Struct, frozen=True):
    """A position as its player knows it.

    `deal`: its events, with FACE_DOWN for each card that has never been seen, on no branch that was taken back either;
    `unseen`: these cards in the order of their names; `commands`: what led from the deal to the position.
    """

    game_type: str
    options: Any
    deal: tuple[Any, ...]
    unseen: tuple[Card, ...]
    commands: tuple[Any, ...]

    @property
    def kind(self) -> AnyGameType:
        return GAME_TYPES[self.game_type]

    @property
    def may_undo(self) -> bool:
        return bool(self.kind.get(Undoing).allowed(self.options))

    def digest(self) -> bytes:
        """32 bytes that are the same for equal knowledge."""
        return sha256(msgspec.json.encode(self, order="sorted")).digest()


def knowledge_of(history: History) -> Knowledge:
    """What the player knows at the position that stands now; raises ValueError where a seen card has no place."""
    kind, options = history.game.type, history.game.options
    dealt, *more = history.positions[history.live[0]].events
    seen = seen_places(history)
    cards = tuple(card if place in seen else FACE_DOWN for place, card in enumerate(dealt.cards))
    unseen = sorted(card for place, card in enumerate(dealt.cards) if place not in seen)
    commands = tuple(history.positions[step].command for step in history.live[1:])
    return Knowledge(kind.key, options, (with_cards(dealt, cards), *more), tuple(unseen), commands)


def worlds_of(knowledge: Knowledge) -> tuple[list[list[Any]], bool]:
    """The positions from the deal to this one in deals that look the same; and whether there are no others.

    Which deals these are depends on the knowledge alone.
    """
    unseen = knowledge.unseen
    if factorial(len(unseen)) <= _WORLDS:
        return [_positions(knowledge, order) for order in sorted(set(permutations(unseen)))], True
    lots = Random(knowledge.digest())
    return [_positions(knowledge, lots.sample(unseen, len(unseen))) for _ in range(_WORLDS)], False


def _positions(knowledge: Knowledge, order: Sequence[Card]) -> list[Any]:
    """The positions from the deal on, where the unseen cards lie in this order."""
    dealt, *more = knowledge.deal
    hidden = iter(order)
    cards = tuple(next(hidden) if card == FACE_DOWN else card for card in dealt.cards)
    positions = [dealt_state(knowledge.kind, knowledge.options, (with_cards(dealt, cards), *more))]
    for command in knowledge.commands:
        positions.append(solving.state_after(knowledge.kind, positions[-1], command))
    return positions


class Hinted(Struct, frozen=True):
    """A hint. `command`: what wins in `command_wins` of the deals; None where none of them is known to be won.

    `deals` that look the same were tried; `won` of them can be won from here, `lost` cannot. `certain`: no other deal
    looks the same. `undos`: where none can be won, after how many undos some could; None where there are none such.
    """

    outlook: Outlook
    certain: bool
    deals: int
    won: int
    lost: int
    command: Any
    command_wins: int
    undos: int | None = None

    @property
    def sentence(self) -> str:
        """The outlook in words."""
        alike = f"{self.deals} deals that look the same"
        match self.outlook:
            case "winnable" if self.deals == 1:
                return "This can be won."
            case "winnable":
                return f"Of {alike} {self.won} can be won, with this move {self.command_wins}."
            case "impossible":
                lost = "This cannot be won any more." if self.certain else f"Of {alike} none can be won any more."
                before = "the last move" if self.undos == 1 else f"the last {self.undos} moves"
                return lost if self.undos is None else f"{lost} It could before {before}."
            case _ if self.deals == 1:
                return "The solver cannot tell yet whether this can be won. Play on, then ask again."
            case _ if self.lost == 0:
                return f"The solver could not tell whether any of {alike} can be won."
            case _:
                return f"Of {alike} {self.lost} cannot be won; about the others the solver could not tell."


def hint_pool(conninfo: str, settings: Settings) -> WorkerPool:
    """The one process for hints, one of each player at a time."""
    one_process, most = msgspec.structs.replace(settings, heavy_processes=1), settings.hint_queue
    return WorkerPool(conninfo, one_process, name="hints", most=most, of_one=1, niceness=_NICENESS)


def find_hint(ref: GameRef) -> bytes:
    """The job: the hint at this version of a game, as JSON."""
    records = [record for record in records_of(ref) if record.version <= ref.version]
    return hint_text(knowledge_of(history_of(records)))


@lru_cache(_CACHED)
def hint_text(knowledge: Knowledge) -> bytes:
    """The hint for this knowledge, as JSON."""
    return msgspec.json.encode(make_hint(knowledge))


def make_hint(knowledge: Knowledge) -> Hinted:
    """The hint for this knowledge."""
    worlds, all_of_them = worlds_of(knowledge)
    bound = _BOUND // len(worlds)

    def ask(state: Any) -> solving.Finding:
        return solving.verdict(knowledge.game_type, knowledge.options, state, bound, _MEMORY)

    findings = [ask(positions[-1]) for positions in worlds]
    if all_of_them and [finding.verdict for finding in findings] == ["open"]:
        position = worlds[0][-1]
        findings = [solving.verdict(knowledge.game_type, knowledge.options, position, _KNOWN_BOUND, _MEMORY)]
    lines = [
        (positions[-1], finding.commands[0])
        for positions, finding in zip(worlds, findings, strict=True)
        if finding.commands
    ]
    lost = sum(finding.verdict == "impossible" for finding in findings)
    outlook: Outlook = "winnable" if lines else "impossible" if lost == len(worlds) else "open"
    command, wins = _best_command(knowledge.kind, worlds[0], lines, ask) if lines else (None, 0)
    undos = _count_undos(worlds, ask) if outlook == "impossible" and knowledge.may_undo else None
    return Hinted(outlook, all_of_them, len(worlds), len(lines), lost, command, wins, undos)


def _best_command(
    kind: AnyGameType, positions: Sequence[Any], lines: Sequence[tuple[Any, Any]], ask: _Ask
) -> tuple[Any, int]:
    """The command that wins in most of these positions, and in how many; each comes with how its own line begins.

    One that leads back to where the player has been is the last choice, or hints could go round in circles.
    """
    state, been = positions[-1], [kind.look(position, 0).zones for position in positions]

    def is_new(command: Any) -> bool:
        return kind.look(solving.state_after(kind, state, command), 0).zones not in been

    def count_wins(command: Any) -> int:
        return sum(
            command == first or ask(solving.state_after(kind, world, command)).verdict == "won"
            for world, first in lines
        )

    ranked = [command for command, _ in Counter(first for _, first in lines).most_common(_COMPARED)]
    if not is_new(ranked[0]):
        ranked += [new for new in kind.legal_commands(state, 0) if new not in ranked and is_new(new)][:_COMPARED]
    best = None, 0, False
    for command in ranked:
        this = command, count_wins(command), is_new(command)
        best = max(best, this, key=lambda choice: choice[1:])
        if best[1:] == (len(lines), True):
            break
    return best[:2]


def _count_undos(worlds: Sequence[Sequence[Any]], ask: _Ask) -> int | None:
    """How many moves to take back until some of the deals can be won again; None: no such number is found.

    What is lost stays lost on the way, so the search halves it.
    """

    def is_good(place: int) -> bool:
        return any(ask(positions[place]).verdict == "won" for positions in worlds)

    last = len(worlds[0]) - 1
    if last > 0 and is_good(last - 1):
        return 1
    if last < 2 or not is_good(0):
        return None
    good, lost = 0, last - 1
    while lost - good > 1:
        middle = (good + lost) // 2
        good, lost = (middle, lost) if is_good(middle) else (good, middle)
    return last - good
