"""A Klondike that can be won, and how: `python -m tests.openapi.generators.won_klondike` writes `won_klondike.json`.

The file tells the cards in dealing order and, for each command of a game that is won, its place among the legal ones.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from domain.games import GAME_TYPES
from domain.kit.cards import PACK
from service.solving import dealt, state_after, verdict

TOLD = Path(__file__).with_name("won_klondike.json")
_BOUND = 5_000
_KLONDIKE = GAME_TYPES["klondike"]


def main() -> None:
    """Write the shortest line that the search finds, within its bound, for some hundred deals."""
    found = min((line for line in map(_line_of, range(100)) if line is not None), key=lambda line: len(line["picks"]))
    TOLD.write_text(json.dumps(found) + "\n", "utf-8")


def _line_of(number: int) -> dict[str, Any] | None:
    cards = list(PACK)
    Random(number).shuffle(cards)
    found = verdict("klondike", _KLONDIKE.options(), cards, _BOUND)
    return {"deal": cards, "picks": _picks(cards, found.commands)} if found.verdict == "won" else None


def _picks(cards: list[str], commands: tuple[Struct, ...]) -> list[int]:
    """The place of each of these commands among those that are legal before it."""
    state, picks = dealt(_KLONDIKE, _KLONDIKE.options(), cards), list[int]()
    for command in commands:
        picks.append(list(_KLONDIKE.legal_commands(state, 0)).index(command))
        state = state_after(_KLONDIKE, state, command)
    return picks


if __name__ == "__main__":
    main()
