"""The puzzles that come with the service: `corpus.json`, and `python -m service.puzzles.corpus`, which mines them.

Each is a position of a whole game that was won: seed, options and commands make its record again. A game follows a
solver's line, but some moves are drawn by lot where they still win.
"""

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAME_TYPES, AnyGameType, revision_of
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act, play
from domain.play.table import Opening, open_game
from projections.ladders.ratings import START
from service import solving
from service.analysis.history import history_of
from service.analysis.kinds import command_type
from service.event_store.errors import StoreUnavailable
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.puzzles.mining import MEMORY, Puzzle, Theme, mine
from service.solving import Finding, state_after

_LOAD = """
INSERT INTO puzzles SELECT puzzle, game, step, player, game_type, themes, convert_to(line, 'UTF8'), mu, sigma, plays,
    mined_at
FROM jsonb_to_recordset(%s::jsonb) AS row (puzzle uuid, game uuid, step int, player uuid, game_type text, themes text[],
    line text, mu bigint, sigma bigint, plays int, mined_at bigint)
ON CONFLICT DO NOTHING
"""
NOBODY = UUID(int=0)
"""Who has played these games."""
FILE = Path(__file__).with_name("corpus.json")
_BEGIN = 1_700_000_000_000_000
_BOUND = 6_000
"""Positions for one verdict: many games looked at shortly give more than few thoroughly."""
_BY_LOT, _SECONDS, _MOST_OF_GAME = 0.8, 8, 4
_LOT, _SPREAD = START.mu - 10_000_000, 6_000_000
"""The rating of a player who moves by lot, and the spread of a single result, in millionths."""
_VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "canfield": ({"draw": 3, "passes": 3},),
    "golf": ({"queens_on_kings": True}, {"wrap": True}),
    "klondike": ({"passes": 1}, {"draw": 3, "passes": 3}),
    "pyramid": ({"passes": 1}, {"passes": 3, "stock_top": True}),
    "spider": ({"suits": 1}, {"suits": 2}),
}
"""Options of some of the deals, beside the usual ones."""


class CorpusPuzzle(Struct, frozen=True):
    """The position after this step; for each move of the solution the commands that make it, by their numbers."""

    step: int
    line: tuple[tuple[int, ...], ...]
    themes: tuple[Theme, ...]
    mu: int


class CorpusGame(Struct, frozen=True):
    """A game that was won; the commands by their numbers in the corpus."""

    game_type: str
    revision: int
    seed: str
    options: dict[str, Any]
    commands: tuple[int, ...]
    puzzles: tuple[CorpusPuzzle, ...]

    @property
    def id(self) -> UUID:
        """The game's id, which no stored game has."""
        return uuid5(NOBODY, f"{self.game_type} {self.seed}")

    @property
    def kind(self) -> AnyGameType:
        """The game type."""
        return revision_of(self.game_type, self.revision)

    @property
    def sealed(self) -> ev.Sealed:
        """What deals the cards: the seed is the digest of its text."""
        return ev.Sealed(sha256(self.seed.encode()).digest(), bytes(32))


class Corpus(Struct, frozen=True):
    """Each command once, and the games."""

    commands: dict[str, list[dict[str, Any]]]
    games: tuple[CorpusGame, ...]

    def commands_of(self, game: CorpusGame) -> tuple[Any, ...]:
        """The commands of the whole game."""
        listed = self.commands[game.game_type]
        return msgspec.convert([listed[number] for number in game.commands], tuple[command_type(game.kind), ...])  # type: ignore[misc, no-any-return]

    def lines_of(self, game: CorpusGame) -> Iterator[tuple[CorpusPuzzle, list[list[dict[str, Any]]]]]:
        """Each puzzle of the game, and its solution as it is stored."""
        listed = self.commands[game.game_type]
        for puzzle in game.puzzles:
            yield puzzle, [[listed[number] for number in numbers] for numbers in puzzle.line]


class Deal(NamedTuple):
    """A puzzle's position, and the commands with which its game was won from there."""

    kind: AnyGameType
    state: Any
    rest: tuple[Any, ...]


@cache
def read_corpus() -> Corpus:
    """The corpus."""
    return msgspec.json.decode(FILE.read_bytes(), type=Corpus)


@lru_cache(256)
def deal_puzzle(game_id: UUID, step: int) -> Deal | None:
    """The position after this step of a game of the corpus; None: it has no such game."""
    game = next((game for game in read_corpus().games if game.id == game_id), None)
    if game is None:
        return None
    kind, commands = game.kind, read_corpus().commands_of(game)
    state = solving.seeded(kind, msgspec.convert(game.options, kind.options), game.sealed.seed)
    return Deal(kind, state_after(kind, state, *commands[:step]), commands[step:])


def corpus_statement() -> Companion:
    """The statement that puts the puzzles which the database lacks."""
    corpus = read_corpus()
    rows = [
        {
            "puzzle": uuid5(game.id, str(puzzle.step)), "game": game.id, "step": puzzle.step, "player": NOBODY,
            "game_type": game.game_type, "themes": puzzle.themes, "line": json.dumps(line), "mu": puzzle.mu,
            "sigma": START.sigma, "plays": 0, "mined_at": 0,
        }
        for game in corpus.games for puzzle, line in corpus.lines_of(game)
    ]  # fmt: skip
    return Companion(_LOAD, (msgspec.json.encode(rows).decode(),))


