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

from service import solving
from service.analysis.history import history_of
from service.hints.knowledge import Knowledge, knowledge_of, shown_before, worlds_of
from service.live.heavy import GameRef, stored

Outlook = Literal["winnable", "impossible", "open"]
_BOUND = 200_000
"""Positions for the verdicts on all the deals together."""
_MEMORY = 64 << 20
_COMPARED = 4
"""So many commands are compared."""
_KEPT = 256


class Hinted(Struct, frozen=True):
    """A hint. `command`: what wins in `command_wins` of the deals; None where none of them is known to be won.

    `deals` that look the same were tried; `won` of them can be won from here, `lost` cannot. `certain`: no other deal
    looks the same.
    """

    outlook: Outlook
    certain: bool
    deals: int
    won: int
    lost: int
    command: Any
    command_wins: int

    @property
    def sentence(self) -> str:
        """The outlook in words."""
        alike = f"{self.deals} deals that look the same"
        match self.outlook:
            case "winnable" if self.deals == 1:
                return "This can be won."
            case "winnable":
                return f"Of {alike} {self.won} can be won, with this move {self.command_wins}."
            case "impossible" if self.certain:
                return "This cannot be won any more."
            case "impossible":
                return f"Of {alike} none can be won any more."
            case _ if self.deals == 1:
                return "Whether this can be won, the solver could not tell."
            case _:
                return f"Of {alike} the solver has found none that can be won, and {self.lost} that cannot."


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

    found = [ask(state) for state in worlds]
    lines = [(state, one.commands[0]) for state, one in zip(worlds, found, strict=True) if one.commands]
    lost = sum(one.verdict == "impossible" for one in found)
    command, wins = _best_command(known, lines, ask)
    outlook: Outlook = "winnable" if lines else "impossible" if lost == len(worlds) else "open"
    return Hinted(outlook, all_of_them, len(worlds), len(lines), lost, command, wins)


def _best_command(
    known: Knowledge, lines: Sequence[tuple[Any, Any]], ask: Callable[[Any], solving.Finding]
) -> tuple[Any, int]:
    """The command that wins in most of these positions, and in how many; each comes with how its own line begins.

    One that leads back to where the player has been is the last choice, or hints could go round in circles.
    """
    if not lines:
        return None, 0
    kind, state, been = known.kind, lines[0][0], shown_before(known)

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
