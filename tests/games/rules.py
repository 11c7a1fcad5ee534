"""What tests ask of one game type: what its positions allow, refuse, tell and show."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from domain.capabilities import OptionRules, Spelling
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.kit.cards import RANK, SUITS
from domain.view import ALL_SEEING, Card, Viewer, Zone

HOMES = {"S": "foundation_spades", "H": "foundation_hearts", "D": "foundation_diamonds", "C": "foundation_clubs"}


def liking(command: Any) -> int:
    """Rather home than elsewhere, many at once than one, a move than a draw, and cells and towers last."""
    target = getattr(command, "target", "")
    if target.startswith("foundation"):
        return 15
    return 1 if target.startswith(("cell", "tower")) or not target else 3 * getattr(command, "count", 2)


class Rules:
    """The rules of a game type, asked for seat 0 of so many unless said otherwise."""

    def __init__(self, game_type: AnyGameType, seats: int = 1) -> None:
        self.type, self.seats = game_type, seats

    def folded(self, state: Any, happened: Sequence[Struct]) -> Any:
        """The state after these events."""
        for event in happened:
            state = self.type.evolve(state, event)
        return state

    def deal(self, options: Any = None, given: Sequence[Card] | None = None, seed: bytes = bytes(32)) -> Any:
        """The state after the deal of these cards, else of this seed."""
        options = self.type.get(OptionRules).settle(self.type.options() if options is None else options, self.seats)
        chance = Chance(seed, given=None if given is None else tuple(given))
        return self.folded(self.type.initial(options, self.seats), self.type.deal(options, chance, self.seats))

    def after(self, state: Any, *commands: Any) -> Any:
        """The state after these commands, every one of them legal."""
        for command in commands:
            state = self.folded(state, self.type.decide(state, 0, command))
        return state

    def events(self, state: Any, command: Any) -> tuple[Any, ...]:
        return tuple(self.type.decide(state, 0, command))

    def legal(self, state: Any, command: Any) -> bool:
        """Whether the command is listed; deciding must say the same."""
        return self.answer(state, command) is None

    def rule_against(self, state: Any, command: Any) -> str | None:
        """The rule that the command breaks, None if it is legal."""
        try:
            self.type.decide(state, 0, command)
        except Illegal as refusal:
            return refusal.rule
        return None

    def answer(self, state: Any, command: Any) -> str | None:
        """The same; listing must say the same."""
        rule = self.rule_against(state, command)
        assert (self.spelt(state, command) in self.type.legal_commands(state, 0)) == (rule is None)
        return rule

    def spelt(self, state: Any, command: Any) -> Any:
        """The spelling of the command that is listed."""
        return self.type.get(Spelling).canonical(state, 0, command)

    def stuck(self, state: Any) -> bool:
        """As the player and a spectator are told, which is the same."""
        stuck = self.type.look(state, 0).stuck
        assert stuck == self.type.look(state, None).stuck
        return stuck

    def facts(self, state: Any) -> Any:
        return self.type.look(state, 0).facts

    def zones(self, state: Any, viewer: Viewer = 0) -> dict[str, Zone]:
        return {zone.id: zone for zone in self.type.look(state, viewer).zones}

    def cards(self, state: Any) -> list[Card]:
        """All cards on the table, sorted."""
        return sorted(card for zone in self.zones(state, ALL_SEEING).values() for card in zone.cards)

    def sentences(self, state: Any, command: Any, viewer: Viewer = 0) -> list[str]:
        """What is told of the command; every event is told of the state before it."""
        told = []
        for event in self.events(state, command):
            told.append(self.type.tell(state, event, viewer))
            state = self.type.evolve(state, event)
        return told

    def walk(self, options: Any, seed: int, steps: int, weight: Callable[[Any], int] = liking) -> Iterator[Any]:
        """The positions of a random game whose commands are drawn by these weights."""
        lots, state = Random(seed), self.deal(options, seed=seed.to_bytes(32, "big"))
        for _ in range(steps):
            yield state
            if not (listed := self.type.legal_commands(state, 0)):
                return
            state = self.after(state, lots.choices(listed, list(map(weight, listed)))[0])

    def reached(self, state: Any, depth: int, key: Callable[[Any], Any] = lambda state: state) -> list[int]:
        """The numbers of positions after 1, 2, ... commands that differ in this key."""
        layer, counts = {key(state): state}, []
        for _ in range(depth):
            following = [
                self.after(one, command) for one in layer.values() for command in self.type.legal_commands(one, 0)
            ]
            layer = {key(one): one for one in following}
            counts.append(len(layer))
        return counts

    def paths(self, state: Any, depth: int) -> int:
        """How many sequences of so many commands there are."""
        if depth == 0:
            return 1
        return sum(self.paths(self.after(state, command), depth - 1) for command in self.type.legal_commands(state, 0))


def piles(text: str) -> dict[str, list[str]]:
    """The words of each line, by its first."""
    return {name: words.split() for name, _, words in (line.strip().partition(" ") for line in text.splitlines())}


def heights(home: Sequence[Card]) -> tuple[int, ...]:
    """How many cards each foundation holds whose top cards these are."""
    return tuple(max((RANK[card] for card in home if card[1] == suit), default=0) for suit in SUITS)


def mover(move: Callable[..., Any], places: dict[str, str] = HOMES, **others: Any) -> Callable[[str], Any]:
    """A reader of `waste 3`, `0 H` or `0 3 x2`: from, to (columns by number, others by these names), how many; and of
    other commands by their names."""

    def read(text: str) -> Any:
        if text in others:
            return others[text]
        source, target, *count = text.split()
        return move(zone(source), zone(target), int(count[0][1:]) if count else 1)

    def zone(short: str) -> str:
        return places.get(short) or (f"tableau_{short}" if short.isdigit() else short)

    return read
