"""Paths, ids, methods and tokens that lead nowhere."""

import pytest

from .playing import Game, of
from .problems import explained, told
from .serving import Player, Service

pytestmark = pytest.mark.usefixtures("nothing_recorded")
DRAW = {"type": "klondike/draw"}


def test_ids_of_other_kinds_lead_nowhere(service: Service, ada: Player, game: Game) -> None:
    for other in (ada.id, ada.token_id, "00000000-0000-0000-0000-000000000000", "no-id", game["id"][:-1], "%00"):
        for rest in ("", "/frames", "/frames/0", "/events", "/proof", "/legal-commands"):
            told(ada.get(f"/v1/games/{other}{rest}"), 404, "no_such_thing")
        told(ada.post(f"/v1/games/{other}/commands", DRAW), 404, "no_such_thing")
        told(ada.post(f"/v1/games/{other}/join", {}), 404, "no_such_thing")
    for other in (game["id"], ada.token_id, "no-id"):
        told(ada.get(f"/v1/players/{other}"), 404, "no_such_thing")
        told(ada.get(f"/v1/players/{other}/scores"), 404, "no_such_thing")
    for other in (game["id"], ada.id):
        told(ada.http.delete(f"/v1/tokens/{other}"), 404, "no_such_thing")


@pytest.mark.parametrize("path", ["/gone", "/v1", "/v2", "/v1/game", "/v1/games/x/y/z", "/robots.txt", "/v1/%2e"])
def test_an_unknown_path_is_not_found(path: str, service: Service) -> None:
    told(service.http.get(path), 404, "no_such_thing")


def test_a_wrong_method_is_told_the_right_ones(service: Service, game: Game) -> None:
    for path, method, allowed in (
        ("/v1/games", "DELETE", {"GET", "POST", "OPTIONS"}),
        ("/v1/games", "PUT", {"GET", "POST", "OPTIONS"}),
        ("/livez", "POST", {"GET", "OPTIONS"}),
        (of(game), "PATCH", {"GET", "OPTIONS"}),
        (of(game, "/commands"), "GET", {"POST", "OPTIONS"}),
        ("/v1/players/me", "POST", {"GET", "PATCH", "DELETE", "OPTIONS"}),
    ):
        answer = service.http.request(method, path)
        told(answer, 405, "no_such_method")
        assert set(answer.headers["allow"].replace(" ", "").split(",")) - {"HEAD"} == allowed


def test_options_tells_the_methods(service: Service, game: Game) -> None:
    answer = service.http.options(of(game, "/commands"))
    assert (answer.status_code, answer.content) == (204, b"")
    assert set(answer.headers["allow"].replace(" ", "").split(",")) == {"POST", "OPTIONS"}


def test_head_is_answered_without_a_body(service: Service, game: Game) -> None:
    for path in ("/livez", of(game), "/v1/games"):
        answer = service.http.head(path)
        assert answer.status_code in (200, 405)
        assert answer.content == b""


TOKENS = ["Bearer", "Bearer kbz_nobody", "Basic YTpi", "kbz_nobody", "Bearer a b", "bearer \xe9", ""]


@pytest.mark.parametrize("authorization", TOKENS)
def test_a_token_that_nobody_has_opens_nothing(authorization: str, service: Service, game: Game) -> None:
    headers = {"authorization": authorization.encode("latin-1")}
    for answer in (
        service.http.get("/v1/players/me", headers=headers),
        service.http.get(of(game), headers=headers),
        service.http.post(of(game, "/commands"), json={"type": "klondike/draw"}, headers=headers),
        service.http.delete("/v1/players/me", headers=headers),
    ):
        told(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_what_needs_a_token_does_not_go_without_one(service: Service, game: Game) -> None:
    for method, path in (
        ("GET", "/v1/players/me"), ("PATCH", "/v1/players/me"), ("DELETE", "/v1/players/me"), ("GET", "/v1/tokens"),
        ("POST", "/v1/tokens"), ("DELETE", f"/v1/tokens/{game['id']}"), ("POST", "/v1/games"),
        ("POST", of(game, "/commands")), ("GET", of(game, "/legal-commands")), ("POST", of(game, "/join")),
        ("POST", of(game, "/leave")), ("POST", of(game, "/seed")),
    ):  # fmt: skip
        told(service.http.request(method, path), 401, "unauthenticated")


def test_what_no_operation_speaks_is_not_acceptable(ada: Player, game: Game) -> None:
    for path in ("/frames", "/frames/0"):
        told(ada.get(of(game, path), headers={"accept": "image/avif"}), 406, "not_acceptable")


def test_every_kind_of_problem_is_explained(service: Service) -> None:
    kinds = service.http.get("/v1/problems").json()["kinds"]
    assert len(kinds) > 10
    for kind in kinds:
        explained(service, kind["type"].rpartition("/")[2])
    told(service.http.get("/v1/problems/unheard_of"), 404, "no_such_thing")
