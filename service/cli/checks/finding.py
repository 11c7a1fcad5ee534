"""What a look at one thing has shown."""

from typing import NamedTuple


def sentence(error: Exception) -> str:
    """What was raised as a sentence: what drivers say ends without a stop."""
    return f"{str(error).rstrip('.')}."


class Finding(NamedTuple):
    """The thing, how it stands in one sentence, and what to do about it: nothing if all is well."""

    name: str
    told: str
    remedy: str | None = None
