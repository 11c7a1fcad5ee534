"""Where webhooks go: to a receiver by TLS whose authority is trusted, and never to a private address."""

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.outbox.sending import Attempt, Sender
from service.postgres import Server

from .receiving import Receiver
from .serving import Service, database_of, registered
from .test_webhooks import delivered, finish, hooked, shown, verified
from .watching import until

FAR = "2606:4700::1111"
"""An address of the open internet."""


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority of our own, `ca.pem`, and a certificate by it for this machine, `localhost.pem`."""
    folder = tmp_path_factory.mktemp("authority")
    quick = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    own = ("-subj", "/CN=Our own", "-days", "2", "-addext", "keyUsage=critical,keyCertSign")  # else 3.13 refuses it
    openssl(folder, "req", "-x509", *quick, "-keyout", "ca.key", "-out", "ca.pem", *own)
    name = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    openssl(folder, "req", *quick, "-keyout", "own.key", "-out", "own.csr", *name)
    signed = ("-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-copy_extensions", "copy", "-days", "2")
    openssl(folder, "x509", "-req", *signed, "-out", "own.pem")
    (folder / "localhost.pem").write_text((folder / "own.pem").read_text() + (folder / "own.key").read_text())
    return folder


@pytest.fixture
def receiver(authority: Path, tmp_path: Path) -> Iterator[Receiver]:
    made = Receiver(tmp_path, authority / "localhost.pem")
    yield made
    made.kill()


@pytest.fixture(params=[True, False], ids=["trusted", "not trusted"])
def service(
    request: pytest.FixtureRequest, postgres: Server, template_database: str, authority: Path
) -> Iterator[Service]:
    """A server whose operator trusts our authority, or does not."""
    trusted = {"SSL_CERT_FILE": str(authority / "ca.pem")} if request.param else {}
    with database_of(postgres, template_database) as conninfo:
        running = Service(conninfo, trusted, forked=False, webhooks_to_private=True, webhook_pause=0.05)
        yield running
        running.end()


def test_a_receiver_by_tls_is_sent_to_if_its_authority_is_trusted(
    service: Service, receiver: Receiver, request: pytest.FixtureRequest
) -> None:
    ann = registered(service, "Ann")
    webhook = hooked(ann, receiver.url("204"))
    event = finish(ann)
    if "not trusted" in request.node.name:
        until(lambda: shown(ann, webhook)["verification_error"] is not None)
        assert "CERTIFICATE_VERIFY_FAILED" in shown(ann, webhook)["verification_error"]
        assert (shown(ann, webhook)["verification"], delivered(ann, webhook)[0]["attempts"]) == ("pending", 0)
        assert receiver.challenges() == receiver.received() == []
    else:
        until(lambda: delivered(ann, webhook)[0]["answer"] is not None)
        (delivery,) = delivered(ann, webhook)
        assert (delivery["status"], delivery["answer_status"]) == ("taken", 204)
        assert verified(receiver.received()[0], webhook["secret"]) == event


def test_a_name_that_turns_private_between_two_look_ups_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A name server that answers with a public address first and then with ours: each attempt asks it once alone."""
    receiver, asked = Receiver(tmp_path), list[str]()
    asking = socket.getaddrinfo

    def turning(host: Any, *rest: Any, **more: Any) -> Any:
        if host != "rebinding.example.org":
            return asking(host, *rest, **more)
        asked.append(FAR if not asked else "127.0.0.1")
        return asking(asked[-1], *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", turning)
    url = receiver.url("204").replace("127.0.0.1", "rebinding.example.org")
    try:
        first, second = asyncio.run(_twice(Sender(seconds=2), url))
        private = asyncio.run(Sender(private=True, seconds=2).send(url, "x", b"{}", [b"key"]))
    finally:
        receiver.kill()
    assert first.status is None
    assert asked[:2] == [FAR, "127.0.0.1"]
    assert second == Attempt(None, "the name leads to a private address")
    assert private.status == 204, "whoever may send there does"
    assert len(receiver.received()) == 1


async def _twice(sender: Sender, url: str) -> tuple[Attempt, Attempt]:
    return await sender.send(url, "x", b"{}", [b"key"]), await sender.send(url, "x", b"{}", [b"key"])
