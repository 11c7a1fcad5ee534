"""Games from elsewhere: as another service recorded them, or as a notation's text says them.

A recorded game is shown under an id of its own, without names: the record may be made up, with
digests that fit. So it is shown as imported, with its source and without players, and counts as rated and shuffled only
where a signature vouches for it. A noted game is played anew: its deal is given, the rules decide every move of it.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from msgspec.structs import replace

from domain.capabilities import Noted, NumberedDeals
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.kit.notations import MOST_WORDS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act, Step, play
from domain.play.table import Opening, open_game

NOBODY = UUID(int=0)
"""Stands where an event must name a player."""
_NAMING = (ev.Joined, ev.Left, ev.Invited, ev.Uninvited, ev.Invite, ev.Uninvite)


def imported_records(records: Iterable[AnyRecord], game_id: UUID, source: ev.Source) -> Iterator[AnyRecord]:
    """The game's records under its id here; the digests remain those of the imported record."""
    for record in records:
        event, command = _without_names(record.event, source), _without_names(record.command, source)
        yield replace(record, stream=game_id, actor=None, event=event, command=command)


def _without_names(entry: Any, source: ev.Source) -> Any:
    """The event or command without players and without ids of the other service (contest, fixture, other games)."""
    match entry:
        case ev.Opened():
            vouched = source.vouched_for_by is not None
            return replace(
                entry, creator=None, players=(None,) * entry.seats, rated=entry.rated and vouched,
                origin=entry.origin if vouched else "import", deal_level=entry.deal_level if vouched else None,
                contest=None, rematch_of=None, forked_from=None, fixture=None, source=source,
            )  # fmt: skip
        case ev.Finished():
            rated, players = entry.rated and source.vouched_for_by is not None, (None,) * len(entry.players)
            return replace(entry, players=players, rated=rated, contest=None)
        case ev.Voided() if source.vouched_for_by is None:
            return replace(entry, reason="it was declared void elsewhere")
        case _:
            return replace(entry, player=NOBODY) if isinstance(entry, _NAMING) else entry


class NewGame(NamedTuple):
    """The id and the secrets of the game made from a text; the deal comes from the text."""

    id: UUID
    secret: ev.Sealed


def play_noted(game_type: AnyGameType, noted: Noted, new: NewGame, act: Act) -> Step:
    """The records of the opening and of every move by `act.actor`, who holds the only seat; raises Illegal.

    The refusal of a move names its number, from 1, and its place in the text.
    """
    if len(noted.commands) > MOST_WORDS:
        raise Illegal("too_many_moves", f"The text has more than {MOST_WORDS} moves.")
    deal = noted.deal
    if noted.number is not None and game_type.has(NumberedDeals):
        deal = tuple(game_type.get(NumberedDeals).cards(noted.number, noted.options))
    secrets = ev.Sealed(new.secret.seed, new.secret.digest_key, deal)
    opening = Opening(
        type=game_type, options=noted.options, players=(act.actor,), rated=False, origin="import",
        visibility="unlisted",
    )  # fmt: skip
    opened = open_game(new.id, opening, secrets, act)
    records, game = list(opened.records), opened.game
    for number, command in enumerate(noted.commands, 1):
        where = f" ({noted.said[number - 1]})" if noted.said else ""
        try:
            step = play(game, command, act._replace(seat=0))
        except Illegal as illegal:
            raise Illegal(illegal.rule, f"Move {number}{where}: {illegal.message}") from illegal
        records += step.records
        game = step.game
    return Step(tuple(records), game)
