"""Rulings on a league's games, published tables, and the amendments beside them."""

from hashlib import sha256

import msgspec
import pytest
from box_tables import A, B, table, win
from seasons import ORGANISER, Founded, ended, game_id

from domain import rulings
from domain.league import decide


def test_organisers_cannot_lift_a_moderators_void_and_of_two_corrections_the_moderators_counts() -> None:
    made = Founded(2)
    one = made.fixtures[0]
    made.play(one, 1, ended(one.players, [0]))
    said = rulings.GamesVoided((game_id(1),), "abuse")
    made.records.append(rulings.ruling_record(1, said, ORGANISER, made.records[-1].time))
    made.rule(rulings.VoidsWithdrawn((game_id(1),), "it was none"))
    assert {row.points for row in table(made).rows} == {0}
    back = rulings.VoidsWithdrawn((game_id(1),), "it was none")
    made.records.append(rulings.ruling_record(2, back, ORGANISER, made.records[-1].time))
    assert {row.points for row in table(made).rows} == {24, 0}
    drawn = rulings.ResultCorrected(game=game_id(1), ending="drawn", winners=(), reason="adjudged")
    made.records.append(rulings.ruling_record(3, drawn, ORGANISER, made.records[-1].time))
    made.rule(rulings.ResultCorrected(game=game_id(1), ending="won", winners=(1,), reason="typo"))
    assert {row.points for row in table(made).rows} == {12}


def test_the_hash_of_a_published_table_follows_from_its_canonical_form_alone() -> None:
    made = Founded(2)
    one = made.fixtures[0]
    made.play(one, 1, ended(one.players, [], (5, 3)))
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    seats = {player: 2 if seat == 0 else -2 for seat, player in enumerate(one.players)}
    part = [one.id, "played", 12, 1, game_id(1)]
    order = sorted(seats, key=lambda player: (-seats[player], player))
    canonical = [[player, place, 12, 1, 0, 1, 0, 1, 12, seats[player], [part]] for place, player in enumerate(order, 1)]
    assert table(made).published[0].hash == sha256(msgspec.json.encode(canonical)).hexdigest()


@pytest.mark.parametrize("say", [
    rulings.GamesVoided((game_id(1),), "abuse"),
    rulings.ResultCorrected(game=game_id(1), ending="drawn", winners=(), reason="adjudged"),
])  # fmt: skip
def test_amendments_are_numbered_beside_the_published_table_and_what_was_decided_stands(say: msgspec.Struct) -> None:
    made = Founded(2)
    win(made, 1, A, B)
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    first = table(made).published[0]
    made.say(*decide.decide_promotions(made.it, 1, first.hash, [], ORGANISER))
    decided = made.it.season
    made.rule(say)
    back = rulings.VoidsWithdrawn if isinstance(say, rulings.GamesVoided) else rulings.CorrectionWithdrawn
    made.rule(back((game_id(1),) if back is rulings.VoidsWithdrawn else game_id(1), "it was right"))
    published = table(made).published
    assert [one.number for one in published] == [0, 1, 2]
    assert (published[0], published[2].hash) == (first, first.hash)
    assert made.it.season == decided
