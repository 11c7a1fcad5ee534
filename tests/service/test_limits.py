"""Limits: a minute's quota for each sender."""

from service.limits import Quotas
from tests.api.serving import database_of, serving


class Clock:
    """A time that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_quota_is_whole_again_a_minute_after_its_first_request() -> None:
    clock = Clock()
    quotas = Quotas(2, clock)
    assert [quotas.take(b"ada").requests for _ in range(3)] == [1, 0, -1]
    clock.now += 59.5
    assert quotas.take(b"ada") == (-2, 1)
    clock.now += 0.5
    assert quotas.take(b"ada").requests == 1


def test_senders_have_a_quota_each() -> None:
    quotas = Quotas(1, Clock())
    assert quotas.take(b"ada").requests == 0
    assert quotas.take(b"bob").requests == 0


def test_what_is_remembered_is_bounded() -> None:
    quotas = Quotas(5, Clock())
    for number in range(25_000):
        quotas.take(b"%d" % number)
    assert len(quotas._used) <= 10_000


def test_an_answer_tells_the_quota_and_a_refusal_when_to_come_back(postgres, template_database) -> None:  # type: ignore[no-untyped-def]
    with database_of(postgres, template_database) as conninfo, serving(conninfo, rate_limit_per_minute=2) as service:
        first, _, third = (service.http.get("/v1/game-types") for _ in range(3))
        assert first.headers["ratelimit-policy"] == '"requests";q=2;w=60'
        assert first.headers["ratelimit"].startswith('"requests";r=1;t=')
        assert third.status_code == 429
        assert third.json()["type"] == "/v1/problems/too_many_requests"
        assert 1 <= int(third.headers["retry-after"]) <= 61
        assert service.http.get("/livez").status_code == 200
