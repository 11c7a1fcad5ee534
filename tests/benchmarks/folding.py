"""Folds: a game's records to its state, by game type, against the game type's own evolve and against decoding."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from domain.capabilities import OptionRules
from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord, fold
from service.event_store.codec import standard_codec

from .measures import interleaved, ratio, say, spread
from .scripts import scripts

EVENTS = 500
Games = list[Sequence[AnyRecord]]


def measured() -> dict[str, Any]:
    """The section of the document; every rate in events a second of processor time."""
    return {key: _measured(key) for key in GAME_TYPES}


def _measured(key: str) -> dict[str, Any]:
    say(f"fold {key}")
    games = _games(key)
    count = sum(map(len, games))
    stored = [[standard_codec().encode(record) for record in game] for game in games]
    rates = interleaved({
        "fold": (partial(_fold, games), count),
        "evolve_alone": (partial(_evolve, key, games), count),
        "decode_alone": (partial(_decode, stored), count),
        "decode_and_fold": (partial(_load, stored), count),
    })  # fmt: skip
    told: dict[str, Any] = {f"{name}_per_second": spread(numbers) for name, numbers in rates.items()}
    return {
        "events": count, "games": len(games), "bytes_of_a_state": len(msgspec.json.encode(fold(games[0]).state)),
        **told, "fold_to_evolve_alone": ratio(rates["fold"], rates["evolve_alone"]),
        "decode_and_fold_to_fold": ratio(rates["decode_and_fold"], rates["fold"]),
    }  # fmt: skip


def _games(key: str) -> Games:
    """Games of this type until they have so many events: one, where a game lasts so long."""
    games: Games = []
    for found in scripts(key, EVENTS):
        games.append(found.records[: EVENTS - sum(map(len, games))])
        if sum(map(len, games)) == EVENTS:
            return games
    return games


def _fold(games: Games) -> None:
    for game in games:
        fold(game)


def _evolve(key: str, games: Games) -> None:
    """The game type's part alone: what no envelope can be faster than."""
    found = GAME_TYPES[key]
    events, options = found.events, found.get(OptionRules).settle(found.options(), found.seats[0])
    for game in games:
        state = found.initial(options, found.seats[0])
        for record in game:
            if type(record.event) in events:
                state = found.evolve(state, record.event)


def _decode(stored: list[list[bytes]]) -> None:
    decode = standard_codec().decode
    for game in stored:
        for state in game:
            decode(state)


def _load(stored: list[list[bytes]]) -> None:
    decode = standard_codec().decode
    for game in stored:
        fold(map(decode, game))
