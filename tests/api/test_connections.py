"""Connections that say too little, too slowly, too much, or are too many: by bare sockets."""

import socket
import time
from contextlib import ExitStack, suppress
from select import select

import httpx
import pytest

from .playing import look, of, opened
from .problems import told
from .serving import Player, Service, registered, server_fixture
from .sockets import HEAD, answer, answers, connected, everything, status
from .watching import until

NOBODY = {"FORWARDED_ALLOW_IPS": "127.0.0.2"}
"""127.0.0.1 is no proxy then."""
HEAD_SECONDS = 1.0
QUICK = {"head_seconds": HEAD_SECONDS, "body_seconds": HEAD_SECONDS, "keep_alive_seconds": 1}


hasty = server_fixture(**QUICK, environment=NOBODY, run_worker=False)
"""A server that waits for nobody."""
strict = server_fixture(
    max_head_bytes=4096, max_connections_per_address=30, head_seconds=60.0, environment=NOBODY, run_worker=False
)
"""A server that waits as long as it takes, for short heads and few connections of an address."""
full = server_fixture(
    max_connections=10, max_connections_per_address=5, max_streams=3, max_streams_per_sender=2, run_worker=False
)
"""A server that has room for few."""


def test_a_head_that_comes_byte_by_byte_is_too_slow(hasty: Service) -> None:
    with connected(hasty) as (client,):
        client.sendall(b"GET /livez HTTP/1.1\r\n")
        while not select([client], [], [], 0.02)[0]:
            client.sendall(b"x: y\r\n")
        heard = client.recv(65_536)
    assert status(heard) == 408
    assert b"/v1/problems/too_slow" in heard


def test_a_body_that_never_ends_is_too_slow(hasty: Service) -> None:
    ada = registered(hasty, "Ada")
    game = opened(ada)
    head = f"POST /v1/games/{game['id']}/commands HTTP/1.1\r\nhost: here\r\nauthorization: Bearer {ada.token}\r\n"
    with connected(hasty) as (client,):
        client.sendall(head.encode() + b"content-type: application/json\r\ncontent-length: 30\r\n\r\n")
        client.sendall(b'{"type":')
        heard = everything(client)
    assert status(heard) == 408
    assert look(ada, game)["version"] == game["version"]
    until(lambda: '"status": 408' in hasty.log())
    assert '"status": 500' not in hasty.log()  # an operator would look for a fault


def test_who_is_silent_idles_or_mumbles_is_shown_out(hasty: Service) -> None:
    with connected(hasty, 3) as (new, silent, mumbling):
        assert all_asked([silent, mumbling]) == [200, 200]
        mumbling.sendall(b"G")
        assert [everything(client) for client in (new, silent)] == [b"", b""]
        assert status(everything(mumbling)) == 408


def test_requests_that_take_not_too_long_are_answered(hasty: Service) -> None:
    """All together they take longer than one may."""
    while not answered_in_pieces(hasty):
        pass


def answered_in_pieces(service: Service) -> bool:
    """Whether this machine sent three requests in time, each in pieces; they are answered then."""
    with connected(service) as (client,):
        for _ in range(3):
            began, heard = time.monotonic(), b""
            with suppress(OSError):
                for piece in (HEAD[:10], HEAD[10:]):
                    client.sendall(piece)
                    time.sleep(HEAD_SECONDS / 5)
                client.sendall(b"\r\n")
                while not heard.endswith(b"}") and (piece := client.recv(65_536)):
                    heard += piece
            if time.monotonic() - began >= HEAD_SECONDS:
                return False
            assert heard.startswith(b"HTTP/1.1 200"), "the server did not wait for all"
    return True


def test_requests_that_come_together_are_answered_in_their_order(strict: Service) -> None:
    with connected(strict) as (client,):
        whole = (HEAD + b"\r\n") * 200
        client.sendall(whole[:5000])
        client.sendall(whole[5000:])
        heard = b""
        while heard.count(b"HTTP/1.1 200") < 200:
            heard += client.recv(65_536)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("what", ["a header", "headers", "a path", "a query"])
def test_a_head_that_is_too_long_is_refused(strict: Service, what: str, at_once: bool) -> None:
    start, rest = {
        "a header": (HEAD, b"x: " + b"y" * 8000 + b"\r\n"),
        "headers": (HEAD, b"x: y\r\n" * 1500),
        "a path": (b"GET /", b"y" * 8000 + b" HTTP/1.1\r\n"),
        "a query": (b"GET /?", b"y" * 8000 + b" HTTP/1.1\r\n"),
    }[what]
    with connected(strict) as (client,):
        if at_once:
            client.sendall(start + rest + b"\r\n")
        else:
            client.sendall(start)
            time.sleep(0.05)
            client.sendall(rest)
        heard = everything(client)
    assert status(heard) == 431
    assert b"/v1/problems/head_too_large" in heard


