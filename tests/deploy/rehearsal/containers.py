"""The image, built by the Dockerfile's steps from a Debian that stands for its base, and a container of it.

No registry is asked: base images have the names that the Dockerfiles give them. Without a systemd here the engine does
not look at health by itself: its checks are run by hand.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests import debian
from tests.faults.world import ROOT, until

from .roots import CACHE, debian_root, run, wheels

BASES = ("python:3.13-slim-bookworm", "debian:bookworm-slim", "postgres:18")
WEBHOOKS = {"KIBITZ_WEBHOOKS_BY_HTTP": "true", "KIBITZ_WEBHOOKS_TO_PRIVATE": "true"}
_STORAGE = f"""[storage]
driver = "overlay"
graphroot = "{CACHE}/storage"
runroot = "/run/kibitz-rehearsal-engine"
"""
_ENGINE = f"""[containers]
default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "/run/kibitz-rehearsal-engine/libpod"
runtime = "crun"
[network]
network_backend = "netavark"
network_config_dir = "{CACHE}/networks"
"""
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
    $as createdb --username="$POSTGRES_USER" restored
    $as $bin/pg_ctl -w -D $data stop
fi
exec $as $bin/postgres -D $data -c listen_addresses='*'
"""
"""What stands for the entry point of PostgreSQL's image; a database to restore into is there as well."""


def podman(*words: str | Path) -> str:
    return run("podman", *words)


def prepare_images() -> None:
    """The engine's settings, and `kibitz` and `kibitz-pgbouncer` of this checkout, built in its own way."""
    debian.program("podman buildah crun conmon netavark aardvark-dns catatonit iptables uidmap", ["podman"])
    debian.program("buildah crun", ["buildah"])
    for name, text in (("STORAGE", _STORAGE), ("", _ENGINE)):
        (file := CACHE / f"containers{name}.conf").write_text(text)
        os.environ[f"CONTAINERS_{name}_CONF".replace("__", "_")] = str(file)
    os.environ["DISABLE_HC_SYSTEMD"] = "true"
    with suppress(subprocess.CalledProcessError):  # in our own mount namespace: crun refuses both kinds of cgroups
        run("umount", "/sys/fs/cgroup/unified")
    if not podman("images", "--quiet", BASES[-1]):
        container = run("buildah", "from", "scratch").strip()
        root = Path(run("buildah", "mount", container).strip())
        run("cp", "--archive", f"{debian_root()}/.", root)
        (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        (root / "usr/local/bin/entrypoint").write_text(_POSTGRES)
        (root / "usr/local/bin/entrypoint").chmod(0o755)
        path = "--env=PATH=/usr/local/bin:/usr/bin:/usr/sbin"
        run("buildah", "config", "--env=PIP_NO_INDEX=1", "--env=PIP_FIND_LINKS=/wheels", path, container)
        for name in BASES:
            if name == BASES[-1]:
                run("buildah", "config", "--entrypoint", '["entrypoint"]', container)
            run("buildah", "commit", "--quiet", container, f"docker.io/library/{name}")
        run("buildah", "rm", container)
    steps = (
        "buildah",
        "bud",
        "--pull=never",
        "--format=docker",
        "--isolation=chroot",
        f"--volume={wheels()}:/wheels:ro",
    )
    run(*steps, "--tag=kibitz", f"--file={ROOT}/deploy/Dockerfile", ROOT)
    run(*steps, "--network=host", "--tag=kibitz-pgbouncer", ROOT / "deploy" / "pgbouncer")


class Containers:
    """Those of one way, by name; commands are run in `within`."""

    def __init__(self, folder: Path, url: str, outside: str, within: str, *elsewhere: str) -> None:
        self.url, self.outside, self.elsewhere = url, outside, elsewhere
        self._folder, self._within = folder, within
        self.names: list[str] = [within]

    def kibitz(self, *words: str) -> str:
        return podman("exec", self._within, "kibitz", *words)

    def processes(self) -> dict[str, list[psutil.Process]]:
        return {name: family(name) for name in self.names}

    def stop(self) -> None:
        """One after the other, each in good order and within the time that it has."""
        for name in self.names:
            podman("stop", name)
            code = podman("inspect", "--format={{.State.ExitCode}}", name).strip()
            assert code == "0", f"{name} ended with {code}"


def family(name: str) -> list[psutil.Process]:
    first = psutil.Process(int(podman("inspect", "--format={{.State.Pid}}", name)))
    return [first, *first.children(recursive=True)]


@contextmanager
def removed(folder: Path) -> Iterator[None]:
    """At the end no container, volume or network is left, and what each container said is in a file."""
    try:
        yield
    finally:
        for one in json.loads(podman("ps", "--all", "--format=json")):
            with (folder / f"{one['Names'][0]}.log").open("w") as log:
                subprocess.run(["podman", "logs", one["Id"]], stdout=log, stderr=log, check=False)
        podman("rm", "--all", "--force", "--time=5")
        podman("volume", "prune", "--force")
        podman("network", "prune", "--force")


def network(name: str, gateway: str) -> str:
    """The flag of a new network, in which this machine has the address of the gateway."""
    podman("network", "create", f"--subnet={gateway}/24", f"--gateway={gateway}", name)
    return f"--network={name}"


def environment(variables: dict[str, str]) -> list[str]:
    return [f"--env={name}={value}" for name, value in variables.items()]


@contextmanager
def started(folder: Path) -> Iterator[Containers]:
    """As deploy/README runs one container."""
    prepare_images()
    with removed(folder):
        flags = (network("rehearsal", "10.89.1.1"), *environment(WEBHOOKS), "--ip=10.89.1.2")
        hardened = ("--init", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges")
        volume = ("--volume=kibitz:/var/lib/kibitz", "--stop-timeout=60")
        podman("run", "--detach", "--name=kibitz", *flags, *hardened, *volume, "kibitz")
        containers = Containers(
            folder, "http://10.89.1.2:8000", "10.89.1.1", "kibitz", "--data-folder", "/var/lib/kibitz/restored"
        )
        until(lambda: is_healthy("kibitz"), "the image's own check finds it alive")
        podman("exec", "kibitz", "mkdir", "restored")
        podman("exec", "kibitz", "cp", "--recursive", "data/keys", "restored/")
        yield containers
        containers.stop()


def is_healthy(name: str) -> bool:
    """Whether the check that it came with says so."""
    return subprocess.run(["podman", "healthcheck", "run", name], capture_output=True, check=False).returncode == 0
