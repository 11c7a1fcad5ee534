"""Bridge Solitaire: the table that a viewer sees, events as sentences, and the cards and the score sheet as data."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards, Figure, Place, frame_board
from domain.capabilities import Chip, Chips
from domain.chance import Chance
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire import state as bridge
from domain.games.bridge_solitaire.rules import initial
from domain.games.bridge_solitaire.state import Contract, Doubling, Facts, Kind, Options, Side, State, Strain
from domain.kit.boards import Cards, Places, card_places, in_row, pack_cards
from domain.kit.cards import SUIT_NAMES, hide_all_but, is_joker, name, names
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, Card, View, Viewer, Zone

_STRAIN_SIGNS = {"S": " spades", "H": " hearts", "D": " diamonds", "C": " clubs", "NT": " no trump"}
_SIDES = {"me": "player", "it": "house"}

CHIPS = Chips((
    Chip(
        fact="contract", label="Contract", shown="words", form="{level}{strain}{doubling}, {declarer}",
        words=_STRAIN_SIGNS | _SIDES | {"undoubled": "", "doubled": " doubled", "redoubled": " redoubled"},
    ),
    Chip(fact="tricks_me", label="Player's tricks"),
    Chip(fact="tricks_it", label="House's tricks"),
    Chip(fact="vulnerable", label="Vulnerable", shown="words", words=_SIDES),
    Chip(
        fact="house_call", label="House calls", shown="words", form="{level}{strain}",
        words=_STRAIN_SIGNS | {"0": "pass"},
    ),
    Chip(fact="hand", label="Hand"),
    *(Chip(fact=fact, shown="elsewhere") for fact in ("board", "discard_top", "last_winner", "length", "sheet")),
), {"select": "Keep six of these cards", "auction": "Bid, or pass", "hand_scored": "The hand is scored"})  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """The house above, the player's hand below, the calls between; cards to choose from lie where tricks are played."""
    house = (*in_row(("stock", "discard"), Place("", 0, 0)), Place("skipped", 2.24, 0, "right", 1.5, 0.3))
    trick = Place("trick", 3.8, 1.22, "right", 2.08, title="The house leads", outline=False)
    last = Place("last_trick", 0, 1.36, "right", 1.6, 0.7, scale=0.75, outline=False)
    offered = Place("offered", 0, 1.22, "right", 9.9, label=False, outline=False)
    hidden = Place("hidden_seven", 4.14, 0, "right", 3.4, outline=False)
    mine, theirs = Place("tricks_won_0", 8.9, 2.44, title="You won"), Place("tricks_house", 8.9, 0, title="House won")
    hand = Place("hand_0", 0, 2.44, "right", 8.6, label=False, outline=False)
    return Boards(
        frame_board(
            [*house, hidden, last, trick, theirs, mine, offered, hand],
            figures=[Figure("", "", 6.6, 1.26, 3.3, 0.92, _calls())],
        ),
        frame_board([
            *house, replace(hidden, x=0, y=1.22, room=5.84), replace(last, y=1.34), replace(trick, x=2.42),
            replace(theirs, x=3.76), replace(mine, x=4.84, y=0), replace(offered, y=2.44, room=5.84),
            replace(hand, y=3.78, room=5.84),
        ], figures=[Figure("", "", 0, 2.58, 5.84, 1.06, _calls())]),
    )  # fmt: skip


