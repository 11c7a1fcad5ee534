"""Leagues as they must stand for each example of a league's operation to be accepted."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import httpx

PAST = {"starts": "2020-01-01T00:00:00Z", "ends": "2020-02-01T00:00:00Z"}
BOX = {"name": "Example", "game_type": "spite_and_malice", "rules": "box-units-3"}
SAME_DEAL = {"name": "Example", "game_type": "klondike", "rules": "same-deal-1"}


class PreparedLeague:
    """A league of the client's, with itself and others as members, as far on as an operation needs it."""

    def __init__(self, client: httpx.Client, operation: str) -> None:
        self._client, self._operation = client, operation
        self.me = str(client.get("/v1/players/me").json()["id"])
        self.other, self.third = self._guest(), self._guest()
        self.id = str(self._said("/v1/leagues", SAME_DEAL if operation == "announce_league_contest" else BOX)["id"])
        self._stand()

    @property
    def path(self) -> str:
        return f"/v1/leagues/{self.id}"

    @property
    def parameters(self) -> Mapping[str, str]:
        """What the operation's path is filled with."""
        return {"league_id": self.id, "player_id": self.other, "season": "1", "fixture_id": self.fixture}

    def body(self, example: Mapping[str, Any]) -> dict[str, Any]:
        """The example with ids that there are."""
        ids: dict[str, Any] = {"player_id": self.other, "by_player_id": self.third, "to_player_id": self.me}
        given = {name: value for name, value in ids.items() if name in example}
        return {**example, **given, **({"game_ids": [self.game]} if "game_ids" in example else {})}

    @cached_property
    def fixture(self) -> str:
        if self._operation in ("open_season", "announce_league_contest"):
            return ""
        return str(self._client.get(f"{self.path}/seasons/1/fixtures").json()["fixtures"][0]["id"])

    @cached_property
    def game(self) -> str:
        return str(self._said(f"{self.path}/fixtures/{self.fixture}/open")["id"])

    def _stand(self) -> None:
        self._said(f"{self.path}/join")
        self._joined(self.other)
        if self._operation != "open_season":
            self._said(f"{self.path}/seasons", PAST)
        if self._operation == "replace_player":
            self._joined(self.third)
        if self._operation == "decide_promotions":
            self._said(f"{self.path}/seasons/1/close")
        if self._operation == "reopen_fixture":
            self._said(
                f"{self.path}/fixtures/{self.fixture}/award", {"to_player_id": self.me, "reason": "Nobody came."}
            )
        if self._operation == "invite_to_league":
            self.other = self.third

    def _guest(self) -> str:
        told = httpx.post(f"{self._client.base_url}/v1/players", json={"name": "Guest"}, timeout=60).json()
        self._tokens = {**getattr(self, "_tokens", {}), told["player"]["id"]: told["token"]["secret"]}
        return str(told["player"]["id"])

    def _joined(self, player: str) -> None:
        self._said(f"{self.path}/join", headers={"Authorization": f"Bearer {self._tokens[player]}"})

    def _said(self, path: str, body: Any = None, **more: Any) -> Any:
        answer = self._client.post(path, **({} if body is None else {"json": body}), **more)
        assert answer.is_success, answer.text
        return answer.json()
