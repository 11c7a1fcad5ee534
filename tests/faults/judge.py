"""The judge: what was acknowledged is recorded once, nothing else is, every record verifies, read models are exact.

It reads through the service's own functions, so that records are seen however they are stored.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from hashlib import blake2b
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from psycopg import Connection

from domain.play.aggregate import AnyRecord
from domain.play.events import TABLE_COMMANDS
from domain.play.open_record import OpenRecord
from projections import PROJECTIONS
from projections.engine.builds import live_fingerprint
from service.cli.store import codec as codec_of
from service.cli.store import game_records
from service.cli.verdicts import verdict_of_record
from service.event_store.codec import Codec
from service.event_store.connections import open_connection
from service.event_store.reading import all_games, read_topics
from service.live import inbox, shapes
from service.live.signatures import signature_in
from service.settings import Settings
from service.workers.worker import Worker, rebuild

from .load import Acknowledged, Client
from .world import World

Games = dict[UUID, list[AnyRecord]]
_SOUND: set[bytes] = set()
"""Digests of records that were verified: one with the same bytes after the next fault is as sound as it was."""
_SAID_AGAIN = 20
"""Commands of each client that are said again, to be answered as the first time."""


class Judgement(NamedTuple):
    """What was found. `faults` are sentences; without any, all is well."""

    acknowledged: int
    games: int
    lost: int
    doubled: int
    projections: int
    faults: tuple[str, ...]

    def hold(self) -> None:
        """Raises AssertionError with what is wrong."""
        assert not self.faults, "\n".join(self.faults[:20])

    def __str__(self) -> str:
        counts = f"commands acknowledged: {self.acknowledged} in {self.games} games\nlost: {self.lost}"
        return f"{counts}\ndoubled: {self.doubled}\nread models exact: {self.projections}"


def judge(world: World, others: Collection[str] = ()) -> Judgement:
    """After every load has stopped; the API must answer, for commands are said again. `others`: games of no load."""
    world.others.update(others)
    clients: list[Client] = [client for load in world.loads for client in load.clients]
    codec = codec_of(Settings(data_folder=world.server.folder))
    with open_connection(world.conninfo, "judge") as connection:
        games = {game: game_records(connection, game, codec) for _, game in all_games(connection)}
        played = {
            game: records
            for game, records in games.items()
            if str(game) not in world.others and world.leavers.isdisjoint(records[0].event.players)
        }
        lost, doubled, faults = _commands(played, clients)
        faults += _openings(played, clients)
        faults += [fault for game, records in games.items() for fault in _unsound(connection, game, records)]
    faults += [fault for client in clients for fault in _answered_otherwise(client)]
    exact, inexact = _read_models(world.conninfo, codec)
    count = sum(len(client.acknowledged) for client in clients)
    return Judgement(count, len(games), lost, doubled, exact, (*faults, *inexact))


def lost_and_doubled(world: World) -> tuple[int, int, list[str]]:
    """The records against what was acknowledged; nobody is asked, so that it can be told after any failure."""
    codec = codec_of(Settings(data_folder=world.server.folder))
    with open_connection(world.conninfo, "judge") as connection:
        games = {game: game_records(connection, game, codec) for _, game in all_games(connection)}
    played = {game: records for game, records in games.items() if str(game) not in world.others}
    return _commands(played, [client for load in world.loads for client in load.clients])


def _commands(games: Games, clients: list[Client]) -> tuple[int, int, list[str]]:
    said: dict[str, list[Acknowledged]] = {}
    for client in clients:
        for one in client.acknowledged:
            said.setdefault(one.game, []).append(one)
    lost = doubled = 0
    faults: list[str] = []
    for game, records in games.items():
        missing, spare = _compared(said.pop(str(game), []), _recorded(records))
        lost, doubled = lost + len(missing), doubled + len(spare)
        faults += [f"LOST {game} {one}" for one in missing] + [f"DOUBLED {game} {one}" for one in spare]
    faults += [f"LOST the whole game {game}: {len(missing)} commands" for game, missing in said.items()]
    return lost + sum(map(len, said.values())), doubled, faults


def _recorded(records: list[AnyRecord]) -> Counter[tuple[int, bytes]]:
    """The commands in the record, each with the version of its step's end."""
    steps = [list(step) for _, step in groupby(records, key=lambda record: record.step)]
    commanded = [step for step in steps if step[0].command is not None and type(step[0].command) not in TABLE_COMMANDS]
    return Counter((step[-1].version, msgspec.json.encode(step[0].command)) for step in commanded)


def _compared(said: list[Acknowledged], recorded: Counter[tuple[int, bytes]]) -> tuple[list[Any], list[Any]]:
    """What was acknowledged and is not recorded, and what is recorded once more than it was acknowledged."""
    wanted = Counter((one.version, msgspec.json.encode(_read(one.command))) for one in said)
    return [*(wanted - recorded).elements()], [*(recorded - wanted).elements()]


def _read(command: Any) -> Any:
    return msgspec.convert(command, shapes.AnyPlayCommand)


def _openings(games: Games, clients: list[Client]) -> list[str]:
    opened = Counter(game for client in clients for game in client.opened)
    there = Counter(map(str, games))
    lost = [f"LOST the opening of {game}" for game in (opened - there).elements()]
    return lost + [f"DOUBLED the opening of {game}" for game in (there - opened).elements()]


def _unsound(connection: Connection[Any], game: UUID, records: list[AnyRecord]) -> list[str]:
    record = OpenRecord(tuple(records), signature_in(connection, game))
    stored = blake2b(msgspec.msgpack.encode((record.records, record.signature))).digest()
    if stored in _SOUND:
        return []
    verdict = verdict_of_record(str(game), record, None, mention_signatures=False)
    if not verdict.sound:
        return [verdict.line]
    _SOUND.add(stored)
    return []


def _answered_otherwise(client: Client) -> Iterator[str]:
    """The newest are said again, and some from further back."""
    step = max(1, len(client.acknowledged) // _SAID_AGAIN)
    for said in client.acknowledged[::-step]:
        if client.say_again(said) != said.answer:
            yield f"ANSWERED OTHERWISE the second time: {said.game} version {said.version}"


def _read_models(conninfo: str, codec: Codec) -> tuple[int, list[str]]:
    """Those that lived through it, against those made of the log from position 0."""
    read = partial(read_topics, codec=codec)
    Worker(conninfo, read=read).catch_up()
    with open_connection(conninfo, "judge") as connection:
        live = {name: live_fingerprint(connection, projection) for name, projection in PROJECTIONS.items()}
        live["inbox"] = str((connection.execute(inbox._FINGERPRINT).fetchone() or [None])[0])
    anew = {**rebuild(conninfo, read=read), "inbox": inbox.rebuild(conninfo, codec)}
    inexact = [name for name in anew if live[name] != anew[name]]
    wrong = [f"INEXACT {name}: live {live[name]}, from the start {anew[name]}" for name in inexact]
    return len(anew) - len(wrong), wrong
