"""`kibitz verify --all`: a run over the store, from its choice of games to its report."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any

from psycopg import Connection

from service.cli.verifying.choosing import Choice, chosen_games, chunks
from service.cli.verifying.progress import Progress, keep, resume_progress
from service.cli.verifying.sweeping import Task, sweep_chunks
from service.cli.verifying.whole import log_fault
from service.event_store.connections import open_connection
from service.event_store.reading.blocking import all_games, read_head

_NOTED_EVERY = 1.0  # seconds


def verify_store(wanted: Namespace, task: Task) -> Progress:
    """Tell every game's verdict on stdout, and what is found in all; raises Refusal, Usage, StoreUnavailable."""
    with open_connection(task.conninfo, "verify") as connection:
        fresh = Progress(
            _first_game(connection), Choice(read_head(connection), wanted.sample, wanted.seed or token_hex(8))
        )
        progress = fresh if wanted.resume is None else resume_progress(wanted.resume, fresh)
        with _progress_notes(progress, wanted.resume) as note:
            _sweep(connection, progress, task, wanted, note)
        if wanted.sample is None and (missing := log_fault(connection)) is not None:
            print(missing)
            progress.faults.append(missing)
    if wanted.resume is not None:
        wanted.resume.unlink(missing_ok=True)
    return progress


def _first_game(connection: Connection[Any]) -> Any:
    return next((game for _, game in all_games(connection)), None)


def _sweep(connection: Connection[Any], progress: Progress, task: Task, wanted: Namespace, note: Any) -> None:
    games = chosen_games(connection, progress.choice, progress.after)
    for chunk in sweep_chunks(chunks(games), task, wanted.processes):
        for one in chunk.judged:
            if not (wanted.quiet and one.verdict.code == 0):
                print(one.verdict.line)
        progress.add(chunk)
        note()


@contextmanager
def _progress_notes(progress: Progress, file: Path | None) -> Iterator[Any]:
    """A function that writes the progress at most once a second; it is written again when the block ends."""
    before, began, noted = progress.seconds, monotonic(), [monotonic()]

    def write() -> None:
        progress.seconds = before + monotonic() - began
        if file is not None:
            keep(file, progress)

    def note() -> None:
        if monotonic() - noted[0] >= _NOTED_EVERY:
            noted[0] = monotonic()
            write()

    try:
        yield note
    finally:
        write()


def report(progress: Progress) -> None:
    """On stderr: the sum, the faulty ones again, and the rate."""
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
