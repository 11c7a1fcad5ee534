"""A game in one sentence, as links to it show: `Ada won Klondike in 131 moves.`"""

from collections.abc import Iterable, Sequence
from uuid import UUID

from msgspec import Struct

from domain.game_type import Result
from domain.games import GAME_TYPES
from domain.play.aggregate import Game
from service.accounts.names import Names

ERASED = "an erased player"
_VERBS = {
    "won": "won {} in",
    "lost": "lost {} after",
    "drawn": "drew {} after",
    "abandoned": "left {} unfinished after",
}


class Ended(Struct, frozen=True):
    """The facts for the sentence of a game that is over; `players` by seat, None for an empty one."""

    game_type: str
    players: Sequence[UUID | None]
    result: Result | None
    moves: int
    voided: bool


def summary_of(game: Game, names: Names) -> str:
    """The sentence of a game at any time, for a spectator: it shows no move."""
    holders = game.players if game.importers is None else (None,) * len(game.players)
    if game.status in ("finished", "voided"):
        return end_summary(Ended(game.type.key, holders, game.result, game.moves, game.status == "voided"), names)
    verb = "waits for players" if game.status == "waiting" else "is being played"
    people = _names(holders, names)
    return _sentence(f"{game.type.name}{f' with {people}' if people else ''} {verb}.")


def end_summary(ended: Ended, names: Names) -> str:
    """The sentence of a game that is over. `names`: of the players who are not erased."""
    title = GAME_TYPES[ended.game_type].name if ended.game_type in GAME_TYPES else ended.game_type
    players, result = list(ended.players), ended.result
    if ended.voided or result is None:
        people = _names(players, names)
        return _sentence(f"{title}{f' with {people}' if people else ''} was declared void.")
    verb, moves = _VERBS[result.ending].format(title), f"{ended.moves} move{'' if ended.moves == 1 else 's'}"
    reason = result.reason.replace("_", " ")
    if len(players) == 1:
        # A single player who has won has put all cards where they belong; other ends need their reason.
        why = "" if result.ending == "won" else f" ({reason})"
        return _sentence(f"{_names(players, names) or 'Somebody'} {verb} {moves}{why}.")
    if len(set(players)) == 1 and players[0] is not None:
        text = f"{_names(players, names) or 'Somebody'} played {title} at {len(players)} seats, {moves}"
        return _sentence(f"{text}, {result.ending} ({reason}).")
    winners = [players[seat] for seat in result.winners if players]
    others = [player for seat, player in enumerate(players) if seat not in result.winners]
    against = f" against {_names(others, names)}" if winners and _names(others, names) else ""
    people = _names(winners or players, names) or "Somebody"
    return _sentence(f"{people} {_VERBS[result.ending].format(title + against)} {moves} ({reason}).")


def restored_summary(ended: Ended, names: Names) -> str:
    """The sentence of a game that was void by a ruling and counts again."""
    return f"{end_summary(ended, names)[:-1]}, which counts again."


def _names(players: Iterable[UUID | None], names: Names) -> str:
    """`Ada`, `Ada, Bob and an erased player`; each player once, without the empty seats."""
    *most, last = [names.get(player) or ERASED for player in dict.fromkeys(players) if player is not None] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _sentence(text: str) -> str:
    """The text with a capital letter where it begins with an erased player; names keep their case."""
    return f"A{text[1:]}" if text.startswith(ERASED) else text
