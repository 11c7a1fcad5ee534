"""`kibitz login` and `logout`: a code is typed in a browser, and the programs of the terminal are signed in."""

import json
import os
import re
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest

from service.cli.ending import Refusal
from service.cli.login import Credentials, Tokens, service_address
from tests import forking
from tests.service.cli.programs import KIBITZ, ROOT, environment, kibitz

from .browsing import signed_in
from .playing import opened
from .serving import Player, Service
from .watching import until

ASKING_ONCE_ANSWERED = """
from pathlib import Path
from service.cli import login
from tests.waiting import until
login.sleep = lambda seconds: until(Path(__file__).with_name("answered").exists)
"""
"""A module that a program runs at its start: the service wants five seconds between two requests."""


@contextmanager
def logging_in(server: str, home: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """`kibitz login`, and the code that it shows; it asks for the tokens once there is a file `answered`."""
    (home / "answered").unlink(missing_ok=True)
    (home / "sitecustomize.py").write_text(ASKING_ONCE_ANSWERED)
    settings = environment(XDG_CONFIG_HOME=str(home), PYTHONPATH=os.pathsep.join((str(home), str(ROOT))))
    command = [*KIBITZ, "login", server]
    process = forking.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=settings)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.fullmatch(rf"Open {server}/device in a browser, sign in, and type (\S+)\n", line)
        assert match is not None, line
        yield process, match[1]
    finally:
        process.kill()
        process.communicate()


def answer(service: Service, player: Player, code: str, choice: str, home: Path) -> None:
    with signed_in(service, player) as browser:
        assert browser.post("/device/answer", {"user_code": code, "choice": choice}).status_code == 200
    (home / "answered").touch()


def login(service: Service, player: Player, home: Path) -> None:
    """Sign in as this player."""
    with logging_in(service.url, home) as (process, code):
        answer(service, player, code, "allow", home)
        assert process.wait(60) == 0, process.communicate()
        assert process.stdout is not None
        assert "You are signed in at" in process.stdout.read()


