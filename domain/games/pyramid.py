"""Pyramid: 28 cards taken away in pairs that make thirteen (rules after Denexa Games)."""

from typing import Annotated, Literal, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.capabilities import Chip, Chips, LowestScore, Notations, RankNames, Spelling, Taps
from domain.chance import Chance
from domain.game_type import Concealed, Illegal
from domain.kit import pyramids, talon
from domain.kit.cards import PACK, RANK, name, paired_ranks
from domain.kit.notations import pyramid_solver
from domain.kit.patience import DISCARD, KINGS, NO_CARD, STEP, STOCK, Discard, FewPasses, Passes, Stock, the, zone_name
from domain.kit.pyramids import IN_PYRAMID, PLACE, PLACES, Place, available, covered_by
from domain.kit.solo import next_revision, read_rules, solo_game
from domain.view import Card, Seat, Viewer, Zone

Source = Place | Stock | talon.Waste

THIRTEEN = 13

PARTNERS: dict[Card, frozenset[Card]] = {
    card: frozenset(other for other in PACK if RANK[card] + RANK[other] == THIRTEEN) for card in PACK
}
"""The cards that make thirteen with a card: ace 1, jack 11, queen 12; with a king none."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Pyramid is played."""

    passes: FewPasses = None
    clear_all: Annotated[
        bool, Meta(description="Won only when stock and waste are gone as well, not with the pyramid alone.")
    ] = False
    draw_only_when_stuck: Annotated[
        bool, Meta(description="No drawing and no turning over while the pyramid alone offers a pair or a king.")
    ] = False
    waste_pairs: Annotated[
        bool, Meta(description="A card that has just been drawn may pair with the waste card that it covers.")
    ] = False
    tuts_tomb_pairing: Annotated[
        bool, Meta(description="A card that is covered by its partner alone may be removed together with it.")
    ] = False
    draw: Annotated[Literal[1, 3], Meta(description="Cards turned from the stock at a time.")] = 1
    stock_top: Annotated[
        bool,
        Meta(description="The stock's top card lies face up and can be removed; with three passes: Microsoft's rules."),
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. `pyramid` holds the 28 places from the top, left to right, empty ones as NO_CARD.

    Stock, waste and discard run bottom to top: the last card of the stock is drawn next. `stock_up` says that it lies
    face up, `just_drawn` that the last thing done was to draw, `recycles` how often the waste has been turned over.
    """

    options: Options
    pyramid: tuple[Card, ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    recycles: int = 0
    stock_up: bool = False
    just_drawn: bool = False


class Options2(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: up to a hundred passes."""

    passes: Passes = None


class State2(State, frozen=True, omit_defaults=True):
    """A position of revision 2."""

    options: Options2


class Facts(Struct, frozen=True, tag="pyramid/facts"):
    """Which pass this is, from 1, the recycles left (null: any number), and the score: the cards still to go."""

    draw: int
    pass_number: int
    recycles_left: int | None
    score: int


class Draw(Struct, frozen=True, tag="pyramid/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock, or the next three, onto the waste."""


class Recycle(Struct, frozen=True, tag="pyramid/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order."""


class Remove(Struct, frozen=True, tag="pyramid/remove", forbid_unknown_fields=True):
    """Discard a pair that makes thirteen, or a king alone.

    A pair is named by its two zones, in either order (`pyramid_6_0` and `waste`), a king by its zone and `discard`. The
    waste twice is its top card with the one beneath.
    """

    source: Annotated[Source, Meta(description="The zone of the king, or of one card of the pair.")]
    target: Annotated[Source | Discard, Meta(description="`discard` for a king, else the zone of the other card.")]


class Dealt(Concealed, frozen=True, tag="pyramid/dealt"):
    """The 52 cards in dealing order: the pyramid from the top, row by row, then the stock, its next card first."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="pyramid/drawn"):
    """Cards came from the stock to the waste, in this order: the last is the top."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="pyramid/recycled"):
    """The waste was turned over and is the stock."""


class Removed(Struct, frozen=True, tag="pyramid/removed"):
    """A king or a pair was discarded, each card from the zone at its place in `sources`."""

    cards: tuple[Card, ...]
    sources: tuple[Source, ...]


class Turned(Struct, frozen=True, tag="pyramid/turned"):
    """The top card of the stock was turned face up, where it lies."""

    card: Card


Command = Draw | Recycle | Remove
Event = Dealt | Drawn | Recycled | Removed | Turned


_DRAW, _RECYCLE = Draw(), Recycle()
_ORDER: dict[str, int] = {zone: place for place, zone in enumerate((*PLACES, STOCK, talon.WASTE, DISCARD))}


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, pyramid=(NO_CARD,) * IN_PYRAMID)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Event, ...]:
    """One shuffled pack; with `stock_top` the first card of the stock is turned up."""
    dealt = Dealt(chance.shuffle(PACK).cards)
    return (dealt, Turned(dealt.cards[IN_PYRAMID])) if options.stock_top else (dealt,)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if is_won(state):
        raise Illegal("game_over", "The game is won.")
    command = canonical(state, 0, command)
    match command:
        case Draw():
            cards = talon.next_cards(state)
            _check_waiting(state)
            return (Drawn(cards), *_turn_up(state, state.stock[: -len(cards)]))
        case Recycle():
            talon.check_recycle(state)
            _check_waiting(state)
            return (Recycled(), *_turn_up(state, state.waste[::-1]))
        case Remove():
            removed = _remove_cards(state, command.source, command.target)
            return (removed, *_turn_up(state, state.stock[:-1])) if STOCK in removed.sources else (removed,)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Drawn():
            stock, waste = state.stock[: -len(event.cards)], state.waste + event.cards
            return replace(state, stock=stock, waste=waste, stock_up=False, just_drawn=True)
        case Removed():
            pyramid, stock, waste = list(state.pyramid), state.stock, state.waste
            for source in event.sources:
                if source in PLACE:
                    pyramid[PLACE[source]] = NO_CARD
                elif source == STOCK:
                    stock = stock[:-1]
                else:
                    waste = waste[:-1]
            return replace(
                state, pyramid=tuple(pyramid), stock=stock, waste=waste, discard=state.discard + event.cards,
                stock_up=state.stock_up and STOCK not in event.sources, just_drawn=False,
            )  # fmt: skip
        case Recycled():
            return replace(talon.turn_waste_over(state), stock_up=False, just_drawn=False)
        case Turned():
            return replace(state, stock_up=True)
        case Dealt():
            return replace(state, pyramid=event.cards[:IN_PYRAMID], stock=event.cards[: IN_PYRAMID - 1 : -1])
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Command, ...]:
    """The removals, the pyramid's first, then drawing or recycling; nothing in a won game."""
    if is_won(state):
        return ()
    within = pyramid_removals(state)
    draws = () if within and state.options.draw_only_when_stuck else talon.list_draws(state, _DRAW, _RECYCLE)
    return (*within, *pile_removals(state), *draws)


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """A pair with the upper left card first and the piles last."""
    if isinstance(command, Remove) and command.target != DISCARD and _ORDER[command.target] < _ORDER[command.source]:
        return Remove(command.target, command.source)
    return command


