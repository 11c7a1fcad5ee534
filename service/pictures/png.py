"""An SVG picture of ours as PNG, for link previews and chat: drawn by resvg, with a font that comes along."""

import re
from importlib.resources import files

from resvg_py import svg_to_bytes

WIDTH, HEIGHT = 1200, 1600
"""Pixels: the picture is as large as fits into this."""
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
_FONT = "Lato"
_FILES = [str(files("font_lato").joinpath("files", f"Lato-{weight}.ttf")) for weight in ("Regular", "Bold")]


def png_of(svg: str) -> bytes:
    """The picture in its light colours. Fonts of the machine are not used, so that it is the same everywhere."""
    size = _SIZE.search(svg)
    assert size is not None
    wide, high = map(float, size.groups())
    width = round(min(WIDTH, HEIGHT * wide / high))
    return bytes(
        svg_to_bytes(
            svg_string=svg, width=width, skip_system_fonts=True, font_files=_FILES, font_family=_FONT,
            sans_serif_family=_FONT,
        )
    )  # fmt: skip
