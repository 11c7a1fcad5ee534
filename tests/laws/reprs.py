"""Law: no repr or str of what holds hidden cards or secrets shows one, so that no log line or traceback does."""

import re

from msgspec import Struct

from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Step
from domain.view import FACE_DOWN

from .broken import hold
from .walks import Walk
from .wire import same_bytes

LAW = "reprs"
CARD = re.compile(r"""['"]([A2-9TJQK][SHDC]|\*[1-4])['"]""")


def check(game_type: AnyGameType, path: Walk) -> None:
    """States, games, records, chances, and every event that is not for every eye."""
    before: Game | None = None
    for step in path.steps:
        for value in (step.game, step.game.state, step.game.past, *step.records, step):
            _silent(value, path)
        for record in step.records:
            if secret(game_type, before or step.game, record.event, path.plan.seats):
                _silent(record.event, path)
        before = step.game
    _silent(getattr(path.game.state, "chance", None), path)


def secret(game_type: AnyGameType, game: Game, event: Struct, seats: int) -> bool:
    """Whether some viewer may not have the event as it is."""
    if type(event) not in game_type.events or game.state is None:
        return isinstance(event, ev.Sealed | ev.Revealed)
    viewers = (*range(seats), None)
    return any(not same_bytes(game_type.redact(game.state, event, viewer), event) for viewer in viewers)


def _silent(value: object, path: Walk) -> None:
    sealed = path.game.sealed
    for text in (repr(value), str(value), f"{value}"):
        shown = "<Step>" if isinstance(value, Step) else text
        found = CARD.search(shown)
        hold(found is None, LAW, f"{type(value).__name__} shows {FACE_DOWN if found is None else found.group()}")
        seed = b"" if sealed is None else sealed.seed
        hold(repr(seed)[2:-1] not in shown and seed.hex() not in shown, LAW, f"{type(value).__name__} shows the seed")
