"""Limits: a while's quota for each sender, and who a sender is."""

import pytest

from service import api, web
from service.api.play.line import open_line
from service.http.front import STREAMS, OpenStreams, network
from service.http.limits import MINUTE, OF_OPERATION, Quotas, Windows, operations_quotas
from service.settings import Settings


class Clock:
    """A time that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_senders_have_a_quota_each_that_is_whole_again_after_a_minute() -> None:
    clock = Clock()
    quotas = Quotas("requests", 2, MINUTE, clock=clock)
    assert [quotas.take(b"ada", b"here").requests for _ in range(3)] == [1, 0, -1]
    clock.now += 59.5
    assert quotas.take(b"ada", b"here") == (-2, 1)
    clock.now += 0.5
    assert quotas.take(b"ada", b"here").requests == 1
    quotas = Quotas("commands", 10, MINUTE, clock=Clock())
    assert [quotas.take(b"ada", b"here", count).requests for count in (4, 6, 1)] == [6, 0, -1]
    quotas = Quotas("requests", 1, MINUTE, clock=Clock())
    assert quotas.take(b"ada", b"here").requests == 0
    assert quotas.take(b"bob", b"there").requests == 0


def test_an_address_has_a_larger_quota_and_a_refusal_costs_no_neighbour() -> None:
    quotas = Quotas("requests", 2, MINUTE, 2, Clock())
    asked = [(b"ada", b"here"), (b"bob", b"here"), (b"cid", b"here"), (b"cid", b"there"), (b"ada", b"here")]
    assert [quotas.take(*one, 2).requests for one in asked] == [0, 0, -2, -2, -2]
    assert quotas.take(b"here", b"here", 2).requests == 0  # who has no token has the address's own quota
    quotas = Quotas("requests", 2, MINUTE, 2, Clock())
    assert quotas.take(b"ada", b"here", 1_000).requests == -998
    assert quotas.take(b"bob", b"here").requests == 1


def test_what_is_remembered_is_bounded() -> None:
    windows = Windows(5, MINUTE, Clock())
    for number in range(25_000):
        windows.take(b"%d" % number, 1)
    assert len(windows) <= 10_000


def test_streams_are_counted_by_player_and_by_address() -> None:
    streams = OpenStreams(10, 2, 2)
    for who in (b"ada", b"ada", b"bob", b"bob"):
        assert streams.refusal(who, b"here") is None
        streams.begin(who, b"here")
    for who, address in ((b"ada", b"there"), (b"cid", b"here")):
        refusal = streams.refusal(who, address)
        assert refusal is not None
        assert refusal.status == 429
    streams.end(b"bob", b"here")
    assert streams.refusal(b"cid", b"here") is None


def test_a_quota_tells_its_policy_and_what_is_left() -> None:
    quotas = Quotas("openings", 7, 3600, clock=Clock())
    assert quotas.policy == b'"openings";q=7;w=3600'
    assert quotas.form % quotas.take(b"ada", b"here", 5) == b'"openings";r=2;t=3601'


def test_what_is_not_set_is_a_share_of_the_general_quota() -> None:
    def policies(settings: Settings) -> set[bytes]:
        return {quotas.policy for quotas in operations_quotas(settings).values()}

    assert policies(Settings()) == {
        b'"commands";q=3000;w=60', b'"openings";q=600;w=60', b'"heavy";q=600;w=60', b'"registrations";q=60;w=3600',
    }  # fmt: skip
    chosen = Settings(commands_per_minute=1, openings_per_minute=2, heavy_per_minute=3, registrations_per_hour=4)
    assert policies(chosen) == {
        b'"commands";q=1;w=60', b'"openings";q=2;w=60', b'"heavy";q=3;w=60', b'"registrations";q=4;w=3600',
    }  # fmt: skip


def test_every_operation_with_a_limit_of_its_own_is_there() -> None:
    names = {handler.name for handler in [*api.find_handlers(), *web.find_handlers(), open_line]}
    assert set(OF_OPERATION) | STREAMS <= names


@pytest.mark.parametrize(("one", "other", "same"), [
    ("203.0.113.7", "203.0.113.8", False), ("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", True),
    ("2001:db8:1:2::3", "2001:db8:1:3::3", False), ("::ffff:203.0.113.7", "203.0.113.7", True),
    ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False), ("fe80::1%eth0", "fe80::2%eth0", True),
    ("unknown", "no address", False),
])  # fmt: skip
def test_an_address_is_one_sender_and_so_is_a_whole_64_of_ipv6(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same