def score(state: State) -> int:
    """The cards that still have to go: of the pyramid, or with `clear_all` of the pack."""
    return len(PACK) - len(state.discard) if state.options.clear_all else sum(map(bool, state.pyramid))


def pyramid_removals(state: State) -> list[Remove]:
    """What the pyramid alone offers: its kings and its pairs."""
    free, pyramid = available(state.pyramid), state.pyramid
    listed = [Remove(PLACES[place], DISCARD) for place in free if pyramid[place] in KINGS]
    for number, place in enumerate(free, start=1):
        partners = PARTNERS[pyramid[place]]
        listed += [Remove(PLACES[place], PLACES[other]) for other in free[number:] if pyramid[other] in partners]
    if state.options.tuts_tomb_pairing:
        covered = pyramids.covered_pairs(pyramid, PARTNERS)
        listed += [Remove(PLACES[place], PLACES[other]) for place, other in covered]
    return listed


def pile_removals(state: State) -> list[Remove]:
    """What can be removed from stock and waste: alone, with the pyramid, or together."""
    stock, waste = state.stock if state.stock_up else (), state.waste
    listed = _removals_from(state, STOCK, stock[-1]) if stock else []
    if waste:
        listed += _removals_from(state, talon.WASTE, waste[-1])
        if stock and stock[-1] in PARTNERS[waste[-1]]:
            listed.append(Remove(STOCK, talon.WASTE))
        if _waste_pair_open(state) and waste[-2] in PARTNERS[waste[-1]]:
            listed.append(Remove(talon.WASTE, talon.WASTE))
    return listed


