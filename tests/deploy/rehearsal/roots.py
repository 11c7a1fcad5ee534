"""What stands for machines and base images: one Debian root, and the wheels that Kibitz needs, made once and kept."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from tests import debian
from tests.faults.world import ROOT

CACHE = ROOT / "build" / "rehearsal"
PACKAGES = "python3,python3-venv,ca-certificates,systemd,systemd-sysv,dbus,postgresql,pgbouncer,iproute2,procps"
_SENT = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "domain", "projections", "service", "deploy",
         "openapi/clients/python")  # fmt: skip


def run(*words: str | Path, said: str | None = None) -> str:
    """The output of a command; raises CalledProcessError, which has what it said of its failure."""
    return subprocess.run(words, input=said, check=True, capture_output=True, text=True).stdout


def debian_root() -> Path:
    """A minimal Debian with systemd and PostgreSQL; copy it, never write to it."""
    root = CACHE / f"debian-{hashlib.sha256(PACKAGES.encode()).hexdigest()[:8]}"
    if not root.exists():
        new = root.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        make = (debian.program("mmdebstrap", ["mmdebstrap"]), "--quiet", "--variant=minbase")
        run(*make, f"--include={PACKAGES}", "bookworm", new)
        new.rename(root)
    return root


def wheels() -> Path:
    """The dependencies at their pinned versions, for a Python like ours: Debian's."""
    pinned = (ROOT / "constraints.txt").read_bytes()
    folder = CACHE / f"wheels-{hashlib.sha256(pinned).hexdigest()[:8]}"
    if not folder.exists():
        if sys.version_info[:2] != (3, 11):
            sys.exit("The rehearsal runs in Debian 12: start it with Python 3.11.")
        new = folder.with_suffix(".new")
        pip = (sys.executable, "-m", "pip", "wheel", "--quiet", f"--wheel-dir={new}", "--constraint=constraints.txt")
        subprocess.run([*pip, "setuptools>=77", ".[traces]"], cwd=ROOT, check=True)
        new.rename(folder)
    return folder


def copy_source(target: Path) -> None:
    """What git has of what an installation is made of."""
    target.mkdir(exist_ok=True)
    listed = run("git", "-C", ROOT, "ls-files", *_SENT).splitlines()
    subprocess.run(["cp", "--parents", *listed, target], cwd=ROOT, check=True)
