"""`kibitz verify`: open records in files, and games of the store, checked step by step.

With --all many games: all of them or a fair sample, in several processes, resumable from a file of progress.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from hashlib import blake2b
from heapq import nsmallest
from itertools import chain, islice, takewhile
from multiprocessing import get_context, parent_process
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from cyclopts import Parameter, Token
from msgspec import Struct
from psycopg import Connection

from service.cli import verdicts as judging
from service.cli.ending import Refusal, Usage
from service.cli.options import NO_FLAGS, Count, DatabaseFlags
from service.cli.store import codec, connect_database, database, load_key_set, own_key_set
from service.event_store.connections import connect, open_connection, unavailability
from service.event_store.reading import all_games, read_head
from service.keys.signing import JwkSet
from service.settings import Settings

CHUNK = 50
"""Games handed to a process at once; progress is written after a chunk at the earliest."""
_QUEUED = 4  # chunks per process, so that no process is idle
_WRITE_SECONDS = 1.0  # between two writes of the progress
_COUNTED = """
SELECT head, (SELECT count(*) FROM events), (SELECT coalesce(sum(last_version), 0) FROM packed_games) FROM log
"""
Opening = tuple[int, UUID]  # the position of a game's opening in the log, and the game's id


def _read_record(kind: type, tokens: Sequence[Token]) -> UUID | str:
    """A game's id, or else a file; `./` before it makes a file of a name that looks like an id or an option."""
    text = tokens[0].value
    if text.startswith("-") and text != "-":
        raise ValueError(f"There is no option {text}")
    try:
        return UUID(text)
    except ValueError:
        return text


def verify(
    *records: Annotated[UUID | str, Parameter(converter=_read_record, n_tokens=1, allow_leading_hyphen=True)],
    all: bool = False,
    sample: Count | None = None,
    seed: str | None = None,
    processes: Count | None = None,
    resume: Path | None = None,
    quiet: bool = False,
    keys: str | None = None,
    signed: bool = False,
    flags: DatabaseFlags = NO_FLAGS,
) -> int:
    """Check records and games: digests, rules, deal, ending and signature.

    One line for each game on stdout, a sum on stderr.

    Exit status: 0 all is sound, and signed; 1 something has a fault; 2 wrong usage; 4 all is sound, but a signature
    is missing where the opening names the key of a service that signs: it was cut off; 3 all is sound, but with
    --signed not all of it is signed by one of the keys; 5 all is sound, but a record was never signed. Of several
    the first in the order 1, 4, 3, 5. Without --keys it is not checked who has signed. Games of the store that were
    never signed are from before there were keys, or go on, and are 0.

    Args:
        records: open records, - for standard input; or ids of games
        all: every game of the store, and whether the log is whole
        sample: with --all: only so many games, chosen by lot
        seed: what decides the lot: the same choice again
        processes: how many at once
        resume: note the progress here; where the file is there already, go on from it. It is removed when all is done
        quiet: with --all: only the games with faults, or whose signature is missing
        keys: public keys: a saved JWK set, or a service's address; for stored games the service's own if left out
        signed: what is not signed by one of the keys will not do
    """
    settings = flags.settings()
    if bool(records) == all:
        raise Usage("Name the records or games to verify, or say --all.")
    if not all and (sample, seed, resume) != (None, None, None):
        raise Usage("--sample, --seed and --resume go with --all.")
    key_set, mention_signatures = load_key_set(keys) if keys else None, bool(keys or signed)
    if all:
        with database(settings) as conninfo:
            task = Task(conninfo, settings, key_set, mention_signatures)
            count = processes or os.cpu_count() or 1
            progress = verify_store(task, processes=count, quiet=quiet, sample=sample, seed=seed, resume=resume)
        seconds = max(progress.seconds, 1e-6)
        print(f"Games verified: {progress.games}; with faults: {len(progress.faults)}.", file=sys.stderr)
        for line in progress.faults if progress.games > 1 else []:
            print(f"  {line}", file=sys.stderr)
        if progress.choice.sample is not None:
            print(f"A sample, by the seed {progress.choice.seed}.", file=sys.stderr)
        rates = f"{progress.games / seconds:.0f} games/s, {progress.steps / seconds:.0f} steps/s"
        print(f"{rates} ({seconds:.1f} s).", file=sys.stderr)
        faulty, cut = judging.FAULT if progress.faults else 0, judging.UNSIGNED if progress.cut else 0
        return judging.exit_code([faulty, cut, judging.NOT_BY_THESE if signed and progress.unsigned else 0])
    files = [record for record in records if isinstance(record, str)]
    games = [record for record in records if isinstance(record, UUID)]
    if signed and key_set is None and files:
        raise Usage("Say by --keys whose signatures count.")

    def verdicts() -> Iterator[judging.Verdict]:
        """Files need no database, and come first; the service's own keys count for stored games without --keys."""
        for file in files:
            name = "standard input" if file == "-" else file
            try:
                text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
            except OSError as error:
                yield judging.fault(file, f"The file cannot be read: {error.strerror}.")
            else:
                yield judging.verdict_of_text(name, text, key_set)
        if games:
            criteria = judging.Criteria(codec(settings), key_set or own_key_set(settings), mention_signatures)
            with connect_database(settings, "verify") as connection:
                yield from (judging.judge_game(connection, game, criteria).verdict for game in games)

    codes: list[int] = []
    for verdict in verdicts():
        print(verdict.line)
        codes += [verdict.code, judging.NOT_BY_THESE if signed and not verdict.signed else 0]
    print(f"Games verified: {len(codes) // 2}; with faults: {codes.count(judging.FAULT)}.", file=sys.stderr)
    return judging.exit_code(codes)


