"""The image, built by the Dockerfile's steps from a Debian that stands for its base, and containers of it.

There is no registry and no systemd here: base images have the Dockerfile's names, and health checks are run by hand.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests import debian
from tests.faults.world import ROOT, until

from .roots import CACHE, debian_root, run, wheels

STORAGE = ("--storage-driver=overlay", f"--root={CACHE}/storage", "--runroot=/run/kibitz-rehearsal")
LIMITS = ("--ulimit=nofile=16384:16384", "--ulimit=nproc=4096:4096")
"""What podman would ask for may be more than this machine gives."""
BASES = ("python:3.13-slim-bookworm", "debian:bookworm-slim", "postgres:18")
WEBHOOKS = ("--env=KIBITZ_WEBHOOKS_BY_HTTP=true", "--env=KIBITZ_WEBHOOKS_TO_PRIVATE=true")
OUTSIDE = "10.79.1.1"
HARDENED = ("--init", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges")
_POSTGRES = """#!/bin/sh
set -eu
as="setpriv --reuid=postgres --regid=postgres --clear-groups"
bin=/usr/lib/postgresql/15/bin
data=/var/lib/postgresql/data
if [ ! -d $data ]; then
    chown postgres /var/lib/postgresql
    $as $bin/initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 $data
    echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
    $as $bin/pg_ctl -w -D $data -o '-c listen_addresses=' start
    $as createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
    $as $bin/pg_ctl -w -D $data stop
fi
exec $as $bin/postgres -D $data -c listen_addresses='*'
"""


def podman(*words: str | Path, said: str | None = None) -> str:
    return run("podman", *STORAGE, *words, said=said)


def build_images() -> None:
    """`kibitz` and `kibitz-pgbouncer` of this checkout."""
    debian.program("podman buildah crun conmon netavark aardvark-dns catatonit iptables uidmap", ["podman"])
    debian.program("buildah", ["buildah"])
    debian.program("crun", ["crun"])
    with suppress(subprocess.CalledProcessError):
        run(
            "umount", "/sys/fs/cgroup/unified"
        )  # in our own mount namespace: crun refuses both kinds of cgroups at once
    build = ("buildah", *STORAGE)
    if not podman("images", "--quiet", BASES[-1]):
        container = run(*build, "from", "scratch").strip()
        root = Path(run(*build, "mount", container).strip())
        run("cp", "--archive", f"{debian_root()}/.", root)
        (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        (root / "usr/local/bin/entrypoint").write_text(_POSTGRES)
        (root / "usr/local/bin/entrypoint").chmod(0o755)
        variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "PATH": "/usr/local/bin:/usr/bin:/usr/sbin"}
        run(*build, "config", *(f"--env={name}={value}" for name, value in variables.items()), container)
        for name in BASES:
            if name == "postgres:18":
                run(*build, "config", "--entrypoint", '["entrypoint"]', container)
            run(*build, "commit", "--quiet", container, f"docker.io/library/{name}")
        run(*build, "rm", container)
    steps = (*build, "bud", "--pull=never", "--format=docker", "--isolation=chroot", f"--volume={wheels()}:/wheels:ro")
    run(*steps, "--tag=kibitz", f"--file={ROOT}/deploy/Dockerfile", ROOT)
    run(*steps, "--network=host", "--tag=kibitz-pgbouncer", ROOT / "deploy" / "pgbouncer")


class Container:
    """One container of the image, with a private database in its volume."""

    outside = OUTSIDE
    elsewhere = ("--data-folder", "/var/lib/kibitz/restored")

    def __init__(self, name: str) -> None:
        self.name = name
        self.url = f"http://{address(name)}:8000"

    def kibitz(self, *words: str) -> str:
        return podman("exec", self.name, "kibitz", *words)

    def processes(self) -> dict[str, list[psutil.Process]]:
        return {self.name: family(self.name)}


def address(name: str) -> str:
    """Of a container in the first of its networks."""
    (inspected,) = json.loads(podman("inspect", name))
    return str(next(iter(inspected["NetworkSettings"]["Networks"].values()))["IPAddress"])


def family(name: str) -> list[psutil.Process]:
    first = psutil.Process(int(podman("inspect", "--format={{.State.Pid}}", name)))
    return [first, *first.children(recursive=True)]


def check_health(name: str) -> None:
    """Run the image's own check in the container, as an engine does every ten seconds."""
    (inspected,) = json.loads(podman("image", "inspect", "kibitz"))
    test = inspected["Healthcheck"]["Test"]
    assert test[0] == "CMD", test
    podman("exec", name, *test[1:])


def stop(name: str) -> None:
    """In good order, and within the time that is given."""
    podman("stop", name)
    assert podman("inspect", "--format={{.State.ExitCode}}", name).strip() == "0", f"{name} did not end in good order"


@contextmanager
def started(folder: Path) -> Iterator[Container]:
    """As deploy/README runs one container."""
    build_images()
    with network("rehearsal", OUTSIDE):
        try:
            podman("run", "--detach", "--name=one", "--network=rehearsal", *LIMITS, *HARDENED, *WEBHOOKS,
                   "--no-healthcheck", "--volume=kibitz:/var/lib/kibitz", "--stop-timeout=60", "kibitz")  # fmt: skip
            container = Container("one")
            until(lambda: "Application startup complete" in logs("one"), lambda: logs("one"))
            check_health("one")
            yield container
            stop("one")
        finally:
            (folder / "one.log").write_text(logs("one"))
            podman("rm", "--force", "--time=5", "one")
            podman("volume", "rm", "--force", "kibitz")


def logs(name: str) -> str:
    done = subprocess.run(["podman", *STORAGE, "logs", name], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@contextmanager
def network(name: str, gateway: str, *more: str) -> Iterator[None]:
    """One of podman's networks; this machine has the address of the gateway in it."""
    podman("network", "create", f"--subnet={gateway}/24", f"--gateway={gateway}", *more, name)
    try:
        yield
    finally:
        podman("network", "rm", "--force", name)
