"""`python -m tests.audit`: asks the advisory services about every pinned package. Exit status 1 for a known hole.

Where no service can be reached, that is said and nothing fails: a build without a network is no hole.
"""

import subprocess
import sys

from tests.audit import licences
from tests.audit.report import Report, holes, read, unknown

SERVICES = ("pypi", "osv")
_SECONDS = 600


def main() -> int:
    """Ask one service after the other until one answers."""
    print(licences.told())
    for service in SERVICES:
        if (report := _asked(service)) is not None:
            return _told(service, report)
    print(f"Not audited: no advisory service answers from here ({' and '.join(SERVICES)} were asked).")
    return 0


def _asked(service: str) -> Report | None:
    command = [sys.executable, "-m", "pip_audit", "--vulnerability-service", service, "--format", "json", "--no-deps"]
    command += ["--disable-pip", "--progress-spinner", "off", "--requirement", "constraints.txt"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return read(done.stdout)


def _told(service: str, report: Report) -> int:
    found, missing = holes(report), unknown(report)
    print(f"Audited by {service}: {len(report.dependencies) - len(missing)} packages, {len(found)} known holes.")
    if missing:
        print(f"{service} does not know {', '.join(missing)}.")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
