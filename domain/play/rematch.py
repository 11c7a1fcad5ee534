"""A rematch: the same game once more, everybody one seat further on."""

from collections.abc import Collection
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.table import Opening


def rematch(game: Game, asker: UUID, present: Collection[UUID]) -> Opening:
    """The opening that offers the others of a finished game their seats; raises Illegal.

    The asker is seated. A seat whose player is not `present` any more is kept for nobody. Cards are shuffled anew,
    also after a given deal, but what was unrated stays so.
    """
    if game.status != "finished":
        raise Illegal("game_not_finished", "A rematch follows a finished game.")
    if game.opening.contest is not None and not game.revealed:
        raise Illegal("contest_game", "A contest's game has no rematch while it is withheld: that would tell of it.")
    if not game.seats_of(asker):
        raise Illegal("not_seated", "A rematch is for those who played.")
    seated = (game.players[-1], *game.players[:-1])
    return Opening(
        type=GAME_TYPES[game.type.key],
        options=_options(game),
        players=tuple(player if player == asker else None for player in seated),
        rated=game.opening.rated,
        visibility=game.opening.visibility,
        await_seeds=game.opening.await_seeds,
        move_seconds=game.opening.move_seconds,
        spectator_delay=game.opening.spectator_delay,
        invited=tuple(
            ev.Invited(player, seat)
            for seat, player in enumerate(seated)
            if player is not None and player in present and player != asker
        ),
        rematch_of=game.id,
    )


def _options(game: Game) -> Struct:
    """The options under the rules of today."""
    try:
        options: Struct = msgspec.convert(game.opening.options, GAME_TYPES[game.type.key].options, strict=False)
        return options
    except msgspec.ValidationError as error:
        raise Illegal("rules_changed", "The options of that game are no longer offered.") from error
