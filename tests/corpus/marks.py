"""What stored games show, and what those of a revision must show between them: marks as `event klondike/moved`."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct, inspect

from domain.capabilities import Notations, NumberedDeals, OptionRules, Undoing
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import fold
from domain.play.table import CONVENTIONS

from .files import Records

Options = dict[str, Any]

_ANYWHERE = (
    "event game/seeded", "event game/resigned", "event game/timed_out", "event game/voided",
    "event game/finished", "event game/revealed", "command game/seed", "command game/resign",
    "status waiting", "status playing", "status finished", "status voided", "ending won", "seeds awaited", "practice",
    "contest", "rematch", "move limit", "visibility private", "origin shuffled", "origin given_seed",
    "origin given_deal", "origin fork", f"conventions {CONVENTIONS}", f"contest under conventions {CONVENTIONS}",
)  # fmt: skip
_IN_COMPANY = (
    "event game/joined", "event game/left", "event game/invited", "event game/uninvited", "event game/abandon_agreed",
    "event game/abandoned", "command game/join", "command game/leave", "command game/invite", "command game/uninvite",
    "command game/abandon", "hot seat", "spectator delay", "invited at the opening", "not begun",
)  # fmt: skip


def demanded(game_type: AnyGameType) -> set[str]:
    """What the stored games of this revision must show between them."""
    marks = {f"option {field}={value}" for field, chosen in choices(game_type).items() for value in chosen}
    marks |= {f"command {tag(command)}" for command in game_type.commands}
    marks |= {f"event {tag(event)}" for event in game_type.events}
    marks |= {f"seats {seats}" for seats in game_type.seat_counts}
    marks |= {"origin numbered_deal"} if game_type.has(NumberedDeals) else set()
    marks |= {"origin import"} if reads_notations(game_type) else set()
    marks |= {"event game/undone", "command game/undo"} if _offers_undo(game_type) else set()
    return marks | set(_ANYWHERE) | (set(_IN_COMPANY) if game_type.seats[-1] > 1 else set())


def reads_notations(game_type: AnyGameType) -> bool:
    """Whether games of this type can be brought here in a notation."""
    return any(notation.read is not None for notation in game_type.get(Notations).notations)


def _offers_undo(game_type: AnyGameType) -> bool:
    each = [{field: value} for field, values in choices(game_type).items() for value in values]
    return any(game_type.get(Undoing).allowed(msgspec.convert(change, game_type.options)) for change in [{}, *each])


def choices(game_type: AnyGameType) -> dict[str, list[Any]]:
    """The values of each option that must be seen: all there are; of whole numbers least, greatest and default."""
    described = inspect.type_info(game_type.options)
    assert isinstance(described, inspect.StructType)
    return {field.name: list(dict.fromkeys([*_values(field.type), field.default])) for field in described.fields}


def _values(kind: inspect.Type) -> Iterator[Any]:
    match kind:
        case inspect.Metadata():
            yield from _values(kind.type)
        case inspect.UnionType():
            for part in kind.types:
                yield from _values(part)
        case inspect.LiteralType():
            yield from kind.values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.IntType():
            yield from (bound for bound in (kind.ge, kind.le) if bound is not None)
        case inspect.NoneType():
            yield None


def shown(records: Records) -> set[str]:
    """What this game shows."""
    opened: ev.Opened = records[0].event
    game = fold(records)
    marks = {f"option {field}={value}" for field, value in opened.options.items()}
    marks |= {f"event {tag(type(record.event))}" for record in records}
    marks |= {f"command {tag(type(record.command))}" for record in records if record.command is not None}
    marks |= {f"seats {opened.seats}", f"status {game.status}", f"origin {opened.origin}"}
    marks |= set() if game.result is None else {f"ending {game.result.ending}", f"reason {game.result.reason}"}
    return marks | set(_circumstances(records, opened))


def _circumstances(records: Records, opened: ev.Opened) -> Iterator[str]:
    told = {
        "seeds awaited": opened.await_seeds,
        "practice": not opened.rated and opened.origin == "shuffled",
        "contest": opened.contest is not None,
        "rematch": opened.rematch_of is not None,
        "move limit": opened.move_seconds is not None,
        "hot seat": opened.seats > 1 and len(set(opened.players)) == 1 and opened.players[0] is not None,
        "spectator delay": opened.spectator_delay > 0,
        "not begun": any(isinstance(record.event, ev.Finished) and not record.event.begun for record in records),
        f"contest under conventions {opened.conventions}": opened.contest is not None,
        "invited at the opening": any(isinstance(record.event, ev.Invited) for record in records if record.step == 0),
    }
    yield f"visibility {opened.visibility}"
    yield f"conventions {opened.conventions}"
    yield from (mark for mark, so in told.items() if so)


def pairs(game_type: AnyGameType, options: Options) -> set[tuple[str, str]]:
    """The option values that stand together in this game, two by two; of long lists of values none."""
    short = [field for field, values in choices(game_type).items() if len(values) < 6]
    stand = [f"{field}={options[field]}" for field in short if options[field] in choices(game_type)[field]]
    return set(combinations(stand, 2))


def tag(struct: type[Struct]) -> str:
    """The stored name of a command or an event."""
    return str(struct.__struct_config__.tag)


def defaults(game_type: AnyGameType) -> Options:
    """What a game is opened with where nothing is said."""
    settled: Options = msgspec.to_builtins(game_type.get(OptionRules).settle(game_type.options(), game_type.seats[0]))
    return settled


def printed(game_type: AnyGameType) -> str:
    """A digest of what is printed on its boards and cards, but for the names."""
    text = msgspec.json.encode(_without_names(msgspec.to_builtins(game_type.material)), order="sorted")
    return blake2b(text, digest_size=8).hexdigest()


def _without_names(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: _without_names(part) for key, part in told.items() if key != "name"}
    return [_without_names(part) for part in told] if isinstance(told, list | tuple) else told
