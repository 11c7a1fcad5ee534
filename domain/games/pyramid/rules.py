"""The rules of Pyramid: the deal, what lies on what, what a command does, what is legal, and how a game ends."""

from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.pyramid.events import (
    Command,
    Dealt,
    Draw,
    Drawn,
    Event,
    Recycle,
    Recycled,
    Remove,
    Removed,
    Turned,
)
from domain.games.pyramid.state import (
    COVERED,
    DISCARD,
    IN_PYRAMID,
    PARTNERS,
    PLACE,
    PLACES,
    STOCK,
    Options,
    Options2,
    Source,
    State,
    State2,
    available,
    covered_by,
    covered_by_partner,
    is_dealt,
    is_won,
)
from domain.kit.cards import PACK, name
from domain.kit.patience import KINGS, NO_CARD, top_of
from domain.kit.talon import WASTE, can_recycle, check_recycle, next_cards
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

_DRAW, _RECYCLE = Draw(), Recycle()
_ORDER: dict[str, int] = {zone: place for place, zone in enumerate((*PLACES, STOCK, WASTE, DISCARD))}


def deal(options: Options, chance: Chance, seats: int) -> tuple[Event, ...]:
    """One shuffled pack; with `stock_top` the first card of the stock is turned up."""
    dealt = Dealt(chance.shuffle(PACK).cards)
    return (dealt, Turned(dealt.cards[IN_PYRAMID])) if options.stock_top else (dealt,)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, pyramid=(NO_CARD,) * IN_PYRAMID)


def initial_2(options: Options2, seats: int) -> State2:
    """The same for revision 2."""
    return State2(options=options, pyramid=(NO_CARD,) * IN_PYRAMID)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise not_the_player("Pyramid")
    if is_won(state):
        raise Illegal("game_over", "The game is won.")
    command = canonical(state, seat, command)
    match command:
        case Draw():
            return _draw_cards(state)
        case Recycle():
            return _turn_waste_over(state)
        case Remove():
            return _remove_cards(state, command)
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
            return _discard_cards(state, event)
        case Recycled():
            recycles = state.recycles + 1
            return replace(
                state, stock=state.waste[::-1], waste=(), recycles=recycles, stock_up=False, just_drawn=False
            )
        case Turned():
            return replace(state, stock_up=True)
        case Dealt():
            return replace(state, pyramid=event.cards[:IN_PYRAMID], stock=event.cards[: IN_PYRAMID - 1 : -1])
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The removals, the pyramid's first, then drawing or recycling; nothing for another seat or in a won game."""
    if seat != 0 or is_won(state):
        return ()
    within = pyramid_removals(state)
    listed: list[Command] = [*within, *pile_removals(state)]
    if not (within and state.options.draw_only_when_stuck):
        listed += _stock_commands(state)
    return tuple(listed)


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """A pair with the upper left card first and the piles last."""
    if isinstance(command, Remove) and command.target != DISCARD and _ORDER[command.target] < _ORDER[command.source]:
        return Remove(command.target, command.source)
    return command


def result(state: State) -> Result | None:
    """Won with the pyramid gone (`clear_all`: every card); lost where nothing is legal. The score is what was left.

    Our ruling: with undo a lost game stays open and is told as stuck.
    """
    if is_won(state):
        return Result("won", "all_cleared" if state.options.clear_all else "pyramid_cleared", (0,), (score(state),))
    over = is_dealt(state) and not state.options.undo and not legal_commands(state, 0)
    return Result("lost", "no_moves", (), (score(state),)) if over else None


def score(state: State) -> int:
    """The cards that still have to go: of the pyramid, or with `clear_all` of the pack."""
    if state.options.clear_all:
        return len(PACK) - len(state.discard)
    return sum(map(bool, state.pyramid))


def pyramid_removals(state: State) -> list[Remove]:
    """What the pyramid alone offers: its kings and its pairs."""
    free, pyramid = available(state.pyramid), state.pyramid
    listed = [Remove(PLACES[place], DISCARD) for place in free if pyramid[place] in KINGS]
    for number, place in enumerate(free, start=1):
        partners = PARTNERS[pyramid[place]]
        listed += [Remove(PLACES[place], PLACES[other]) for other in free[number:] if pyramid[other] in partners]
    return listed + _tomb_pairs(pyramid) if state.options.tuts_tomb_pairing else listed


def pile_removals(state: State) -> list[Remove]:
    """What can be removed from stock and waste, alone, with the pyramid or together."""
    listed: list[Remove] = []
    if state.stock_up and state.stock:
        listed += _removals_from(state, STOCK, state.stock[-1])
    if state.waste:
        listed += _removals_from(state, WASTE, state.waste[-1]) + _waste_pairs(state)
    return listed


def _draw_cards(state: State) -> tuple[Event, ...]:
    cards = next_cards(state)
    _check_waiting(state)
    return (Drawn(cards), *_turn_up(state, state.stock[: -len(cards)]))


def _check_waiting(state: State) -> None:
    """Our ruling: drawing is free at any time, for the source says when one draws, not that one must not before."""
    if state.options.draw_only_when_stuck and pyramid_removals(state):
        raise Illegal("draw_only_when_stuck", "The pyramid alone still offers a pair or a king.")


