"""Two hosts in network namespaces that share a database: `python -m tests.deploy.hosts`, as root, with iproute2.

They are started with addresses of the loopback, then with the right ones, and then the way between them is cut while
both still reach their database. For each it prints how long commands to the other host's games take, how they are
answered, and what `/readyz` and `kibitz doctor` say.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx

from tests import clusters, debian
from tests.api.houses import until
from tests.service.cli.programs import KIBITZ, environment

HOSTS, PORT, METRICS = ("a", "b"), 8000, 9100
COMMANDS = 12
_NOWHERE = "02:00:00:00:00:99"
"""No card has this address: what is sent to it is lost without a word."""


def run(*words: str) -> None:
    subprocess.run(words, check=True)


@dataclass
class Host:
    """A namespace: reached from outside at 10.77.N.2, and by the other host at 10.78.0.N."""

    name: str
    number: int
    other: "Host | None" = None

    @property
    def space(self) -> str:
        return f"kibitz-{self.name}"

    @property
    def url(self) -> str:
        return f"http://10.77.{self.number}.2:{PORT}"

    @property
    def inner(self) -> str:
        return f"10.78.0.{self.number}"

    def inside(self, *words: str) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.space, *words)


@contextmanager
def network() -> Iterator[tuple[Host, Host]]:
    """Both namespaces, each with a way from outside and one to the other."""
    debian.program("iproute2", ["ip"])
    first, second = (Host(name, number) for number, name in enumerate(HOSTS, 1))
    with ExitStack() as stack:
        for host in (first, second):
            run("ip", "netns", "add", host.space)
            stack.callback(run, "ip", "netns", "del", host.space)
            run("ip", "link", "add", f"kb-{host.name}", "type", "veth", "peer", "name", "out", "netns", host.space)
            run("ip", "addr", "add", f"10.77.{host.number}.1/24", "dev", f"kb-{host.name}")
            run("ip", "link", "set", f"kb-{host.name}", "up")
            run(*host.inside("ip", "addr", "add", f"10.77.{host.number}.2/24", "dev", "out"))
            run(*host.inside("ip", "link", "set", "out", "up"))
            run(*host.inside("ip", "link", "set", "lo", "up"))
        run(*first.inside("ip", "link", "add", "way", "type", "veth", "peer", "name", "way", "netns", second.space))
        for host in (first, second):
            run(*host.inside("ip", "addr", "add", f"{host.inner}/24", "dev", "way"))
            run(*host.inside("ip", "link", "set", "way", "up"))
        first.other, second.other = second, first
        yield first, second


def cut(hosts: tuple[Host, Host], *, off: bool) -> None:
    """From now on what either sends to the other is lost, or arrives again."""
    for host in hosts:
        assert host.other is not None
        place = (host.other.inner, "dev", "way")
        if off:
            run(*host.inside("ip", "neigh", "replace", place[0], "lladdr", _NOWHERE, *place[1:], "nud", "permanent"))
        else:
            run(*host.inside("ip", "neigh", "del", *place))


@contextmanager
def serving(hosts: tuple[Host, Host], conninfo: str, folder: Path, *, right: bool) -> Iterator[None]:
    """The service on both; `right`: each gives the address at which the other reaches it."""
    began = []
    try:
        for host in hosts:
            settings = {"DATABASE_URL": conninfo, "KIBITZ_SIGNING_KEYS": str(folder / "keys")}
            settings |= {"KIBITZ_ADDRESS": f"{host.inner}:8002"} if right else {}
            words = [*KIBITZ, "serve", "--host", "0.0.0.0", "--port", str(PORT), "--no-worker"]
            around = environment(**settings)
            with open(folder / f"{host.name}.log", "a") as log:
                began.append(subprocess.Popen(host.inside(*words), env=around, stdout=subprocess.DEVNULL, stderr=log))
            until(lambda host=host: is_up(host))  # type: ignore[misc]
        time.sleep(2)  # the slots are shared
        yield
    finally:
        for process in began:
            process.terminate()
        for process in began:
            process.wait(60)


def is_up(host: Host) -> bool:
    try:
        return httpx.get(f"{host.url}/readyz?only=store").status_code == 200
    except httpx.TransportError:
        return False


def play(hosts: tuple[Host, Host], title: str) -> bool:
    """Games opened at either host are played at the other; whether all commands were stored."""
    answers: Counter[int] = Counter()
    slowest, games = 0.0, []
    for host in hosts:
        assert host.other is not None
        with httpx.Client(base_url=host.url, timeout=60) as http:
            made = http.post("/v1/players", json={"name": uuid4().hex[:8]}).raise_for_status().json()
            secret = made["token"]["secret"]
            http.headers["authorization"] = f"Bearer {secret}"
            game = http.post("/v1/games", json={"game_type": "klondike"}).raise_for_status().json()
            games.append((host, secret, game))
            for number in range(COMMANDS):
                at = time.monotonic()
                answer = http.post(
                    f"{host.other.url}/v1/games/{game['id']}/commands", json={"type": "klondike/draw"},
                    headers={"idempotency-key": str(number)},
                )  # fmt: skip
                slowest = max(slowest, time.monotonic() - at)
                answers[answer.status_code] += 1
    print(f"{title}: {dict(answers)}, the slowest {slowest:.2f} s")
    time.sleep(0.5)
    right = answers == {200: COMMANDS * len(hosts)}
    for _, secret, game in games:
        for one in hosts:
            seen = httpx.get(f"{one.url}/v1/games/{game['id']}", headers={"authorization": f"Bearer {secret}"}).json()
            right &= seen["version"] == game["version"] + COMMANDS
    return right


def tell(hosts: tuple[Host, Host], conninfo: str) -> str:
    """What both say of the way between them, printed and returned."""
    lines = []
    for host in hosts:
        complaints = httpx.get(f"{host.url}/readyz").json().get("complaints", [])
        lines += [f"  {host.name}: {text}" for text in complaints if "reached" in text]
    doctor = subprocess.run(
        [*KIBITZ, "doctor"], env=environment(DATABASE_URL=conninfo), capture_output=True, text=True, check=False
    )
    said = doctor.stdout.splitlines()
    lines += [f"  doctor: {line}" for line in said if "rocesses" in line or "KIBITZ_ADDRESS" in line]
    print("\n".join(lines))
    return "\n".join(lines)


def main() -> int:
    """Play through all of it; 1 if anything was not as it should be."""
    if os.geteuid() != 0:
        print("Network namespaces need root.", file=sys.stderr)
        return 2
    from service.postgres import private_server  # as the tests start theirs

    folder = Path(tempfile.mkdtemp(prefix="kibitz-hosts-"))
    right = True
    with private_server(clusters.fill(folder), clusters.FAST) as server, network() as hosts:
        with serving(hosts, server.dsn, folder, right=False):
            right &= play(hosts, "loopback addresses")
            time.sleep(8)
            right &= tell(hosts, server.dsn).count("KIBITZ_ADDRESS") >= 3
        with serving(hosts, server.dsn, folder, right=True):
            right &= play(hosts, "right addresses")
            time.sleep(8)
            right &= "reached" not in tell(hosts, server.dsn)
            cut(hosts, off=True)
            right &= play(hosts, "cut, the first commands")
            right &= play(hosts, "cut, later ones")
            time.sleep(8)
            right &= tell(hosts, server.dsn).count("cannot be reached") == 2
            cut(hosts, off=False)
            until(lambda: "reached" not in tell(hosts, server.dsn))
            right &= play(hosts, "the way is back")
    print("as it should be" if right else "NOT as it should be")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
