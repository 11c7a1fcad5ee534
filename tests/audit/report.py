"""What an auditor has said, as lines and a verdict."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct


class Hole(Struct):
    """A published weakness."""

    id: str
    fix_versions: tuple[str, ...] = ()


class Dependency(Struct):
    """A package of ours: its holes, or why nobody could tell of any."""

    name: str
    version: str = ""
    vulns: tuple[Hole, ...] | None = None
    skip_reason: str | None = None


class Report(Struct):
    """pip-audit's JSON."""

    dependencies: Annotated[tuple[Dependency, ...], Meta(min_length=1)]


def read(text: bytes) -> Report | None:
    """What was said; None where no service has answered, or has known none of the packages."""
    try:
        report = msgspec.json.decode(text, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return report if any(found.vulns is not None for found in report.dependencies) else None


def holes(report: Report) -> list[str]:
    """A line for each hole."""
    return [
        f"{found.name} {found.version}: {hole.id}, mended in {' or '.join(hole.fix_versions) or 'no version yet'}"
        for found in report.dependencies
        for hole in found.vulns or ()
    ]


def unknown(report: Report) -> list[str]:
    """The packages that the service could not tell of."""
    return [found.name for found in report.dependencies if found.vulns is None]
