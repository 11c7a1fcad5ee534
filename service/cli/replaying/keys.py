"""Terminal input as names of keys (ECMA-48 sequences as xterm, the Linux console and screen send them)."""

_SEQUENCES = {
    "\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left",
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[7~": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b[8~": "end",
    "\x1b[5~": "page_up", "\x1b[6~": "page_down",
}  # fmt: skip
_SIGNS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x03": "ctrl_c", "\x04": "ctrl_c"}


def keys(text: str) -> tuple[list[str], str]:
    """The keys in the text, and an incomplete escape sequence at its end, whose rest is still to come."""
    found: list[str] = []
    while text:
        if _is_unfinished(text):
            return found, text
        size = _size(text)
        found += _key_names(text[:size])
        text = text[size:]
    return found, ""


def _is_unfinished(text: str) -> bool:
    return any(len(text) < len(sequence) and sequence.startswith(text) for sequence in _SEQUENCES)


def _size(text: str) -> int:
    """The number of characters of the first key; an unknown sequence ends with its final letter."""
    if text[0] != "\x1b" or len(text) < 2 or text[1] not in "[O":
        return 1
    ends = (at for at, sign in enumerate(text[2:], 3) if "@" <= sign <= "~")
    return next(ends, len(text))


def _key_names(piece: str) -> list[str]:
    if len(piece) > 1 or piece == "\x1b":
        return [_SEQUENCES[piece]] if piece in _SEQUENCES else []
    return [_SIGNS.get(piece, piece)]
