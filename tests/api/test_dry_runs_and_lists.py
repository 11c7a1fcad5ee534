"""A dry run tells accepted or the problem and records nothing; a list ends at its first refusal."""

from . import truth
from .playing import DRAW, RESIGN, in_turn, look, moves, opened, say, seated
from .problems import told
from .serving import Player, Service

RECYCLE = {"type": "klondike/recycle"}
DRY = {"dry_run": "true"}


def test_a_dry_run_tells_acceptance_or_problem_and_changes_nothing(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = (truth.head(service), look(ada, game))
    headers = {"idempotency-key": "the key", "if-match": f'"{game["version"]}"'}
    answer = say(ada, game, DRAW, params=DRY, headers=headers)
    said = {"game_id": game["id"], "game_type": "klondike", "version": game["version"], "accepted": 1, "frames": []}
    assert (answer.status_code, answer.json()) == (200, said)
    assert answer.headers["etag"] == f'"{game["version"]}"'
    for command in (
        RECYCLE,
        {"type": "klondike/move", "source": "waste", "target": "foundation_spades"},
        {"type": "bridge_solitaire/pass"},
    ):
        dry, meant = say(ada, game, command, params=DRY), say(ada, game, command)
        assert (dry.status_code, dry.content) == (meant.status_code, meant.content) == (409, dry.content)
    told(say(ada, game, DRAW, params=DRY, headers={"if-match": '"1"'}), 412, "stale_version")
    for many in (1, 2, 500):
        told(say(ada, game, [DRAW] * many, params=DRY), 400, "malformed")
    assert (truth.head(service), look(ada, game)) == before
    assert say(ada, game, DRAW, headers=headers).json()["frames"], "the key is still unused"


def test_no_dry_run_tells_anything_of_a_hand(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    on, off = in_turn((ada, bob), game)
    for command in moves(on, game):
        asked = say(off, game, command, params=DRY)
        assert asked.status_code == 409
        assert asked.json() == say(off, game, command).json()


def test_a_list_ends_at_its_first_refusal(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = truth.head(service)
    assert say(ada, game, [RECYCLE, DRAW]).status_code == 409
    assert truth.head(service) == before
    answer = say(ada, game, [DRAW, DRAW, RECYCLE, DRAW]).json()
    assert answer["accepted"] == len(answer["frames"]) == 2
    assert answer["refusal"]["status"] == 409
    assert answer["refusal"]["version"] == answer["version"] == look(ada, game)["version"] == game["version"] + 2
    assert answer["refusal"]["rule"] == say(ada, game, RECYCLE).json()["rule"]
    assert len(truth.records(service, game)) == answer["version"]


def test_a_list_has_one_version_and_each_steps_frame(ada: Player) -> None:
    game = opened(ada)
    told(say(ada, game, [DRAW, DRAW], headers={"if-match": '"2"'}), 412, "stale_version")
    answer = say(ada, game, [DRAW] * 24, headers={"if-match": f'"{game["version"]}"'}).json()
    assert [frame["step"] for frame in answer["frames"]] == list(range(game["step"] + 1, game["step"] + 25))
    assert "refusal" not in answer
    answer = say(ada, game, [RECYCLE, RESIGN, DRAW]).json()
    assert (answer["accepted"], answer["refusal"]["rule"]) == (2, "game_finished")
