"""Spite & Malice: the four card rows of the source's table of game types (Naglma's Spite & Malice), by name."""

from domain.capabilities import Preset
from domain.games.spite_and_malice.options import PRESETS, Options, Settings
from domain.games.spite_and_malice.options import Preset as Key

NAMES: dict[Key, str] = {
    "snm_a": "SNM A",
    "snm_pz": "SNM PZ",
    "snm_pz_nwis": "SNM PZ_NWIS",
    "snm_a_short": "SNM A-SHORT",
}
_COLUMNS = (
    "shuffle_type", "stock", "play_decks", "discards", "hand", "jokers", "packs", "minimum_wild", "wilds_in_stock",
)  # fmt: skip


def _row(settings: Settings) -> dict[str, str | int | bool]:
    return {column: getattr(settings, column) for column in _COLUMNS}


NAMED = tuple(Preset(name=name, options=Options(preset=key), row=_row(PRESETS[key])) for key, name in NAMES.items())
