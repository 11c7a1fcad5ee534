"""Patterns that texts of clients must match, each with words for those who sent something else."""

# Neither controls nor what turns the direction of writing or shows nothing: a name must not spoil other people's pages.
_UNSEEN = r"\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
NAME = rf"^[^\s{_UNSEEN}]([^{_UNSEEN}]*[^\s{_UNSEEN}])?$(?!\n)"
SEED = r"^[ -~]+$(?!\n)"
KEY = r"^[a-z0-9_]+$"
LINE = r"^[0-9]{1,18}$(?!\n)"
MONTH = r"^\d{4}-(0[1-9]|1[0-2])$(?!\n)"
IDEMPOTENCY_KEY = r"^[!-~]([ -~]*[!-~])?$"
IF_MATCH = r'^((W/)?"[0-9]{1,9}"|[0-9]{1,9}|\*)$'
CARD = r"^([A2-9TJQK][SHDC]|\*[1-4])$"

WORDS = {
    NAME: "text of visible characters, with no blank at its beginning or end",
    SEED: "text of printable ASCII characters",
    KEY: "a key of small letters, digits and `_`",
    LINE: "a number of up to 18 digits, the `cursor` of a line",
    MONTH: "a month such as `2026-11`",
    CARD: "a card such as `QH` or `TS`, or a joker, `*1` to `*4`",
}

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