def _calls() -> tuple[tuple[str, ...], ...]:
    """What was called, the contract under its declarer, and the tricks of both, as notes of the table."""
    bid, (it, me) = "{contract.level}{contract.strain}", (f"{{contract.declarer={side}}}" for side in ("it", "me"))
    signs = [f"{{contract.doubling={word}}}{bid}{' X' * jokers}" for jokers, word in enumerate(bridge.BY_JOKERS)]
    needs = [f"{{contract.level={level}}} of {bridge.BOOK + level}" for level in bridge.LEVELS]
    house_call = "{house_call.level=0}pass|{house_call.level}{house_call.strain}"
    return (
        ("", "House", "You"), ("Calls", house_call, f"{me}{bid}|{it}pass"),
        ("Contract", *("|".join(side + sign for sign in signs) for side in (it, me))),
        ("Tricks", "|".join([*(f"{it}{{tricks_it}}{need}" for need in needs), me + "{tricks_it}"]),
         "|".join([*(f"{me}{{tricks_me}}{need}" for need in needs), it + "{tricks_me}"])),
    )  # fmt: skip


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table; a spectator sees what the player sees."""
    facts = Facts(
        length=state.options.length, hand=state.hand_number,
        house_call=None if state.call is None else bridge.HouseCall(state.call.level, state.call.strain),
        contract=state.contract, tricks_me=state.tricks_me, tricks_it=state.tricks_it,
        discard_top=bridge.discard_top(state), last_winner=state.last_winner, sheet=state.sheet,
        vulnerable=state.vulnerable, board=state.board,
    )  # fmt: skip
    phase, to_act = ("finished", ()) if state.closed else (state.phase, (0,))
    return View(phase, to_act, False, _list_zones(state, viewer == ALL_SEEING), facts)


def _list_zones(state: State, face_up: bool) -> tuple[Zone, ...]:
    """Of the discards only the top lies open; while cards just skipped are spread on the pile, it is one of them."""
    discards = state.discard if face_up else () if state.skipped else state.discard[-1:]
    return (
        closed_pile("stock", "Stock", 0, 0, state.stock[::-1], face_up),
        Zone("discard", "Discards", "pile", 1.5, 0, None, len(state.discard) - len(discards), discards),
        Zone("trick", "Trick", "row", 3.5, 0, cards=state.trick),
        Zone("last_trick", "Last trick", "row", 6.5, 0, cards=state.last_trick),
        closed_pile("tricks_won_0", "The player's tricks", 9.5, 0, state.won_me, face_up),
        closed_pile("tricks_house", "The house's tricks", 11.5, 0, state.won_it, face_up),
        Zone("skipped", "Skipped, on the discards", "fan", 0, 1.5, cards=state.skipped),
        Zone("offered", "Offered", "fan", 0, 3, cards=state.offered),
        replace(closed_pile("hidden_seven", "Hidden cards of the hand", 0, 4.5, state.hidden, face_up), layout="fan"),
        Zone("hand_0", "Hand", "fan", 0, 6, owner=0, cards=state.hand),
    )


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The deal without the hidden seven, the stock and the chance that later hands are shuffled from."""
    if viewer == ALL_SEEING or not isinstance(event, ev.Dealt):
        return event
    return replace(
        event, cards=hide_all_but(event.cards, range(bridge.HIDDEN, bridge.HIDDEN + bridge.OFFERED)), chance=None
    )


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The same game with the cards that lie face down since the deal, hidden seven and stock, in another order."""
    if viewer == ALL_SEEING:
        return state
    cards = chance.shuffle(sorted(state.hidden + state.stock)).cards
    return replace(state, hidden=cards[: len(state.hidden)], stock=cards[len(state.hidden) :])


SIDE_NAMES: dict[Side, str] = {"me": "the player", "it": "the house"}
KINDS: dict[Kind, str] = {
    "trick_score": "tricks",
    "overtricks": "overtricks",
    "insult": "the insult",
    "small_slam": "a small slam",
    "grand_slam": "a grand slam",
    "undertricks": "undertricks",
    "honours": "honours",
    "part_score_bonus": "a part score",
    "game_bonus": "a game",
    "rubber_premium": "the rubber",
    "unfinished_game": "the only game",
    "unfinished_part_score": "the only part score",
}
"""What points are for, as spoken."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_HOW = {"high_card": "", "trump": " with a trump", "joker": " by a joker", "no_answer": ", as no card answers it"}


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event as a sentence; nothing in it is secret."""
    match event:
        case ev.CardPlayed():
            return f"The player {'plays' if state.trick else 'leads'} the {name(event.card)}."
        case ev.CardTurned():
            card = name(event.card)
            if event.turn == "last_card":
                return f"The {card} is the last of the stock and so the house's card."
            return f"The house answers with the {card}." if event.turn == "answers" else f"The {card} is skipped."
        case ev.TrickWon():
            return f"{SIDE_NAMES[event.side].capitalize()} wins the trick{_HOW[event.reason]}."
        case ev.HouseLed():
            return f"The house leads the {name(event.card)}."
        case ev.Dealt():
            sides = " and ".join(side.upper() for side in state.vulnerable) or "nobody"
            what = f"Board {state.board} ({sides} vulnerable)" if state.board else f"Hand {event.hand}"
            return f"{what} is dealt: seven cards face down, thirteen face up, and 34 of stock."
        case ev.Selected():
            top = name(event.discarded[-1])
            return f"The player keeps {names(event.cards)}, and discards seven with the {top} on top."
        case ev.HandShown():
            return f"The hidden cards are turned up: {names(event.cards)}."
        case ev.HouseCalled():
            return f"The house bids {_say_bid(event.level, event.strain)}." if event.strain else "The house passes."
        case ev.BidMade():
            return f"The player bids {_say_bid(event.level, event.strain)}."
        case ev.Passed():
            return "The player passes."
        case ev.ContractMade():
            return f"The contract is {_say_contract(event.contract)}."
        case ev.RemainingWon():
            count = len(event.cards)
            what = "card is a trick" if count == 1 else "cards are tricks"
            return f"The stock is out: the player's last {count} {what}."
        case ev.HandScored():
            contract, points = event.contract, _say_entries(event.entries)
            if state.board:
                margin = sum(entry.points if entry.side == "me" else -entry.points for entry in event.entries)
                text = scoring.outcome(contract, event.tricks_me, event.vulnerable, margin)
                return f"Board {state.board}: {text}. {points}."
            tricks = scoring.declarers_tricks(contract, event.tricks_me)
            how = "is made" if tricks >= contract.needs else f"is {contract.needs - tricks} down"
            return f"Hand {event.hand}: {_say_contract(contract)}, {how} with {tricks} tricks. {points}."
        case ev.RubberScored():
            return f"The rubber is complete: {_say_entries(event.entries)}."
        case ev.RubberClosed():
            how = "given up" if event.reason == "resigned" else "closed early"
            return f"The game is {how}: {_say_entries(event.entries)}."
        case ev.HandsVoided():
            return f"Hand {event.from_hand} and all later ones are void."
        case _:
            assert_never(event)


def _say_bid(level: int, strain: Strain | None) -> str:
    """`one club`, `three no trump`."""
    if strain == "NT":
        return f"{_NUMBERS[level]} no trump"
    suit = SUIT_NAMES[strain or "C"]
    return f"{_NUMBERS[level]} {suit[:-1] if level == 1 else suit}"


def _say_contract(contract: Contract) -> str:
    """`one club doubled, declared by the player`."""
    doubling = "" if contract.doubling == "undoubled" else f" {contract.doubling}"
    return f"{_say_bid(contract.level, contract.strain)}{doubling}, declared by {SIDE_NAMES[contract.declarer]}"


def _say_entries(entries: tuple[bridge.Entry, ...]) -> str:
    """`ME 40 below for tricks; ME 150 above for honours`."""
    rows = (f"{row.side.upper()} {row.points} {row.place} for {KINDS[row.kind]}" for row in entries)
    return "; ".join(rows) or "no points"


_STRAIN, _DOUBLING = "The strain that it is for.", "The doubling that it is for."


class SheetColumn(Struct, frozen=True):
    """A column of the sheet."""

    id: Annotated[Side, Meta(description="The side as contracts and entries name it.")]
    name: Annotated[str, Meta(description="Who it is.")]


class NamedStrain(Struct, frozen=True):
    """What a contract is played in."""

    id: Annotated[Strain, Meta(description="The strain as bids and contracts write it.")]
    name: Annotated[str, Meta(description="What people call it.")]


class TrickPoints(Struct, frozen=True):
    """What the declarer's tricks earn over the book, by strain and doubling."""

    strain: Annotated[Strain, Meta(description=_STRAIN)]
    doubling: Annotated[Doubling, Meta(description=_DOUBLING)]
    first: Annotated[int, Meta(description="Points of the first trick that was bid and made.")]
    further: Annotated[int, Meta(description="Points of every further trick that was bid and made.")]
    overtrick: Annotated[int, Meta(description="Points of every trick more than was bid, not vulnerable.")]
    overtrick_vulnerable: Annotated[int, Meta(description="The same if the declarer is vulnerable.")]


