"""The feed over HTTP: every public game that is over, once, in order, from wherever one goes on."""

import json
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from domain.play.open_record import read_record
from domain.play.verify import verify

from . import truth
from .boxes import fixture, running, won
from .playing import DRAW, RESIGN, ended, look, of, opened, say, seated
from .problems import told
from .serving import Player, Service, done, moderating, registered

Line = dict[str, Any]


def lines(who: Player, **query: Any) -> list[Line]:
    """Every line; the last is the end."""
    answer = who.get("/v1/feed", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def fed(who: Player, cursor: str, **query: Any) -> list[Line]:
    """The lines behind this cursor without the end, which counts them."""
    *games, end = lines(who, cursor=cursor, **query)
    assert (end["end"], end["count"]) == (True, len(games))
    assert float(end["cursor"]) >= max([float(cursor), *(int(float(line["cursor"])) for line in games)])
    return games


def here(player: Player) -> str:
    """The cursor at the end of the feed as it is now."""
    return lines(player)[-1]["cursor"]


def ids(games: list[Line]) -> list[str]:
    return [line["game"]["id"] for line in games]


def test_a_line_tells_a_game_that_is_over(ada: Player, bob: Player, eve: Player) -> None:
    cursor = here(ada)
    game = seated(opened(ada, "spite_and_malice"), bob)
    assert fed(eve, cursor) == []
    say(bob, game, RESIGN)
    over = look(ada, game)
    (line,) = fed(eve, cursor)
    same = ("id", "game_type", "revision", "options", "rated", "hints", "origin", "result", "version", "opened_at")
    people = {"Ada": ada.id, "Bob": bob.id}
    assert line == {"cursor": line["cursor"], "kind": "finished", "game": {name: over[name] for name in same} | {
        "steps": over["step"], "forked_from": None, "league": None, "moves": 0, "finished_at": over["updated_at"],
        "seats": [{"seat": seat, "player": {"id": people[name], "name": name}} for seat, name in enumerate(people)],
        "summary": "Ada won Spite & Malice against Bob in 0 moves (resigned).",
    }}  # fmt: skip


def test_names_are_those_of_now_and_all_else_stays(service: Service, ada: Player) -> None:
    cursor, player = here(ada), registered(service, "Gil")
    game = ended(player)
    (first,) = fed(ada, cursor)
    assert first["game"]["summary"] == "Gil lost Klondike after 0 moves (resigned)."
    player.http.patch("/v1/players/me", json={"name": "Gilda"}).raise_for_status()
    (second,) = fed(ada, cursor)
    assert second["game"]["summary"] == "Gilda lost Klondike after 0 moves (resigned)."
    player.http.delete("/v1/players/me").raise_for_status()
    (third,) = fed(ada, cursor)
    assert third["game"]["seats"] == [{"seat": 0, "player": {"id": game["creator"]["id"], "name": None}}]
    assert third["game"]["summary"] == "An erased player lost Klondike after 0 moves (resigned)."
    games = [line["game"] | {"seats": None, "summary": None} for line in (first, second, third)]
    assert games[0] == games[1] == games[2]


def test_a_league_game_names_its_league_and_its_fixture(service: Service) -> None:
    gus, hal, ina = (registered(service, name) for name in ("Gus", "Hal", "Ina"))
    cursor, league = here(gus), running(gus, gus, hal, ina)
    game = won(service, league, gus, hal)
    (line,) = fed(ina, cursor)
    assert line["game"]["id"] == game["id"]
    place = {"id": league["id"], "name": league["name"], "season": 1, "fixture_id": fixture(gus, league, gus, hal)}
    assert line["game"]["league"] == place


def test_private_and_unlisted_games_are_in_no_line(service: Service, ada: Player) -> None:
    cursor = here(ada)
    for visibility in ("private", "unlisted"):
        ended(ada, visibility=visibility)
    public = ended(ada)
    assert ids(fed(ada, cursor)) == [public["id"]]
    assert service.http.get("/v1/feed", params={"cursor": cursor}).text.count(public["id"]) == 1


def test_a_void_after_the_end_has_its_own_line(service: Service, ada: Player) -> None:
    cursor, moderator = here(ada), moderating(service)
    game = ended(ada)
    (before,) = fed(ada, cursor, include="record")
    moderator.post(of(game, "/void"), {"reason": "no good"})
    first, second = fed(ada, cursor, include="record")
    assert first == before
    assert (second["kind"], second["game"]["id"]) == ("voided", game["id"])
    assert second["game"]["finished_at"] == first["game"]["finished_at"]
    assert second["game"]["version"] == first["game"]["version"] + 1
    assert fed(ada, first["cursor"]) == [{name: value for name, value in second.items() if name != "record"}]


def test_a_void_before_the_end_is_the_only_line(service: Service, ada: Player, bob: Player) -> None:
    cursor, moderator = here(ada), moderating(service)
    live, waiting = seated(opened(ada, "spite_and_malice"), bob), opened(ada, "spite_and_malice")
    for game in (live, waiting):
        done(moderator.post(of(game, "/void"), {"reason": "no good"}))
    voids = fed(ada, cursor)
    assert [(line["kind"], line["game"]["id"], line["game"]["result"]) for line in voids] == [
        ("voided", live["id"], None), ("voided", waiting["id"], None),
    ]  # fmt: skip
    assert [seat["player"] and seat["player"]["id"] for seat in voids[1]["game"]["seats"]] == [ada.id, None]
    assert [line["game"]["summary"] for line in voids] == [
        "Spite & Malice with Ada and Bob was declared void.", "Spite & Malice with Ada was declared void.",
    ]  # fmt: skip


def test_a_line_with_the_record_holds_the_whole_game(service: Service, ada: Player) -> None:
    cursor = here(ada)
    games = [ended(ada), ended(ada, "golf"), ended(ada, "spite_and_malice", hot_seat=True)]
    over = fed(ada, cursor, include="record")
    assert ids(over) == [game["id"] for game in games]
    for game, line in zip(games, over, strict=True):
        record = read_record(line["record"].encode())
        assert list(record.records) == truth.records(service, game)
        assert verify(record.records) == []
        assert record.signature is not None
        assert line["record"] == ada.get(of(game, "/record")).text


def test_a_fork_is_marked_in_its_line(ada: Player) -> None:
    parent, cursor = ended(ada), here(ada)
    made = ada.post(of(parent, "/fork"), {"step": 0, "visibility": "public"}).json()
    say(ada, made, RESIGN)
    (line,) = fed(ada, cursor)
    assert (line["game"]["origin"], line["game"]["rated"]) == ("fork", False)
    assert line["game"]["forked_from"] == {"game_id": parent["id"], "step": 0}


def test_filters_leave_the_others_out(ada: Player, bob: Player) -> None:
    cursor = here(ada)
    made = [ended(ada), ended(bob, "golf", rated=False), ended(bob), ended(ada, "golf")]
    abandoned = seated(opened(ada, "spite_and_malice"), bob)
    for player in (ada, bob):
        player.post(of(abandoned, "/abandon"))
    everything = [game["id"] for game in (*made, abandoned)]
    times = {line["game"]["id"]: line["game"]["finished_at"] for line in fed(ada, cursor)}

    def chosen(*numbers: int, **query: Any) -> None:
        assert ids(fed(ada, cursor, **query)) == [everything[number] for number in numbers]

    chosen(0, 1, 2, 3, 4)
    chosen(1, 3, game_type="golf")
    chosen(1, rated="false")
    chosen(0, 2, 3, 4, rated="true")
    chosen(4, ending="abandoned")
    chosen(0, 1, 2, 3, ending="lost")
    chosen(1, 2, 4, player_id=bob.id)
    chosen(2, player_id=bob.id, rated="true", game_type="klondike")
    chosen(2, 3, 4, since=times[everything[2]])
    chosen(0, 1, until=times[everything[2]])
    chosen(2, since=times[everything[2]], until=times[everything[3]])
    chosen(game_type="freecell")


def test_a_cursor_goes_on_behind_what_was_filtered_out(ada: Player) -> None:
    cursor = here(ada)
    made = [ended(ada)["id"] for _ in range(3)]
    *first, end = lines(ada, cursor=cursor, limit=2)
    assert (ids(first), end) == (made[:2], {"end": True, "count": 2, "cursor": first[-1]["cursor"]})
    assert ids(fed(ada, end["cursor"])) == made[2:]
    none = lines(ada, cursor=cursor, game_type="freecell")
    assert none == [{"end": True, "count": 0, "cursor": here(ada)}]


def test_whoever_waits_is_told_of_the_next_game_at_once(ada: Player, bob: Player) -> None:
    cursor, game = here(ada), opened(bob)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lines, ada, cursor=cursor, wait=50)
        say(bob, game, RESIGN)
        assert ids(waiting.result(60)[:-1]) == [game["id"]]
    assert lines(ada, cursor=here(ada), wait=0.1)[0]["count"] == 0


