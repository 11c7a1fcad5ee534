"""Bots are marked as such, and know nothing but the API."""

import ast
from pathlib import Path

import service.house.client
from tests.api.serving import Service, registered

from .tables import bot_account


def test_everybody_is_told_that_a_player_is_a_bot(service: Service) -> None:
    bot = bot_account(service)
    assert service.http.get(f"/v1/players/{bot.id}").json()["bot"] is True
    assert bot.get("/v1/players/me").json()["bot"] is True


def test_a_player_is_no_bot_unless_it_says_so(service: Service) -> None:
    assert registered(service, "Ada").get("/v1/players/me").json()["bot"] is False


def test_a_new_name_does_not_make_a_bot_a_person(service: Service) -> None:
    bot = bot_account(service)
    assert bot.http.patch("/v1/players/me", json={"name": "Ada"}).json()["bot"] is True
    assert bot.http.patch("/v1/players/me", json={"name": "Ada", "bot": False}).status_code == 400


def test_an_erased_bot_is_still_a_bot(service: Service) -> None:
    bot = bot_account(service)
    assert bot.http.delete("/v1/players/me").status_code == 204
    shown = service.http.get(f"/v1/players/{bot.id}").json()
    assert (shown["name"], shown["bot"]) == (None, True)


def test_the_client_gets_its_games_from_the_api_alone() -> None:
    imported = _imported(Path(str(service.house.client.__file__)))
    ours = {name for name in imported if name.split(".")[0] in ("domain", "projections", "service")}
    assert ours == {"domain.kit.evaluation", "service.house.engine"}


def _imported(module: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(module.read_text())))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return named | {f"{node.module}" for node in nodes if isinstance(node, ast.ImportFrom)}