class DoublingPoints(Struct, frozen=True):
    """How a contract comes to be doubled, and what making it earns for that."""

    id: Annotated[Doubling, Meta(description="The doubling as contracts name it.")]
    jokers: Annotated[int, Meta(description="So many jokers in the player's hand make it, whoever declares.")]
    insult: Annotated[int, Meta(description="Points of a contract made, vulnerable or not.")]


class SlamPoints(Struct, frozen=True):
    """What a slam that was bid and made earns besides."""

    id: Annotated[Kind, Meta(description="The kind of its entry on the sheet.")]
    level: Annotated[int, Meta(description="The level that is bid.")]
    points: Annotated[int, Meta(description="Points not vulnerable.")]
    points_vulnerable: Annotated[int, Meta(description="Points if the declarer is vulnerable.")]


class UndertrickPoints(Struct, frozen=True):
    """What the defender earns by a contract that is not made."""

    doubling: Annotated[Doubling, Meta(description=_DOUBLING)]
    vulnerable: Annotated[bool, Meta(description="Whether the declarer is vulnerable.")]
    old_undertricks: Annotated[bool, Meta(description="The option `old_undertricks` that it is for.")]
    points: Annotated[tuple[int, ...], Meta(description="All points of one undertrick, of two, and so on.")]


class HonourPoints(Struct, frozen=True):
    """What honours in the player's hand earn, whoever declares; not on a board."""

    strain: Annotated[Strain, Meta(description=_STRAIN)]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards that are its honours.")]
    held: Annotated[int, Meta(description="Exactly so many of them are held.")]
    points: Annotated[int, Meta(description="What they earn.")]


