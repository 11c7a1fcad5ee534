"""Limits: a while's quota for each sender, and who a sender is."""

import pytest

from service import pages, resources
from service.limits import MINUTE, OF_OPERATION, Quotas, operations_quotas
from service.open_streams import STREAMS
from service.senders import network
from service.settings import Settings


class Clock:
    """A time that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_quota_is_whole_again_a_minute_after_its_first_request() -> None:
    clock = Clock()
    quotas = Quotas("requests", 2, MINUTE, clock)
    assert [quotas.take(b"ada").requests for _ in range(3)] == [1, 0, -1]
    clock.now += 59.5
    assert quotas.take(b"ada") == (-2, 1)
    clock.now += 0.5
    assert quotas.take(b"ada").requests == 1


def test_several_may_be_taken_at_once() -> None:
    quotas = Quotas("commands", 10, MINUTE, Clock())
    assert [quotas.take(b"ada", count).requests for count in (4, 6, 1)] == [6, 0, -1]


def test_senders_have_a_quota_each() -> None:
    quotas = Quotas("requests", 1, MINUTE, Clock())
    assert quotas.take(b"ada").requests == 0
    assert quotas.take(b"bob").requests == 0


def test_what_is_remembered_is_bounded() -> None:
    quotas = Quotas("requests", 5, MINUTE, Clock())
    for number in range(25_000):
        quotas.take(b"%d" % number)
    assert len(quotas._used) <= 10_000


def test_a_quota_tells_its_policy_and_what_is_left() -> None:
    quotas = Quotas("openings", 7, 3600, Clock())
    assert quotas.policy == b'"openings";q=7;w=3600'
    assert quotas.form % quotas.take(b"ada", 5) == b'"openings";r=2;t=3601'


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
    names = {handler.name for handler in [*resources.found(), *pages.found()]}
    assert set(OF_OPERATION) | STREAMS <= names


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("unknown", "no address", False),
    ],
)
def test_an_address_is_one_sender_and_so_is_a_whole_64_of_ipv6(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same
