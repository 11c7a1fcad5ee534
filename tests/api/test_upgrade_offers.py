"""An offer of another protocol that is not taken: the request is answered as it stands (RFC 9110, 7.8)."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from service.postgres import Server

from .serving import Service, database_of, serving
from .sockets import HEAD, answer, connected, everything, status

OFFERS = ("h2c", "foo/2", "websocket", "h2c, websocket")
BODY = b'{"name":"Offa"}'
SMUGGLED = b"POST /v1/players HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}"
REGISTERING = b"POST /v1/players HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\n"
LIVE = HEAD + b"\r\n"


@pytest.fixture(scope="module")
def strict(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server that takes short heads only."""
    with (
        database_of(postgres, template_database) as conninfo,
        serving(conninfo, max_head_bytes=4096, run_worker=False) as service,
    ):
        yield service


def offering(protocol: str) -> bytes:
    """The headers of curl and of the JDK that offer it."""
    return b"connection: Upgrade, HTTP2-Settings\r\nupgrade: %b\r\nhttp2-settings: AAEAAEAA\r\n" % protocol.encode()


def framed(body: bytes, chunked: bool) -> bytes:
    """The end of a head and this body."""
    if chunked:
        pieces = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
        return b"transfer-encoding: chunked\r\n\r\n%b0\r\nx-trailer: y\r\n\r\n" % pieces
    return b"content-length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize("protocol", OFFERS)
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("step", [1, 40, 100_000], ids=["bytes", "pieces", "at once"])
def test_the_body_is_read_and_the_next_request_answered(
    service: Service, protocol: str, chunked: bool, step: int
) -> None:
    request = REGISTERING + offering(protocol) + framed(BODY, chunked) + LIVE
    with connected(service) as (one,):
        for begin in range(0, len(request), step):
            one.sendall(request[begin : begin + step])
        made = answer(one)
        rest = made.partition(b"\r\n\r\n")[2]
        while not rest.endswith(b"}") or b"HTTP/1.1" not in rest:
            rest += one.recv(65_536)
    assert status(made) == 201
    assert b'"name":"Offa"' in made
    assert status(rest[rest.index(b"HTTP/1.1") :]) == 200


@pytest.mark.parametrize("protocol", OFFERS)
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_a_body_that_is_a_request_is_none(service: Service, protocol: str, chunked: bool) -> None:
    head, _, body = (REGISTERING + offering(protocol) + framed(SMUGGLED, chunked)).partition(b"\r\n\r\n")
    with connected(service) as (one,):
        one.sendall(head + b"\r\n\r\n")
        time.sleep(0.5)
        one.sendall(body)
        refused = answer(one)
        one.sendall(HEAD + b"connection: close\r\n\r\n")
        assert status(everything(one)) == 200
    assert status(refused) == 400
    assert refused.count(b"HTTP/1.1") == 1
    assert json.loads(refused.partition(b"\r\n\r\n")[2])["type"] == "/v1/problems/malformed"


def test_many_offers_in_one_piece_are_answered_in_their_order(service: Service) -> None:
    offer = HEAD + offering("h2c") + b"\r\n"
    with connected(service) as (one,):
        one.sendall((offer + LIVE) * 50 + HEAD + offering("h2c") + b"connection: close\r\n\r\n")
        assert everything(one).count(b"HTTP/1.1 200 OK") == 101


def test_a_client_that_waits_for_100_gets_it(service: Service) -> None:
    with connected(service) as (one,):
        length = b"expect: 100-continue\r\ncontent-length: %d\r\n\r\n" % len(BODY)
        one.sendall(REGISTERING + offering("h2c") + length)
        assert status(one.recv(65_536)) == 100
        one.sendall(BODY)
        assert status(answer(one)) == 201


@pytest.mark.parametrize("step", [500, 100_000], ids=["pieces", "at once"])
def test_an_offer_counts_towards_the_length_of_its_head(strict: Service, step: int) -> None:
    request = HEAD + offering("h2c" + ", x" * 2_000) + b"\r\n"
    with connected(strict) as (one,):
        with suppress(OSError):  # it closes before it has read all pieces
            for begin in range(0, len(request), step):
                one.sendall(request[begin : begin + step])
                time.sleep(0.01)
        assert status(everything(one)) == 431


def test_a_tunnel_is_no_request_and_what_follows_is_none_either(service: Service) -> None:
    for target in (b"here:80", b"a://here/v1/players"):
        with connected(service) as (one,):
            one.sendall(b"CONNECT %b HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}" % target + LIVE)
            heard = everything(one)
        assert status(heard) == 400
        assert heard.count(b"HTTP/1.1") == 1


def test_an_older_version_offers_nothing(service: Service) -> None:
    """RFC 9110, 7.8: `Upgrade` in a request of HTTP/1.0 is ignored."""
    upgrade = b"upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    with connected(service) as (one,):
        one.sendall(b"GET /v1/play HTTP/1.0\r\nhost: here\r\nconnection: Upgrade\r\n" + upgrade + b"\r\n")
        assert status(everything(one)) == 426
