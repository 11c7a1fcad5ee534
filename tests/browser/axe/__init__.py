"""axe-core's findings on a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_SCRIPT = Path(__file__).with_name("axe.min.js")
_GRAVE = ("serious", "critical")
_RUN = """([grave, chosen, kinds, most]) => {
    const minor = axe._audit.rules.filter(({ impact }) => !grave.includes(impact));
    const rules = Object.fromEntries(minor.map(({ id }) => [id, { enabled: false }]));
    const options = chosen.length ? { runOnly: { type: "rule", values: chosen } } : { rules };
    const parts = new Set(kinds.map((kind) => window.firstOfKind.get(kind)).map((node) =>
        node === document.body || !document.body.contains(node) ? document.documentElement
            : node.closest("table, dl") ?? node));
    const include = [...parts].filter((node) => {
        for (let above = node.parentElement; above; above = above.parentElement) if (parts.has(above)) return false;
        return true;
    });
    const context = kinds.length && include.length <= most ? { include } : document;
    return axe.run(context, { resultTypes: ["violations"], selectors: false, preload: false, ...options });
}"""
"""What a rule finds has the rule's impact; the minor ones are half of the work. No rule here reads style sheets."""
_MOST_PARTS = 12
"""Of more parts each rule asks of every element in which of them it is: then the whole page is the quicker one."""
COLOUR_RULES = ("color-contrast", "link-in-text-block")
"""The rules that read colours; to no other does it matter which scheme is on."""


def violations(page: Page, rules: Sequence[str] = (), kinds: Sequence[str] = ()) -> list[str]:
    """What axe finds serious or critical on the page as it stands: rule, element and why.

    By these rules alone, if any are given; in the first elements of these kinds (`looks`) alone, if any are given.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_SCRIPT.read_text())
    report: dict[str, Any] = page.evaluate(_RUN, [_GRAVE, list(rules), list(kinds), _MOST_PARTS])
    grave = [violation for violation in report["violations"] if violation["impact"] in _GRAVE]
    return [_line(violation, node) for violation in grave for node in violation["nodes"]]


def _line(violation: dict[str, Any], node: dict[str, Any]) -> str:
    return f"{violation['id']}: {node['html'][:120]}: {node['failureSummary']}"
