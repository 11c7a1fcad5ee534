"""The puzzles that come with the service: their games verify, a solver proves a sample of them, a database has them."""

from collections import Counter
from typing import Any

import msgspec
import psycopg
import pytest

from domain.play.aggregate import fold
from domain.play.verify import verify
from service.puzzles import corpus
from service.puzzles.corpus import CorpusGame, CorpusPuzzle, read_corpus
from service.puzzles.mining import BOUND, MEMORY, find_solution, tells_all, themes_of
from service.solving import Finding, state_after
from service.solving import verdict as solve
from tests.api.puzzled import ship
from tests.api.serving import serving

PUZZLES = [(game, puzzle) for game in read_corpus().games for puzzle in game.puzzles]
SAMPLE = PUZZLES[:: len(PUZZLES) // 20]


def test_there_are_300_of_several_types_and_the_file_is_small() -> None:
    types = Counter(game.game_type for game, _ in PUZZLES)
    assert sum(types.values()) >= 300
    assert len(types) >= 4
    assert {theme for _, puzzle in PUZZLES for theme in puzzle.themes} >= {"two_of_a_rank", "end_play", "last_pass"}
    assert len({(game.id, puzzle.step) for game, puzzle in PUZZLES}) == len(PUZZLES)
    assert corpus.FILE.stat().st_size < 1_000_000


def test_the_record_of_each_game_verifies_and_is_won() -> None:
    for game in read_corpus().games[::5]:
        records = corpus.make_records(game, read_corpus().commands_of(game))
        assert verify(records) == [], game.seed
        folded = fold(records)
        assert folded.result is not None
        assert (folded.result.ending, folded.step) == ("won", len(game.commands))


@pytest.mark.parametrize(("game", "puzzle"), SAMPLE, ids=[f"{game.id}-{puzzle.step}" for game, puzzle in SAMPLE])
def test_one_continuation_wins_and_every_other_is_proved_lost(game: CorpusGame, puzzle: CorpusPuzzle) -> None:
    deal = corpus.deal_puzzle(game.id, puzzle.step)
    assert deal is not None
    kind, state, _ = deal

    def judge(after: Any) -> Finding:
        return solve(game.game_type, state.options, after, BOUND, MEMORY)

    line = find_solution(kind, state, judge)
    assert msgspec.json.decode(msgspec.json.encode(line)) == dict(puzzle_lines(game))[puzzle.step]
    assert puzzle.themes == themes_of(kind, state, [commands[0] for commands in line])
    assert tells_all(kind, state)
    for commands in line:
        state = state_after(kind, state, commands[0])
    assert judge(state).verdict == "won"


def puzzle_lines(game: CorpusGame) -> list[tuple[int, list[list[dict[str, Any]]]]]:
    return [(puzzle.step, line) for puzzle, line in read_corpus().lines_of(game)]


def test_a_fresh_server_and_an_old_database_have_each_once_and_keep_what_has_changed(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        with serving(database, puzzles=10) as service:
            shown = service.http.get("/v1/puzzles/daily").raise_for_status().json()
            assert len(shown["position"]["commands"]) > 1
            assert len(connection.execute("SELECT FROM puzzles").fetchall()) == len(PUZZLES)
        connection.execute("DELETE FROM puzzles WHERE game_type = 'golf'")
        connection.execute("UPDATE puzzles SET mu = 1, plays = 1")
        before = len(connection.execute("SELECT FROM puzzles").fetchall())
        ship(database)
        assert len(connection.execute("SELECT FROM puzzles").fetchall()) == len(PUZZLES) > before
        assert len(connection.execute("SELECT FROM puzzles WHERE plays = 1").fetchall()) == before
        with serving(database) as service:
            connection.execute("UPDATE puzzles SET game = gen_random_uuid()")  # of a game that is no longer shipped
            assert service.http.get("/v1/puzzles/daily").status_code == 404
        assert connection.execute("SELECT FROM puzzles").fetchall() == []
