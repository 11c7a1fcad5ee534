"""axe-core's findings on a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_SCRIPT = Path(__file__).with_name("axe.min.js")
_GRAVE = ("serious", "critical")
_RUN = """([part, grave, chosen]) => {
    const minor = axe._audit.rules.filter(({ impact }) => !grave.includes(impact));
    const rules = Object.fromEntries(minor.map(({ id }) => [id, { enabled: false }]));
    const options = chosen.length ? { runOnly: { type: "rule", values: chosen } } : { rules };
    return axe.run(part, { resultTypes: ["violations"], selectors: false, preload: false, ...options });
}"""
"""What a rule finds has the rule's impact; the minor ones are half of the work. No rule here reads style sheets."""
COLOUR_RULES = ("color-contrast", "link-in-text-block")
"""The rules that read colours; to no other does it matter which scheme is on."""


def found(page: Page, part: str = "html", rules: Sequence[str] = ()) -> list[str]:
    """What axe finds serious or critical in this part of the page as it stands: rule, element and why.

    By these rules alone, if any are given.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_SCRIPT.read_text())
    told: dict[str, Any] = page.evaluate(_RUN, [part, _GRAVE, list(rules)])
    grave = [violation for violation in told["violations"] if violation["impact"] in _GRAVE]
    return [_line(violation, node) for violation in grave for node in violation["nodes"]]


def _line(violation: dict[str, Any], node: dict[str, Any]) -> str:
    return f"{violation['id']}: {node['html'][:120]}: {node['failureSummary']}"
