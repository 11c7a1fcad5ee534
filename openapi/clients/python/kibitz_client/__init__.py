"""A client of Kibitz, an event-sourced card-table service.

`Kibitz` is asynchronous; `kibitz_client.sync.Kibitz` is the same without `await`.
"""

from kibitz_client.asynchronous import Game, Kibitz
from kibitz_client.problems import (
    KibitzError,
    Malformed,
    NotAllowed,
    NotFound,
    NotTaken,
    RateLimited,
    Refused,
    RuleRefused,
    ScopeMissing,
    StreamClosed,
    Unauthenticated,
    Unavailable,
    Unreachable,
    VersionConflict,
)
from kibitz_client.retries import BUSY, Retries

__all__ = [
    "BUSY",
    "Game",
    "Kibitz",
    "KibitzError",
    "Malformed",
    "NotAllowed",
    "NotFound",
    "NotTaken",
    "RateLimited",
    "Refused",
    "Retries",
    "RuleRefused",
    "ScopeMissing",
    "StreamClosed",
    "Unauthenticated",
    "Unavailable",
    "Unreachable",
    "VersionConflict",
]
__version__ = "1.0.0"