def test_other_protocols_are_malformed_and_wishes_for_them_passed_over(strict: Service) -> None:
    with connected(strict, 2) as (foreign, wishing):
        foreign.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n")
        heard = everything(foreign)
        wishing.sendall(HEAD + b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n")
        assert status(answer(wishing)) == 200
    assert status(heard) == 400
    assert b"/v1/problems/malformed" in heard


UPGRADE = (
    b"GET /v1/play HTTP/1.1\r\nhost: here\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: kibitz.play.v1\r\n"
)


@pytest.mark.parametrize(
    ("more", "expected"), [(b"x: y\r\n" * 130, 431), (b"content-length: 5\r\n", 400)], ids=["headers", "body"]
)
def test_an_upgrade_that_no_websocket_takes_is_refused(strict: Service, more: bytes, expected: int) -> None:
    with connected(strict) as (client,):
        client.sendall(UPGRADE + more + b"\r\n")
        assert status(everything(client)) == expected


def test_trailers_are_no_headers_and_have_a_bound(strict: Service) -> None:
    chunked = b"content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    head = b"POST /v1/games HTTP/1.1\r\nhost: here\r\n" + chunked
    token = registered(strict, "Tess").token.encode()
    with connected(strict) as (client,):
        client.sendall(head + b"2\r\n{}\r\n0\r\nauthorization: Bearer " + token + b"\r\n\r\n")
        assert status(answer(client)) == 401
    with connected(strict) as (client,), suppress(OSError):
        client.sendall(head + b"2\r\n{}\r\n0\r\n")
        for _ in range(2_000):
            client.sendall(b"x: y\r\n" * 1_000)
            time.sleep(0.001)
        pytest.fail("12 MB of trailers were taken")


def test_connections_beyond_the_bound_of_an_address_are_refused(strict: Service) -> None:
    with connected(strict) as (early,), connected(strict, 27):
        assert asked(early) == 200
        with connected(strict, 8) as late:
            assert set(all_asked(late)[-5:]) == {429}
            assert asked(early) == 200
    with connected(strict) as (client,):
        assert asked(client) == 200


def asked(client: socket.socket) -> int:
    """The status of an answer to one more request."""
    return all_asked([client])[0]


def all_asked(several: list[socket.socket]) -> list[int]:
    """The status of an answer to one more request on each."""
    heard = answers(several, HEAD + b"\r\n")
    assert all(status(text) == 200 or (b"retry-after: 5" in text and b"connection: close" in text) for text in heard)
    return [status(text) for text in heard]


def test_connections_beyond_the_bound_are_refused_whoever_brings_them(full: Service) -> None:
    """Those of a proxy too, which 127.0.0.1 is by default; no more than that bound stay open."""
    with connected(full, 12) as made:
        assert all_asked(made) == [200] * 10 + [503] * 2


def test_streams_are_bounded_for_each_and_in_all(full: Service) -> None:
    ada, bob = registered(full, "Ada"), registered(full, "Bob")
    game = opened(ada)
    with ExitStack() as stack:

        def stream(player: Player) -> httpx.Response:
            return stack.enter_context(player.http.stream("GET", of(game, "/events")))

        assert [stream(ada).status_code for _ in range(3)] == [200, 200, 429]
        assert [stream(bob).status_code for _ in range(2)] == [200, 503]
        refused = stream(bob)
        refused.read()
        told(refused, 503, "busy")
        assert int(refused.headers["retry-after"]) > 0
    until(lambda: ada.get(of(game, "/events"), params={"max_seconds": 0}).status_code == 200)  # they have ended


HOSTS = {
    "one": (b"1.1", b"host: here\r\n", 200),
    "none": (b"1.1", b"", 400),
    "two": (b"1.1", b"host: here\r\nhost: there\r\n", 400),
    "the same twice": (b"1.1", b"Host: here\r\nhOST: here\r\n", 400),
    "none before 1.1": (b"1.0", b"", 200),
    "two before 1.1": (b"1.0", b"host: here\r\nhost: there\r\n", 400),
}


@pytest.mark.parametrize("which", HOSTS)
@pytest.mark.parametrize("path", [b"/livez", b"/nowhere", b"/v1/games/00000000-0000-7000-8000-000000000000"])
def test_a_request_names_one_host(which: str, path: bytes, service: Service) -> None:
    version, hosts, expected = HOSTS[which]
    with connected(service) as (client,):
        client.sendall(b"GET %b HTTP/%b\r\n%bconnection: close\r\n\r\n" % (path, version, hosts))
        heard = everything(client)
    assert status(heard) == (expected if expected == 400 or path == b"/livez" else 404)
    assert (b"Host: " in heard) == (expected == 400)
