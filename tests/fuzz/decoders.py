"""Everything here that reads what others have written: by name, with the errors by which it refuses, and samples."""

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.league.decide import Founding, found_league
from domain.play.deciding import Act, legal_commands, play
from domain.play.imported import NewGame
from domain.play.table import open_game
from service import api
from service.accounts.access import Access
from service.api import headers, paging
from service.api.play.play import CommandList, decode_partial
from service.api.replays.records import READERS, _play_moves
from service.cluster.forwarding import changed_game, forward_header
from service.event_store.codec import (
    Packed,
    Recorded,
    digest_of,
    packed_row,
    place,
    standard_codec,
    unpacked_records,
)
from service.event_store.errors import LOG_ERRORS
from service.http.bodies import check_depth, decode_body, query_reader
from service.http.front import network
from service.http.operation import Operation, read_key
from service.http.representation import choose_media_type
from service.keys.sealing import Seals
from service.keys.signing import NoKeySet, read_key_set
from service.live import openings, shapes
from service.problems import Refused
from service.records.imports import verify_import
from service.telemetry import request_ids
from tests.domain import whole_records
from tests.domain.played import SECRET, opened

Errors = tuple[type[Exception], ...]
DEPTH = 16
_KEPT = tempfile.TemporaryDirectory(prefix="kibitz-fuzz-")
"""The folder of the sealing key, which is gone when the process ends."""
ACT = Act(UUID(int=5), 0, 1_700_000_000_000_000)
KEYS = ("klondike", "spite_and_malice", "bridge_solitaire")
OPERATIONS: dict[str, Operation] = {route.opt["operation"].id: route.opt["operation"] for route in api.find_handlers()}


_QUERIES = [query_reader(described.query) for described in OPERATIONS.values()]


class Reader(NamedTuple):
    """One reader; what it does not refuse by one of `errors` it has accepted."""

    read: Callable[[bytes], object]
    errors: Errors
    samples: tuple[bytes, ...] = ()


@cache
def readers() -> dict[str, Reader]:
    """Every reader by name."""
    return dict(_all())


def _all() -> Iterator[tuple[str, Reader]]:
    yield from _stored()
    yield from _texts()
    yield from _bodies()
    yield from _headers()
    yield "depth", Reader(lambda text: check_depth(text, DEPTH), (Refused,), (b'{"a":["[",{"b":"\\"["}]}',))
    yield "queries", Reader(_queries, (Refused,), (b"limit=5&cursor=AAAA&seat=1&dry_run=true&after=2&known=now",))
    yield "cursors", Reader(_cursors, (Refused,), (b"AAgAAAAAAAAAAWE", b"AAhIZWxsb1dvcmxk", b"AAA"))
    yield (
        "partial commands",
        Reader(lambda text: decode_partial(_latin(text)), (Refused,), (b'{"type":"klondike/move"}',)),
    )
    yield "JWK sets", Reader(read_key_set, (NoKeySet,), (b'{"keys":[]}',))


def _stored() -> Iterator[tuple[str, Reader]]:
    codec = standard_codec()
    records = [record for key in KEYS for record in whole_records.records(key)]
    states = tuple(codec.encode(record) for record in records[::5])
    yield "stored records", Reader(codec.decode, LOG_ERRORS, states)
    sealing = codec.sealing(Seals(Path(_KEPT.name)).open())
    secret = next(record for record in records if sealing.secret(record))
    where = place(secret.stream, secret.version, sealing.topic(secret))
    sealed = sealing.encode(secret)
    yield "sealed records", Reader(lambda state: sealing.decode(state, where), LOG_ERRORS, (sealed,))
    row = packed_row([Recorded(7 + at, record) for at, record in enumerate(whole_records.records("klondike"))])
    yield (
        "packed games",
        Reader(lambda body: unpacked_records(row._replace(body=body), codec), LOG_ERRORS, (row.body,)),
    )


def _unpacked(row: Packed, body: bytes) -> object:
    """By somebody who can write a digest, too, for it has no key."""
    said = row[:4]
    with suppress(*LOG_ERRORS):
        unpacked_records(row._replace(body=body), standard_codec())
    return unpacked_records(Packed(*said, digest_of(*said, body), body), standard_codec())


def _texts() -> Iterator[tuple[str, Reader]]:
    records = tuple(whole_records.text(key) for key in KEYS)
    yield "open records", Reader(verify_import, (Refused, Illegal), records)
    for key, notation in READERS.items():
        yield f"move lists of {key}", Reader(_move_list(key), (Refused, Illegal), (notation.example.encode(),))


def _move_list(key: str) -> Callable[[bytes], object]:
    new = NewGame(UUID(int=9), SECRET)
    return lambda text: _play_moves(GAME_TYPES[key], READERS[key], text, new, ACT)


def _bodies() -> Iterator[tuple[str, Reader]]:
    for name, described in OPERATIONS.items():
        if described.body is not None and name != "play":
            samples = tuple(msgspec.json.encode(example) for example in described.examples.values())
            yield (
                f"bodies of {name}",
                Reader(_body(name, msgspec.json.Decoder(described.body)), (Refused, Illegal), samples),
            )
    for key in GAME_TYPES:
        yield f"commands of {key}", Reader(_said(key), (Refused, Illegal), _commands(key))