def _removals_from(state: State, source: Source, card: Card) -> list[Remove]:
    if card in KINGS:
        return [Remove(source, DISCARD)]
    partners, pyramid = PARTNERS[card], state.pyramid
    return [Remove(PLACES[place], source) for place in available(pyramid) if pyramid[place] in partners]


def is_won(state: State) -> bool:
    """Whether all has gone that must: the pyramid, whose top goes last, or the whole pack."""
    if state.options.clear_all:
        return len(state.discard) == len(PACK)
    return not state.pyramid[0] and bool(state.discard)


def _check_waiting(state: State) -> None:
    """Our ruling: drawing is free at any time, for the source says when one draws, not that one must not before."""
    if state.options.draw_only_when_stuck and pyramid_removals(state):
        raise Illegal("draw_only_when_stuck", "The pyramid alone still offers a pair or a king.")


def _turn_up(state: State, stock: tuple[Card, ...]) -> tuple[Turned, ...]:
    """The new top card of the stock, where that lies face up."""
    return (Turned(stock[-1]),) if state.options.stock_top and stock else ()


def _remove_cards(state: State, source: Source, target: Source | Discard) -> Removed:
    """A king or a pair; raises Illegal. With `tuts_tomb_pairing` the upper card may lie under the other, alone."""
    if target == DISCARD:
        card = _card_at(state, source)
        _check_free(state, source)
        if card not in KINGS:
            raise Illegal("kings_alone", f"Only a king goes alone, not the {name(card)}.")
        return Removed((card,), (source,))
    if source != target:
        pair = _card_at(state, source), _card_at(state, target)
        in_tomb = state.options.tuts_tomb_pairing and source in PLACE and target in PLACE
        if not (in_tomb and pyramids.covered_only_by(state.pyramid, PLACE[source], PLACE[target])):
            _check_free(state, source)
            _check_free(state, target)
    elif source != talon.WASTE:
        raise Illegal("two_cards", "A pair is two cards.")
    elif not _waste_pair_open(state):
        raise Illegal("waste_pairs", "The upper cards of the waste pair only where that is agreed, right after a draw.")
    else:
        pair = state.waste[-2], state.waste[-1]
    if pair[1] not in PARTNERS[pair[0]]:
        raise Illegal("thirteen", f"The {name(pair[0])} and the {name(pair[1])} do not make thirteen.")
    return Removed(pair, (source, target))


def _card_at(state: State, source: Source) -> Card:
    """The card of a place, or the top card of a pile; raises Illegal if there is none, or none face up."""
    if source == STOCK and not state.stock_up and state.stock:
        raise Illegal("stock_face_down", "The stock lies face down.")
    pile = (state.stock if source == STOCK else state.waste) or (NO_CARD,)
    card = state.pyramid[PLACE[source]] if source in PLACE else pile[-1]
    if not card:
        raise Illegal("source_empty", "No card lies there.")
    return card


def _check_free(state: State, source: Source) -> None:
    if source in PLACE and covered_by(state.pyramid, PLACE[source]):
        raise Illegal("covered", f"Something lies on the {name(state.pyramid[PLACE[source]])}.")


def _waste_pair_open(state: State) -> bool:
    """Whether the two upper cards of the waste may pair. Our ruling: right after the draw, and not later."""
    return state.options.waste_pairs and state.just_drawn and len(state.waste) > 1


class PyramidPlace(Struct, frozen=True):
    """A place in the pyramid."""

    id: Annotated[Place, Meta(description="The id of its zone.")]
    row: Annotated[int, Meta(description="Its row, the top is 0.")]
    card: Annotated[int, Meta(description="Its place in the row, from the left, the first is 0.")]
    covered_by: Annotated[tuple[Place, ...], Meta(description="The places whose cards lie on it.")]