def test_a_waiting_feed_breaks_off_when_the_service_ends(serve: Callable[..., Service]) -> None:
    service = serve()
    with service.http.stream("GET", "/v1/feed", params={"wait": 60}) as answer, ThreadPoolExecutor(1) as pool:
        heard = pool.submit(lambda: b"".join(answer.iter_raw()))
        service.process.send_signal(signal.SIGTERM)
        assert heard.result(60) == b""
    assert service.process.wait(60) in (0, -signal.SIGTERM)


def test_nonsense_and_other_media_types_are_refused(ada: Player) -> None:
    for query in (
        {"cursor": "-1"}, {"cursor": "x"}, {"cursor": "1" * 19}, {"cursor": str(10**17)}, {"limit": 0},
        {"include": "all"}, {"since": "yesterday"}, {"since": "2026-01-05T18:30:00"}, {"player_id": "bob"},
        {"wait": 61}, {"other": 1},
    ):  # fmt: skip
        told(ada.get("/v1/feed", params=query), 400, "malformed")
    told(ada.get("/v1/feed", headers={"accept": "application/json"}), 406, "not_acceptable")


def test_going_on_from_any_cut_brings_every_game_once(service: Service, ada: Player) -> None:
    cursor, random, received = here(ada), Random(11), list[Line]()
    start = cursor
    with ThreadPoolExecutor(4) as pool:
        players = [pool.submit(_finishing, service, number) for number in range(4)]
        while not all(player.done() for player in players):
            received += (cut := list(_cut(ada, cursor, random)))
            cursor = cut[-1]["cursor"] if cut else cursor
        assert [player.result() for player in players] == [None] * 4
    received += fed(ada, cursor)
    assert [(line["cursor"], line["kind"], line["game"]["id"]) for line in received] == _truth(service, start)
    assert len(received) >= 4 * 12


