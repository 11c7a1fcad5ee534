"""A page as it looks in light and in dark, on a wide screen and on a phone, and what is wrong with it there."""

from collections.abc import Iterator
from typing import Literal

from playwright.sync_api import Page

from . import axe

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
SIZES = ((1280, 900), (360, 740))
_MARKUP = """() => {
    const header = document.querySelector("header.top"), markup = document.documentElement.outerHTML;
    return header ? [header.outerHTML, markup.replace(header.outerHTML, "")] : ["", markup];
}"""


class Checks:
    """Pages checked one after the other: axe does not look again at markup that it has found in order.

    All pages have a header, which says who is signed in; it is looked at alone where the rest is known to the letter.
    """

    def __init__(self) -> None:
        self._right: set[tuple[str, str]] = set()

    def wrong(self, page: Page) -> list[str]:
        """What is grave by axe, and where it scrolls sideways, in every look of the page as it stands.

        In the dark axe's rules of colours alone are asked: the dark scheme changes nothing else, which a test keeps.
        """
        faults: list[str] = []
        for scheme, width in _looks(page):
            look = f"{scheme}, {width} wide"
            faults += [f"{look}: {fault}" for fault in (*_sideways(page), *self._graves(page, look, scheme))]
        return faults

    def _graves(self, page: Page, look: str, scheme: Scheme) -> list[str]:
        header, rest = page.evaluate(_MARKUP)
        new = [part for part, markup in (("html", rest), ("header.top", header)) if (look, markup) not in self._right]
        if not new:
            return []
        graves = axe.found(page, new[0], axe.COLOUR_RULES if scheme == "dark" else ())
        if not graves:
            self._right |= {(look, header), (look, rest)}
        return graves


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
