"""Decs Building: the table and its events as a viewer sees them, in pictures and sentences; hidden cards anew."""

from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

from msgspec.structs import replace

from domain.board import HEIGHT, WIDTH, Board, Boards, Figure, Place, Seating, frame_board
from domain.capabilities import Chip, Chips, Offer, Offers
from domain.chance import Chance
from domain.games.decs_building import events as ev
from domain.games.decs_building import state as decs
from domain.games.decs_building.grid import empty_spaces, find_powered, free_places, hand_size, orientations, score
from domain.games.decs_building.material import print_material
from domain.games.decs_building.rounds import initial
from domain.games.decs_building.rules import payers
from domain.games.decs_building.state import Facts, Options, SeatFacts, State
from domain.kit.boards import card_places, in_row
from domain.kit.cards import backs, count_cards, name, names
from domain.view import ALL_SEEING, Cell, Outline, Seat, View, Viewer, Zone, outlines, player_name

_WIDTH, _HEIGHT = 1.15, 1.25


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: stacks, played piles and grids; own hand and deck; counts of the others'."""
    acting, placing = decs.to_act(state), state.placing
    ways: tuple[Outline, ...] = ()
    if placing is not None and state.turn is not None:
        places = free_places(state, state.turn, placing)
        ways = outlines(orientations(decs.KINDS[placing]), ((place.turning, place.anchor) for place in places))
    facts = Facts(
        round=state.round,
        token=next(iter(decs.clockwise(state, state.token)), state.token),
        final_round=state.final,
        last_round_next=state.latched and not state.final,
        extra_action=state.extra,
        to_place=placing,
        seats=tuple(_describe_seat(state, seat, sees(viewer, seat)) for seat in range(len(state.players))),
        outlines=ways,
    )
    if state.over is not None:
        phase = "finished"
    elif state.round == 0 or state.takers:
        phase = "start_card" if state.round else "deal"
    else:
        phase = "placing" if placing is not None else "extra_action" if state.extra else "turns"
    return View(phase, () if acting is None else (acting,), False, tuple(_zones(state, viewer)), facts)


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without the cards that this viewer is not shown: decks and draws of other seats."""
    if isinstance(event, ev.Dealt):
        decks = enumerate(event.decks)
        return replace(event, decks=tuple(deck if sees(viewer, seat) else backs(deck) for seat, deck in decks))
    if isinstance(event, ev.Drawn) and not sees(viewer, event.seat):
        return ev.Drawn(event.seat, backs(event.cards))
    return event


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards of every hand and deck that this viewer does not see in another order.

    Respects what every seat owns; whoever has followed the played piles knows more.
    """
    players = []
    for seat, player in enumerate(state.players):
        if not sees(viewer, seat):
            cards, chance = chance.shuffle(sorted(player.hand + player.deck))
            held = len(player.hand)
            player = replace(player, hand=cards[:held], deck=cards[held:])
        players.append(player)
    return replace(state, players=tuple(players))


def sees(viewer: Viewer, seat: Seat) -> bool:
    """Whether the hand and the deck of this seat lie open for the viewer."""
    return viewer in (seat, ALL_SEEING)


