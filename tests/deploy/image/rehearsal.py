"""The image's steps without an engine: `python -m tests.deploy.image.rehearsal`, or `make image-rehearsal`.

Every RUN and COPY of the build stage is done in a folder of its own, with the paths of the image turned into paths in
there; then the service is started from what came of it, as the ENTRYPOINT says, by a user who is not root (where this
is run by root) and may write nothing but the volume. What only an engine can show is not shown: layers, the images
named by FROM, the mounts.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from service.postgres.folder import Account, account_for, identity
from tests.deploy.image.dockerfile import ROOT, command, environment, healthcheck, said, stages

_KEPT = re.compile(r"^(HOME|LANG|PIP_\w+|\w+_proxy|\w+_PROXY|SSL_\w+|REQUESTS_CA_BUNDLE)$")
PORT = "18907"


def main() -> int:
    """Build, serve, ask, stop; 0 if all went well."""
    build, final = stages()
    with tempfile.TemporaryDirectory(prefix="kibitz-image-") as name:
        place = Path(name)
        place.chmod(0o755)
        for one in build:
            if one.word == "COPY":
                _copy(one.rest, place)
            elif one.word == "RUN":
                _run(one.rest, place)
        _serve(final, place)
    return 0


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _inside(text: str, place: Path) -> str:
    """The image's paths as paths of this place; its Python as the one that runs this."""
    turned = text.replace("/opt/kibitz", f"{place}/opt/kibitz")
    return re.sub(r"^python ", f"{_python(account_for(place))} ", turned)


def _python(account: Account | None) -> str:
    """A Python that whoever will serve may run: root's own, in root's home, is none."""
    for path in (f"{sys.base_prefix}/bin/python3", "/usr/bin/python3"):
        asked = [path, "-c", "import sys, ensurepip; sys.exit(sys.version_info < (3, 11))"]
        with suppress(OSError):
            if subprocess.run(asked, cwd="/", check=False, **identity(account)).returncode == 0:
                return path
    raise SystemExit("There is no Python 3.11 here that a user other than root may run.")


def _copy(rest: str, place: Path) -> None:
    *sources, target = rest.split()
    for source in sources:
        into = place / "source" / target / (source if target == "./" else "")
        _tell(f"COPY {source} {target}")
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, into, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            into.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, into)


def _run(rest: str, place: Path) -> None:
    (place / "source").mkdir(exist_ok=True)
    _tell(f"RUN {rest}")
    kept = {name: value for name, value in os.environ.items() if _KEPT.match(name)}
    path = {"PATH": "/usr/bin:/bin", "PIP_QUIET": "1"}
    subprocess.run(["/bin/sh", "-ec", _inside(rest, place)], cwd=place / "source", env={**kept, **path}, check=True)


def _serve(final: list[Any], place: Path) -> None:
    """As the image's user, in its environment; the health check is the image's own."""
    volume = place / "volume"
    volume.mkdir()
    account = account_for(volume)
    if account is not None:
        shutil.chown(volume, account.uid, account.gid)
    _read_only(place / "opt")
    before = _listed(place / "opt")
    with _serving(final, place, volume, account) as process:
        _wait(process)
        healthy = healthcheck(final)[1:]
        python = str(place / "opt" / "kibitz" / "bin" / "python")
        subprocess.run([python, *(word.replace(":8000", f":{PORT}") for word in healthy)], check=True, env={})
        _tell("it is healthy")
        process.terminate()
        assert process.wait(60) == 0, "it did not end in good order"
    assert _listed(place / "opt") == before, "something was written beside the volume"
    _tell("it has ended in good order, and nothing but the volume was written")


@contextmanager
def _serving(
    final: list[Any], place: Path, volume: Path, account: Account | None
) -> Iterator["subprocess.Popen[bytes]"]:
    settings = {name: value.replace("/var/lib/kibitz", str(volume)) for name, value in environment(final).items()}
    settings |= {"PATH": f"{place}/opt/kibitz/bin:/usr/bin:/bin", "KIBITZ_PORT": PORT, "KIBITZ_HOST": "127.0.0.1"}
    words = [*command(final, "ENTRYPOINT"), *command(final, "CMD")]
    program = str(place / "opt" / "kibitz" / "bin" / words[0])
    _tell(f"{words} as {account.name if account else 'this user'}, in the image as USER {said(final, 'USER')[0]}")
    process = subprocess.Popen([program, *words[1:]], cwd=volume, env=settings, **identity(account))
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]") -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/readyz", timeout=5).close()
        except OSError:
            continue
        return
    raise AssertionError("it has ended before it was ready")


def _read_only(folder: Path) -> None:
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222 | 0o444 | (0o111 if path.is_dir() else 0))


def _listed(folder: Path) -> dict[Path, float]:
    return {path: path.lstat().st_mtime for path in folder.rglob("*")}


if __name__ == "__main__":
    sys.exit(main())
