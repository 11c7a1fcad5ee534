"""A replay's own reading of a game: the game as it stood after any step, and the step of the deal."""

from itertools import groupby

from domain.game.aggregate import fold
from service.replays import Replay
from tests.domain.played import duel, solitaire


def test_the_game_after_every_step_is_the_fold_of_the_records_so_far() -> None:
    for records in (duel(moves=45), solitaire(moves=70)):
        replay = Replay()
        replay.extend(records)
        assert len(replay.steps) > 45
        for number in range(len(replay.steps)):
            assert replay.after(number) == fold(record for record in records if record.step <= number)


def test_a_replay_that_grows_step_by_step_knows_the_deal() -> None:
    for records, dealt in ((duel(moves=5), 1), (solitaire(moves=5), 0)):
        replay = Replay()
        for number, (_, step) in enumerate(groupby(records, key=lambda record: record.step)):
            replay.extend(list(step))
            assert replay.dealt == (dealt if number >= dealt else 0)
