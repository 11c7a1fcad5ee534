"""A record file as the source of a replay."""

from pathlib import Path

from domain.play.form import form_faults
from domain.play.open_record import Unreadable, read_record
from service.cli.errors import Refusal
from service.cli.replaying.sources import RecordSource


def recorded_game(path: Path) -> RecordSource:
    """The game of this file; raises Refusal if it cannot be shown. Its digests are checked by `kibitz verify` only."""
    try:
        records = read_record(path.read_bytes()).records
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from error
    except Unreadable as error:
        raise Refusal(f"{path} is no record that can be shown. {error}") from error
    if fault := next(iter(form_faults(records)), None):
        raise Refusal(f"{path} is no record that can be shown. Step {fault.step}: {fault.what}")
    try:
        return RecordSource(records)
    except Exception as error:  # folding a record that was tampered with may raise anything
        raise Refusal(f"{path} holds steps that do not follow from each other ({type(error).__name__}).") from error