class SheetLine(Struct, frozen=True):
    """A kind of entry."""

    id: Annotated[Kind, Meta(description="The kind as entries name it.")]
    name: Annotated[str, Meta(description="What its points are for.")]
    place: Annotated[
        bridge.Section, Meta(description="Above or below the line of a rubber's sheet; on a board all are above.")
    ]


class RubberPoints(Struct, frozen=True):
    """What makes a game and a rubber, and the premiums at its end."""

    game: Annotated[int, Meta(description="Points below the line that make a game.")]
    games: Annotated[int, Meta(description="Games that make the rubber.")]
    premium: Annotated[
        tuple[int, ...], Meta(description="The rubber premium if the other side has no game, and if it has one.")
    ]
    unfinished_game: Annotated[int, Meta(description="Of an unfinished rubber: to the only side with a game.")]
    unfinished_part_score: Annotated[
        int, Meta(description="Of an unfinished rubber: to the only side with a part score in the open game.")
    ]


class BoardOfHand(Struct, frozen=True):
    """A board of duplicate bridge."""

    board: Annotated[int, Meta(description="The option `board` that it is for.")]
    vulnerable: Annotated[tuple[Side, ...], Meta(description="The sides that are vulnerable.")]


class BoardPoints(Struct, frozen=True):
    """The boards of duplicate bridge, and what a contract that is made earns there besides."""

    boards: Annotated[tuple[BoardOfHand, ...], Meta(description="The boards in their order.")]
    game: Annotated[int, Meta(description="A contract is a game if its tricks earn so much, doubled or not.")]
    part_score_bonus: Annotated[int, Meta(description="Points of a contract that is less than a game.")]
    game_bonus: Annotated[int, Meta(description="Points of a game, not vulnerable.")]
    game_bonus_vulnerable: Annotated[int, Meta(description="Points of a game if the declarer is vulnerable.")]


class Material(Struct, frozen=True, tag="bridge_solitaire/material"):
    """The table, the cards, and the tables of a score sheet."""

    places: Places
    cards: Cards
    sides: Annotated[tuple[SheetColumn, ...], Meta(description="The columns of the sheet.")]
    strains: Annotated[tuple[NamedStrain, ...], Meta(description="The strains, the lowest in rank first.")]
    book: Annotated[int, Meta(description="The declarer's tricks that do not count: level 1 needs one more.")]
    tricks: Annotated[tuple[TrickPoints, ...], Meta(description="Tricks by strain and doubling.")]
    doublings: Annotated[tuple[DoublingPoints, ...], Meta(description="Doublings by jokers.")]
    slams: Annotated[tuple[SlamPoints, ...], Meta(description="The slams.")]
    undertricks: Annotated[
        tuple[UndertrickPoints, ...], Meta(description="Undertricks by doubling, vulnerability and option.")
    ]
    honours: Annotated[tuple[HonourPoints, ...], Meta(description="Honours by strain and number.")]
    lines: Annotated[tuple[SheetLine, ...], Meta(description="The kinds of entries on the sheet.")]
    rubber: Annotated[RubberPoints, Meta(description="Games, the rubber and its premiums.")]
    boards: Annotated[
        BoardPoints | None, Meta(description="Boards of duplicate bridge; null: this revision has none.")
    ] = None