class Choice(NamedTuple):
    """Games opened up to position `until`; `sample` of them, or all. The seed decides which: each is as likely."""

    until: int
    sample: int | None = None
    seed: str = ""


class Task(NamedTuple):
    """What every process gets at its start."""

    conninfo: str
    settings: Settings
    keys: JwkSet | None
    mention_signatures: bool


class Chunk(NamedTuple):
    """The verdicts on a chunk's games, and the log position that they reach."""

    judged: list[judging.Judged]
    position: int


class Progress(Struct):
    """The choice of games, the log (its first game), the position up to which it is done, and the findings so far."""

    log: UUID | None
    choice: Choice
    after: int = 0
    games: int = 0
    steps: int = 0
    unsigned: int = 0
    cut: int = 0
    seconds: float = 0.0
    faults: list[str] = []

    def add(self, chunk: Chunk) -> None:
        """Add one more chunk."""
        self.after = chunk.position
        self.games += len(chunk.judged)
        self.steps += sum(game.steps for game in chunk.judged)
        self.unsigned += sum(game.verdict.sound and not game.verdict.signed for game in chunk.judged)
        self.cut += sum(game.verdict.code == judging.UNSIGNED for game in chunk.judged)
        self.faults += [game.verdict.line for game in chunk.judged if not game.verdict.sound]


def verify_store(
    task: Task, *, processes: int, quiet: bool, sample: int | None, seed: str | None, resume: Path | None
) -> Progress:
    """Print the verdicts, with `quiet` only the bad ones; the progress. Raises Refusal, Usage, StoreUnavailable.

    The progress is written about once a second, and once more however the run ends.
    """
    with open_connection(task.conninfo, "verify") as connection:
        first = next((game for _, game in all_games(connection)), None)
        progress = Progress(first, Choice(read_head(connection), sample, seed or token_hex(8)))
        if resume is not None and resume.exists():
            progress = _read_progress(resume, progress)
        began = written = monotonic()
        before = progress.seconds
        games = chosen_games(connection, progress.choice, progress.after)
        try:
            for chunk in _judge_chunks(iter(lambda: list(islice(games, CHUNK)), []), task, processes):
                for game in chunk.judged:
                    if not (quiet and game.verdict.code == 0):
                        print(game.verdict.line)
                progress.add(chunk)
                progress.seconds = before + monotonic() - began
                if resume is not None and monotonic() - written >= _WRITE_SECONDS:
                    written = monotonic()
                    _write_progress(resume, progress)
        finally:
            progress.seconds = before + monotonic() - began
            if resume is not None:
                _write_progress(resume, progress)
        if sample is None and (missing := _log_fault(connection)) is not None:
            print(missing)
            progress.faults.append(missing)
    if resume is not None:
        resume.unlink(missing_ok=True)
    return progress


