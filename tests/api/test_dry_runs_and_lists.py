"""A dry run tells accepted or the problem and records nothing; a list ends at its first refusal."""

import pytest

from . import truth
from .playing import look, moves, opened, say, seated
from .problems import told
from .serving import Player, Service

DRAW = {"type": "klondike/draw"}
DRY = {"dry_run": "true"}


def test_a_dry_run_tells_that_it_would_be_accepted_and_nothing_else(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = (truth.head(service), look(ada, game))
    answer = say(ada, game, DRAW, params=DRY, headers={"if-match": f'"{game["version"]}"'})
    version = game["version"]
    said = {"game_id": game["id"], "game_type": "klondike", "version": version, "accepted": 1, "frames": []}
    assert (answer.status_code, answer.json()) == (200, said)
    assert answer.headers["etag"] == f'"{game["version"]}"'
    assert (truth.head(service), look(ada, game)) == before


def test_a_dry_run_tells_the_problem_that_the_command_would_meet(service: Service, ada: Player) -> None:
    game = opened(ada)
    for command in (
        {"type": "klondike/recycle"},
        {"type": "klondike/move", "source": "waste", "target": "foundation_spades"},
        {"type": "bridge_solitaire/pass"},
    ):
        dry, meant = say(ada, game, command, params=DRY), say(ada, game, command)
        assert (dry.status_code, dry.content) == (meant.status_code, meant.content) == (409, dry.content)
    told(say(ada, game, DRAW, params=DRY, headers={"if-match": '"1"'}), 412, "stale_version")


def test_a_key_of_a_dry_run_is_still_unused(service: Service, ada: Player) -> None:
    game = opened(ada)
    headers = {"idempotency-key": "the key"}
    assert say(ada, game, DRAW, params=DRY, headers=headers).status_code == 200
    assert say(ada, game, DRAW, headers=headers).json()["frames"]


@pytest.mark.parametrize("many", [1, 2, 500])
def test_a_dry_run_takes_no_list(many: int, service: Service, ada: Player) -> None:
    game = opened(ada)
    before = truth.head(service)
    told(say(ada, game, [DRAW] * many, params=DRY), 400, "malformed")
    assert truth.head(service) == before


def test_no_dry_run_tells_more_of_a_hand_than_the_legal_commands(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    turn = look(ada, game)["view"]["to_act"][0]
    on, off = (ada, bob) if turn == 0 else (bob, ada)
    for command in moves(on, game):
        asked = say(off, game, command, params=DRY)
        assert asked.status_code == 409
        assert asked.json() == say(off, game, command).json()


def test_a_list_ends_at_the_first_refusal_and_what_was_accepted_stands(service: Service, ada: Player) -> None:
    game = opened(ada)
    nonsense = {"type": "klondike/recycle"}
    answer = say(ada, game, [DRAW, DRAW, nonsense, DRAW]).json()
    assert answer["accepted"] == len(answer["frames"]) == 2
    assert answer["refusal"]["status"] == 409
    assert answer["refusal"]["version"] == answer["version"] == look(ada, game)["version"] == game["version"] + 2
    refused = say(ada, game, nonsense).json()
    assert answer["refusal"]["rule"] == refused["rule"]
    assert len(truth.records(service, game)) == answer["version"]


def test_a_list_whose_first_command_is_refused_is_refused(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = truth.head(service)
    assert say(ada, game, [{"type": "klondike/recycle"}, DRAW]).status_code == 409
    assert truth.head(service) == before


def test_a_list_is_judged_on_one_version_and_tells_a_frame_of_each_step(ada: Player) -> None:
    game = opened(ada)
    told(say(ada, game, [DRAW, DRAW], headers={"if-match": '"2"'}), 412, "stale_version")
    answer = say(ada, game, [DRAW] * 24, headers={"if-match": f'"{game["version"]}"'}).json()
    assert [frame["step"] for frame in answer["frames"]] == list(range(game["step"] + 1, game["step"] + 25))
    assert "refusal" not in answer


def test_a_list_stops_at_the_end_of_the_game(ada: Player) -> None:
    game = opened(ada)
    answer = say(ada, game, [DRAW, {"type": "game/resign"}, DRAW]).json()
    assert (answer["accepted"], answer["refusal"]["rule"]) == (2, "game_finished")
