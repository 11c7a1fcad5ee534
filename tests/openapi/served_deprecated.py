"""A server process with an operation that is deprecated, and one whose last day is known."""

import runpy
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct

from service.api import operator
from service.http.call import Deprecation
from service.http.operation import Answer, Call, operation, reply
from service.problems import Refused

SINCE, UNTIL = date(2026, 11, 24), date(2027, 6, 30)


class Old(Struct, frozen=True):
    """Something of before."""

    old: bool = True


class OldQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to refuse."""

    refused: bool = False


@operation(
    id="get_old", method="GET", path="/v1/old", tag="service", query=OldQuery, problems=("no_such_thing",),
    answers={200: Answer(type=Old, says="It.")}, deprecated=Deprecation(since=SINCE, instead="Use `get_new`."),
)  # fmt: skip
async def get_old(call: Call[None, OldQuery]) -> Any:
    """Show something of before.

    As it was.
    """
    if call.query.refused:
        raise Refused("no_such_thing", "There is none.")
    return reply(Old())


@operation(
    id="get_older", method="GET", path="/v1/older", tag="service", answers={200: Answer(type=Old, says="It.")},
    deprecated=Deprecation(since=SINCE, until=UNTIL, instead="Use `get_old`."),
)  # fmt: skip
async def get_older(call: Call[None, None]) -> Any:
    """Show something older."""
    return reply(Old())


vars(operator).update(get_old=get_old, get_older=get_older)  # two more
if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).parents[1] / "api" / "served.py"))