async def load_corpus(store: EventStore) -> None:
    """Put the puzzles into this database; one that cannot be written gets them at a later start."""
    with suppress(StoreUnavailable):
        await store.append([], [corpus_statement()])


def make_records(game: CorpusGame, commands: tuple[Any, ...]) -> list[AnyRecord]:
    """The records of the game."""
    options = msgspec.convert(game.options, game.kind.options)
    opening = Opening(type=game.kind, options=options, players=(NOBODY,), rated=False, origin="given_seed")
    step = open_game(game.id, opening, game.sealed, Act(NOBODY, 0, _BEGIN))
    records = list(step.records)
    for number, command in enumerate(commands, 1):
        step = play(step.game, command, Act(NOBODY, 0, _BEGIN + number * 1_000_000))
        records += step.records
    return records


def _win(game: CorpusGame) -> tuple[Any, ...]:
    """Commands that win it, with detours; none if the solver does not win the deal."""
    kind, lots, played = game.kind, Random(game.seed), list[Any]()
    options = msgspec.convert(game.options, kind.options)
    state: Any = solving.seeded(kind, options, game.sealed.seed)
    line = list(solving.verdict(game.game_type, options, state).commands)
    while line:
        command, detour = line.pop(0), lots.random() < _BY_LOT
        if detour and (other := lots.choice(kind.legal_commands(state, 0))) != command and len(played) < 300:
            finding = _find(game.game_type, state_after(kind, state, other))
            if finding.verdict == "won":
                command, line = other, list(finding.commands)
        state = state_after(kind, state, command)
        played.append(command)
    return tuple(played)


def _find(key: str, state: Any) -> Finding:
    return solving.verdict(key, state.options, state, _BOUND, MEMORY)


def _rate(kind: AnyGameType, state: Any, puzzle: Puzzle) -> int:
    """The rating at which moves by lot solve it as often as they do."""
    share = 1.0
    for commands in puzzle.line:
        share *= len(commands) / len(kind.legal_commands(state, 0))
        state = state_after(kind, state, commands[0])
    return round(_LOT + _SPREAD * NormalDist().inv_cdf(1 - share))


class Miner:
    """The corpus while it grows."""

    def __init__(self) -> None:
        corpus = read_corpus() if FILE.exists() else Corpus({}, ())
        self._commands = defaultdict(list, corpus.commands)
        self._games = list(corpus.games)

    def counts(self) -> Counter[str]:
        """How many puzzles each game type has."""
        return Counter(game.game_type for game in self._games for _ in game.puzzles)

    def mine(self, key: str, number: int) -> int:
        """Look through the game of this deal; how many puzzles it has."""
        variants = [{}, *_VARIANTS.get(key, ())]
        bare = CorpusGame(key, GAME_TYPES[key].revision, f"corpus {number}", variants[number % len(variants)], (), ())
        if any(game.id == bare.id for game in self._games) or not (commands := _win(bare)):
            return 0
        until, history = time.process_time() + _SECONDS, history_of(make_records(bare, commands))

        def judge(state: Any) -> Finding:
            return _find(key, state) if time.process_time() < until else Finding("open", (), 0)

        puzzles = sorted(islice(mine(history, len(commands), judge), _MOST_OF_GAME))
        if puzzles:
            numbered, positions = partial(self._number, key), history.positions
            rated = tuple(
                CorpusPuzzle(step, tuple(tuple(map(numbered, move)) for move in puzzle.line), puzzle.themes,
                             _rate(bare.kind, positions[step].state, puzzle))
                for puzzle in puzzles for step in [puzzle.step]
            )  # fmt: skip
            self._games.append(replace(bare, commands=tuple(map(numbered, commands)), puzzles=rated))
            self._write()
        return len(puzzles)

    def _number(self, key: str, command: Any) -> int:
        listed, entry = self._commands[key], msgspec.to_builtins(command)
        if entry not in listed:
            listed.append(entry)
        return listed.index(entry)

    def _write(self) -> None:
        """One game a line."""
        commands = ",\n".join(
            f"{json.dumps(key)}:{msgspec.json.encode(self._commands[key]).decode()}" for key in sorted(self._commands)
        )
        ordered = sorted(self._games, key=lambda game: (game.game_type, int(game.seed.split()[1])))
        games = ",\n".join(msgspec.json.encode(game).decode() for game in ordered)
        FILE.write_text(f'{{"commands":{{\n{commands}}},\n"games":[\n{games}]}}\n', "utf-8")


def main(most: int, keys: list[str]) -> None:
    """Add puzzles until each of these game types has so many; the one that took least time comes next."""
    miner, spent, deals = Miner(), dict.fromkeys(keys, 0.0), Counter[str]()
    while lacking := [key for key in keys if miner.counts()[key] < most]:
        key = min(lacking, key=lambda key: spent[key])
        began = time.process_time()
        puzzles = miner.mine(key, deals[key])
        deals[key] += 1
        spent[key] += time.process_time() - began
        progress = f"{key} {deals[key]}: {puzzles} puzzles, now {miner.counts()[key]}, {spent[key]:.0f} s\n"
        sys.stdout.write(progress)
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] or list(solving.SOLVERS))
