"""Megiddo: the two rows of the Spite & Malice table that are no card game; every setting in them is unset."""

from domain.capabilities import Preset
from domain.games.megiddo.options import Options

_UNSET: dict[str, str | int | bool] = {
    "shuffle_type": "deck_removed", "stock": 0, "play_decks": 0, "discards": 0, "hand": 0, "jokers": False,
    "packs": 0, "minimum_wild": "A", "wilds_in_stock": False,
}  # fmt: skip

NAMED = (
    Preset(name="MEGIDDO", options=Options(), kind="board", row=_UNSET),
    Preset(name="MEGI 9", options=Options(variant="megi_9"), kind="board", reconstructed=True, row=_UNSET),
)
