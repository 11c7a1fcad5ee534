"""So many requests a minute for each good token, and for each address without one."""

import httpx

from service.postgres import Server

from .browsing import signed_in
from .problems import told
from .serving import database_of, registered, serving


def test_beyond_the_limit_nothing_is_served_but_to_others_and_to_the_operator(
    postgres: Server, template_database: str
) -> None:
    with (
        database_of(postgres, template_database) as conninfo,
        serving(conninfo, rate_limit_per_minute=20) as service,
    ):
        ada, bob = registered(service, "Ada"), registered(service, "Bob")
        assert [player.get("/v1/players/me").status_code for player in (ada, bob)] == [200, 200]
        answers = [ada.get("/v1/players/me") for _ in range(20)]
        assert all(answer.status_code == 200 for answer in answers)
        refused(ada.get("/v1/players/me"))
        assert bob.get("/v1/players/me").status_code == 200
        made_up = [
            service.http.get("/v1/game-types", headers={"authorization": f"Bearer kbz_{number}"})
            for number in range(17)
        ]
        refused(made_up[-1])
        refused(service.http.post("/v1/players", json={"name": "Eve"}, headers={"authorization": "Bearer kbz_x"}))
        for probe in ("/livez", "/readyz", "/metrics"):
            assert service.http.get(probe).status_code == 200


def refused(answer: httpx.Response) -> None:
    told(answer, 429, "too_many_requests")
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert answer.headers["ratelimit"].startswith('"requests";r=0;')
    assert answer.headers["ratelimit-policy"] == '"requests";q=20;w=60'


def test_a_session_has_a_quota_of_its_own(postgres: Server, template_database: str) -> None:
    with (
        database_of(postgres, template_database) as conninfo,
        serving(conninfo, rate_limit_per_minute=20) as service,
    ):
        with signed_in(service, registered(service, "Ada")) as browser:
            assert [browser.get("/v1/players/me").status_code for _ in range(22)] == [200] * 21 + [429]
        assert service.http.get("/v1/game-types").status_code == 200
