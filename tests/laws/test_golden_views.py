"""Law: what the golden games show, say and are worth at every step stays as it is, kept as fingerprints.

`python -m tests.laws.test_golden_views` writes them anew, after a change that is meant.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from hashlib import sha256
from pathlib import Path
from typing import Any, Union

import msgspec
import pytest

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games import AnyGameType
from domain.kit.evaluation import Evaluator, GreedyChoice, Position
from domain.view import ALL_SEEING

from .goldens import found, read
from .registry import FOUND, KEYS

KEPT = Path(__file__).parent / "golden_views.json"


def steps(game_type: AnyGameType, lines: list[dict[str, Any]], options: Any) -> Iterator[tuple[Any, Any]]:
    """The state before each step of a golden game, the deal among them, and the step's events."""
    seats, kinds = lines[0]["seats"], Union[tuple(game_type.commands)]  # noqa: UP007  built at run time
    state = game_type.initial(options, seats)
    for line in (None, *lines[2:]):
        if line is None:
            events = game_type.deal(options, Chance(bytes.fromhex(lines[0]["seed"])), seats)
        else:
            events = game_type.decide(state, line["seat"], msgspec.convert(line["command"], kinds))
        yield state, events
        state = reduce(game_type.evolve, events, state)


def showings(key: str) -> Iterator[tuple[str, Any]]:
    """Everything that readers of the golden games of a game type see, each with the name of its part."""
    game_type = FOUND[key]
    for lines in map(read, found(key)):
        seats = lines[0]["seats"]
        options = game_type.get(OptionRules).settle(msgspec.convert(lines[0]["options"], game_type.options), seats)
        yield "boards", game_type.boards(options, seats)
        for state, events in steps(game_type, lines, options):
            for event in events:
                for viewer in (None, ALL_SEEING, *range(seats)):
                    yield "sentences", game_type.tell(state, game_type.redact(state, event, viewer), viewer)
                state = game_type.evolve(state, event)
            yield "views", [game_type.look(state, viewer) for viewer in (None, ALL_SEEING, *range(seats))]
            for seat in range(seats if game_type.result(state) is None else 0):
                yield "worth", round(game_type.get(Evaluator).worth(state, seat), 9)
                if commands := list(game_type.legal_commands(state, seat)):
                    view, moves = msgspec.to_builtins((game_type.look(state, seat), commands))
                    position = Position(key, msgspec.to_builtins(options), seat, view, moves)
                    judge = game_type.get(GreedyChoice).judge(position)
                    yield "choice", [round(judge(move), 9) for move in moves]


def fingerprints(key: str) -> dict[str, str]:
    """The fingerprint of each part."""
    sums: dict[str, Any] = defaultdict(sha256)
    for part, value in showings(key):
        sums[part].update(msgspec.json.encode(value))
    return {part: total.hexdigest()[:16] for part, total in sorted(sums.items())}


@pytest.mark.parametrize("key", KEYS)
def test_golden_games_look_and_sound_as_before(key: str) -> None:
    assert fingerprints(key) == msgspec.json.decode(KEPT.read_bytes())[key]


if __name__ == "__main__":
    lines = msgspec.json.encode({key: fingerprints(key) for key in KEYS})
    KEPT.write_bytes(msgspec.json.format(lines) + b"\n")
