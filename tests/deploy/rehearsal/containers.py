"""The image, built by the Dockerfile's steps from a Debian that stands for its base; a container of it; compose.

No registry is asked: base images have the names that the Dockerfiles give them. Without a systemd here the engine does
not look at health by itself: its checks are run by hand.
"""

import hashlib
import json
import os
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path

import psutil
import yaml

from tests import debian
from tests.faults.world import ROOT, until

from .roots import CACHE, copy_source, debian_root, run, wheels

BASES = ("python:3.13-slim-bookworm", "debian:bookworm-slim", "postgres:18")
WEBHOOKS = ("KIBITZ_WEBHOOKS_BY_HTTP", "KIBITZ_WEBHOOKS_TO_PRIVATE")
_OUTSIDE, _INSIDE = "10.89.1.1", "10.89.1.2"
_PUBLISHED = "127.0.0.1:18907"
_RUN = "/run/kibitz-rehearsal-engine"
_SETTINGS = {
    "CONTAINERS_STORAGE_CONF": f'[storage]\ndriver = "overlay"\ngraphroot = "{CACHE}/storage"\nrunroot = "{_RUN}"\n',
    "CONTAINERS_CONF": f"""[containers]
default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
lock_type = "file"
tmp_dir = "{_RUN}/libpod"
[network]
network_backend = "netavark"
network_config_dir = "{CACHE}/networks"
""",
}
_POSTGRES = """set -eu
as="setpriv --reuid=postgres --regid=postgres --clear-groups"
data=/var/lib/postgresql/data
mkdir -p -m 1777 /run/postgresql
if [ ! -d $data ]; then
    chown postgres /var/lib/postgresql
    $as initdb --encoding=UTF8 --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" $data
    echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
    $as pg_ctl -w -D $data -o '-c listen_addresses=' start
    $as createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
    $as createdb --username="$POSTGRES_USER" restored
    $as pg_ctl -w -D $data stop
fi
exec $as postgres -D $data -c listen_addresses='*'
"""
"""What stands for the entry point of PostgreSQL's image; a database to restore into is there as well."""


def podman(*words: str | Path) -> str:
    return run("podman", *words)


