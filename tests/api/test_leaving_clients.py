"""Clients reset their connections at every moment of every kind of request: nothing of theirs remains."""

from random import Random

from tests.faults.leaving import Account, leave

from .serving import serving
from .sockets import connected
from .watching import metric, until

_STREAMS = 240


def test_clients_who_leave_take_nothing_with_them(database: str) -> None:
    bounds = {"max_streams_per_sender": _STREAMS, "max_connections_per_address": _STREAMS + 10}
    with serving(database, heartbeat=5.0, **bounds) as service:
        account = Account(service.url)
        assert set(leave([account], 480, Random(1))) == set(account.requests())
        leave([account], 1_200, Random(2), ("stream_game",))
        for gauge in ("kibitz_open_streams", "kibitz_open_inboxes"):
            until(lambda gauge=gauge: metric(service, gauge) == 0)  # type: ignore[misc]
        assert account.unanswered() == {}
        with connected(service, _STREAMS) as clients:
            for client in clients:
                client.sendall(account.requests()["stream_game"])
            assert {client.recv(12) for client in clients} == {b"HTTP/1.1 200"}
