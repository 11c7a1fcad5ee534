"""The pictures of all cards of a game type, to be put once into a page."""

from functools import cache

from markupsafe import Markup

from domain.games import GAME_TYPES, AnyGameType
from service.pictures.svg.faces import EVERY_CARD, symbols


def sprite(found: AnyGameType) -> Markup:
    """The symbols for the inside of an `<svg>`; the markup is ours, and names of faces are escaped where it is made."""
    return _sprite(found.key)


@cache
def _sprite(key: str) -> Markup:
    faces = GAME_TYPES[key].faces
    return Markup(symbols((*faces, *EVERY_CARD), faces))
