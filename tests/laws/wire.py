"""Law: options, commands, events, states, views, frames and records survive JSON and msgpack."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Union

import msgspec
from msgspec import Struct

from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.frames import Frame
from domain.record import Record
from domain.view import View

from .broken import LawBroken, hold
from .walks import Walk

LAW = "wire"


def check(game_type: AnyGameType, path: Walk) -> None:
    """Everything of this game that is ever stored or sent comes back equal."""
    survives(path.plan.options, game_type.options)
    for number, step in enumerate(path.steps):
        if step.game.state is not None:
            survives(step.game.state, game_type.state)
            for view in distinct(path.view(game_type, number, viewer) for viewer in path.viewers):
                survives(view, View[game_type.facts])  # type: ignore[name-defined]
    _commands(game_type, path)
    _records(game_type, path)
    for seen in zip(*map(path.frames, path.viewers), strict=True):
        _frames(seen, game_type)


def distinct(values: Iterable[Any]) -> list[Any]:
    """Of equal values the first; tuples and lists are never equal."""
    different = list[Any]()
    for value in values:
        if value not in different:
            different.append(value)
    return different


def survives(value: Any, kind: Any) -> None:
    """Raises LawBroken unless the value, encoded and read as its own type, is equal."""
    for encode, decoder in ((msgspec.json.encode, read_json(kind)), (msgspec.msgpack.encode, read_msgpack(kind))):
        try:
            back = decoder.decode(encode(value))
        except (msgspec.MsgspecError, TypeError) as error:
            back = error
        if back != value:
            raise LawBroken(LAW, f"{type(value).__name__} through {decoder!r}: {_difference(value, back)}")


def _difference(value: Any, back: Any) -> str:
    if type(back) is not type(value) or not isinstance(value, Struct):
        return f"came back as {back!r}"
    changed = [name for name in value.__struct_fields__ if getattr(value, name) != getattr(back, name)]
    return f"fields {', '.join(changed)} came back changed"


def _commands(game_type: AnyGameType, path: Walk) -> None:
    for number in range(len(path.steps)):
        for seat in range(path.plan.seats):
            survives(list(path.listed(number, seat)[:50]), list[spoken(game_type.commands)])  # type: ignore[misc]


def _records(game_type: AnyGameType, path: Walk) -> None:
    """Read back from a store, the records are equal and fold to the same game."""
    kind: Any = Record[happened(game_type.events), spoken(game_type.commands) | None]  # type: ignore[misc]
    for record in path.records:
        survives(record, kind)
    stored = [read_msgpack(kind).decode(msgspec.msgpack.encode(record)) for record in path.records]
    hold(fold(stored) == path.game, LAW, "stored records fold to another game")


def _frames(seen: Sequence[Frame], game_type: AnyGameType) -> None:
    """The frames of a step hold events and facts of any type: read back and sent again, they say the same."""
    for frame in seen:
        sent = msgspec.json.encode(frame)
        again = msgspec.json.encode(read_json(Frame).decode(sent))
        hold(again == sent or msgspec.json.decode(again) == msgspec.json.decode(sent), LAW, "a frame through JSON")
    for event in distinct(event for frame in seen for event in frame.events):
        survives(event, happened(game_type.events))


# A decoder takes longer to make for a large union than to use.
read_json, read_msgpack = cache(msgspec.json.Decoder), cache(msgspec.msgpack.Decoder)


@cache
def spoken(commands: Sequence[type[Struct]]) -> Any:
    """The tagged union of everything that can be said in a game with these commands."""
    return Union[(*commands, *ev.PLAY_COMMANDS, *ev.TABLE_COMMANDS)]


@cache
def happened(events: Sequence[type[Struct]]) -> Any:
    """The tagged union of everything that can happen in a game with these events."""
    return Union[(*events, *ev.GAME_EVENTS)]


def same_bytes(one: Any, other: Any) -> bool:
    """Whether two values are sent as the same bytes."""
    return msgspec.json.encode(one) == msgspec.json.encode(other)


def digest_free(record: AnyRecord) -> AnyRecord:
    """The record without its digest."""
    return msgspec.structs.replace(record, digest=b"")
