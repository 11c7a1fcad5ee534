"""The stage of the story and its people: what is said to the service, and what it answers."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
from msgspec import Struct

from service.problems import KINDS
from tests.api.serving import Player, Service, moderating, registered
from tests.openapi.exchanges.steady import Steady, shorten
from tests.openapi.test_document import OPERATIONS

PROBLEM = "application/problem+json"
NOBODY = "019a0000-0000-7000-8000-000000000000"
"""An id of nobody and nothing."""


class Asked(Struct, frozen=True, omit_defaults=True):
    """What was sent, without the token."""

    path: dict[str, Any] = {}
    query: dict[str, Any] = {}
    headers: dict[str, str] = {}
    media_type: str | None = None
    body: Any = None


class Exchange(Struct, frozen=True, omit_defaults=True):
    """One request and its answer, in steady words. `shortened`: lists or a text of the answer are cut."""

    asked: Asked
    status: int
    media_type: str | None = None
    body: Any = None
    shortened: bool = False


class Stage:
    """A running server and what was said to it: the first success and the first refusal of each operation.

    `headers`: operation and status -> the names of the headers of an answer.
    """

    def __init__(self, service: Service) -> None:
        self.service = service
        self.successes: dict[str, Exchange] = {}
        self.refusals: dict[str, Exchange] = {}
        self.headers: dict[str, set[str]] = {}
        self._steady = Steady(service.url)

    def name(self, **ids: str) -> None:
        """Let these ids have steady stand-ins by these names."""
        self._steady.name(ids)

    def move_to(self, service: Service) -> None:
        """Go on at another address of the same database."""
        self.service = service
        self._steady.address = service.url

    def succeed(self, operation: str, who: Player | None, body: Any = None, /, **more: Any) -> Any:
        """Ask, and return what was answered: JSON as its value, else the text."""
        answer, asked = self._ask(operation, who, body, **more)
        assert answer.is_success, f"{operation}: {answer.text}"
        self._keep(self.successes, operation, asked, answer)
        return _content(answer) if answer.content else None

    def refuse(self, operation: str, who: Player | None, reason: str, body: Any = None, /, **more: Any) -> None:
        """Ask, and be refused: `reason` is the rule, the kind of problem, or the error of OAuth."""
        answer, asked = self._ask(operation, who, body, **more)
        assert answer.is_client_error, f"{operation}: {answer.status_code} {answer.text[:300]}"
        told = answer.json()
        found = (told.get("rule"), told.get("type", "").rpartition("/")[2], told.get("error"))
        assert reason in found, f"{operation}: {answer.text}"
        self._keep(self.refusals, operation, asked, answer)

    def refuse_parameter(self, operation: str, who: Player | None = None, /, **path: Any) -> None:
        """The refusal of what has no other: a query parameter that it does not know."""
        self.refuse(operation, who, "malformed", query={"colour": "red"}, **path)

    def _ask(
        self, operation: str, who: Player | None, body: Any, *, query: Any = None, headers: Any = None,
        text: tuple[str, str] | None = None, form: dict[str, str] | None = None, **path: Any,
    ) -> tuple[httpx.Response, dict[str, Any]]:  # fmt: skip
        method, template, _ = OPERATIONS[operation]
        sent: dict[str, Any] = {"headers": {"Request-Id": "my-request-1", **(headers or {})}}
        media_type = "application/json"
        if text is not None:
            media_type, body = text
            sent["content"], sent["headers"]["Content-Type"] = body, media_type
        elif form is not None:
            media_type, body = "application/x-www-form-urlencoded", form
            sent["data"] = form
        elif body is not None:
            sent["json"] = body
        http = self.service.http if who is None else who.http
        answer = http.request(method, template.format(**path), params=query or {}, **sent)
        asked = {"path": path, "query": query or {}, "headers": headers or {}}
        return answer, asked | ({} if body is None else {"media_type": media_type, "body": body})

    def _keep(self, kept: dict[str, Exchange], operation: str, asked: Any, answer: httpx.Response) -> None:
        self.headers[f"{operation} {answer.status_code}"] = set(answer.headers)
        if operation in kept:
            return
        media_type = answer.headers.get("content-type", "").partition(";")[0] if answer.content else None
        whole = _content(answer) if answer.content else None
        short, cut = shorten(whole) if media_type != PROBLEM else (whole, False)
        told = {"status": answer.status_code, "media_type": media_type, "body": short, "shortened": cut}
        steady = self._steady.of(operation, {"asked": asked, **told})
        kept[operation] = Exchange(Asked(**steady.pop("asked")), **steady)


def _content(answer: httpx.Response) -> Any:
    if "json" in (media_type := answer.headers.get("content-type", "")) and "ndjson" not in media_type:
        return answer.json()
    return _first_event(answer.text) if "event-stream" in media_type else answer.text


def _first_event(text: str) -> dict[str, str]:
    """The first event of a stream, without heartbeats, as the description's schema has it."""
    for block in text.split("\n\n"):
        found = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":") and ": " in line)
        if "event" in found:
            return {name: found[name] for name in ("id", "event", "data") if name in found}
    raise AssertionError(f"no event: {text}")


def kind_of(exchange: Exchange) -> tuple[str | None, str | None]:
    """The slug and the rule of a refusal, or the error of OAuth."""
    told = exchange.body
    slug = told["type"].rpartition("/")[2] if exchange.media_type == PROBLEM else told["error"]
    assert exchange.media_type != PROBLEM or slug in KINDS
    return slug, told.get("rule")


def as_json(value: Any) -> str:
    """A value in the one form in which values are compared."""
    return json.dumps(value, sort_keys=True)


@dataclass
class Cast:
    """The stage and its people: Olga organises, Eve has no part in what the others do, Mo moderates."""

    stage: Stage
    ada: Player
    bob: Player
    cyd: Player
    eve: Player
    olga: Player
    mo: Player

    def move(self) -> None:
        """Everybody goes on at the stage's new address."""
        for name in ("ada", "bob", "cyd", "eve", "olga", "mo"):
            setattr(self, name, getattr(self, name).on(self.stage.service))


def gather(stage: Stage) -> Cast:
    """The people, registered."""
    people = {name: registered(stage.service, name.title()) for name in ("ada", "bob", "cyd", "eve", "olga")}
    stage.name(**{name: player.id for name, player in people.items()})
    return Cast(stage, **people, mo=moderating(stage.service))
