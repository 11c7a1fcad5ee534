"""What a seat of the house says: by the greedy choice, or by a search through worlds that it cannot tell apart."""

from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.capabilities import Resample
from domain.chance import Chance
from domain.games import AnyGameType
from domain.view import Seat
from service.bots.choosing import CHOICES, Command
from service.house.outlooks import OUTLOOKS
from service.house.position import choices_of
from service.house.search import Budget, Search


def choose_command(
    game_type: AnyGameType, options: Struct, state: Any, seat: Seat, random: Random, budget: Budget | None
) -> Command | None:
    """The command to say, without `budget` the greedy one; None: nothing now, since others may act.

    Of what the state hides from the seat nothing is looked at: the greedy choice is shown the seat's view, the search a
    world that is drawn anew from what the view leaves open. What may be said out of turn is left to the greedy choice.
    """
    told: dict[str, Any] = msgspec.to_builtins(options)
    outlook = OUTLOOKS.get(game_type.key)
    if budget is None or outlook is None or state.turn != seat or outlook.reply(state) is not None:
        position = choices_of(game_type, told, state, seat).position
        return CHOICES["greedy"](position, random) if position.commands else None
    world = game_type.get(Resample).draw(state, seat, Chance(random.randbytes(32)))
    search = Search(game_type, told, world, seat, outlook, random)
    chosen: Command = msgspec.to_builtins(search.best_command(budget))
    return chosen
