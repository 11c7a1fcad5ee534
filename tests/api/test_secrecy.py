"""What a seat and a spectator of Spite & Malice receive before the end, byte by byte, against what is hidden."""

from base64 import b64encode
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from domain.games.spite_and_malice.state import State
from domain.play.aggregate import Game as Folded
from domain.play.aggregate import evolve
from domain.play.events import Sealed

from . import truth
from .playing import Game, look, moves, of, opened, say, seated
from .serving import Player, Service
from .streaming import frames, in_background


class Overheard:
    """Everything that one client receives, with the version at which the game stood."""

    def __init__(self, player: Player) -> None:
        self.version = 0
        self.bodies: list[tuple[int, bytes]] = []
        self.http = httpx.Client(base_url=player.http.base_url, headers=player.http.headers, timeout=60)
        self.http.event_hooks["response"].append(self._note)

    def _note(self, answer: httpx.Response) -> None:
        if "event-stream" not in answer.headers["content-type"]:
            self.bodies.append((self.version, answer.read()))


def asked_of_everything(client: Overheard, game: Game, step: int, cards: list[str]) -> None:
    """Every request that could tell something, allowed or not."""
    path = of(game)
    for query in ({}, {"spectator": "true"}, {"seat": 0}, {"known": "now"}):
        for rest in ("", "/frames", f"/frames/{step}", "/proof", "/record", "/legal-commands"):
            client.http.get(path + rest, params=query)
        client.http.get(path + f"/frames/{step}", params=query, headers={"accept": "text/plain"})
        client.http.get(path + "/frames", params=query, headers={"accept": "application/x-ndjson"})
    for card in cards:
        command = {"type": "spite_and_malice/discard", "card": card, "target": "discard_0_0"}
        for query in ({"dry_run": "true"}, {"dry_run": "true", "seat": 0}, {"seat": 0}):
            client.http.post(path + "/commands", params=query, json=command)


def states(service: Service, game: Game) -> Iterator[tuple[Folded, State]]:
    """The truth after each record."""
    folded: Folded | None = None
    for record in truth.records(service, game):
        folded = evolve(folded, record)
        if isinstance(folded.state, State):
            yield folded, folded.state


@pytest.mark.parametrize("seed", ["one", "two"])
def test_no_seat_receives_another_hand(seed: str, service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice", seed=seed), bob)
    listeners = {1: Overheard(bob), None: Overheard(eve)}
    streams = {1: in_background(bob.on(service), game), None: in_background(eve.on(service), game)}
    played(game, (ada, bob), Random(seed), listeners)
    truths = {folded.version: state for folded, state in states(service, game)}
    sealed = truth.folded(service, game).sealed
    assert sealed is not None
    assert say(ada, game, {"type": "game/resign"}).status_code == 200
    *_, (folded, state) = states(service, game)
    shown = eve.get(of(game, f"/frames/{folded.step}"), params={"known": "now"}).json()
    zones = {zone["id"]: zone.get("cards", []) for zone in shown["view"]["zones"]}
    assert (zones["hand_0"], zones["hand_1"]) == tuple(map(list, state.hands))
    assert (zones["stock_0"], zones["stock_1"]) == tuple(map(list, state.stocks))
    assert sorted(zones["draw"]) == sorted(state.draw), "after the end every card is shown to everybody"
    for seat, client in listeners.items():
        live = [frame for frame in frames(streams[seat].result()) if frame["version"] in truths]
        assert min(len(client.bodies), len(live)) > 30
        for frame in live:
            what_is_shown_is_public(frame, seat, truths[frame["version"]])
        encode = msgspec.json.encode
        for version, body in [*client.bodies, *((frame["version"], encode(frame)) for frame in live)]:
            nothing_of_the_hidden_is_in(body, sealed, truths[version])


def played(game: Game, players: tuple[Player, Player], rng: Random, listeners: dict[int | None, Overheard]) -> None:
    """Some turns, while the listeners ask for everything."""
    cards = ["AS", "KH", "7D", "*1"]
    for number in range(36):
        now = look(players[0], game)
        if now["status"] != "playing":
            return
        seat = now["view"]["to_act"][0]
        assert say(players[seat], game, rng.choice(moves(players[seat], game))).status_code == 200
        if number % 6 == 0:
            for client in listeners.values():
                client.version = look(players[0], game)["version"]
                asked_of_everything(client, game, now["step"], cards)


def nothing_of_the_hidden_is_in(heard: bytes, sealed: Sealed, state: State) -> None:
    for secret in (sealed.seed, sealed.digest_key):
        assert secret.hex().encode() not in heard
        assert b64encode(secret)[:40] not in heard
    for pile in (state.hands[0], state.draw, state.stocks[0][:-1], state.stocks[1][:-1]):
        for order in (pile, pile[::-1]):
            for run in (order[start : start + 4] for start in range(len(order) - 3)):
                for text in (",".join(f'"{card}"' for card in run), " ".join(run)):  # as JSON and as text show it
                    assert text.encode() not in heard


def what_is_shown_is_public(frame: Any, seat: int | None, state: State) -> None:
    if frame["seat"] != seat:
        assert frame["command"] is None
    zones = {zone["id"]: zone for zone in frame["view"]["zones"]}
    assert zones["hand_0"].get("cards", []) == ["#"] * len(state.hands[0])
    mine = list(state.hands[1]) if seat == 1 else ["#"] * len(state.hands[1])
    assert zones["hand_1"].get("cards", []) == mine
    for player, stock in enumerate(state.stocks):
        assert zones[f"stock_{player}"].get("cards", []) in ([], list(stock[-1:]))
    assert "cards" not in zones["draw"]
    assert zones["draw"].get("face_down", 0) == len(state.draw)