def _trick_points(strain: Strain, doubling: Doubling) -> TrickPoints:
    contract, next_contract = (Contract("me", level, strain, doubling) for level in (1, 2))
    first = scoring.trick_score(contract)
    over, exposed = scoring.overtrick(contract, vulnerable=False), scoring.overtrick(contract, vulnerable=True)
    return TrickPoints(strain, doubling, first, scoring.trick_score(next_contract) - first, over, exposed)


def _slams() -> Iterator[SlamPoints]:
    for level in bridge.LEVELS:
        contract = Contract("me", level, "NT")
        plain, exposed = scoring.slam(contract, vulnerable=False), scoring.slam(contract, vulnerable=True)
        for (kind, points), (_, more) in zip(plain, exposed, strict=True):
            yield SlamPoints(kind, level, points, more)


def _undertricks(doubling: Doubling, vulnerable: bool, old: bool) -> UndertrickPoints:
    contract = Contract("me", bridge.LEVELS[-1], "NT", doubling)
    points = [scoring.penalty(contract, down, vulnerable, old) for down in range(1, contract.needs + 1)]
    return UndertrickPoints(doubling, vulnerable, old, tuple(points))


def _honours(strain: Strain) -> Iterator[HonourPoints]:
    suits, ranks, table = (
        (SUIT_NAMES, "A", scoring.ACE_POINTS) if strain == "NT" else (strain, scoring.HONOURS, scoring.HONOUR_POINTS)
    )
    cards = tuple(rank + suit for suit in suits for rank in ranks)
    return (HonourPoints(strain, cards, held, points) for held, points in table.items())


_HEIGHT = {
    card: 0 if is_joker(card) else len(bridge.HIGH_TO_LOW) + 1 - bridge.HIGH_TO_LOW.index(card[0])
    for card in bridge.CARDS
}

MATERIAL_1 = Material(
    places=card_places(look(initial(Options(), 1), None)),
    cards=pack_cards(bridge.CARDS, _HEIGHT),
    sides=tuple(SheetColumn(side, name) for side, name in SIDE_NAMES.items()),
    strains=tuple(NamedStrain(strain, SUIT_NAMES.get(strain, "no trump")) for strain in bridge.STRAINS),
    book=bridge.BOOK,
    tricks=tuple(_trick_points(strain, doubling) for strain in bridge.STRAINS for doubling in bridge.BY_JOKERS),
    doublings=tuple(
        DoublingPoints(doubling, jokers, scoring.insult(Contract("me", 1, "NT", doubling)))
        for jokers, doubling in enumerate(bridge.BY_JOKERS)
    ),
    slams=tuple(_slams()),
    undertricks=tuple(_undertricks(*case) for case in product(bridge.BY_JOKERS, (False, True), (False, True))),
    honours=tuple(row for strain in bridge.STRAINS for row in _honours(strain)),
    lines=tuple(SheetLine(kind, name, scoring.place_of(kind)) for kind, name in KINDS.items()),
    rubber=RubberPoints(
        bridge.GAME, bridge.GAMES, scoring.RUBBER, scoring.UNFINISHED_GAME, scoring.UNFINISHED_PART_SCORE
    ),
)

MATERIAL = replace(
    MATERIAL_1,
    boards=BoardPoints(
        boards=tuple(BoardOfHand(board, sides) for board, sides in enumerate(bridge.BOARDS, 1)),
        game=bridge.GAME,
        part_score_bonus=scoring.PART_SCORE_BONUS,
        game_bonus=scoring.GAME_BONUS,
        game_bonus_vulnerable=scoring.VULNERABLE_GAME_BONUS,
    ),
)
"""Revision 2 knows boards."""
