"""An imported game: its records as they are shown here, under an id of its own, naming nobody.

Whoever brings a record may have made it up, with digests that fit. So the game is shown as imported, with its source
and without players. It counts as rated and shuffled only where a signature vouches for it.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from domain.play import events as ev
from domain.play.aggregate import AnyRecord

NOBODY = UUID(int=0)
"""Stands where an event must name a player."""
_NAMING = (ev.Joined, ev.Left, ev.Invited, ev.Uninvited, ev.Invite, ev.Uninvite)


def imported_records(records: Iterable[AnyRecord], game_id: UUID, source: ev.Source) -> Iterator[AnyRecord]:
    """The game's records under its id here; the digests remain those of the imported record."""
    for record in records:
        event, command = _without_names(record.event, source), _without_names(record.command, source)
        yield replace(record, stream=game_id, actor=None, event=event, command=command)


def _without_names(said: Any, source: ev.Source) -> Any:
    """The event or command without players and without ids of the other service (contest, fixture, other games)."""
    match said:
        case ev.Opened():
            return _imported_opening(said, source)
        case ev.Finished():
            rated, players = said.rated and source.vouched_for_by is not None, (None,) * len(said.players)
            return replace(said, players=players, rated=rated, contest=None)
        case ev.Voided() if source.vouched_for_by is None:
            return replace(said, reason="it was declared void elsewhere")
        case _:
            return replace(said, player=NOBODY) if isinstance(said, _NAMING) else said


def _imported_opening(opened: ev.Opened, source: ev.Source) -> ev.Opened:
    vouched = source.vouched_for_by is not None
    return replace(
        opened,
        creator=None,
        players=(None,) * opened.seats,
        rated=opened.rated and vouched,
        origin=opened.origin if vouched else "import",
        contest=None,
        rematch_of=None,
        forked_from=None,
        fixture=None,
        source=source,
    )
