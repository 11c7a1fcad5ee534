"""The machine that the numbers come from, and what a process of it has used. Linux tells; elsewhere it is None."""

import os
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg

from .measures import percentile, short

PACKAGES = ("litestar", "msgspec", "psycopg", "uvicorn", "uvloop", "httptools", "eventsourcing")
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def machine(conninfo: str, folder: Path) -> dict[str, Any]:
    """Cores, versions, load, PostgreSQL's durability, and how fast the disk under its data says that it has written."""
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": processor(), "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(), "packages": {name: version(name) for name in PACKAGES},
        "postgresql": shown(conninfo), "load_average": load(), "fdatasync_us": fdatasync(folder),
    }  # fmt: skip


def processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def shown(conninfo: str) -> dict[str, str]:
    """PostgreSQL's version and the settings that make a commit durable."""
    with psycopg.connect(conninfo) as connection:
        names = ("server_version", "fsync", "synchronous_commit", "full_page_writes")
        return {name: str(connection.execute(f"SHOW {name}".encode()).fetchone()[0]) for name in names}  # type: ignore[index]


def load() -> list[float] | None:
    """Processes that wanted to run, over the last one, five and fifteen minutes: others' included."""
    return [short(number) for number in os.getloadavg()] if hasattr(os, "getloadavg") else None


def fdatasync(folder: Path, rounds: int = 200) -> dict[str, float]:
    """Median and 99th percentile, in microseconds, of writing 8 KiB and flushing it."""
    sync = getattr(os, "fdatasync", os.fsync)
    took: list[float] = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(rounds):
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            os.write(file.fileno(), bytes(8192))
            began = perf_counter()
            sync(file.fileno())
            took.append(1e6 * (perf_counter() - began))
    return {"p50": short(percentile(took, 0.5)), "p99": short(percentile(took, 0.99))}


def processor_seconds(process: int) -> float | None:
    """Seconds of processor that a process, with all its threads, has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident(process: int) -> int | None:
    """Bytes of memory that a process holds by itself (private pages)."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Private_"))
