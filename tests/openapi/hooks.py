"""What the API tester is told: how to get a token, and what to note of its answers."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import schemathesis

from domain.games import GAME_TYPES
from domain.play.open_record import MEDIA_TYPE
from service.api.replays.records import MOVES

_TEXTS = (MEDIA_TYPE, MOVES, "application/x-pbn", "application/x-ndjson", "text/plain")
_OWN = ("erase_me", "revoke_tokens", "revoke_token", "revoke_app_token")
_ACCEPTED = Counter(Path(os.environ["KIBITZ_ACCEPTED"]).read_text().split() if "KIBITZ_ACCEPTED" in os.environ else ())


def _registered() -> str:
    answer = httpx.post(os.environ["KIBITZ_TESTED_URL"] + "/v1/players", json={"name": "Tester"}, timeout=60)
    answer.raise_for_status()
    secret: str = answer.json()["token"]["secret"]
    return secret


@schemathesis.auth(refresh_interval=None)
class PlayersToken:
    """A bearer token: the run's, a moderator's to void games, or a fresh player's for operations that end tokens."""

    shared: str | None = None

    def get(self, case: Any, context: Any) -> str:
        name = case.operation.definition.raw.get("operationId")
        if name in _OWN:
            return _registered()
        if name in ("void_game", "make_ruling") and (moderator := os.environ.get("KIBITZ_MODERATOR")) is not None:
            return moderator
        if PlayersToken.shared is None:
            PlayersToken.shared = _registered()
        return PlayersToken.shared

    def set(self, case: Any, data: str, context: Any) -> None:
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


def _sent(context: Any, value: Any) -> bytes:
    """A body that is text, as it is."""
    return value if isinstance(value, bytes) else str(value).encode()


for media_type in _TEXTS:
    schemathesis.serializer(media_type)(_sent)


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Each event of a stream is held against `x-itemSchema`: the tester takes `schema` for that of one event."""
    for item in raw_schema["paths"].values():
        for told in item.values():
            for answer in told["responses"].values():
                if (content := answer.get("content", {}).get("text/event-stream")) is not None:
                    content["schema"] = content["x-itemSchema"]


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """While links are counted, games are opened so that they start, all seats one's own, and of the type with the
    fewest accepted commands so far: the tester's own choice among so many types is a lottery.
    """
    if "KIBITZ_ACCEPTED" not in os.environ or not isinstance(body, dict) or "game_type" not in body:
        return body
    found = min(GAME_TYPES.values(), key=lambda game_type: _ACCEPTED[game_type.key])
    return {"game_type": found.key} | ({"hot_seat": True} if found.seats[-1] > 1 else {})


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Notes the game type of every accepted command."""
    where = os.environ.get("KIBITZ_ACCEPTED")
    name = case.operation.definition.raw.get("operationId")
    if where is None or name != "post_command" or response.status_code != 200:
        return
    for frame in response.json().get("frames", []):
        key = frame["view"]["facts"]["type"].partition("/")[0]
        _ACCEPTED[key] += 1
        with open(where, "a") as accepted:
            accepted.write(key + "\n")
