"""Where a replay stands and what each key does to it: pure, without a terminal."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

SLOWEST, FASTEST = 0.25, 64.0
"""Steps a second."""


class Playback(Struct, frozen=True):
    """The place in `steps` frames, the viewer by number, whether and how fast it plays, and the number being typed.

    `scroll` is the first line shown of a picture that is higher than the screen.
    """

    steps: int
    viewers: int
    place: int = 0
    viewer: int = 0
    playing: bool = False
    speed: float = 1.0
    typed: str = ""
    scroll: int = 0
    done: bool = False


def pressed(playback: Playback, key: str) -> Playback:
    """After a key: `right`, `q`, `7`; a key without a meaning changes nothing."""
    if key.isdigit():
        return replace(playback, typed=(playback.typed + key)[:6], playing=False)
    return _KEYS.get(key, _nothing)(playback)


def ticked(playback: Playback) -> Playback:
    """One step on while playing; at the end it stops."""
    on = at(playback, playback.place + 1)
    return replace(on, playing=on.place < on.steps - 1)


def at(playback: Playback, place: int) -> Playback:
    """At this place, or the nearest there is."""
    return replace(playback, place=max(0, min(place, playback.steps - 1)), typed="", scroll=0)


def _nothing(playback: Playback) -> Playback:
    return playback


def _by(steps: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(at(playback, playback.place + steps), playing=False)


def _scrolled(lines: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, scroll=max(0, playback.scroll + lines))


def _entered(playback: Playback) -> Playback:
    return at(playback, int(playback.typed)) if playback.typed else playback


def _toggled(playback: Playback) -> Playback:
    """Play or pause; at the end it plays from the start again."""
    if playback.playing:
        return replace(playback, playing=False)
    start = 0 if playback.place == playback.steps - 1 else playback.place
    return replace(at(playback, start), playing=True)


def _faster(factor: float) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, speed=max(SLOWEST, min(playback.speed * factor, FASTEST)))


def _next_viewer(playback: Playback) -> Playback:
    return replace(playback, viewer=(playback.viewer + 1) % playback.viewers)


def _untyped(playback: Playback) -> Playback:
    return replace(playback, typed=playback.typed[:-1])


def _end(playback: Playback) -> Playback:
    return replace(playback, done=True)


_FORWARD, _BACK = _by(1), _by(-1)
_KEYS: dict[str, Callable[[Playback], Playback]] = {
    "right": _FORWARD, "l": _FORWARD, "n": _FORWARD,
    "left": _BACK, "h": _BACK, "p": _BACK,
    "page_down": _by(10), "page_up": _by(-10),
    "home": _by(-(10**9)), "g": _by(-(10**9)), "end": _by(10**9), "G": _by(10**9),
    "down": _scrolled(1), "j": _scrolled(1), "up": _scrolled(-1), "k": _scrolled(-1),
    "enter": _entered, "backspace": _untyped, " ": _toggled, "s": _next_viewer,
    "+": _faster(2), "=": _faster(2), "-": _faster(0.5), "q": _end, "Q": _end, "ctrl_c": _end,
}  # fmt: skip