def _body(name: str, decoder: "msgspec.json.Decoder[Any]") -> Callable[[bytes], object]:
    goes_on: Callable[[Any], object] = {"open_game": _opened, "found_league": _founded}.get(name, lambda body: body)

    def read(text: bytes) -> object:
        check_depth(text, DEPTH)
        return goes_on(decode_body(decoder, text))

    return read


def _opened(body: Any) -> object:
    return open_game(UUID(int=9), openings.opening(body, UUID(int=5)), openings.secret(body), ACT)


def _founded(body: Any) -> object:
    wanted = Founding(**{name: getattr(body, name) for name in body.__struct_fields__})
    return found_league(wanted, UUID(int=5))


def _commands(key: str) -> tuple[bytes, ...]:
    game = _game(key)
    listed = [command for seat in range(len(game.players)) for command in legal_commands(game, seat)]
    return tuple(dict.fromkeys(msgspec.json.encode(command) for command in listed[:: 1 + len(listed) // 20]))


@cache
def _game(key: str) -> Any:
    seats = GAME_TYPES[key].seats[0]
    step = opened(key, seats)
    if seats == 1:
        return step.game
    held = openings.OPENING_BODIES[key](hot_seat=True, seats=seats)
    return open_game(UUID(int=9), openings.opening(held, ACT.actor or UUID(int=5)), SECRET, ACT).game


def _said(key: str) -> Callable[[bytes], object]:
    """A body that can be read is said at a game's first position, from every seat."""
    one, several = msgspec.json.Decoder(shapes.AnyPlayCommand), msgspec.json.Decoder(CommandList)

    def read(text: bytes) -> None:
        check_depth(text, DEPTH)
        for command in decode_body(several, text).commands if b'"commands"' in text else [decode_body(one, text)]:
            for seat in range(len(_game(key).players)):
                with suppress(Illegal):
                    play(_game(key), command, ACT._replace(seat=seat))

    return read


def _headers() -> Iterator[tuple[str, Reader]]:
    yield ("If-Match", Reader(_if_match, (Refused,), (b'"12"', b"*")))
    yield ("Last-Event-ID", Reader(_last_event, (Refused,), (b"12",)))
    yield "Idempotency-Key", Reader(_key, (Refused,), (b"a-key-1",))
    yield "Accept", Reader(_accept, (Refused,), (b"text/html;q=0.9, */*", b"application/json"))
    yield "Request-Id", Reader(lambda text: request_ids.begin([(request_ids.HEADER, text)]), (), (b"abc-1",))
    cookies = (b"a=b; kibitz_session=kbz_x; c", b"kibitz_session=")
    yield "cookies and tokens", Reader(_shown, (), (b"Bearer kbz_x", *cookies))
    hops = (b"secret https 203.0.113.7", b"secret http ::1")
    yield "hops", Reader(lambda text: forward_header({"headers": [(b"kibitz-hop", text)]}), (), hops)
    yield "paths", Reader(_path, (), (b"/v1/games/01900000-0000-7000-8000-000000000000/commands", b"/games/x"))
    yield "addresses", Reader(lambda text: network(_latin(text)), (), (b"203.0.113.7", b"2001:db8::1", b"fe80::1%eth0"))


def _asked(name: bytes, value: bytes) -> Any:
    """As much of a call as these readers see."""
    scope = {"headers": [(name, value)], "query_string": b""}
    request = SimpleNamespace(scope=scope, headers={name.decode(): _latin(value)})
    return SimpleNamespace(
        header=lambda wanted: _latin(value) if wanted == name else None, request=request, player=UUID(int=5),
        parts=SimpleNamespace(seals=Seals()), raw_body=value,
    )  # fmt: skip


def _if_match(text: bytes) -> object:
    return headers.check_if_match(_asked(b"if-match", text), SimpleNamespace(version=12))


def _last_event(text: bytes) -> object:
    return headers.last_event_id(_asked(b"last-event-id", text))


def _key(text: bytes) -> object:
    return asyncio.run(read_key(_asked(b"idempotency-key", text), "play", UUID(int=1)))


def _accept(text: bytes) -> object:
    return choose_media_type(_asked(b"accept", text), "application/json", "text/plain", "image/svg+xml")


def _shown(text: bytes) -> object:
    known = Access(cast(Any, None))
    return known.cached_caller({b"cookie": text}), known.cached_caller({b"authorization": text})


def _path(text: bytes) -> object:
    return changed_game({"type": "http", "method": "POST", "path": _latin(text)})


def _queries(text: bytes) -> None:
    pairs = parse_qsl(_latin(text), keep_blank_values=True)
    for read in _QUERIES:
        with suppress(Refused):
            read(pairs)


def _cursors(text: bytes) -> None:
    query = paging.PageQuery(cursor=_latin(text))
    for read in (paging.page_cursor, paging.timed_page_start, paging.id_page_start):
        with suppress(Refused):
            read(query)


def _latin(text: bytes) -> str:
    return text.decode("latin-1")
