"""What is wrong with the stored games of a revision, as lines that name the game type, the game and the step."""

from collections.abc import Iterator

import msgspec

from domain.games import AnyGameType
from domain.play.open_record import OpenRecord, Unreadable, read_record, record_lines
from domain.play.verify import verify

from . import files, marks, pins
from .files import Records
from .unreachable import UNREACHABLE


def faults(game_type: AnyGameType) -> list[str]:
    """Everything that does not come out as it was stored."""
    known = pins.kept(game_type)
    found = [*_defaults(game_type, known), *_printed(game_type, known)]
    for text in files.texts(game_type):
        found += _faults(game_type, text, known)
    return found


def _defaults(game_type: AnyGameType, known: pins.Pins) -> Iterator[str]:
    now = marks.defaults(game_type)
    if now != known.defaults:
        yield f"{files.name(game_type)}: a game is opened with {now} by default, and was with {known.defaults}."


def _printed(game_type: AnyGameType, known: pins.Pins) -> Iterator[str]:
    if marks.printed(game_type) != known.material:
        yield f"{files.name(game_type)}: what is printed on its boards and cards is not what it was."


def _faults(game_type: AnyGameType, text: bytes, known: pins.Pins) -> Iterator[str]:
    where = f"{files.name(game_type)} game {msgspec.json.decode(text.splitlines()[0])['game_id']}"
    try:
        record = read_record(text)
    except Unreadable as error:
        yield f"{where}: {error}"
        return
    told = [f"step {fault.step}: {fault.what}" for fault in verify(record.records)]
    if not told and b"".join(record_lines(OpenRecord(*record))) != text:
        told = ["it is written otherwise than it was read."]
    yield from (f"{where} {fault}" for fault in told or _unpinned(record.records, known))


def _unpinned(records: Records, known: pins.Pins) -> Iterator[str]:
    before, now = known.games.get(str(records[0].stream), {}), pins.pinned(records)
    for key in sorted({*before, *now}):
        one, other = before.get(key, ""), now.get(key, "")
        if one != other:
            yield f"step {pins.first_difference(one, other)}: {_WHAT.get(key, f'what {key} sees')} is not what it was."


_WHAT = {pins.LISTED: "what can be said", "all": "the table as it is known now", "spectator": "what a spectator sees"}


def missing(game_type: AnyGameType) -> list[str]:
    """What no stored game of this revision shows, though nothing explains it; and what is explained and yet shown."""
    shown: set[str] = set().union(*map(marks.shown, files.stored(game_type)))
    explained = set(UNREACHABLE.get(files.name(game_type), {}))
    lacking = marks.demanded(game_type) - shown - explained
    needless = explained - (marks.demanded(game_type) - shown)
    told = [f"{files.name(game_type)}: no stored game shows `{mark}`." for mark in sorted(lacking)]
    return told + [f"{files.name(game_type)}: `{mark}` needs no explanation." for mark in sorted(needless)]
