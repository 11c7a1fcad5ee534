"""How far a run has come, kept in a file, so that an interrupted one goes on where it stopped."""

from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import Struct

from service.cli.errors import Refusal, Usage
from service.cli.verdicts import UNSIGNED
from service.cli.verifying.choosing import Choice
from service.cli.verifying.sweeping import Swept


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
