"""Games of both revisions of the toy, and games that claim to be of the other."""

from typing import Any

import msgspec
from msgspec.structs import replace

from domain.chance import commitment
from domain.games import AnyGameType
from domain.play.aggregate import AnyRecord, digest, fold
from tests.corpus.play import Plan, Play, opened
from tests.laws.registry import registered
from tests.laws.toy.values import Lay

from .changes import Records


def game_of(game_type: AnyGameType, lots: str = "a", steps: int = 8) -> Play:
    """A game of two seats, so many steps on."""
    with registered(game_type):
        game = opened(Plan(lots, game_type, game_type.options(hand=5), 2))
        game.walk(steps, [Lay])
    return game


def state_of(game: Play) -> Any:
    return game.game.state


def with_an_ace(game_type: AnyGameType) -> Play:
    """The first game in which an ace is laid."""
    plays = (game_of(game_type, f"lots {number}") for number in range(100))
    return next(game for game in plays if any(map(lays_an_ace, game.records)))


def lays_an_ace(record: AnyRecord) -> bool:
    return isinstance(record.command, Lay) and record.command.cards[0][0] == "A"


def relabelled(records: Records, revision: int) -> Records:
    """The records with another number on each."""
    opened = replace(records[0].event, revision=revision)
    return [replace(record, revision=revision, event=opened if record.version == 1 else record.event)
            for record in records]  # fmt: skip


def forged(records: Records, claimed: AnyGameType) -> Records:
    """As somebody would who knows the seed and the key: options, commitment and every digest fit."""
    opened, sealed = records[0].event, records[1].event
    known = {name: value for name, value in opened.options.items() if name in claimed.options.__struct_fields__}
    options = msgspec.convert(known, claimed.options)
    promised = commitment(records[0].stream, claimed.key, options, sealed.seed)
    opening = replace(opened, options=msgspec.to_builtins(options), commitment=promised)
    made: Records = []
    for record in relabelled([replace(records[0], event=opening), *records[1:]], claimed.revision):
        bare = replace(record, digest=b"")
        state = fold([*made, bare]).state
        made.append(replace(bare, digest=digest(sealed.digest_key, made[-1].digest if made else b"", bare, state)))
    return made
