"""Patterns that texts of clients must match, each with words for those who sent something else."""

import re
from typing import Any

from msgspec import Struct, structs

# What shows nothing or turns the direction of writing lets one name pass for another, or spoils others' pages:
# controls, all default-ignorable code points (Unicode, DerivedCoreProperties.txt), blanks but the usual one and the
# ideographic, letters and signs that look blank, private use of the first plane, noncharacters. Those beyond the first
# plane are not refused but shown, see `show_hidden`: a range of them is no regular expression to half the programs that
# read the API's description. What is unassigned or private elsewhere is shown as a box.
_UNSEEN = (
    r"\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    r"\u2800\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
)
# Marks that stand over or under a letter: the first letter is none, and no more than three stand together.
_MARKS = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    r"\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302d\u3099\u309a\ufe20-\ufe2f"
)
NAME = rf"^(?!.*[{_MARKS}]{{4}})[^\s{_UNSEEN}{_MARKS}]([^{_UNSEEN}]*[^\s{_UNSEEN}])?$(?!\n)"
SEED = r"^[ -~]+$(?!\n)"
KEY = r"^[a-z0-9_]+$"
LINE = r"^[0-9]{1,18}(\.[0-9]{1,4})?$(?!\n)"
MONTH = r"^\d{4}-(0[1-9]|1[0-2])$(?!\n)"
IDEMPOTENCY_KEY = r"^[!-~]([ -~]*[!-~])?$"
_TAG = r'((W/)?"[0-9]{1,9}(\.[A-Za-z0-9_-]{16})?"|[0-9]{1,9})'
IF_MATCH = rf"^({_TAG}([ \t]*,[ \t]*{_TAG})*|\*)$"
GAME_EVENT_ID = r"^[0-9]{1,9}(\.[0-9]{1,18})?$"
EVENT_ID = r"^([0-9]{1,9}(\.[0-9]{1,18})?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$"
CARD = r"^([A2-9TJQK][SHDC]|\*[1-4])$"

HIDDEN = re.compile(
    "[\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U000e0000-\U000e0fff]"
)

WORDS = {
    NAME: "visible characters, at most three marks on a letter, no blank at its beginning or end",
    SEED: "text of printable ASCII characters",
    KEY: "a key of small letters, digits and `_`",
    LINE: "a number of up to 18 digits, perhaps with a dot and up to 4 more: the `cursor` of a line",
    MONTH: "a month such as `2026-11`",
    CARD: "a card such as `QH` or `TS`, or a joker, `*1` to `*4`",
}


def show_hidden(body: Any) -> Any:
    """A body whose texts have U+FFFD, which everybody sees, for each character beyond the first plane that shows
    nothing."""
    if not isinstance(body, Struct):
        return body
    texts = {name: value for name in body.__struct_fields__ if isinstance(value := getattr(body, name), str)}
    found = {name: shown for name, text in texts.items() if (shown := HIDDEN.sub("\ufffd", text)) != text}
    return structs.replace(body, **found) if found else body


_LONGEST = 300
_SAID = {f"`str` matching regex {pattern!r}": words for pattern, words in WORDS.items()} | {
    "Invalid RFC3339 encoded datetime": "Expected a moment such as `2026-11-20T18:00:00Z`",
    "Invalid RFC3339 encoded date": "Expected a day such as `2026-11-20`",
}


def in_words(error: Exception) -> str:
    """What this error of decoding says, with words for the patterns; of a long text only its beginning."""
    said = str(error)
    for found, words in _SAID.items():
        said = said.replace(found, words)
    return said if len(said) <= _LONGEST else said[:_LONGEST] + " ..."
