"""A client that has read the service's description and a game type's document, and no rules: it plays Decs Building.

It imports nothing of the domain or the service. What can be paid, what it is worth, where it fits and what is powered
then comes from `material` and the facts.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import Any

from kibitz_client.sync import Kibitz

Cell = tuple[int, int]
Command = dict[str, Any]


class Stranger:
    """Who plays every seat of one game, with what the document says of its board."""

    def __init__(self, address: str, options: dict[str, Any], seats: int, seed: str) -> None:
        self.api = Kibitz(address)
        self.api.register("A stranger")
        body = {"game_type": "decs_building", "options": options, "seats": seats, "hot_seat": True, "seed": seed}
        game = self.api.request("open_game", body)
        self.game, self.options = game["id"], game["options"]
        document = self.api.request("get_game_type", game_type="decs_building", revision=game["revision"])
        self.rules = {name: document["material"][name] for name in document["material"]}
        self.symbols = {symbol["id"]: symbol for symbol in self.rules["symbols"]}
        self.shapes = {shape["id"]: shape for shape in self.rules["features"]}
        self.spaces = {space["id"]: space for space in self.rules["spaces"]}
        self.grid = next(grid for grid in self.rules["grids"] if grid["short"] == self.options["short"])
        ours = {"seats": seats, **{name: self.options[name] for name in ("short", "two_player_tens")}}.items()
        self.setup = next(setup for setup in self.rules["setups"] if ours <= setup.items())

    def look(self, seat: int) -> Any:
        """The game as this seat sees it."""
        return self.api.request("get_game", game_id=self.game, seat=seat)

    def listed(self, seat: int) -> list[Command]:
        """What the service lists for it, without resigning."""
        commands: list[Any] = self.api.request("list_legal_commands", game_id=self.game, seat=seat)["commands"]
        return commands

    def say(self, seat: int, command: Command) -> None:
        """The command, accepted."""
        self.api.request("post_command", command, game_id=self.game, seat=seat)

    def actions(self, seat: int, view: dict[str, Any]) -> Iterator[Command]:
        """Every action that can be paid, with the cards of each payment in the order of the hand."""
        hand = sorted(_zone(view, f"hand_{seat}"))
        for space, price in ((one, price) for one in self.rules["spaces"] for price in one["prices"]):
            if not self._can_stand(seat, view, space) or not self._has_room(seat, view, space):
                continue
            for cards in dict.fromkeys(combinations(hand, len(price["cost"]))):
                if self._pays(cards, price["cost"], view["facts"]["extra_action"]):
                    yield from _sayings(view, space, price, cards)

    def _can_stand(self, seat: int, view: dict[str, Any], space: dict[str, Any]) -> bool:
        own = view["facts"]["seats"][seat]["pawns"]
        return not space["bauble"] or space["id"] in own or len(own) < self.setup["pawns"]

    def _has_room(self, seat: int, view: dict[str, Any], space: dict[str, Any]) -> bool:
        return space["draws"] is None or any(True for _ in self.places(seat, view, space["draws"]))

    def _pays(self, cards: tuple[str, ...], cost: list[str], extra: bool) -> bool:
        paying = "extra_cards" if extra else "cards"
        for order in permutations(cards):
            pairs = [(card, self.symbols[symbol]) for card, symbol in zip(order, cost, strict=True)]
            plain = [card for card, symbol in pairs if symbol["one_colour"] and card not in self.rules["wilds"]]
            one_colour = extra or len({card[1] in "HD" for card in plain}) < 2
            if one_colour and all(card in symbol[paying] for card, symbol in pairs):
                return True
        return False

    def places(self, seat: int, view: dict[str, Any], feature: str) -> Iterator[tuple[Cell, ...]]:
        """Every place where this could be drawn."""
        empty, live = self.empty(seat, view), self.live(seat, view)
        for turning in self.shapes[feature]["turnings"]:
            for top, left in self.every():
                cells = tuple((top + row, left + column) for row, column in turning)
                if empty.issuperset(cells) and (not self.shapes[feature]["on_power"] or live & _around(cells)):
                    yield cells

    def empty(self, seat: int, view: dict[str, Any]) -> set[Cell]:
        """The spaces of the seat's grid in which nothing is drawn."""
        drawn = {tuple(cell) for one in view["facts"]["seats"][seat]["features"] for cell in one["cells"]}
        return set(self.every()) - drawn - {tuple(cell) for cell in self.grid["sources"]}

    def every(self) -> list[Cell]:
        """The spaces of the grid in reading order."""
        rows = range(self.grid["first_row"], self.grid["last_row"] + 1)
        return [(row, column) for row in rows for column in range(1, self.grid["columns"] + 1)]

    def live(self, seat: int, view: dict[str, Any]) -> set[Cell]:
        """The spaces that give power."""
        cells = {tuple(cell) for cell in self.grid["sources"]}
        for one in view["facts"]["seats"][seat]["features"]:
            conducts = self.shapes[one["feature"]]["conducts"]
            if conducts == "always" or (conducts == "if_powered" and one["works"]):
                cells |= {tuple(cell) for cell in one["cells"]}
        return cells

    def worth(self, seat: int, view: dict[str, Any], command: Command) -> float:
        """What an action brings, in points; a card is worth one, and what a space with a bauble asks for three."""
        space = self.spaces[command["space"]]
        if space["draws"] is None:
            gained = any(price["gains_from"] for price in space["prices"])
            return (4.0 if space["bauble"] else 1.0) * gained - 0.5 * len(command["payment"])
        shape, empty = self.shapes[space["draws"]], self.empty(seat, view)
        filled = -self.grid["empty_space"] * len(shape["turnings"][0])
        frontier = _around(self.live(seat, view)) & empty
        if shape["conducts"] == "always":
            return float(filled + (6 if len(frontier) < 4 else 0))
        powered = not shape["needs_power"] or any(
            _around(cells) & self.live(seat, view) for cells in self.places(seat, view, shape["id"])
        )
        return float(filled + (shape["points"] + 8 * shape["hand"] if powered else -filled))

    def best_place(self, seat: int, view: dict[str, Any], feature: str, places: Iterable[tuple[Cell, ...]]) -> Any:
        """Powered, and otherwise where it spoils least."""
        empty, live = self.empty(seat, view), self.live(seat, view)
        frontier, feeds = _around(live) & empty, self.shapes[feature]["conducts"] == "always"

        def good(cells: tuple[Cell, ...]) -> tuple[float, ...]:
            around = _around(cells)
            opened = len((around & empty) - frontier) if feeds else 0
            used = 0 if feeds else len(frontier.intersection(cells))
            return (bool(around & live), opened - used, -len(around & empty))

        return max(places, key=good)

    def choice(self, seat: int, view: dict[str, Any]) -> Command:
        """What it says here."""
        facts = view["facts"]
        if facts["to_place"] is not None:
            cells = self.best_place(seat, view, facts["to_place"], self.outlined(facts))
            return {"type": "decs_building/place", "cells": cells}
        if view["phase"] == "start_card":
            return self.listed(seat)[0]
        actions = [(self.worth(seat, view, one), -place, one) for place, one in enumerate(self.actions(seat, view))]
        best = max(actions, default=(0.0, 0, {}))
        return best[2] if best[0] > 0 else self._ending(view)

    def _ending(self, view: dict[str, Any]) -> Command:
        return {"type": "decs_building/" + ("decline_extra" if view["facts"]["extra_action"] else "pass")}

    def outlined(self, facts: dict[str, Any]) -> list[tuple[Cell, ...]]:
        """The places that the view tells while something is to be drawn."""
        return [
            tuple((top + row, left + column) for row, column in outline["cells"])
            for outline in facts["outlines"]
            for top, left in outline["anchors"]
        ]


def _sayings(view: dict[str, Any], space: dict[str, Any], price: dict[str, Any], cards: tuple[str, ...]) -> Any:
    """The command for this payment, once for each stack that may be named and each order that matters."""
    command = {"type": "decs_building/take_action", "space": space["id"], "payment": list(cards)}
    if price["alternative"] is not None:
        command["alternative"] = price["alternative"]
    stacks = [stack for stack in price["gains_from"] if _zone(view, stack)]
    if price["gains_from"] and not stacks:
        return
    orders = dict.fromkeys((cards, cards[::-1])) if space["removes_second"] else (cards,)
    for order in orders:
        for stack in stacks if len(price["gains_from"]) > 1 else [None]:
            yield command | {"payment": list(order)} | ({} if stack is None else {"source": stack})


def _zone(view: dict[str, Any], zone: str) -> list[str]:
    return next(one.get("cards", []) for one in view["zones"] if one["id"] == zone)


def _around(cells: Iterable[Cell]) -> set[Cell]:
    """The spaces beside these, side by side."""
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return {(row + down, column + along) for row, column in cells for down, along in steps}
