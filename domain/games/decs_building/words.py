"""Decs Building: what happens, as sentences that say no more than their hearer may know; and the rules in prose.

The rules are in our own words, with every ruling of ours marked.
"""

from collections.abc import Iterator
from typing import assert_never

from domain.capabilities import Offer, Offers
from domain.games.decs_building import events as ev
from domain.games.decs_building.rules.grid import HAND
from domain.games.decs_building.state import PAWNS, PICTURE_STACK, RUNS, State
from domain.games.decs_building.state.board import (
    COLUMNS,
    EMPTY_SPACE,
    KINDS,
    PRINTED_SOURCES,
    ROWS,
    SHORT_FIRST_ROW,
    SPACES,
    Space,
    SpaceId,
)
from domain.games.decs_building.view import sees
from domain.kit.cards import name, names
from domain.view import Viewer, player_name


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer. The most frequent events stand first."""
    match event:
        case ev.TurnStarted():
            return f"{player_name(event.seat)} is on turn."
        case ev.Paid():
            return _say_payment(event)
        case ev.Passed():
            return f"{player_name(event.seat)} passes."
        case ev.Drawn():
            count = len(event.cards)
            backs = "1 card" if count == 1 else f"{count} cards"
            return f"{player_name(event.seat)} draws {names(event.cards) if sees(viewer, event.seat) else backs}."
        case ev.FeatureDrawn():
            cells = ", ".join(f"row {row} column {column}" for row, column in event.cells)
            return f"{player_name(event.seat)} draws {KINDS[event.feature].name} at {cells}."
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
            return f"{player_name(event.seat)} places a pawn on {SPACES[event.space].name}."
        case ev.PawnReturned():
            return f"The pawn of {player_name(event.seat)} goes home from {SPACES[event.space].name}."
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


def _say_payment(event: ev.Paid) -> str:
    spent = f"{player_name(event.seat)} takes {SPACES[event.space].name} and pays {names(event.cards)}"
    back = any(card[0] in PICTURE_STACK for card in event.cards)
    gone = "" if event.removed is None else f" and {name(event.removed)}, which leaves the game"
    return f"{spent}{gone}{', pictures back to their stacks' if back else ''}."


def _describe_space(key: SpaceId, space: Space) -> str:
    cost = " or ".join(" ".join(way.cost) for way in space.ways)
    kind = None if space.feature is None else KINDS[space.feature]
    shape = "" if kind is None else f"; `{kind.shape}`{' upright' if kind.upright else ''}"
    return f"* {space.name}{' (bauble)' if space.bauble else ''}: {cost} - {_describe_gain(key, space)}{shape}."


def _describe_gain(key: SpaceId, space: Space) -> str:
    worth = 0 if space.feature is None else KINDS[space.feature].points
    points = f"{worth} point{'' if worth == 1 else 's'}" if worth else ""
    return ", ".join(filter(None, (points, _EFFECTS.get(key))))


def _offers() -> Iterator[Offer]:
    for key, space in SPACES.items():
        kind = None if space.feature is None else KINDS[space.feature]
        shape, mark = ((), "") if kind is None else (tuple(kind.shape.split("/")), kind.letter)
        for choice in dict.fromkeys(way.alternative for way in space.ways):
            costs = tuple(way.cost for way in space.ways if way.alternative == choice)
            gain = _describe_gain(key, space) if choice is None else f"the top {choice}"
            said = " ".join(filter(None, (key, choice)))
            yield Offer(said=said, name=space.name, costs=costs, gain=gain, shape=shape, mark=mark, pawn=space.bauble)


_EFFECTS: dict[SpaceId, str] = {
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
    "santa": f"one more card of hand size, and each takes away {-KINDS['santa'].each_alike} points for every Santa",
    "candle": f"and {KINDS['candle'].each_two_away} for each candle exactly two spaces away in a straight line",
}
OFFERS = Offers("decs_building/take_action", "seats.@.pawns", tuple(_offers()))
_BOARD = "\n".join(_describe_space(key, space) for key, space in SPACES.items())
_SOURCES = ", ".join(f"row {row} column {column}" for row, column in PRINTED_SOURCES)

RULES = f"""\
**Source.** *Decs Building* by Jake Staines (2021), a print-and-play game. Its text is at hand, the picture of its
board is not: costs (but those of Small Star and Snowflake), baubles, shapes, the grid and its power sources are
**reconstructed** (ours), the points and everything else are the text's, save what is marked.

