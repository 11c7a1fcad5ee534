"""The hint: what to do next, and whether this can still be won, as far as the player can know.

It is made of the player's knowledge alone. A solver looks at deals that look the same from the seat, within a bound in
positions, so that the same knowledge has the same hint on every machine.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.games import AnyGameType
from service import solving
from service.analysis.history import history_of
from service.hints.knowledge import Knowledge, knowledge_of, worlds_of
from service.live.heavy import GameRef, stored

Outlook = Literal["winnable", "impossible", "open"]
_BOUND = 200_000
"""Positions for the verdicts on all the deals together."""
_KNOWN_BOUND = 2_000_000
"""Positions for the verdict on the one deal that it can be: Black Hole often needs more than 200,000."""
_MEMORY = 64 << 20
NICENESS = 15
"""Of the process: whoever makes a move goes first."""
_COMPARED = 4
"""So many commands are compared."""
_KEPT = 256
_Ask = Callable[[Any], solving.Finding]


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
                said = "This cannot be won any more." if self.certain else f"Of {alike} none can be won any more."
                return said if self.undos is None else f"{said} It could {self._before}."
            case _ if self.deals == 1:
                return "Whether this can be won, the solver could not tell."
            case _ if self.lost == 0:
                return f"Whether any of {alike} can be won, the solver could not tell."
            case _:
                return f"Of {alike} {self.lost} cannot be won, and of the others the solver could not tell."

    @property
    def _before(self) -> str:
        return "before the last move" if self.undos == 1 else f"before the last {self.undos} moves"


def find_hint(asked: GameRef) -> bytes:
    """The hint at this version of a game, as JSON: for a process of heavy work."""
    steps = stored.replay_of(asked).steps
    return hint_text(knowledge_of(history_of(one for step in steps for one in step if one.version <= asked.version)))


@lru_cache(_KEPT)
def hint_text(known: Knowledge) -> bytes:
    """The hint for who knows this, as JSON."""
    return msgspec.json.encode(make_hint(known))


def make_hint(known: Knowledge) -> Hinted:
    """The hint for who knows this."""
    worlds, all_of_them = worlds_of(known)
    bound = _BOUND // len(worlds)

    def ask(state: Any) -> solving.Finding:
        return solving.verdict(known.game_type, known.options, state, bound, _MEMORY)

    found = [ask(positions[-1]) for positions in worlds]
    if all_of_them and [one.verdict for one in found] == ["open"]:
        position = worlds[0][-1]
        found = [solving.verdict(known.game_type, known.options, position, _KNOWN_BOUND, _MEMORY)]
    lines = [(at[-1], one.commands[0]) for at, one in zip(worlds, found, strict=True) if one.commands]
    lost = sum(one.verdict == "impossible" for one in found)
    outlook: Outlook = "winnable" if lines else "impossible" if lost == len(worlds) else "open"
    command, wins = _best_command(known.kind, worlds[0], lines, ask) if lines else (None, 0)
    undos = _count_undos(worlds, ask) if outlook == "impossible" and known.may_undo else None
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

    ranked = [one for one, _ in Counter(first for _, first in lines).most_common(_COMPARED)]
    if not is_new(ranked[0]):
        ranked += [one for one in kind.legal_commands(state, 0) if one not in ranked and is_new(one)][:_COMPARED]
    best = None, 0, False
    for command in ranked:
        this = command, count_wins(command), is_new(command)
        best = max(best, this, key=lambda one: one[1:])
        if best[1:] == (len(lines), True):
            break
    return best[:2]


def _count_undos(worlds: Sequence[Sequence[Any]], ask: _Ask) -> int | None:
    """How many moves to take back until some of the deals can be won again; None: none is found that could be.

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
