"""A browser as far as these tests need one: it keeps the cookie, follows no link, and sends forms as browsers do."""

import re
from html import unescape
from types import TracebackType
from typing import Any

import httpx

from .holding import settled
from .serving import Player, Service

OWN = {"sec-fetch-site": "same-origin"}
COOKIE = "kibitz_session"


class Browser:
    """One browser at one service."""

    def __init__(self, service: Service) -> None:
        self.http = httpx.Client(base_url=service.url, timeout=60, headers={"accept": "text/html"})

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.http.close()

    @property
    def secret(self) -> str | None:
        """The token in the cookie."""
        return self.http.cookies.get(COOKIE)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def shown(self, path: str) -> str:
        """The page at this path, which is there."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def post(self, path: str, form: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        """A form sent from a page of the service."""
        return self.http.post(path, data=form or {}, headers=OWN | headers)


def signed_in(service: Service, player: Player) -> Browser:
    """A browser with a session of this player."""
    browser = Browser(service)
    answer = browser.post("/sign-in", {"token": player.token})
    assert (answer.status_code, answer.headers["location"]) == (303, "/"), answer.text
    return browser


def said(page: str) -> str:
    """The words of a page, without its markup."""
    return " ".join(unescape(re.sub(r"<script.*?</script>|<[^>]*>", " ", page, flags=re.DOTALL)).split())


caught_up = settled
