"""The live stream: resumable without gap or double, with heartbeats, an explicit end, and access checked throughout."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random
from typing import Any

import pytest

from .playing import Game, look, of, opened, play_on, say, seated
from .problems import told as refused
from .serving import Player, Service, registered, speaking
from .streaming import Told, ending, events, frames, in_background
from .watching import metric, until

DRAW = {"type": "klondike/draw"}


def open_streams(service: Service) -> int:
    return int(metric(service, "kibitz_open_streams"))


def play_to_the_end(player: Player, game: Game) -> int:
    """24 commands and the resignation; the last step."""
    for _ in range(24):
        assert say(player, game, DRAW).status_code == 200
    step: int = say(player, game, {"type": "game/resign"}).json()["frames"][0]["step"]
    return step


@pytest.mark.parametrize("resume", ["by header", "by query"])
def test_a_resumed_stream_has_no_gap_and_no_double(resume: str, service: Service, ada: Player) -> None:
    game, heard, last = opened(ada), list[Any](), 0
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play_to_the_end, ada.on(service), game)
        reason = "limit"
        while reason == "limit":
            by_header: dict[str, Any] = {"headers": {"last-event-id": str(last)}}
            asked = {"after": last} if resume == "by query" else by_header
            told = list(events(ada, game, max_frames=3, **asked))
            heard += frames(told)
            last, reason = heard[-1]["version"], ending(told)
        assert [frame["step"] for frame in heard] == list(range(playing.result() + 1))
    assert reason == "finished"


def test_the_header_goes_before_the_query(ada: Player) -> None:
    game = opened(ada)
    say(ada, game, [DRAW, DRAW, {"type": "game/resign"}])
    heard = frames(list(events(ada, game, headers={"last-event-id": "0"}, after=4)))
    assert heard[0]["step"] == 0
    heard = frames(list(events(ada, game, headers={"last-event-id": "4"}, after=0)))
    assert heard[0]["version"] == 5


def test_twenty_streams_hear_the_same(service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada)
    listening = [in_background(eve.on(service), game) for _ in range(20)]
    play_to_the_end(ada, game)
    heard = [frames(one.result()) for one in listening]
    assert all(one == heard[0] for one in heard)
    assert len(heard[0]) == look(ada, game)["step"] + 1


def test_while_nothing_happens_there_are_heartbeats(ada: Player) -> None:
    told = list(islice(events(ada, opened(ada)), 6))
    assert [event.name for event in told[-4:]] == ["heartbeat"] * 4


def test_a_stream_ends_at_its_limit_and_says_so(ada: Player) -> None:
    game = opened(ada)
    for more in ({"max_seconds": 0}, {"max_seconds": 0.25}, {"max_frames": 1}):
        assert ending(list(events(ada, game, **more))) == "limit"
    played = [frame for _, frame in play_on((ada,), game, Random(1), 10)]
    last = look(ada, game)["step"] + 1
    assert say(ada, game, {"type": "game/resign"}).status_code == 200
    assert frames(list(events(ada, game)))[1:-1] == played
    for most in (1, 5, last):
        told = list(events(ada, game, max_frames=most))
        assert (len(frames(told)), ending(told)) == (most, "limit")
    for most in (last + 1, 1_000):
        told = list(events(ada, game, max_frames=most))
        assert (len(frames(told)), ending(told)) == (last + 1, "finished")


def test_a_stream_from_a_future_version_is_refused(ada: Player, eve: Player) -> None:
    game = opened(ada)
    path = of(game, "/events")
    for over in (False, True):
        if over:
            play_to_the_end(ada, game)
        version = look(ada, game)["version"]
        for after in (version + 1, 99_999, 2**31 - 1):
            by_header = {"last-event-id": str(min(after, 10**9 - 1))}
            for player in (ada, eve):
                refused(player.get(path, params={"after": after, "max_seconds": 0}), 400, "malformed")
                refused(player.get(path, headers=by_header, params={"max_seconds": 0}), 400, "malformed")
        answer = ada.get(path, params={"after": version, "max_seconds": 0})
        assert (answer.status_code, "event: frame" in answer.text) == (204 if over else 200, False)


def heard_until(follower: Player, game: Game, act: Callable[[], Any]) -> list[Told]:
    """All that the follower's stream told, where this was done once it was open."""
    stream = events(follower, game)
    first = next(stream)
    act()
    return [first, *stream]


def test_a_revoked_token_and_an_erased_player_hear_no_more(service: Service, ada: Player) -> None:
    game = opened(ada, visibility="private")
    minted = ada.post("/v1/tokens", {"label": "a guest", "scopes": ["read"]}).json()
    guest = speaking(service, ada.id, minted["secret"], minted["id"])
    told = heard_until(guest, game, lambda: ada.http.delete(f"/v1/tokens/{guest.token_id}"))
    assert ending(told) == "access"
    assert guest.get(of(game)).status_code == 401
    gone = registered(service, "Gone")
    game = opened(gone, visibility="private")
    told = heard_until(gone.on(service), game, lambda: gone.http.delete("/v1/players/me"))
    assert ending(told) == "access"


def test_who_leaves_a_seat_hears_nothing_more_from_it(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = opened(ada, "spite_and_malice")

    def another_sits_down() -> None:
        ada.post(of(game, "/leave"))
        eve.post(of(game, "/join"), {"seat": 0})
        seated(game, bob)

    told = heard_until(ada.on(service), game, another_sits_down)
    assert ending(told) == "access"
    assert all(frame["view"] is None for frame in frames(told))


def test_a_client_that_goes_away_leaves_nothing_behind(service: Service, ada: Player) -> None:
    before, inboxes = open_streams(service), metric(service, "kibitz_open_inboxes")
    stream = events(ada.on(service), opened(ada))
    next(stream)
    assert (open_streams(service), metric(service, "kibitz_open_inboxes")) == (before + 1, inboxes)
    stream.close()  # type: ignore[attr-defined]
    until(lambda: open_streams(service) == before)


def test_no_block_of_a_stream_is_without_an_event(ada: Player) -> None:
    """Readers such as httpx-sse make a message of a block that has a `retry:` alone."""
    game = opened(ada)
    accepts = {of(game, "/events"): "*/*", "/v1/inbox/events": "*/*", "/v1/account/events": "text/event-stream"}
    for path, accept in accepts.items():
        text = ada.http.get(path, params={"max_seconds": 0}, headers={"accept": accept}).text
        blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
        assert blocks
        assert all("event: " in block and "retry: 2000" in block for block in blocks), text
