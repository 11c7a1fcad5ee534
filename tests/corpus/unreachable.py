"""What no stored game can show, by revision, and why. The test fails for an entry that a game does show."""

_SETTLED = "What is not given is filled in from the preset before the game is opened."
_FILLED = (
    "shuffle_type", "stock", "play_decks", "discards", "hand", "jokers", "packs", "minimum_wild", "wilds_in_stock",
)  # fmt: skip

UNREACHABLE: dict[str, dict[str, str]] = {
    "bridge_solitaire-1": {"event bridge_solitaire/hands_voided": "No command and no rule of revision 1 makes it."},
    "bridge_solitaire-2": {
        "event bridge_solitaire/hands_voided": "No command and no rule of revision 2 makes it.",
        "option memory=True": "It is always false.",
    },
    "deck_the_yard-1": {
        "command deck_the_yard/claim_pattern": "With the patterns of revision 1 no line-up completes two, and "
        "one alone is claimed at once."
    },
    "spite_and_malice-1": {f"option {field}=None": _SETTLED for field in _FILLED},
}
