"""The witness of a contest's certificate: the line that a solver won its deal by, as a game of its own."""

from hashlib import sha256
from uuid import UUID

import msgspec

from domain.contest.aggregate import Contest
from domain.games import REVISIONS
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act, play
from domain.play.events import Sealed
from domain.play.open_record.lines import AnyCommand
from domain.play.table import Opening, open_game
from domain.record import uuid8

SOLVER = UUID(int=0)
"""Who plays a witness: nobody who is a player."""
_ID, _KEY = b"kibitz/witness/1\0id", b"kibitz/witness/1\0key"


def witness(contest: Contest, signer: str | None) -> tuple[AnyRecord, ...]:
    """The records of an unrated game with the contest's deal, won by the solver's line, always the same.

    The contest must be closed and have a line. Raises Illegal for a line that the rules refuse.
    """
    said = contest.announced
    kind = REVISIONS[said.game_type, said.revision]
    options = msgspec.convert(said.options, kind.options, strict=False)
    act = Act(SOLVER, None, said.closes, signer)
    opening = Opening(type=kind, options=options, players=(SOLVER,), rated=False, origin="given_seed")
    step = open_game(_witness_id(contest), opening, Sealed(contest.seed, _derived_bytes(contest, _KEY)), act)
    records = list(step.records)
    for command in msgspec.convert(contest.line, tuple[AnyCommand, ...]):
        step = play(step.game, command, act._replace(seat=0))
        records += step.records
    return tuple(records)


def _witness_id(contest: Contest) -> UUID:
    return uuid8(sha256(_ID + contest.id.bytes).digest())


def _derived_bytes(contest: Contest, tag: bytes) -> bytes:
    """32 bytes that nobody can know before the contest's seed is told."""
    return sha256(tag + contest.seed).digest()
