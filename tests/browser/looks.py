"""A page as it looks in light and in dark, on a wide screen and on a phone, and what is wrong with it there."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from playwright.sync_api import Page

from . import axe

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
SIZES = ((1280, 900), (360, 740))
_ELEMENTS = """() => {
    const VALUED = new Set(["class", "role", "type", "style", "lang", "tabindex", "scope", "dir"]);
    const REFERRING = new Set(["for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns"]);
    const READ = ["color", "backgroundColor", "backgroundImage", "fontSize", "fontWeight", "opacity", "textShadow",
        "textDecorationLine", "fill", "position"];
    const ids = new Map();
    for (const { id } of document.querySelectorAll("[id]")) ids.set(id, (ids.get(id) ?? 0) + 1);
    const valueOf = ({ name, value }) => {
        if (name === "id") return ids.get(value);
        if (REFERRING.has(name)) return value.split(" ").every((id) => ids.has(id));
        const isRead = VALUED.has(name) || /^aria-(?!label$|description$|valuetext$)/.test(name);
        return isRead ? value : value.trim() !== "";
    };
    const tag = (node) => node.tagName + [...node.attributes].filter(({ name }) => !name.startsWith("data-"))
        .map((attribute) => ` ${attribute.name}=${valueOf(attribute)}`).sort().join("");
    const state = (node, style) => [
        node.textContent.trim() !== "",
        [...node.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()),
        node.labels?.length, node.disabled, node.checkVisibility(), /auto|scroll/.test(style.overflow)
            && (node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight),
        [...new Set([...node.children].map(tag))].sort().join(),
    ].join();
    const digest = (text) => {
        let high = 0xdeadbeef, low = 0x41c6ce57;
        for (let at = 0; at < text.length; at++) {
            const code = text.charCodeAt(at);
            high = Math.imul(high ^ code, 2654435761);
            low = Math.imul(low ^ code, 1597334677);
        }
        return `${high >>> 0}.${low >>> 0}`;
    };
    window.firstOfKind = new Map();
    const walk = (node, path) => {
        const style = getComputedStyle(node);
        const here = digest(`${path}>${tag(node)} ${READ.map((name) => style[name])}`);
        const kind = digest(`${here}|${state(node, style)}`);
        if (!window.firstOfKind.has(kind)) window.firstOfKind.set(kind, node);
        for (const child of node.children) walk(child, here);
    };
    walk(document.documentElement, "");
    return [...window.firstOfKind.keys()];
}"""
"""The kinds of elements: an element's kind is its ancestors, attributes, colours and sizes, state, and children's tags.

Of values only those count that rules read: which card lies there, or where a link leads, is the same to all of them.
"""
_TAG = re.compile(r"<(\w+)([^<>]*)>")
_ATTRIBUTE = re.compile(r"""([\w-]+)(?:="([^"]*)")?""")


class Checks:
    """Pages checked one after the other: axe looks at an element of each kind once, whoever's page it is on."""

    def __init__(self) -> None:
        self._right: set[str] = set()
        self._neighbours: set[tuple[str, str]] = set()

    def is_new(self, markup: str) -> bool:
        """Whether markup has tags, or tags one after the other, that none had before which was asked about."""
        tags = [_tag(*match.groups()) for match in _TAG.finditer(markup)]
        neighbours = {*pairwise(tags)}
        if neighbours <= self._neighbours:
            return False
        self._neighbours |= neighbours
        return True

    def wrong(self, page: Page) -> list[str]:
        """What is grave by axe, and where it scrolls sideways, in every look of the page as it stands.

        In the dark axe's rules of colours alone are asked: the dark scheme changes nothing else, which a test keeps.
        """
        faults: list[str] = []
        for scheme, width in _looks(page):
            look = f"{scheme}, {width} wide"
            faults += [f"{look}: {fault}" for fault in (*_sideways(page), *self._graves(page, scheme))]
        return faults

    def _graves(self, page: Page, scheme: Scheme) -> list[str]:
        new = [kind for kind in page.evaluate(_ELEMENTS) if kind not in self._right]
        if not new:
            return []
        graves = axe.violations(page, axe.COLOUR_RULES if scheme == "dark" else (), new)
        if not graves:
            self._right |= {*new}
        return graves


def _tag(name: str, attributes: str) -> str:
    """A tag with the names of its attributes, and its classes."""
    pairs = _ATTRIBUTE.findall(attributes)
    return " ".join([name, *(value if key == "class" else key for key, value in pairs)])


def _looks(page: Page) -> Iterator[tuple[Scheme, int]]:
    """Nothing is loaded anew: only the style sheets tell these looks apart."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            yield scheme, width


def _sideways(page: Page) -> list[str]:
    needed, there = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    return [f"it scrolls sideways: {needed} of {there}"] if needed > there else []