def _describe_seat(state: State, seat: Seat, seen: bool) -> SeatFacts:
    """All that is public of the seat, and its deck if that is seen."""
    player = state.players[seat]
    works = zip(player.features, find_powered(player.features), strict=True)
    return SeatFacts(
        grid=_draw_grid(player.features, state.options.short),
        features=tuple(decs.DrawnFeature(entry.feature, entry.cells, work) for entry, work in works),
        score=score(state, seat), empty_spaces=empty_spaces(state, seat), hand_size=hand_size(player.features),
        pawns=player.pawns, spare_pawns=decs.spare_pawns(state, seat), passed=player.passed, out=player.out,
        deck=player.deck if seen else (),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _draw_grid(features: tuple[decs.Feature, ...], short: bool) -> tuple[str, ...]:
    """Cached: a grid changes once in several steps, and every viewer of every step reads it."""
    letters: dict[Cell, str] = dict.fromkeys(decs.PRINTED_SOURCES, decs.KINDS["power_source"].letter)
    for entry in features:
        letters |= dict.fromkeys(entry.cells, decs.KINDS[entry.feature].letter)
    rows = range(decs.SHORT_FIRST_ROW if short else 1, decs.ROWS + 1)
    return tuple("".join(letters.get((row, column), ".") for column in range(1, decs.COLUMNS + 1)) for row in rows)


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    """The deck is its owner's to look at, next card on top; a hand of another seat is as many backs."""
    for place, (stack, cards) in enumerate(zip(decs.STACKS, state.stacks, strict=True)):
        yield Zone(stack, stack.replace("_", " of ").capitalize(), "pile", place * _WIDTH, 0, cards=cards)
    yield Zone("removed", "Out of the game", "pile", len(decs.STACKS) * _WIDTH, 0, cards=state.removed)
    for seat, player in enumerate(state.players):
        seen, y = sees(viewer, seat), (1 + seat) * _HEIGHT
        deck, hand = (player.deck[::-1], player.hand) if seen else ((), backs(player.hand))
        yield Zone(
            f"deck_{seat}", f"Deck of {player_name(seat)}", "pile", 0, y, seat, len(player.deck) - len(deck), deck
        )
        yield Zone(f"hand_{seat}", f"Hand of {player_name(seat)}", "fan", _WIDTH, y, seat, 0, hand)
        yield Zone(
            f"played_{seat}", f"Played pile of {player_name(seat)}", "row", 5 * _WIDTH, y, seat, 0, player.played
        )


_FLAT, _PLATE = WIDTH / HEIGHT, 0.24
"""The height of a square in card heights, its breadth in card widths being one."""

CHIPS = Chips((
    Chip(fact="round", label="Round"), Chip(fact="token", label="First player", shown="seats"),
    Chip(fact="final_round", label="Last round", shown="flag"),
    Chip(fact="last_round_next", label="The next round is the last", shown="flag"),
    Chip(fact="extra_action", shown="elsewhere"),
    Chip(fact="to_place", label="To draw", shown="words"), Chip(fact="seats.@.score", label="Score", seat=True),
    Chip(fact="seats.@.spare_pawns", label="Pawns", seat=True),
), {
    "start_card": "Choose your first card", "placing": "Draw it on your board",
    "extra_action": "Take one more action, or decline",
})  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """For two to four seats."""
    return Boards(_wide(seats - 1), _tall(seats - 1))


def _wide(others: int) -> Board:
    """The own yard on the left, the stacks three by three; on the right a yard as large, or several in a column."""
    square, size = 4.3, {1: 4.3, 2: 2.7, 3: 1.96}[others]
    stacks = [
        place for row in range(3)
        for place in in_row((*decs.STACKS, "removed")[3 * row : 3 * row + 3], Place("", 4.6, 1.04 * row, label=False))
    ]  # fmt: skip
    own = square * _FLAT + 0.3
    places, plates, figures = (
        list(stacks),
        [Seating("@0", 0, square * _FLAT + 0.04, 7.76, _PLATE)],
        [_yard(0, 0, 0, square)],
    )
    places += _cards(0, 0, own, 1, 3.2, 3.3)
    if others == 1:
        plates.append(Seating("@1", 8.16, square * _FLAT + 0.04, square, _PLATE))
        figures.append(_yard(1, 8.16, 0, square))
        return frame_board([*places, *_cards(1, 8.16, own, 0.8, 1.8, 1.54)], plates, figures)
    for seat in range(1, others + 1):
        y = (seat - 1) * (size * _FLAT + 0.1)
        places += _cards_below(seat, 8.16 + size + 0.1, y + _PLATE + 0.06, 0.5)
        plates.append(Seating(f"@{seat}", 8.16 + size + 0.1, y, 2.3, _PLATE))
        figures.append(_yard(seat, 8.16, y, size))
    return frame_board(places, plates, figures)


def _tall(others: int) -> Board:
    """The others above, then the stacks, then the own yard with what was played beside it, the hand below."""
    size = {1: 2.7, 2: 3.66, 3: 2.4}[others]
    left = (7.44 - others * size - (others - 1) * 0.12) / 2
    places, plates, figures = [], [], []
    plate, top = 0.34, 0.34 + 0.1 + size * _FLAT
    if others == 1:
        plates.append(Seating("@1", 0, 0, 7.44, plate))
        figures.append(_yard(1, 0, plate + 0.04, size))
        places += _cards_below(1, size + 0.14, plate + 0.1, 0.8, 7.3 - size)
    for seat in range(1, others + 1) if others > 1 else ():
        x = left + (seat - 1) * (size + 0.12)
        plates.append(Seating(f"@{seat}", x, 0, size, plate))
        figures.append(_yard(seat, x, plate + 0.04, size))
        places += _cards_below(seat, x, top, 0.5, size)
    top += 1.1 if others > 1 else 0
    places += in_row((*decs.STACKS, "removed"), Place("", 0, top, scale=0.76, label=False), 0.075)
    yard = top + 0.9 + plate
    plates.append(Seating("@0", 0, top + 0.86, 7.44, plate))
    figures.append(_yard(0, 0, yard, 4.78))
    places += [
        Place("deck_@0", 4.9, yard, label=False),
        Place("played_@0", 4.9, yard + 1.15, "right", 2.54, label=False),
        Place("hand_@0", 4.9, yard + 2.3, "right", 2.54, label=False),
    ]  # fmt: skip
    return frame_board(places, plates, figures)


def _yard(seat: int, x: float, y: float, size: float) -> Figure:
    return Figure(f"seats.@{seat}.grid", f"seats.@{seat}.features", x, y, size, size * _FLAT)


def _cards(seat: int, x: float, y: float, scale: float, hand: float, played: float) -> list[Place]:
    return [
        Place(f"deck_@{seat}", x, y, scale=scale, label=False),
        Place(f"hand_@{seat}", x + scale + 0.08, y, "right", hand, scale=scale, label=False),
        Place(f"played_@{seat}", x + scale + 0.16 + hand, y, "right", played, scale=scale, label=False),
    ]


def _cards_below(seat: int, x: float, y: float, scale: float, width: float = 2.3) -> list[Place]:
    """Deck and hand, and the played pile below them."""
    return [
        Place(f"deck_@{seat}", x, y, scale=scale, label=False),
        Place(f"hand_@{seat}", x + scale + 0.06, y, "right", width - scale - 0.06, scale=scale, label=False),
        Place(f"played_@{seat}", x, y + scale + 0.05, "right", width, scale=scale, label=False),
    ]


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer. The most frequent events stand first."""
    match event:
        case ev.TurnStarted():
            return f"{player_name(event.seat)} is on turn."
        case ev.Paid():
            spent = f"{player_name(event.seat)} takes {decs.SPACES[event.space].name} and pays {names(event.cards)}"
            gone = "" if event.removed is None else f" and {name(event.removed)}, which leaves the game"
            back = any(card[0] in decs.PICTURE_STACK for card in event.cards)
            return f"{spent}{gone}{', pictures back to their stacks' if back else ''}."
        case ev.Passed():
            return f"{player_name(event.seat)} passes."
        case ev.Drawn():
            cards = names(event.cards) if sees(viewer, event.seat) else count_cards(len(event.cards))
            return f"{player_name(event.seat)} draws {cards}."
        case ev.FeatureDrawn():
            cells = ", ".join(f"row {row} column {column}" for row, column in event.cells)
            return f"{player_name(event.seat)} draws {decs.KINDS[event.feature].name} at {cells}."
        case ev.CardGained():
            return f"{player_name(event.seat)} gains the {name(event.card)}."
        case ev.StartCardTaken():
            return f"{player_name(event.seat)} takes the {name(event.card)} to its hand."
        case ev.Discarded():
            return f"{player_name(event.seat)} discards {names(event.cards)}."
        case ev.RoundStarted():
            return f"Round {event.number}{' (the last)' if event.final else ''} begins with {player_name(event.token)}."
        case ev.RoundEnded():
            return "The round is over, and the played piles go under the decks."
        case ev.PawnPlaced():
            return f"{player_name(event.seat)} places a pawn on {decs.SPACES[event.space].name}."
        case ev.PawnReturned():
            return f"The pawn of {player_name(event.seat)} goes home from {decs.SPACES[event.space].name}."
        case ev.ExtraActionGranted():
            return f"{player_name(event.seat)} may take another action at once, at an easier price."
        case ev.ExtraActionDeclined():
            return f"{player_name(event.seat)} does without the extra action."
        case ev.Dealt():
            return f"The stacks are laid out, and each player shuffles a deck of {len(event.decks[0])} cards."
        case ev.EndAnnounced():
            return "Three stacks are empty: one more round follows this one."
        case ev.SeatWithdrawn():
            return f"{player_name(event.seat)} is out of the game, and its pawns go home."
        case ev.Scored():
            scores = ", ".join(f"{player_name(seat)} {points}" for seat, points in enumerate(event.scores))
            return f"The grids are counted: {scores}."
        case _:
            assert_never(event)


def _offers() -> Iterator[Offer]:
    for key, space in decs.SPACES.items():
        shape, mark, gains = tuple[str, ...](), "", list[str]()
        if space.feature is not None:
            kind = decs.KINDS[space.feature]
            shape, mark = tuple(kind.shape.split("/")), kind.letter
            gains = [f"{kind.points} point{'' if kind.points == 1 else 's'}"] * bool(kind.points)
        gains += [_EFFECTS[key]] if key in _EFFECTS else []
        for choice in dict.fromkeys(way.alternative for way in space.ways):
            costs = tuple(way.cost for way in space.ways if way.alternative == choice)
            gain = ", ".join(gains) if choice is None else f"the top {choice}"
            words = " ".join(filter(None, (key, choice)))
            fails = "no room in the yard" if shape else "its stack is empty"
            yield Offer(
                said=words, name=space.name, costs=costs, gain=gain, shape=shape, mark=mark, pawn=space.bauble,
                hindrance="its ? must share a colour" if "??" in costs[0] else fails,
            )  # fmt: skip


_SANTA = decs.KINDS["santa"]
_EFFECTS: dict[decs.SpaceId, str] = {
    "gain_card": "the top card of a suit stack of one's choice",
    "stop_messing_around": "the second card paid leaves the game",
    "gain_jack_queen": "the top jack for the first cost, the top queen for the second",
    "gain_king": "the top king",
    "gain_wild": "the top card of aces and jokers",
    "add_power_cable": "a power cable",
    "extra_power_source": "a power source",
    "everyone_pitch_in": "another action at once",
    "snowflake": "needs no power",
    "banner_angels": "counts as a power cable if powered",
    "santa": f"one more card of hand size, and each takes away {-_SANTA.each_alike} points for every Santa",
    "candle": f"and {decs.KINDS['candle'].each_two_away} for each candle exactly two spaces away in a straight line",
}
OFFERS = Offers(
    tag="decs_building/take_action", pawns="seats.@.pawns", spare="seats.@.spare_pawns", eased="extra_action",
    payers=tuple({symbol: payers(symbol, eased) for symbol in "SHDCJQK"} for eased in (False, True)),
    plates=tuple(_offers()),
)  # fmt: skip
MATERIAL = print_material(card_places(look(initial(Options(), max(decs.PAWNS)), None)))