def chosen_games(connection: Connection[Any], choice: Choice, after: int) -> Iterator[Opening]:
    """The chosen games opened after this position, in order."""
    start = after if choice.sample is None else 0
    openings = takewhile(lambda opening: opening[0] <= choice.until, all_games(connection, start))
    if choice.sample is None:
        yield from openings
        return
    seed = choice.seed.encode()[:64]  # the smallest hashes are the sample: unpredictable without the seed
    drawn = nsmallest(
        choice.sample, openings, key=lambda opening: blake2b(opening[1].bytes, key=seed, digest_size=16).digest()
    )
    yield from sorted(opening for opening in drawn if opening[0] > after)


def _judge_chunks(chunks: Iterator[list[Opening]], task: Task, processes: int) -> Iterator[Chunk]:
    """Every chunk, judged, in order; raises StoreUnavailable, or Refusal where a process was killed.

    A single chunk is judged here: another process would take longer to start than to judge it.
    """
    first = list(islice(chunks, 2))
    if processes == 1 or len(first) < 2:
        _prepare(task)
        yield from map(_judge, chain(first, chunks))
        return
    try:
        yield from _judge_in_processes(chain(first, chunks), task, processes)
    except BrokenProcessPool:
        raise Refusal("A verifying process was killed; with --resume the next run goes on from here.") from None


def _judge_in_processes(chunks: Iterator[list[Opening]], task: Task, processes: int) -> Iterator[Chunk]:
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_prepare, initargs=(task,)) as pool:
        under_way: deque[Future[Chunk]] = deque()
        try:
            for chunk in chunks:
                under_way.append(pool.submit(_judge, chunk))
                if len(under_way) >= _QUEUED * processes:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_connection: Connection[Any]
_criteria: judging.Criteria


def _prepare(task: Task) -> None:
    """Prepare to judge; a child process ignores Ctrl-C at the terminal, as the first process ends the others."""
    global _connection, _criteria
    if parent_process() is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    _connection = connect(task.conninfo, "verify")
    _criteria = judging.Criteria(codec(task.settings), task.keys or own_key_set(task.settings), task.mention_signatures)


def _judge(openings: list[Opening]) -> Chunk:
    return Chunk([judging.judge_game(_connection, game, _criteria) for _, game in openings], openings[-1][0])


def _read_progress(file: Path, fresh: Progress) -> Progress:
    """The progress of the file; raises Usage if the file belongs to another run than this fresh one."""
    try:
        progress = msgspec.json.decode(file.read_bytes(), type=Progress)
    except (msgspec.DecodeError, OSError) as error:
        raise Usage(f"{file} is no progress of a verification: {error}") from error
    if progress.log != fresh.log:
        raise Usage(f"{file} is the progress over another store.")
    if progress.choice.sample != fresh.choice.sample:
        earlier, now = (
            "all games" if choice.sample is None else f"a sample of {choice.sample}"
            for choice in (progress.choice, fresh.choice)
        )
        raise Usage(f"{file} is the progress of {earlier}, and this run asks for {now}.")
    return progress


def _write_progress(file: Path, progress: Progress) -> None:
    """Write the file whole or leave the old one; raises Refusal where it cannot be written."""
    unfinished = file.with_name(file.name + ".unfinished")
    try:
        unfinished.write_bytes(msgspec.json.encode(progress))
        unfinished.replace(file)
    except OSError as error:
        raise Refusal(f"{file} cannot be written: {error.strerror}.") from error


def _log_fault(connection: Connection[Any]) -> str | None:
    """A sentence if records are missing, or there are more than positions; raises StoreUnavailable.

    Positions are dense, so a removed record leaves a gap, also where a game's last records or its opening were removed.
    One statement, so one snapshot: records written meanwhile make no difference.
    """
    with unavailability():
        row = connection.execute(_COUNTED).fetchone()
    head, stored, packed = (0, 0, 0) if row is None else map(int, row)
    if head == stored + packed:
        return None
    counts = f"{head} positions were given, and {stored + packed} records are there ({packed} of them packed)"
    return f"FAULT the log: {counts}: records were removed or added."
