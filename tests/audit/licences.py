"""Under which licences what the service runs on may be used: as the packages themselves say."""

import re
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires

_NAME = re.compile(r"[A-Za-z0-9._-]+")


def told() -> str:
    """One line: licences with how many packages are under each."""
    counted = Counter(licence(name) for name in packages())
    return "Licences: " + ", ".join(f"{found} {count}" for found, count in counted.most_common()) + "."


def packages(root: str = "kibitz") -> set[str]:
    """The packages that are installed because this one needs them, without extras."""
    found, waiting = set[str](), [root]
    while waiting:
        for name in _needed(waiting.pop()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _needed(name: str) -> Iterator[str]:
    for line in requires(name) or ():
        if "extra ==" in line or (match := _NAME.match(line)) is None:
            continue
        try:
            yield metadata(match[0])["Name"].lower().replace("_", "-")
        except PackageNotFoundError:
            continue  # for another system


def licence(name: str) -> str:
    """What the package says of itself, in few words."""
    said = metadata(name)
    classified = [
        line.rpartition(" :: ")[2] for line in said.get_all("Classifier", []) if line.startswith("License :: ")
    ]
    text = said.get("License-Expression") or " and ".join(classified) or said.get("License") or "unknown"  # type: ignore[attr-defined]
    return text.splitlines()[0][:60]
