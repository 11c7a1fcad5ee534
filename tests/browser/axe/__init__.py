"""axe-core's findings on a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_SCRIPT = Path(__file__).with_name("axe.min.js")
_GRAVE = ("serious", "critical")


def found(page: Page) -> list[str]:
    """What axe finds serious or critical on this page as it stands: rule, element and why."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_SCRIPT.read_text())
    told: dict[str, Any] = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    grave = [violation for violation in told["violations"] if violation["impact"] in _GRAVE]
    return [_line(violation, node) for violation in grave for node in violation["nodes"]]


def _line(violation: dict[str, Any], node: dict[str, Any]) -> str:
    return f"{violation['id']}: {node['html'][:120]}: {node['failureSummary']}"
