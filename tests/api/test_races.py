"""Two clients on one version: one is right, the other is told so."""

from concurrent.futures import ThreadPoolExecutor

import httpx

from . import truth
from .playing import look, of, opened, say
from .serving import Player, Service

DRAW = {"type": "klondike/draw"}
RECYCLE = {"type": "klondike/recycle"}


def in_two_voices(player: Player, service: Service) -> tuple[Player, Player]:
    """The same player from two devices."""
    return player.on(service), player.on(service)


def test_of_two_commands_on_one_version_one_is_accepted(service: Service, ada: Player) -> None:
    game = opened(ada, options={"undo": False})
    voices = in_two_voices(ada, service)
    version = game["version"]
    with ThreadPoolExecutor(2) as pool:
        for round_ in range(50):
            command = RECYCLE if round_ % 25 == 24 else DRAW
            headers = {"if-match": f'"{version}"'}
            asked = [pool.submit(say, voice, game, command, headers=headers) for voice in voices]
            answers = sorted((one.result() for one in asked), key=lambda answer: answer.status_code)
            assert [answer.status_code for answer in answers] == [200, 412]
            assert answers[1].json()["version"] == answers[0].json()["version"] == version + 1
            version += 1
    assert look(ada, game)["version"] == version == len(truth.records(service, game))


def test_without_a_version_both_are_judged_in_turn(service: Service, ada: Player) -> None:
    game = opened(ada)
    voices = in_two_voices(ada, service)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(say, voices[number % 2], game, DRAW) for number in range(24)]
        answers = [one.result() for one in asked]
    assert {answer.status_code for answer in answers} == {200}
    versions = sorted(answer.json()["version"] for answer in answers)
    assert versions == list(range(game["version"] + 1, game["version"] + 25))
    assert say(ada, game, DRAW).status_code == 409


def test_the_last_seat_is_taken_by_one(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    for _ in range(10):
        game = opened(ada, "spite_and_malice")
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(one.post, of(game, "/join"), {}) for one in (bob, eve)]
            answers: list[httpx.Response] = [one.result() for one in asked]
        assert sorted(answer.status_code for answer in answers) == [200, 409]


def test_tokens_minted_at_once_are_all_minted(ada: Player) -> None:
    with ThreadPoolExecutor(10) as pool:
        asked = [pool.submit(ada.post, "/v1/tokens", {"label": f"token {number}"}) for number in range(10)]
        answers = [one.result() for one in asked]
    assert {answer.status_code for answer in answers} == {201}
    listed = {token["id"] for token in ada.get("/v1/tokens").json()["tokens"]}
    assert {answer.json()["id"] for answer in answers} <= listed


def test_looking_meanwhile_shows_versions_that_only_grow(service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada)
    with ThreadPoolExecutor(4) as pool:
        looking = [pool.submit(lambda: [look(eve, game)["version"] for _ in range(40)]) for _ in range(3)]
        for _ in range(24):
            assert say(ada, game, DRAW).status_code == 200
        for one in looking:
            versions = one.result()
            assert versions == sorted(versions)