def _turn_up(state: State, stock: tuple[Card, ...]) -> tuple[Turned, ...]:
    """The new top card of the stock, where that lies face up."""
    return (Turned(stock[-1]),) if state.options.stock_top and stock else ()


def _turn_waste_over(state: State) -> tuple[Event, ...]:
    check_recycle(state)
    _check_waiting(state)
    return (Recycled(), *_turn_up(state, state.waste[::-1]))


def _remove_cards(state: State, command: Remove) -> tuple[Event, ...]:
    source, target = command.source, command.target
    removed = _remove_king(state, source) if target == DISCARD else _remove_pair(state, source, target)
    uncovered = _turn_up(state, state.stock[:-1]) if STOCK in removed.sources else ()
    return (removed, *uncovered)


def _remove_king(state: State, source: Source) -> Removed:
    card = _card_at(state, source)
    _check_free(state, source)
    if card not in KINGS:
        raise Illegal("kings_alone", f"Only a king goes alone, not the {name(card)}.")
    return Removed((card,), (source,))


def _remove_pair(state: State, source: Source, target: Source) -> Removed:
    if source == target:
        _check_waste_pair(state, source)
        pair = (state.waste[-2], state.waste[-1])
    else:
        pair = (_card_at(state, source), _card_at(state, target))
        _check_both_free(state, source, target)
    if pair[1] not in PARTNERS[pair[0]]:
        raise Illegal("thirteen", f"The {name(pair[0])} and the {name(pair[1])} do not make thirteen.")
    return Removed(pair, (source, target))


def _check_waste_pair(state: State, source: Source) -> None:
    if source != WASTE:
        raise Illegal("two_cards", "A pair is two cards.")
    if not _waste_pair_open(state):
        raise Illegal("waste_pairs", "The upper cards of the waste pair only where that is agreed, right after a draw.")


def _card_at(state: State, source: Source) -> Card:
    """The card of a place, or the top card of a pile; raises Illegal if there is none, or none face up."""
    if source == STOCK and not state.stock_up and state.stock:
        raise Illegal("stock_face_down", "The stock lies face down.")
    pile = state.stock if source == STOCK else state.waste
    card = state.pyramid[PLACE[source]] if source in PLACE else top_of(pile)
    if not card:
        raise Illegal("source_empty", "No card lies there.")
    return card


def _check_both_free(state: State, source: Source, target: Source) -> None:
    """Neither card may be covered; with `tuts_tomb_pairing` the upper one may be, by its partner alone."""
    in_tomb = state.options.tuts_tomb_pairing and source in PLACE and target in PLACE
    if not (in_tomb and covered_by_partner(state.pyramid, PLACE[source], PLACE[target])):
        _check_free(state, source)
        _check_free(state, target)


def _check_free(state: State, source: Source) -> None:
    if source in PLACE and covered_by(state.pyramid, PLACE[source]):
        raise Illegal("covered", f"Something lies on the {name(state.pyramid[PLACE[source]])}.")


def _waste_pair_open(state: State) -> bool:
    """Whether the two upper cards of the waste may pair. Our ruling: right after the draw, and not later."""
    return state.options.waste_pairs and state.just_drawn and len(state.waste) > 1


def _discard_cards(state: State, event: Removed) -> State:
    pyramid, stock, waste = list(state.pyramid), state.stock, state.waste
    for source in event.sources:
        if source in PLACE:
            pyramid[PLACE[source]] = NO_CARD
        elif source == STOCK:
            stock = stock[:-1]
        else:
            waste = waste[:-1]
    discard, up = state.discard + event.cards, state.stock_up and STOCK not in event.sources
    return replace(
        state, pyramid=tuple(pyramid), stock=stock, waste=waste, discard=discard, stock_up=up, just_drawn=False
    )


def _stock_commands(state: State) -> tuple[Command, ...]:
    return (_DRAW,) if state.stock else (_RECYCLE,) if can_recycle(state) else ()


def _tomb_pairs(pyramid: tuple[Card, ...]) -> list[Remove]:
    return [
        Remove(PLACES[place], PLACES[other])
        for place, *covering in COVERED
        for other in covering
        if pyramid[place] and pyramid[other] in PARTNERS[pyramid[place]] and covered_by_partner(pyramid, place, other)
    ]


def _removals_from(state: State, source: Source, card: Card) -> list[Remove]:
    if card in KINGS:
        return [Remove(source, DISCARD)]
    partners, pyramid = PARTNERS[card], state.pyramid
    return [Remove(PLACES[place], source) for place in available(pyramid) if pyramid[place] in partners]


def _waste_pairs(state: State) -> list[Remove]:
    """The top of the waste with the stock's, where that lies face up, and with the card beneath, if just drawn."""
    partners, listed = PARTNERS[state.waste[-1]], []
    if state.stock_up and state.stock and state.stock[-1] in partners:
        listed.append(Remove(STOCK, WASTE))
    if _waste_pair_open(state) and state.waste[-2] in partners:
        listed.append(Remove(WASTE, WASTE))
    return listed
