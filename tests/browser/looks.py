"""A page as it looks in light and in dark, on a wide screen and on a phone, and what is wrong with it there."""

from collections.abc import Iterator
from typing import Literal

from playwright.sync_api import Page

from . import axe

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
SIZES = ((1280, 900), (360, 740))


def wrong(page: Page) -> list[str]:
    """What is grave by axe, and where it scrolls sideways, in every look of the page as it stands."""
    return [f"{look}: {fault}" for look in _looks(page) for fault in (*_sideways(page), *axe.found(page))]


def _looks(page: Page) -> Iterator[str]:
    """Nothing is loaded anew: only the style sheets tell these looks apart."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            yield f"{scheme}, {width} wide"


def _sideways(page: Page) -> list[str]:
    needed, there = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    return [f"it scrolls sideways: {needed} of {there}"] if needed > there else []