**Set-up.** Eight stacks, open to all: four suits with the lowest number on top, aces and jokers, jacks, queens, kings.
Two players use one pack with two jokers, and with its tens unless `two_player_tens` is off (our ruling); three use
{" ".join(RUNS[3])} of each suit, six each of A J Q K, two jokers; four use
{" ".join(RUNS[4])}, eight each, four jokers. `short` leaves out eights and nines, and the top {SHORT_FIRST_ROW - 1}
rows of the grid; tens stay (our ruling). Pictures and aces lie S H D C from the top, jokers lowest (our ruling). Each
seat in turn takes the top card of each suit stack and shuffles the four. Pawns: {PAWNS[2]}, {PAWNS[3]} or {PAWNS[4]}
each for 2, 3 or 4 players. A lot finds who has the first-player token.

**A round.** Everybody draws up to the hand size, {HAND} and one for each powered Santa; a short deck gives what it has
(our ruling). The token holder takes a card of the lowest rank showing on the suit stacks to the hand (that it goes to
the hand is our reading). Then, clockwise from the token holder, each takes one action, or discards one or more hand
cards in an order of one's choice, or passes and is out of the round; an empty hand passes by itself (our ruling).
When all have passed, each played pile goes under its deck, the first card played coming up first, and the token moves
anti-clockwise. Unused cards stay in the hand.

**An action.** A space with a bauble needs a pawn of one's own there or a spare one, which is placed; another's pawn
goes home first. Pawns do not move otherwise (our ruling). Then the cost is paid from the hand: S H D C a number of
that suit, J Q K that picture, ? any card; all cards paid for ? in one action share a colour. Aces and jokers are wild
for everything but a king, and of either colour for a ? (our ruling); pictures pay no suit (our ruling). Jacks, queens
and kings that are paid go back on top of their stacks, other cards to the played pile in the order paid. A gained
card goes to the played pile; its stack is looked at before the payment (our ruling). A feature is drawn at once in
empty spaces, in its exact shape: turned if one likes, but not the upright ones, and never mirrored. Power cables
touch a source or a cable. Without room, or with an empty stack, the action cannot be taken (our ruling).

**Everyone Pitch In** costs a jack or a queen (reconstructed). In the action that follows every suit may be paid with
any number, and the ? need not share a colour; it may be declined, is so by itself with an empty hand, and may be
Everyone Pitch In again (our rulings).

**Power.** A feature works if it touches a power source, a cable or a powered banner, side by side; banners pass power
on to each other (our ruling). What does not work counts for nothing, but its spaces are filled (our ruling).
Unpowered features may be drawn (our ruling).

**End.** When three stacks have been empty, be it for a moment (our ruling), the round is finished and one more is
played, in which everybody, the token holder first, takes one card from any stack to the hand. Then the grids are
counted: the points of what works, less {-EMPTY_SPACE} for each empty space. Most points win; equal points win
together, or, with `tie_break` of `fewest_empty_spaces`, whoever left fewer empty (our ruling: the text asks for the
best Christmas hat).

**Resigning** with three or more in play: the seat is out and has lost; its cards and grid are out of play, its pawns
go home, turns and token pass it by, and a start card that it owes falls to the next seat clockwise. The last seat
left wins (our ruling).

**The board** (reconstructed; X are the cells of a shape, rows from the top divided by /). Grid of {ROWS} by {COLUMNS}
with power sources at {_SOURCES}; row 1 on top.

{_BOARD}
"""
