"""The checks of `kibitz doctor`, and the result of each."""

from typing import NamedTuple


def sentence(error: Exception) -> str:
    """The error's text with a full stop, which messages of database drivers lack."""
    return f"{str(error).rstrip('.')}."


class Finding(NamedTuple):
    """The name of the thing checked, its state in one sentence, and a remedy: None if all is well."""

    name: str
    told: str
    remedy: str | None = None
