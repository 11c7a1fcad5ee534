"""What a look at one thing has shown."""

from typing import NamedTuple


class Finding(NamedTuple):
    """The thing, how it stands in one sentence, and what to do about it: nothing if all is well."""

    name: str
    told: str
    remedy: str | None = None
