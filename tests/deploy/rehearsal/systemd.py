"""The shipped units under a real systemd: a Debian of its own in a network of its own, set up as deploy/README says."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests import debian
from tests.deploy.hosts import network
from tests.faults.world import until

from .roots import copy_source, debian_root, run, wheels

UNITS = ("kibitz", "kibitz-worker")
_SET_UP = """
python3 -m venv /opt/kibitz
PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels /opt/kibitz/bin/pip install --quiet --constraint constraints.txt '.[traces]'
useradd --system --home-dir /var/lib/kibitz --shell /usr/sbin/nologin kibitz
mkdir /etc/kibitz
printf 'KIBITZ_HOST=0.0.0.0\\nKIBITZ_WEBHOOKS_BY_HTTP=true\\nKIBITZ_WEBHOOKS_TO_PRIVATE=true\\n' > /etc/kibitz/settings
umask 077
printf 'postgresql://kibitz:secret@127.0.0.1/kibitz' | tee /etc/kibitz/database_url > /etc/kibitz/session_url
cp deploy/systemd/*.service /etc/systemd/system/
"""
_DATABASES = """CREATE ROLE kibitz LOGIN PASSWORD 'secret';
CREATE DATABASE kibitz OWNER kibitz; CREATE DATABASE restored OWNER kibitz;"""


class Machine:
    """A booted Debian whose first process has this number here."""

    outside = "10.77.1.1"
    elsewhere: tuple[str, ...] = ("--database-url", "postgresql://kibitz:secret@127.0.0.1/restored")

    def __init__(self, leader: int, url: str) -> None:
        self._inside, self.url = ("nsenter", f"--target={leader}", "--all"), url

    def run(self, *words: str, said: str | None = None) -> str:
        return run(*self._inside, *words, said=said)

    def kibitz(self, *words: str) -> str:
        own = ("DATABASE_URL_FILE=/etc/kibitz/database_url", "KIBITZ_SIGNING_KEYS=/var/lib/kibitz/keys")
        return self.run("env", *own, "/opt/kibitz/bin/kibitz", *words)

    def processes(self) -> dict[str, list[psutil.Process]]:
        """By unit."""
        found: dict[str, list[psutil.Process]] = {unit: [] for unit in UNITS}
        for process in psutil.process_iter():
            with suppress(OSError):
                path = Path(f"/proc/{process.pid}/cgroup").read_text()
                for unit in UNITS:
                    if f"/{unit}.service" in path:
                        found[unit].append(process)
        return found


@contextmanager
def started(folder: Path) -> Iterator[Machine]:
    """Units copied, enabled and started; at the end they are stopped, and must end in good order."""
    boot = debian.program("systemd-container", ["systemd-nspawn"])
    run("cp", "--archive", "--reflink=auto", debian_root(), root := folder / "root")
    run("cp", "--recursive", wheels(), root / "wheels")
    copy_source(root / "source")
    nspawn = [boot, "--quiet", "--register=no", "--keep-unit", f"--directory={root}"]
    run(*nspawn, "--as-pid2", "--chdir=/source", "sh", "-ec", _SET_UP)
    with network() as (host, _), (folder / "console.log").open("w") as log:
        way = [f"--network-namespace-path=/run/netns/{host.space}", "--console=read-only", "--boot"]
        process = subprocess.Popen([*nspawn, *way], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            until(lambda: bool(psutil.Process(process.pid).children()), "systemd is there")
            machine = Machine(psutil.Process(process.pid).children()[0].pid, host.url)
            machine.run("sh", "-c", "until pg_isready --quiet; do sleep 0.2; done")
            machine.run("su", "postgres", "-c", "psql --quiet", said=_DATABASES)
            machine.run("systemctl", "enable", "--now", *UNITS)
            yield machine
            assert max(one.nice() for one in machine.processes()["kibitz"]) > 0, "replays give no way"
            machine.run("systemctl", "stop", *UNITS)
            for unit in UNITS:
                assert machine.run("systemctl", "show", "--value", "-p", "Result", unit) == "success\n", unit
        finally:
            (folder / "journal.log").write_text(run("journalctl", f"--directory={root}/var/log/journal", "--no-pager"))
            process.terminate()
            process.wait(90)
    run("rm", "--recursive", "--one-file-system", root)