def stuck(state: State) -> bool:
    """Whether nothing is legal, or nothing but drawing and removals that free no card of the pyramid. Our ruling.

    The player can tell which cards the stock holds from those in view; their order does not matter. With `waste_pairs`
    and when drawing three, only a position without a legal command is stuck.
    """
    if is_won(state) or not (state.pyramid[0] or state.discard):
        return False
    if not legal_commands(state):
        return True
    if state.options.waste_pairs or state.options.draw > 1 or pyramid_removals(state):
        return False
    # A card that can still come up pairs with the pyramid, or, where all must go, can go at all.
    cards, waste, depth = {*state.stock, *state.waste}, state.waste, 1
    among = state.options.stock_top and state.stock and any(not PARTNERS[card].isdisjoint(cards) for card in cards)
    if talon.recycles_left(state) == 0 and not among:
        # Only the top of the waste comes up, and what lies under it as far as only kings lie above.
        while depth < len(waste) and waste[-depth] in KINGS:
            depth += 1
        cards = {*state.stock, *waste[-depth:]}
    if any(not PARTNERS[state.pyramid[place]].isdisjoint(cards) for place in available(state.pyramid)):
        return False
    return not (state.options.clear_all and (bool(among) or not KINGS.isdisjoint(cards)))


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The pyramid, every card of it face up, and below it stock, waste and discard."""
    up = len(state.stock) if open_cards else int(state.stock_up and bool(state.stock))
    down = len(state.stock) - up
    return (
        *pyramids.zones(state.pyramid),
        Zone(STOCK, "Stock", "pile", 0, STEP * pyramids.ROWS, face_down=down, cards=state.stock[down:]),
        Zone(talon.WASTE, "Waste", "pile", STEP, STEP * pyramids.ROWS, cards=state.waste),
        Zone(DISCARD, "Discard", "pile", STEP * (pyramids.ROWS - 1), STEP * pyramids.ROWS, cards=state.discard),
    )


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Drawn():
            return f"The player draws {the(event.cards)}."
        case Removed():
            if len(set(event.sources)) < len(event.cards):
                return f"The player removes {the(event.cards)} from the waste."
            lying = zip(event.cards, event.sources, strict=True)
            cards = " and ".join(f"the {name(card)} from {zone_name(zone)}" for card, zone in lying)
            return f"The player removes {cards}."
        case Turned():
            return f"The {name(event.card)} is turned up on the stock."
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            return "A pyramid of 28 cards is dealt face up, seven cards in its last row; the other 24 are the stock."
        case _:
            assert_never(event)


PYRAMID_1 = solo_game(
    key="pyramid", name="Pyramid", rules=read_rules(__file__), options=Options, state=State,
    commands=(Draw, Recycle, Remove), events=(Dealt, Drawn, Recycled, Removed, Turned), facts=Facts, dealt=Dealt,
    face_up_in_deal=range(IN_PYRAMID), deal=deal, initial=initial, decide=decide, evolve=evolve,
    legal_commands=legal_commands, won=is_won, stuck=stuck, zones=zones, tell=tell, score=score,
    layout=lambda options, seats: pyramids.boards(options.draw),
    won_by=lambda state: "all_cleared" if state.options.clear_all else "pyramid_cleared",
    facts_of=lambda state: Facts(state.options.draw, state.recycles + 1, talon.recycles_left(state), score(state)),
    table="The 28 places of the pyramid, the piles, and what the cards count.",
    more_material=(
        ("pyramid", Annotated[tuple[PyramidPlace, ...], Meta(description="The pyramid from the top, row by row.")],
         tuple(PyramidPlace(PLACES[place], *pyramids.ROW_AND_CARD[place], tuple(PLACES[cover] for cover in covering))
               for place, covering in enumerate(pyramids.COVERING))),
        ("total", Annotated[int, Meta(description="Cards that are removed together count so much; a card that does "
                                      "goes alone.")], THIRTEEN),
    ),
    capabilities=(
        Spelling(canonical), LowestScore(), Taps({"pyramid/draw": "stock", "pyramid/recycle": "stock"}),
        Chips((Chip(fact="score", label="Score"), *talon.CHIPS)), RankNames(paired_ranks),
    ),
)  # fmt: skip

PYRAMID = next_revision(PYRAMID_1, Options2, State2).with_capabilities(
    Notations((pyramid_solver(Options2, PLACES, Draw(), Recycle(), Remove),))
)
"""Revision 2: up to a hundred passes."""
