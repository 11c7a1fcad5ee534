"""`kibitz verify --all`: a run over the store, from its choice of games to its report.

How far it has come is kept in a file, so that an interrupted run goes on where it stopped.
"""

import sys
from argparse import Namespace
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg import Connection

from service.cli.ending import Refusal, Usage
from service.cli.verifying.choosing import Choice, chosen_games, chunks
from service.cli.verifying.sweeping import Swept, Task, sweep_chunks
from service.cli.verifying.verdicts import UNSIGNED
from service.event_store.connections import open_connection, unavailability
from service.event_store.reading import all_games, read_head

_COUNTED = """
SELECT head, (SELECT count(*) FROM events), (SELECT coalesce(sum(last_version), 0) FROM packed_games) FROM log
"""
_NOTED_EVERY = 1.0  # seconds


class Progress(Struct):
    """What was asked for, of which log (its first game), up to which position it is done, and what was found."""

    log: UUID | None
    choice: Choice
    after: int = 0
    games: int = 0
    steps: int = 0
    unsigned: int = 0
    cut: int = 0
    seconds: float = 0.0
    faults: list[str] = []

    def add(self, swept: Swept) -> None:
        """One more chunk is done."""
        self.after = swept.position
        self.games += len(swept.judged)
        self.steps += sum(one.steps for one in swept.judged)
        self.unsigned += sum(one.verdict.sound and not one.verdict.signed for one in swept.judged)
        self.cut += sum(one.verdict.code == UNSIGNED for one in swept.judged)
        self.faults += [one.verdict.line for one in swept.judged if not one.verdict.sound]


def verify_store(wanted: Namespace, task: Task) -> Progress:
    """Print the verdicts, with `quiet` only the bad ones; the progress. Raises Refusal, Usage, StoreUnavailable."""
    with open_connection(task.conninfo, "verify") as connection:
        first = next((game for _, game in all_games(connection)), None)
        fresh = Progress(first, Choice(read_head(connection), wanted.sample, wanted.seed or token_hex(8)))
        progress = fresh if wanted.resume is None else resume_progress(wanted.resume, fresh)
        _sweep(connection, progress, task, wanted)
        if wanted.sample is None and (missing := log_fault(connection)) is not None:
            print(missing)
            progress.faults.append(missing)
    if wanted.resume is not None:
        wanted.resume.unlink(missing_ok=True)
    return progress


def _sweep(connection: Connection[Any], progress: Progress, task: Task, wanted: Namespace) -> None:
    """Verify the games that are left; the progress is written once a second, and once more however it ends."""
    began, noted = monotonic() - progress.seconds, monotonic()
    games = chosen_games(connection, progress.choice, progress.after)
    try:
        for chunk in sweep_chunks(chunks(games), task, wanted.processes):
            for one in chunk.judged:
                if not (wanted.quiet and one.verdict.code == 0):
                    print(one.verdict.line)
            progress.add(chunk)
            if monotonic() - noted >= _NOTED_EVERY:
                noted = monotonic()
                _note(progress, began, wanted.resume)
    finally:
        _note(progress, began, wanted.resume)


def _note(progress: Progress, began: float, file: Path | None) -> None:
    progress.seconds = monotonic() - began
    if file is not None:
        keep(file, progress)


def resume_progress(file: Path, fresh: Progress) -> Progress:
    """The progress of the file if there is one, else this one; raises Usage if the file belongs to another run."""
    if not file.exists():
        return fresh
    try:
        kept = msgspec.json.decode(file.read_bytes(), type=Progress)
    except (msgspec.DecodeError, OSError) as error:
        raise Usage(f"{file} is no progress of a verification: {error}") from error
    if kept.log != fresh.log:
        raise Usage(f"{file} is the progress over another store.")
    if kept.choice.sample != fresh.choice.sample:
        raise Usage(f"{file} is the progress of {_words(kept.choice)}, and this run asks for {_words(fresh.choice)}.")
    return kept


def _words(choice: Choice) -> str:
    return "all games" if choice.sample is None else f"a sample of {choice.sample}"


def keep(file: Path, progress: Progress) -> None:
    """Write the file whole or leave the old one; raises Refusal where it cannot be written."""
    unfinished = file.with_name(file.name + ".unfinished")
    try:
        unfinished.write_bytes(msgspec.json.encode(progress))
        unfinished.replace(file)
    except OSError as error:
        raise Refusal(f"{file} cannot be written: {error.strerror}.") from error


def log_fault(connection: Connection[Any]) -> str | None:
    """A sentence if records are missing, or there are more than positions; raises StoreUnavailable.

    Positions are dense, so a removed record leaves a gap, also where a game's last records or its opening were removed.
    One statement, so one snapshot: records written meanwhile make no difference.
    """
    with unavailability():
        row = connection.execute(_COUNTED).fetchone()
    head, stored, packed = (0, 0, 0) if row is None else map(int, row)
    if head == stored + packed:
        return None
    told = f"{head} positions were given, and {stored + packed} records are there ({packed} of them packed)"
    return f"FAULT the log: {told}: records were removed or added."


def report(progress: Progress) -> None:
    """Print on stderr the sum, the faulty games again if several were verified, and the rate."""
    choice, faults = progress.choice, progress.faults
    print(f"Games verified: {progress.games}; with faults: {len(faults)}.", file=sys.stderr)
    for line in faults if progress.games > 1 else []:
        print(f"  {line}", file=sys.stderr)
    if choice.sample is not None:
        print(f"A sample, by the seed {choice.seed}.", file=sys.stderr)
    seconds = max(progress.seconds, 1e-6)
    print(
        f"{progress.games / seconds:.0f} games/s, {progress.steps / seconds:.0f} steps/s ({seconds:.1f} s).",
        file=sys.stderr,
    )