@cache
def prepare_images() -> None:
    """The engine's settings, and `kibitz` and `kibitz-pgbouncer` of this checkout, built in its own way."""
    debian.program("podman conmon netavark aardvark-dns catatonit iptables uidmap", ["podman"])
    debian.program("buildah crun", ["buildah"])
    for name, text in _SETTINGS.items():
        (CACHE / name).write_text(text)
        os.environ[name] = str(CACHE / name)
    os.environ["DISABLE_HC_SYSTEMD"] = "true"
    with suppress(subprocess.CalledProcessError):  # in our own mount namespace: crun refuses both kinds of cgroups
        run("umount", "/sys/fs/cgroup/unified")
    base = f"base:{hashlib.sha256(f'{debian_root()}{_POSTGRES}'.encode()).hexdigest()[:8]}"
    if not podman("images", "--quiet", base):
        container = run("buildah", "from", "scratch").strip()
        root = Path(run("buildah", "mount", container).strip())
        run("cp", "--archive", f"{debian_root()}/.", root)
        (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        (root / "entrypoint").write_text(_POSTGRES)
        path = "PATH=/usr/local/bin:/usr/lib/postgresql/15/bin:/usr/bin:/usr/sbin"
        for variable in ("PIP_NO_INDEX=1", "PIP_FIND_LINKS=/wheels", path):
            run("buildah", "config", f"--env={variable}", container)
        run("buildah", "config", "--entrypoint", '["sh", "/entrypoint"]', container)
        run("buildah", "commit", "--quiet", container, base)
        podman("tag", base, *(f"docker.io/library/{name}" for name in BASES))
        run("buildah", "rm", container)
    build = ("buildah", "bud", "--layers", "--pull=never", "--format=docker", "--isolation=chroot")
    steps = (*build, f"--volume={wheels()}:/wheels:ro")
    run(*steps, "--tag=kibitz", f"--file={ROOT}/deploy/Dockerfile", ROOT)
    run(*steps, "--network=host", "--tag=kibitz-pgbouncer", ROOT / "deploy" / "pgbouncer")


class Containers:
    """Those of one way; commands are run in the first, and all are stopped in this order."""

    def __init__(self, url: str, outside: str, names: list[str], *elsewhere: str) -> None:
        self.url, self.outside, self.names, self.elsewhere = url, outside, names, elsewhere

    def kibitz(self, *words: str) -> str:
        return podman("exec", self.names[0], "kibitz", *words)

    def processes(self) -> dict[str, list[psutil.Process]]:
        first = {name: psutil.Process(int(podman("inspect", "--format={{.State.Pid}}", name))) for name in self.names}
        return {name: [one, *one.children(recursive=True)] for name, one in first.items()}

    def stop(self, *flags: str) -> None:
        """Each must end in good order within its time."""
        for name in self.names:
            podman("stop", *flags, name)
            code = podman("inspect", "--format={{.State.ExitCode}}", name).strip()
            assert code == "0", f"{name} ended with {code}"


def succeeds(*words: str) -> bool:
    """Whether podman does this with status 0."""
    return subprocess.run(["podman", *words], capture_output=True, check=False).returncode == 0


def reaches(name: str, host: str, port: int) -> bool:
    """Whether this container opens a connection there."""
    return succeeds("exec", name, "bash", "-c", f"timeout 2 bash -c 'exec 3<>/dev/tcp/{host}/{port}'")


@contextmanager
def removed(folder: Path) -> Iterator[None]:
    """At the end no container, volume or network is left, and what each container said is in a file."""
    try:
        yield
    finally:
        for name in podman("ps", "--all", "--format={{.Names}}").split():
            with (folder / f"{name}.log").open("w") as log:
                subprocess.run(["podman", "logs", name], stdout=log, stderr=log, check=False)
        for words in ("rm --all --force --time=5", "pod rm --all", "volume prune --force", "network prune --force"):
            podman(*words.split())


@contextmanager
def started(folder: Path) -> Iterator[Containers]:
    """As deploy/README runs one container."""
    prepare_images()
    hardened = "--init --read-only --tmpfs=/tmp --cap-drop=ALL --security-opt=no-new-privileges --stop-timeout=60"
    with removed(folder):
        podman("network", "create", f"--subnet={_OUTSIDE}/24", f"--gateway={_OUTSIDE}", "rehearsal")
        podman("run", "--detach", "--name=kibitz", "--network=rehearsal", f"--ip={_INSIDE}", *hardened.split(),
               *(f"--env={name}=true" for name in WEBHOOKS), "--volume=kibitz:/var/lib/kibitz", "kibitz")  # fmt: skip
        until(lambda: succeeds("healthcheck", "run", "kibitz"), "the image's own check finds it alive")
        podman("exec", "kibitz", "sh", "-c", "mkdir restored && cp --recursive data/keys restored")
        restored = ("--data-folder", "/var/lib/kibitz/restored")
        yield (way := Containers(f"http://{_INSIDE}:8000", _OUTSIDE, ["kibitz"], *restored))
        way.stop()


@contextmanager
def composed(folder: Path) -> Iterator[Containers]:
    """deploy/compose.yaml, each service once what it needs is there: Debian's podman-compose does not wait."""
    program = debian.program("podman-compose", ["podman-compose"])
    prepare_images()
    copy_source(folder)
    run("sh", folder / "deploy/secrets.sh")
    file, more = folder / "deploy/compose.yaml", folder / "outside.yaml"
    environment = {"environment": dict.fromkeys(WEBHOOKS, "true")}
    more.write_text(json.dumps({"services": {"api": environment, "worker": environment}}))
    os.environ["KIBITZ_PUBLISHED"] = _PUBLISHED
    services = yaml.safe_load(file.read_text())["services"]
    with removed(folder):
        for name, service in services.items():
            for other, how in service.get("depends_on", {}).items():
                if how["condition"] == "service_healthy":
                    check = services[other]["healthcheck"]["test"][1:]
                    until(partial(succeeds, "exec", f"kibitz_{other}_1", *check), f"{other} is healthy")
                else:
                    assert podman("wait", f"kibitz_{other}_1").strip() == "0", f"{other} has failed"
            run(program, "-p", "kibitz", "-f", file, "-f", more, "up", "--detach", "--no-deps", "--no-build", name)
        outside = json.loads(podman("network", "inspect", "kibitz_front"))[0]["subnets"][0]["gateway"]
        restored = re.sub("kibitz$", "restored", (folder / "deploy/secrets/session_url").read_text())
        names = ["kibitz_api_1", "kibitz_worker_1", "kibitz_worker_2"]
        with socket.create_server((outside, 443)):
            assert reaches(names[1], outside, 443), "the worker has no way out"
            assert not reaches("kibitz_database_1", outside, 443), "the database has a way out"
        yield (way := Containers(f"http://{_PUBLISHED}", outside, names, "--database-url", restored))
        way.stop()