def stored_tokens(home: Path) -> dict[str, Tokens]:
    text = (home / "kibitz" / "credentials.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Tokens])


def tokens_of(player: Player) -> list[dict[str, Any]]:
    return [one for one in player.get("/v1/tokens").json()["tokens"] if one["label"] == "Kibitz in a terminal"]


def access_token_of(player: Player) -> str:
    """The id of the newest one that a login has made: not of the grant that it is made of, which would end it all."""
    logins = tokens_of(player)
    grants = {one["id"] for one in logins}
    return str([one for one in logins if one["made_of_token_id"] in grants][-1]["id"])


def test_the_terminal_is_signed_in_until_it_signs_out(service: Service, ada: Player, tmp_path: Path) -> None:
    game = opened(ada, visibility="private")["id"]
    replay = ("replay", game, "--server", service.url, "--plain", "--step", "0")
    assert kibitz(*replay, XDG_CONFIG_HOME=str(tmp_path)).returncode == 1
    before = {one["id"] for one in tokens_of(ada)}
    login(service, ada, tmp_path)
    file = tmp_path / "kibitz" / "credentials.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(stored_tokens(tmp_path)) == [service.url]
    done = kibitz(*replay, XDG_CONFIG_HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    made = {one["id"] for one in tokens_of(ada)} - before
    assert {tuple(one["scopes"]) for one in tokens_of(ada) if one["id"] in made} == {("games:read", "games:play")}

    first = stored_tokens(tmp_path)[service.url].access_token
    count = len(tokens_of(ada))
    login(service, ada, tmp_path)
    assert len(tokens_of(ada)) == count, "a second login ends the first"
    for token, status in ((first, 401), (stored_tokens(tmp_path)[service.url].access_token, 200)):
        me = service.http.get("/v1/players/me", headers={"authorization": f"Bearer {token}"})
        assert me.status_code == status

    made = {one["id"] for one in tokens_of(ada)} - before
    out = kibitz("logout", service.url, XDG_CONFIG_HOME=str(tmp_path))
    assert (out.returncode, out.stdout) == (0, f"You are signed out at {service.url}.\n")
    assert stored_tokens(tmp_path) == {}
    assert not {one["id"] for one in tokens_of(ada)} & made
    assert "not signed in" in kibitz("logout", service.url, XDG_CONFIG_HOME=str(tmp_path)).stdout


def test_a_bot_plays_signed_in_and_renews_its_token(service: Service, ada: Player, tmp_path: Path) -> None:
    login(service, ada, tmp_path)
    tokens = [stored_tokens(tmp_path)[service.url].access_token]
    command = [*KIBITZ, "bot", "--server", service.url, "--game-type", "screaming_yoda"]
    settings = environment(XDG_CONFIG_HOME=str(tmp_path))
    ada.http.delete(f"/v1/tokens/{access_token_of(ada)}")  # the first request is refused already
    process = forking.Popen(command, stdout=subprocess.PIPE, text=True, env=settings)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(f"Ada ({ada.id}) looks for")
        tokens.append(stored_tokens(tmp_path)[service.url].access_token)
        ada.http.delete(f"/v1/tokens/{access_token_of(ada)}")  # and then one of those that are repeated
        until(lambda: stored_tokens(tmp_path)[service.url].access_token not in tokens)
        tokens.append(stored_tokens(tmp_path)[service.url].access_token)
        assert len(set(tokens)) == 3
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()


def test_a_no_is_told_and_keeps_nothing(service: Service, ada: Player, tmp_path: Path) -> None:
    with logging_in(service.url, tmp_path) as (process, code):
        answer(service, ada, code, "refuse", tmp_path)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (1, "kibitz: You did not allow it.\n")
    assert not (tmp_path / "kibitz").exists()


def test_of_two_programs_that_renew_at_once_one_does(service: Service, ada: Player, tmp_path: Path) -> None:
    login(service, ada, tmp_path)
    credentials = Credentials(tmp_path / "kibitz")
    old = stored_tokens(tmp_path)[service.url].access_token
    assert old == credentials.access_token(service.url + "/anything")
    with ThreadPoolExecutor(4) as pool:
        tokens = list(pool.map(lambda _: Credentials(tmp_path / "kibitz").access_token(service.url, old), range(4)))
    assert len(set(tokens)) == 1
    assert tokens[0] not in (None, old)
    assert service.http.get("/v1/players/me", headers={"authorization": f"Bearer {tokens[0]}"}).status_code == 200
    for one in tokens_of(ada):
        ada.http.delete(f"/v1/tokens/{one['id']}")
    assert credentials.access_token(service.url, tokens[0]) is None, "who took the leave back is signed out here"
    assert stored_tokens(tmp_path) == {}


def test_wrong_servers_and_a_broken_file_are_told_so(tmp_path: Path) -> None:
    for server in ("", "cards.example", "ftp://cards.example", "http://", "http://[::1"):
        with pytest.raises(Refusal, match="is no address"):
            service_address(server)
    done = kibitz("login", "http://127.0.0.1:1", XDG_CONFIG_HOME=str(tmp_path))
    assert (done.returncode, "does not answer as Kibitz does" in done.stderr) == (1, True)
    (tmp_path / "credentials.json").write_text("{")
    with pytest.raises(Refusal, match="Delete it and sign in again"):
        Credentials(tmp_path).access_token("http://cards.example")


def test_a_service_writes_nothing_of_its_own_to_the_terminal(tmp_path: Path) -> None:
    codes = {"user_code": "\x1b[2JBCDF", "verification_uri": "\x1b]0;x\x07", "device_code": "d", "expires_in": 0}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            text = json.dumps(codes if "device" in self.path else {"error": "\x1b[2J"}).encode()
            self.send_response(200 if "device" in self.path else 400)
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}"
            expired = kibitz("login", address, XDG_CONFIG_HOME=str(tmp_path))
            codes |= {"expires_in": 60, "interval": 0}
            refused = kibitz("login", address, XDG_CONFIG_HOME=str(tmp_path))
        finally:
            server.shutdown()
            thread.join()
    assert (expired.returncode, refused.returncode) == (1, 1)
    assert "\x1b" not in expired.stdout + expired.stderr + refused.stdout + refused.stderr
    assert "refuses" in refused.stderr
