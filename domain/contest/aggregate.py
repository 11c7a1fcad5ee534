"""A same-deal contest: the value that its records fold to, and what may happen to it."""

from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import sha256
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import DailyOptions, OptionRules, PureLuck
from domain.chance import commitment
from domain.contest import events as ev
from domain.game_type import Concealed, Illegal
from domain.games import GAME_TYPES, REVISIONS
from domain.league.rules import DayRules
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act, play
from domain.play.events import Sealed
from domain.play.open_record import AnyCommand
from domain.play.table import Opening, open_game
from domain.record import DAY, SECOND, Micros, fold_records, stream_record, uuid8

STREAM_TYPE = "contest"
SOLVER = UUID(int=0)
"""The player of a witness: no player's id."""
_WITNESS = b"kibitz/witness/1\0"


class Contest(Concealed, frozen=True, kw_only=True):
    """A contest after `version` records. `entries`: each player's game, in the order of entering.

    Where Sealed could not be read, `seed` is empty, and `certificate`, `positions` and `line` (what a solver found, and
    its winning commands) are the defaults. `unreadable`: games that could not be ended when it closed.
    """

    id: UUID
    announced: ev.Announced
    version: int = 1
    seed: bytes = b""
    certificate: ev.Certificate = "not_tried"
    positions: int = 0
    line: ev.Line = ()
    entries: dict[UUID, UUID] = {}
    closed: bool = False
    revealed: bool = False
    unreadable: tuple[UUID, ...] = ()

    def accepts(self, at: Micros) -> bool:
        """Whether an attempt may begin."""
        return not self.closed and self.announced.opens <= at < self.announced.closes

    def due(self) -> Micros:
        """When it is to be closed: its end and the grace."""
        return self.announced.closes + self.announced.rules.grace_seconds * SECOND


class Announcement(Concealed, frozen=True, kw_only=True):
    """How a contest shall be announced."""

    game_type: str
    options: Struct
    rules: DayRules
    opens: Micros
    closes: Micros
    seed: bytes
    day: str | None = None
    league: UUID | None = None
    certificate: ev.Certificate = "not_tried"
    positions: int = 0
    line: ev.Line = ()


def announce(contest: UUID, announcement: Announcement) -> Sequence[Struct]:
    """The contest, committed to its deal; raises Illegal for what cannot be compared."""
    kind = GAME_TYPES[announcement.game_type]
    if 1 not in kind.seats:
        raise Illegal("solo_only", "A same-deal contest is for game types that one plays alone.")
    if kind.has(PureLuck):
        raise Illegal("pure_luck", f"{kind.name} is pure luck: there is nothing to compare.")
    if announcement.closes <= announcement.opens:
        raise Illegal("contest_ends", "A contest ends after it begins.")
    options = announcement.options
    if announcement.rules.boards and kind.has(DailyOptions):
        options = kind.get(DailyOptions).choose(options, announcement.opens // DAY)
    options = kind.get(OptionRules).settle(options, 1)
    committed = commitment(contest, kind.key, options, announcement.seed)
    # before the close `impossible` is withheld, because it would tell of hidden cards
    certificate: ev.Certificate = "not_told" if announcement.certificate == "impossible" else announcement.certificate
    return [
        ev.Announced(
            game_type=kind.key, revision=kind.revision, options=msgspec.to_builtins(options), rules=announcement.rules,
            opens=announcement.opens, closes=announcement.closes, commitment=committed, day=announcement.day,
            league=announcement.league, certificate=certificate,
        ),
        ev.Sealed(announcement.seed, announcement.certificate, announcement.positions, announcement.line),
    ]  # fmt: skip


def enter(contest: Contest, player: UUID, game: UUID, at: Micros) -> Sequence[Struct]:
    """The player's one attempt; raises Illegal."""
    if not contest.accepts(at):
        raise Illegal("contest_not_open", "The contest does not accept attempts now.")
    if player in contest.entries:
        raise Illegal("first_attempt_only", "You have been dealt this deal; only the first attempt counts.")
    return [ev.Entered(player, game)]


def close(contest: Contest, at: Micros, unreadable: Sequence[UUID] = ()) -> Sequence[Struct]:
    """The end, once it is due, without the games that are unreadable now; raises Illegal before.

    The deal is revealed where it is known.
    """
    if contest.closed:
        raise Illegal("contest_closed", "The contest is closed.")
    if at < contest.due():
        raise Illegal("not_due", "The contest and its grace have not passed.")
    return [ev.Closed(tuple(unreadable)), *_revealed_events(contest)]


def reveal(contest: Contest) -> Sequence[Struct]:
    """The deal of a contest closed while its seed was unreadable; nothing if it is revealed or still unreadable."""
    return _revealed_events(contest) if contest.closed and not contest.revealed else []


def _revealed_events(contest: Contest) -> Sequence[Struct]:
    revealed = ev.Revealed(contest.seed, contest.certificate, contest.positions, contest.line)
    return [revealed] if contest.seed else []


def evolve(contest: Contest | None, record: AnyRecord) -> Contest:
    """The contest after one more record."""
    event = record.event
    if contest is None:
        return Contest(id=record.stream, announced=event)
    contest = replace(contest, version=record.version)
    if isinstance(event, ev.Sealed):
        certificate, line = event.certificate, event.line
        return replace(contest, seed=event.seed, certificate=certificate, positions=event.positions, line=line)
    if isinstance(event, ev.Entered):
        return replace(contest, entries={**contest.entries, event.player: event.game})
    if isinstance(event, ev.Closed):
        return replace(contest, closed=True, unreadable=event.unreadable)
    return replace(contest, revealed=True) if isinstance(event, ev.Revealed) else contest


def fold(records: Iterable[AnyRecord], contest: Contest | None = None) -> Contest:
    """The contest after these records."""
    return fold_records(evolve, records, contest)


contest_record = partial(stream_record, STREAM_TYPE)
"""The record of one event of a contest."""


def witness(contest: Contest, signer: str | None) -> tuple[AnyRecord, ...]:
    """The witness of a certificate: an unrated game with the contest's deal, won by the solver's line, always the same.

    The contest must be closed and have a line. Raises Illegal for a line that the rules refuse.
    """
    announced = contest.announced
    kind = REVISIONS[announced.game_type, announced.revision]
    options = msgspec.convert(announced.options, kind.options, strict=False)
    act = Act(SOLVER, None, announced.closes, signer)
    opening = Opening(type=kind, options=options, players=(SOLVER,), rated=False, origin="given_seed")
    game_id = uuid8(sha256(_WITNESS + b"id" + contest.id.bytes).digest())
    digest_key = sha256(_WITNESS + b"key" + contest.seed).digest()  # secret until the seed is public
    step = open_game(game_id, opening, Sealed(contest.seed, digest_key), act)
    records = list(step.records)
    for command in msgspec.convert(contest.line, tuple[AnyCommand, ...]):
        step = play(step.game, command, act._replace(seat=0))
        records += step.records
    return tuple(records)
