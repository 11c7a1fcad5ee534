"""What waits for nobody, by game type, in processor time: folding and the rules."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from domain.capabilities import OptionRules
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.deciding import Act, legal_commands, play
from domain.play.frames import view_of
from service.event_store.codec import standard_codec
from service.postgres import Server

from .measures import interleaved, per_second, ratio, say, short
from .scripts import PLAYER, START, script, scripts

EVENTS = 500
_GAMES, _MOST = 6, 300
_FRESH = 3  # games whose playing is timed in each repeat
Section = Callable[[Server], dict[str, Any]]


def _each(work: Callable[[Any], object], many: Iterable[Any]) -> Callable[[], None]:
    """This work on each of many."""

    def every() -> None:
        for item in many:
            work(item)

    return every


def _by_game_type(measure: Callable[[str], dict[str, Any]]) -> Section:
    def measured(postgres: Server) -> dict[str, Any]:
        """The section of the document."""
        figures = {}
        for key in GAME_TYPES:
            say(f"{measure.__name__} {key}")
            figures[key] = measure(key)
        return figures

    return measured


@_by_game_type
def folding(key: str) -> dict[str, Any]:
    """A game's records to its state, against the game type's own evolve and against decoding; events a second."""
    games: list[tuple[AnyRecord, ...]] = []
    for played in scripts(key, EVENTS):
        games.append(played.records[: EVENTS - sum(map(len, games))])
        if sum(map(len, games)) == EVENTS:
            break
    count, codec, game_type = sum(map(len, games)), standard_codec(), GAME_TYPES[key]
    stored = [[codec.encode(record) for record in game] for game in games]
    options = game_type.get(OptionRules).settle(game_type.options(), game_type.seats[0])

    def evolve(game: Iterable[AnyRecord]) -> None:
        """The game type's part alone: what no envelope can be faster than."""
        state = game_type.initial(options, game_type.seats[0])
        for record in game:
            if type(record.event) in game_type.events:
                state = game_type.evolve(state, record.event)

    rates = interleaved({
        "fold": _each(fold, games),
        "evolve_alone": _each(evolve, games),
        "decode_alone": _each(lambda game: [codec.decode(state) for state in game], stored),
        "decode_and_fold": _each(lambda game: fold(map(codec.decode, game)), stored),
    }, count)  # fmt: skip
    return {
        "events": count, "games": len(games), "bytes_of_a_state": len(msgspec.json.encode(fold(games[0]).state)),
        **per_second(rates), "fold_to_evolve_alone": ratio(rates["fold"], rates["evolve_alone"]),
        "decode_and_fold_to_fold": ratio(rates["decode_and_fold"], rates["fold"]),
    }  # fmt: skip


@_by_game_type
def rules(key: str) -> dict[str, Any]:
    """What may be said, deciding and evolving, whole random games; calls a second."""
    played = [script(key, number, _MOST) for number in range(_GAMES)]
    positions = [
        (step.game, said.seat, said.command)
        for one in played for step, said in zip(one.steps, one.said, strict=False)
        if not isinstance(said.command, ev.Undo)
    ]  # fmt: skip

    def evolve(position: Any) -> None:
        """The game type's own work for a command; `play` adds records, digests and the game after them."""
        game, seat, command = position
        state = game.state
        for event in game.type.decide(state, seat, command):
            state = game.type.evolve(state, event)

    rates = interleaved({
        "legal_commands": _each(lambda one: legal_commands(one[0], one[1]), positions),
        "decide_and_evolve": _each(evolve, positions),
        "whole_steps": _each(lambda one: play(one[0], one[2], Act(PLAYER, one[1], START)), positions),
        "looks": _each(lambda one: view_of(one[0], one[1]), positions),
    }, len(positions))  # fmt: skip
    fresh = partial(script.__wrapped__, key, most=_MOST)
    rates |= interleaved({"random_games": _each(fresh, range(_FRESH))}, _FRESH)
    lengths = [len(one.said) for one in played]
    steps = {"mean": short(sum(lengths) / len(lengths)), "at_most": _MOST}
    return {**per_second(rates), "steps_of_a_random_game": steps}
