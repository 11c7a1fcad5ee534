"""The state of a replay and the effect of each key: pure functions, without a terminal."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

SLOWEST, FASTEST = 0.25, 64.0
"""Steps a second."""
_SHIFT = 20
"""Columns by which one key press moves a picture wider than the screen."""


class Playback(Struct, frozen=True):
    """The place in `steps` frames, the viewer by number, whether and how fast it plays, and the number being typed.

    Viewers are a spectator (0), `seats` seats, and, if there is one more, all cards as known now. `moments` are places.
    `scroll` and `across` are the first line and column shown of a picture that is larger than the screen.
    """

    steps: int
    viewers: int
    seats: int = 0
    moments: tuple[int, ...] = ()
    place: int = 0
    viewer: int = 0
    playing: bool = False
    speed: float = 1.0
    typed: str = ""
    scroll: int = 0
    across: int = 0
    listing: bool = False
    helping: bool = False
    done: bool = False


def pressed(playback: Playback, key: str) -> Playback:
    """The state after a key: `right`, `q`, `7`; unknown keys change nothing."""
    if key.isdigit():
        return replace(playback, typed=(playback.typed + key)[:6], playing=False)
    return _KEYS.get(key, _nothing)(playback)


def ticked(playback: Playback) -> Playback:
    """One step on while playing; at the end it stops."""
    on = at(playback, playback.place + 1)
    return replace(on, playing=on.place < on.steps - 1)


def at(playback: Playback, place: int) -> Playback:
    """The state at this place, or at the nearest existing one."""
    return replace(playback, place=max(0, min(place, playback.steps - 1)), typed="", scroll=0)


def _nothing(playback: Playback) -> Playback:
    return playback


def _by(steps: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(at(playback, playback.place + steps), playing=False)


def _next_moment(playback: Playback) -> Playback:
    behind = playback.moments[bisect_right(playback.moments, playback.place) :]
    return replace(at(playback, behind[0]), playing=False) if behind else playback


def _previous_moment(playback: Playback) -> Playback:
    before = playback.moments[: bisect_left(playback.moments, playback.place)]
    return replace(at(playback, before[-1]), playing=False) if before else playback


def _scrolled(lines: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, scroll=max(0, playback.scroll + lines))


def _moved(columns: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, across=max(0, playback.across + columns))


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


def _seat(playback: Playback) -> Playback:
    """The seat whose number was typed; without a number the next viewer."""
    if not playback.typed:
        return replace(playback, viewer=(playback.viewer + 1) % playback.viewers)
    number, playback = int(playback.typed), replace(playback, typed="")
    return replace(playback, viewer=number + 1) if number < playback.seats else playback


def _spectator(playback: Playback) -> Playback:
    return replace(playback, viewer=0)


def _all(playback: Playback) -> Playback:
    known = playback.seats + 1
    return replace(playback, viewer=known) if known < playback.viewers else playback


def _untyped(playback: Playback) -> Playback:
    return replace(playback, typed=playback.typed[:-1])


def _listed(playback: Playback) -> Playback:
    return replace(playback, listing=not playback.listing)


def _helped(playback: Playback) -> Playback:
    return replace(playback, helping=not playback.helping)


def _end(playback: Playback) -> Playback:
    return replace(playback, done=True)


_FORWARD, _BACK = _by(1), _by(-1)
_KEYS: dict[str, Callable[[Playback], Playback]] = {
    "right": _FORWARD, "l": _FORWARD, "n": _FORWARD,
    "left": _BACK, "h": _BACK, "p": _BACK,
    "page_down": _by(10), "page_up": _by(-10),
    "home": _by(-(10**9)), "g": _by(-(10**9)), "end": _by(10**9), "G": _by(10**9),
    "]": _next_moment, "m": _next_moment, "[": _previous_moment, "M": _previous_moment,
    "down": _scrolled(1), "j": _scrolled(1), "up": _scrolled(-1), "k": _scrolled(-1),
    ">": _moved(_SHIFT), ".": _moved(_SHIFT), "<": _moved(-_SHIFT), ",": _moved(-_SHIFT),
    "enter": _entered, "backspace": _untyped, " ": _toggled,
    "s": _seat, "w": _spectator, "a": _all, "t": _listed, "?": _helped,
    "+": _faster(2), "=": _faster(2), "-": _faster(0.5), "q": _end, "Q": _end, "ctrl_c": _end,
}  # fmt: skip
