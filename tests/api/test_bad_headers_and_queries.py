"""Headers and query parameters that cannot be read."""

import pytest

from .playing import Game, of, say
from .problems import told
from .serving import Player, Service

pytestmark = pytest.mark.usefixtures("nothing_recorded")
DRAW = {"type": "klondike/draw"}


UNREADABLE = [
    '"x"',
    '"-1"',
    '"1",, "2"',
    '"1" "2"',
    '*, "3"',
    '"' + "9" * 30 + '"',
    "",
    '""',
    '"1.0"',
    "W/",
    "W/3",
    'w/"3"',
    'W/"3',
    "W/*",
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_an_unreadable_if_match_is_malformed(text: str, ada: Player, game: Game) -> None:
    told(say(ada, game, DRAW, headers={"if-match": text}), 400, "malformed")


@pytest.mark.parametrize("version", [0, 1, 2, 4, 99])
def test_another_version_than_the_one_that_stands_is_stale(version: int, ada: Player, game: Game) -> None:
    problem = told(say(ada, game, DRAW, headers={"if-match": f'"{version}"'}), 412, "stale_version")
    assert problem["version"] == game["version"] == 3


@pytest.mark.parametrize("form", ['W/"{}"', "{}", '"7", W/"{}" ,"8"'])
def test_a_weak_version_a_bare_one_and_one_of_several_are_the_version(form: str, ada: Player, game: Game) -> None:
    nothing = {"type": "klondike/move", "source": "waste", "target": "foundation_spades"}
    told(say(ada, game, DRAW, headers={"if-match": form.format(2)}), 412, "stale_version")
    answer = say(ada, game, nothing, headers={"if-match": form.format(3)})
    assert answer.status_code == 409, "it was judged by the rules"


@pytest.mark.parametrize("name", ["If-Match", "Idempotency-Key", "Last-Event-ID"])
@pytest.mark.parametrize("second", ["3", "4"])
def test_a_header_that_stands_twice_is_malformed(name: str, second: str, ada: Player, game: Game) -> None:
    twice = [(name, "3"), (name, second)]
    live = name == "Last-Event-ID"
    answer = ada.get(of(game, "/events?max_seconds=0"), headers=twice) if live else say(ada, game, DRAW, headers=twice)
    assert "twice" in str(told(answer, 400, "malformed")["detail"])


@pytest.mark.parametrize(
    "path", ["/v1/players/me", "/v1/game-types", "/v1/games", "/v1/inbox/events?max_seconds=0", "/account", "/nowhere"]
)
def test_nobody_is_two_callers(path: str, service: Service, ada: Player, bob: Player) -> None:
    twice = [("Authorization", f"Bearer {one.token}") for one in (ada, bob)]
    answer = service.http.get(path, headers=twice)
    assert told(answer, 400, "malformed")["detail"] == "Authorization: it stands twice."


@pytest.mark.parametrize("key", ["", "k" * 201, "a\tb", "\xa0", "\xe9", "clef \xe9"])
def test_an_unreadable_idempotency_key_is_malformed(key: str, ada: Player, game: Game) -> None:
    headers = {"idempotency-key": key.encode("latin-1")}
    told(ada.post(of(game, "/commands"), DRAW, headers=headers), 400, "malformed")
    told(ada.post("/v1/games", {"game_type": "klondike"}, headers=headers), 400, "malformed")


@pytest.mark.parametrize("text", ["x", "-1", "1.", "1.5.5", "1." + "9" * 30, "9" * 30, ""])
def test_an_unreadable_last_event_id_is_malformed(text: str, ada: Player, game: Game) -> None:
    told(ada.get(of(game, "/events"), headers={"last-event-id": text}), 400, "malformed")


@pytest.mark.parametrize(
    "cursor", ["x", "!", "AAAA", "AAgAAAAAAAAAAGE=", "é", "A" * 201, "AAEAAA", "//8", "AAAA\0", "AAhhYWFhYWFhYQBi"]
)
def test_a_cursor_that_no_page_gave_out_is_malformed_or_finds_nothing_amiss(cursor: str, ada: Player) -> None:
    for path in ("/v1/games", "/v1/scoreboards/klondike", f"/v1/players/{ada.id}/scores/klondike/games"):
        answer = ada.get(path, params={"cursor": cursor})
        if answer.status_code != 200:
            told(answer, 400, "malformed")


QUERIES = {
    "unknown": "/v1/games?colour=red",
    "doubled": "/v1/games?limit=1&limit=2",
    "doubled alike": "/v1/games?limit=1&limit=1",
    "empty": "/v1/games?limit=",
    "zero": "/v1/games?limit=0",
    "negative": "/v1/games?limit=-1",
    "too many": "/v1/games?limit=201",
    "beyond 64 bits": "/v1/games?limit=" + "9" * 400,
    "not a number": "/v1/games?limit=ten",
    "null": "/v1/games?limit=null",
    "a list": "/v1/games?limit=[1]",
    "deep": "/v1/games?limit=" + "[" * 5_000 + "]" * 5_000,
    "deep in a text": "/v1/games?game_type=" + "[" * 5_000,
    "no player": "/v1/games?player_id=me",
    "no status": "/v1/games?status=lost",
    "a NUL": "/v1/games?game_type=a%00b",
    "broken UTF-8": "/v1/games?game_type=%ff",
    "a surrogate": "/v1/games?game_type=%ed%a0%80",
    "no seat": "GAME?seat=a",
    "a seat beyond all": "GAME?seat=16",
    "a negative seat": "GAME?seat=-1",
    "no truth": "GAME?spectator=maybe",
    "on a frame": "GAME/frames/0?step=1",
    "on frames": "GAME/frames?limit=1001",
    "no first": "GAME/frames?first=-1",
    "first beyond 64 bits": "GAME/frames?first=99999999999999999999",
    "on a stream": "GAME/events?max_frames=0",
    "no time": "GAME/events?max_seconds=nan",
    "all time": "GAME/events?max_seconds=1e999",
    "no knowledge": "GAME/frames?known=all",
    "on the proof": "GAME/proof?seat=0",
    "on life": "/livez?deep=1",
    "on the document": "/v1/openapi.json?x",
}


@pytest.mark.parametrize("what", QUERIES)
def test_a_query_that_cannot_be_read_is_malformed(what: str, ada: Player, game: Game) -> None:
    told(ada.get(QUERIES[what].replace("GAME", of(game))), 400, "malformed")


def test_a_seat_that_the_game_does_not_have_is_not_yours(ada: Player, game: Game) -> None:
    told(ada.get(of(game), params={"seat": 15}), 403, "not_your_seat")
    told(say(ada, game, DRAW, params={"seat": 15}), 403, "not_your_seat")
