"""Known lines: the golden games of a game type, played again as games with a given deal."""

from collections.abc import Iterator
from typing import Any, Union

import msgspec

from domain.capabilities import OptionRules
from domain.game_type import Illegal
from domain.games import AnyGameType
from tests.laws import goldens

from .dealing import dealt
from .play import Plan, Play, opened


def known(game_type: AnyGameType) -> Iterator[Play]:
    """Each golden game that comes out as it was with its deal given; where a later shuffle differs, it does not."""
    for path in goldens.found(game_type.key):
        head, _, *steps = goldens.read(path)
        if (game := _played(game_type, path.stem, head, steps)) is not None:
            yield game


def _played(game_type: AnyGameType, stem: str, head: dict[str, Any], steps: list[dict[str, Any]]) -> Play | None:
    options = game_type.get(OptionRules).settle(msgspec.convert(head["options"], game_type.options), head["seats"])
    plan = Plan(f"{game_type.key}-{game_type.revision} {stem}", game_type, options, head["seats"])
    try:
        game = opened(plan, dealt(plan, bytes.fromhex(head["seed"])), origin="given_deal")
        for step in steps:
            command: Any = msgspec.convert(step["command"], Union[game_type.commands])  # noqa: UP007
            game.say(step["seat"], command)
    except Illegal:
        return None
    return game if game.game.status == "finished" else None