def _finishing(service: Service, number: int) -> None:
    """Twelve games that end, some of them two at once, some void afterwards, some that nobody shall see."""
    player, moderator, random = registered(service, f"Finisher {number}"), moderating(service), Random(number)
    for count in range(18):
        game = opened(player, visibility="private" if count % 3 == 2 else "public")
        for _ in range(random.randrange(3)):
            say(player, game, DRAW)
        say(player, game, RESIGN)
        if random.randrange(4) == 0:
            moderator.post(of(game, "/void"), {"reason": "no good"})


def _cut(player: Player, cursor: str, random: Random) -> Iterator[Line]:
    """Some lines behind this cursor: the rest is not read, or was not asked for, or it is the end."""
    most = random.randrange(1, 8)
    query = {"cursor": cursor} | ({"limit": most} if random.random() < 0.5 else {})
    with player.http.stream("GET", "/v1/feed", params=query) as answer:
        for number, text in enumerate(answer.iter_lines()):
            line = json.loads(text)
            if "end" in line or number == most:
                return
            yield line


def _truth(service: Service, after: str) -> list[tuple[str, str, str]]:
    """What the log holds behind this position: every public game's end and void, in order."""
    statement = "SELECT position, topic, stream FROM events WHERE position > %s AND topic = ANY(%s) ORDER BY position"
    rows = truth.rows(service, statement, int(after), ["game/revealed", "game/voided"])
    streams = {stream for _, _, stream in rows}
    public = {
        stream for stream in streams if truth.records(service, {"id": str(stream)})[0].event.visibility == "public"
    }
    kinds = {"game/revealed": "finished", "game/voided": "voided"}
    return [(str(position), kinds[topic], str(stream)) for position, topic, stream in rows if stream in public]
