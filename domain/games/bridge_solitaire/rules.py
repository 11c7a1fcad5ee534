"""Bridge Solitaire: the deal, the six cards kept, the calls, the thirteen tricks, the end of a hand and a rubber."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire import state as bridge
from domain.games.bridge_solitaire.state import BoardOptions, BoardState, Call, Contract, Options, Side, State, Strain
from domain.kit.cards import JOKERS, SUIT_NAMES, is_joker, suit
from domain.kit.turns import shuffle_cards
from domain.view import Card, Seat

SUITS: tuple[Strain, ...] = bridge.STRAINS[:4]

NO_TRUMP_TURNS = 4
"""At no trump the house turns at most four cards for one lead."""

_PHASES: dict[type[ev.Command], bridge.Phase] = {
    ev.Select: "select", ev.Bid: "auction", ev.Pass: "auction", ev.Play: "play",
    ev.NextHand: "hand_scored", ev.CloseRubber: "hand_scored",
}  # fmt: skip
_WRONG_PHASE: dict[bridge.Phase, tuple[str, str]] = {
    "select": ("not_selecting", "The hand has been chosen."),
    "auction": ("not_bidding", "It is not the time to call."),
    "play": ("not_playing", "It is not the time to play a card."),
    "hand_scored": ("hand_unfinished", "The hand is not finished."),
}

_NO_TRUMP_SHAPES = ([3, 3, 3, 4], [3, 3, 3, 3], [2, 3, 3, 3])
"""The lengths of the four suits, shortest first; no, one or two jokers make up the thirteen cards."""

_SORTED = (*(rank + suit for suit in "SHCD" for rank in bridge.HIGH_TO_LOW), *JOKERS[:2])
_PLACES: dict[Card, int] = {card: place for place, card in enumerate(_SORTED)}
"""In the hand: spades, hearts, clubs, diamonds, each from the ace down, then jokers: colours alternate."""


def settle(options: BoardOptions, seats: int) -> BoardOptions:
    """The options, with a single hand where a board is chosen; raises Illegal for `memory`."""
    if options.memory:
        raise Illegal("memory", "Earlier steps of a hand can be looked at again: `memory` is always false.")
    return replace(options, length="hand") if options.board else options


def on_day(options: BoardOptions, day: int) -> BoardOptions:
    """The board of a UTC day, counted from 1970-01-01: the four in turn, the first on that day (our ruling)."""
    return replace(options, length="hand", board=1 + day % len(bridge.BOARDS))


def initial(options: Options, seats: int) -> State:
    return State(options)


def board_initial(options: BoardOptions, seats: int) -> BoardState:
    return BoardState(options)


def deal(options: Options, chance: Chance, seats: int) -> tuple[ev.Event, ...]:
    """The first hand; raises Illegal for a given deal that is not these 54 cards."""
    return (ev.Dealt(1, *chance.shuffle(bridge.CARDS)),)


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, or Illegal."""
    if seat != 0:
        raise Illegal("no_such_seat", "Bridge Solitaire has one seat.")
    if state.closed:
        raise Illegal("game_over", "The game is over.")
    if state.phase != (phase := _PHASES[type(command)]):
        raise Illegal(*_WRONG_PHASE[phase])
    match command:
        case ev.Play():
            return play_card(state, command.card)
        case ev.Select():
            return _select_six(state, command)
        case ev.Bid():
            return make_bid(state, command)
        case ev.Pass():
            return pass_bid(state)
        case ev.NextHand():
            return (ev.Dealt(state.hand_number + 1, *shuffle_cards(state.chance, bridge.lying(state))),)
        case ev.CloseRubber():
            return (ev.RubberClosed("closed", _list_premiums(state)),)
        case _:
            assert_never(command)


def evolve(state: State, event: ev.Event) -> State:
    """The state after one event; never refuses, draws no lots. The most frequent events stand first."""
    match event:
        case ev.CardPlayed():  # the last trick is turned down, the cards skipped for it go to the discard pile
            card, hand, last, mine = event.card, state.hand, state.last_trick, state.last_winner == "me"
            at = hand.index(card) if card in hand else len(hand)
            return replace(
                state, hand=hand[:at] + hand[at + 1 :], trick=(*state.trick, card),
                leader=state.leader if state.trick else "me", discard=state.discard + state.skipped,
                won_me=state.won_me + last if mine else state.won_me,
                won_it=state.won_it if mine else state.won_it + last, skipped=(), last_trick=(), last_winner=None,
            )  # fmt: skip
        case ev.TrickWon():
            mine = event.side == "me"
            return replace(
                state, trick=(), leader=None, last_trick=state.trick, last_winner=event.side,
                tricks_me=state.tricks_me + mine, tricks_it=state.tricks_it + (not mine),
            )  # fmt: skip
        case ev.CardTurned():
            stock = state.stock[1:]
            if event.turn == "skipped":
                return replace(state, stock=stock, skipped=(*state.skipped, event.card))
            return replace(state, stock=stock, trick=(*state.trick, event.card))
        case ev.HouseLed():
            return replace(state, trick=(event.card,), leader="it", stock=state.stock[1:])
        case ev.HandScored():
            closed = "hand" if state.options.length == "hand" else state.closed
            return replace(state, phase="hand_scored", sheet=scoring.after(state.sheet, event), closed=closed)
        case ev.Dealt():
            return type(state)(
                state.options,
                hand_number=event.hand,
                chance=event.chance,
                hidden=event.cards[: bridge.HIDDEN],
                offered=event.cards[bridge.HIDDEN : bridge.HIDDEN + bridge.OFFERED],
                stock=event.cards[bridge.HIDDEN + bridge.OFFERED :],
                sheet=state.sheet,
            )
        case ev.Selected():
            return replace(state, offered=(), hand=event.cards, discard=event.discarded)
        case ev.HandShown():
            hand = tuple(sorted(state.hand + event.cards, key=_PLACES.__getitem__))
            return replace(state, hidden=(), hand=hand, held=hand)
        case ev.HouseCalled():
            return replace(state, phase="auction", call=Call(event.level, event.strain))
        case ev.ContractMade():
            return replace(state, phase="play", contract=event.contract)
        case ev.BidMade() | ev.Passed():
            return state
        case ev.RubberClosed():
            return replace(state, sheet=scoring.after(state.sheet, event), closed=event.reason)
        case ev.RubberScored():
            return replace(state, sheet=scoring.after(state.sheet, event), closed="rubber")
        case ev.RemainingWon():
            tricks = state.tricks_me + len(event.cards)
            return replace(state, hand=(), won_me=state.won_me + event.cards, tricks_me=tricks)
        case ev.HandsVoided():  # the rubber as it stood before that hand, all cards gathered for a fresh shuffle
            if event.from_hand > state.hand_number:
                return state
            return type(state)(
                state.options,
                phase="hand_scored",
                hand_number=event.from_hand - 1,
                chance=state.chance,
                stock=bridge.lying(state),
                sheet=scoring.after(state.sheet, event),
            )
        case _:
            assert_never(event)


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """The state after several events."""
    for event in events:
        state = evolve(state, event)
    return state


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """All that may be said.

    Selections, up to 1716, name jokers first and the rest as dealt. Each stands for its seven choices of the discard
    left in sight.
    """
    if seat != 0 or state.closed:
        return ()
    match state.phase:
        case "select":
            jokers = [card for card in state.offered if is_joker(card)]
            others = [card for card in state.offered if not is_joker(card)]
            return tuple([ev.Select((*jokers, *chosen)) for chosen in combinations(others, bridge.KEPT - len(jokers))])
        case "auction":
            return calls(state)
        case "play":
            return tuple([ev.Play(card) for card in playable(state.hand, state.trick)])
        case "hand_scored":
            return (ev.NextHand(), ev.CloseRubber())
        case _:
            assert_never(state.phase)


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """The command as it is listed: a selection in listing order, without the choice of the top if that is a discard."""
    if not isinstance(command, ev.Select):
        return command
    places = {card: (not is_joker(card), at) for at, card in enumerate(state.offered)}
    chosen = tuple(sorted(command.cards, key=lambda card: places.get(card, (True, len(places)))))
    discards = set(state.offered) - set(chosen)
    return ev.Select(chosen, None if command.discard_top in discards else command.discard_top)


def resign(state: State, seat: Seat) -> tuple[ev.Event, ...]:
    """The game is given up: a hand in play is scored with the rest lost, one without a contract is not (ours)."""
    conceded: tuple[ev.Event, ...] = (score_hand(state, "conceded"),) if state.phase == "play" else ()
    return (*conceded, ev.RubberClosed("resigned", _list_premiums(fold(state, conceded))))


def score(state: State) -> int:
    """ME less IT, as if the game were given up now: the tricks not yet played are the house's (ours)."""
    return state.sheet.margin if state.closed else fold(state, resign(state, 0)).sheet.margin


def result(state: State) -> Result | None:
    """By points, whoever took the games; a single hand likewise (house rule, ours). The score is ME less IT."""
    margin, text = state.sheet.margin, ""
    if not state.closed:
        return None
    if state.closed == "closed":
        return Result("abandoned", "closed", (), (margin,))
    if state.board and state.contract is not None:
        text = scoring.outcome(state.contract, state.tricks_me, state.vulnerable, margin)
    if state.closed == "resigned" or margin < 0:
        return Result("lost", state.closed, (), (margin,), text)
    if margin > 0:
        return Result("won", state.closed, (0,), (margin,), text)
    return Result("drawn", state.closed, (), (margin,), text)


def _list_premiums(state: State) -> tuple[bridge.Entry, ...]:
    """The premiums that the sheet would earn if the rubber ended now; none for a single hand."""
    return scoring.at_end(state.sheet) if state.options.length == "rubber" else ()


def _select_six(state: State, command: ev.Select) -> tuple[ev.Event, ...]:
    """The six are kept, the seven hidden cards join them and the house calls; raises Illegal."""
    chosen = tuple(card for card in state.offered if card in command.cards)
    rest = tuple(card for card in state.offered if card not in command.cards)
    if len(command.cards) != bridge.KEPT or len(set(command.cards)) != bridge.KEPT:
        raise Illegal("six_cards", "Six different cards are kept.")
    if len(chosen) != bridge.KEPT:
        raise Illegal("card_not_offered", "A card to keep must be one of the thirteen.")
    if any(map(is_joker, rest)):
        raise Illegal("jokers_compulsory", "A joker among the thirteen must be kept.")
    if command.discard_top is not None and command.discard_top not in rest:
        raise Illegal("top_not_discarded", "The card to lie on top must be one of the seven discards.")
    top = command.discard_top or rest[-1]
    discards = (*(card for card in rest if card != top), top)
    call = house_call(chosen + state.hidden, discards, state.options)
    return (ev.Selected(chosen, discards), ev.HandShown(state.hidden), ev.HouseCalled(call.level, call.strain))


def house_call(hand: tuple[Card, ...], discards: tuple[Card, ...], options: Options) -> Call:
    """Six less the player's winners in the player's shortest suit; a pass when nothing is left.

    Of equally short suits the highest ranking, unless the option says otherwise (house rule, ours).
    """
    level = 6 - winners(hand, discards if options.exclude_discards else ())
    if level <= 0:
        return Call()
    lengths = _count_suits(hand)
    shortest = [suit for suit in SUITS if lengths[suit] == min(lengths.values())]
    return Call(level, shortest[-1] if options.house_tie == "highest" else shortest[0])


def winners(hand: tuple[Card, ...], out: tuple[Card, ...] = ()) -> int:
    """The sure tricks of a hand, suit by suit; jokers count nothing."""
    return sum(suit_winners(_ranks(hand, suit), _ranks(out, suit)) for suit in SUITS)


def suit_winners(held: Iterable[str], out: Iterable[str] = ()) -> int:
    """The sure tricks of one suit's ranks, counted as Denexa's text does it.

    From the ace down: a rank that the player holds wins; any other is the house's and takes the player's lowest
    card. Ranks in `out` belong to neither.
    """
    left, wins = sorted(held, key=bridge.HIGH_TO_LOW.index), 0
    for rank in bridge.HIGH_TO_LOW:
        if left and left[0] == rank:
            left, wins = left[1:], wins + 1
        elif rank not in out:
            left = left[:-1]
    return wins


def calls(state: State) -> tuple[ev.Bid | ev.Pass, ...]:
    """A pass where it is allowed, then every bid from the lowest."""
    house = state.call or Call()
    strains = bridge.STRAINS if _is_no_trump_shape(state.hand) else SUITS
    bids = [ev.Bid(n, strain) for n in bridge.LEVELS for strain in strains if _outranks(n, strain, house)]
    return tuple(bids) if house.is_pass else (ev.Pass(), *bids)


def make_bid(state: State, command: ev.Bid) -> tuple[ev.Event, ...]:
    """The player declares and the house leads; raises Illegal."""
    if command.level not in bridge.LEVELS or command.strain not in bridge.STRAINS:
        raise Illegal("no_such_bid", "Bids run from one club to seven no trump.")
    if not _outranks(command.level, command.strain, state.call or Call()):
        raise Illegal("bid_too_low", "A bid must be higher than the house's.")
    if command.strain == "NT" and not _is_no_trump_shape(state.hand):
        raise Illegal("no_trump_shape", "No trump needs a hand of 4-3-3-3, jokers filling a suit up.")
    contract = _make_contract(state, "me", command.level, command.strain)
    return (ev.BidMade(command.level, command.strain), contract, ev.HouseLed(state.stock[0]))


def pass_bid(state: State) -> tuple[ev.Event, ...]:
    """The house declares and the player leads; raises Illegal where the house passed."""
    house = state.call or Call()
    if house.strain is None:
        raise Illegal("must_bid", "The house has passed, so the player must bid.")
    return (ev.Passed(), _make_contract(state, "it", house.level, house.strain))


def _is_no_trump_shape(hand: tuple[Card, ...]) -> bool:
    """4-3-3-3, 3-3-3-3 and a joker, or 3-3-3-2 and two jokers: no trump may be bid."""
    return sorted(_count_suits(hand).values()) in _NO_TRUMP_SHAPES


def _count_suits(hand: tuple[Card, ...]) -> dict[Strain, int]:
    return {suit: len(_ranks(hand, suit)) for suit in SUITS}


def _ranks(cards: tuple[Card, ...], suit: Strain) -> str:
    return "".join(card[0] for card in cards if card[1] == suit)


def _outranks(level: int, strain: Strain, house: Call) -> bool:
    if house.strain is None:
        return True
    return (level, bridge.STRAINS.index(strain)) > (house.level, bridge.STRAINS.index(house.strain))


def _make_contract(state: State, declarer: Side, level: int, strain: Strain) -> ev.ContractMade:
    """The jokers in the player's thirteen cards double and redouble, whoever declares."""
    doubling = bridge.BY_JOKERS[sum(map(is_joker, state.hand))]
    return ev.ContractMade(Contract(declarer, level, strain, doubling), state.vulnerable)


def play_card(state: State, card: Card) -> tuple[ev.Event, ...]:
    """The card, the house's answer if the player led, the trick, the next lead or the hand's score; raises Illegal."""
    strain = _contract(state).strain
    if card not in state.hand:
        raise Illegal("card_not_held", "That card is not in the hand.")
    if card not in playable(state.hand, state.trick):
        if is_joker(card):
            raise Illegal("joker_while_following", "A joker may only be played when the suit led cannot be followed.")
        raise Illegal("follow_suit", f"The house led {SUIT_NAMES[suit(state.trick[0])]}, and the hand can follow.")
    answer = () if state.trick else turn_cards(state.stock, card, strain)
    trick = (*state.trick, card, *[turned.card for turned in answer if turned.turn != "skipped"])
    won = win_trick("it" if state.trick else "me", trick, strain)
    events: tuple[ev.Event, ...] = (ev.CardPlayed(card), *answer, won)
    stock = state.stock[len(answer) :]
    if stock and state.tricks_left > 1:
        return (*events, ev.HouseLed(stock[0])) if won.side == "it" else events
    state = fold(state, events)  # after the last trick or the last stock card
    rest: tuple[ev.Event, ...] = (ev.RemainingWon(state.hand),) if state.tricks_left else ()
    scored = score_hand(fold(state, rest), "stock_out" if rest else "played_out")
    sheet = scoring.after(state.sheet, scored)
    return (*events, *rest, scored, *([ev.RubberScored(scoring.rubber(sheet))] if sheet.complete else ()))


def playable(hand: tuple[Card, ...], trick: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards that may be played: any to lead or to a joker; else the suit led, or any where that is void."""
    if not trick or is_joker(trick[0]):
        return hand
    led = suit(trick[0])
    return tuple([card for card in hand if card[1] == led]) or hand


def turn_cards(stock: tuple[Card, ...], lead: Card, strain: Strain) -> tuple[ev.CardTurned, ...]:
    """The stock cards turned for the player's lead, the answer last if there is one.

    A joker, the suit led or a trump answers; a joker led takes any answer. The last card of the stock is the house's
    card, answer or not, also as the fourth at no trump (house rule, ours).
    """
    turns: list[ev.CardTurned] = []
    for card in stock[:NO_TRUMP_TURNS] if strain == "NT" else stock:
        if is_joker(card) or is_joker(lead) or suit(card) in (suit(lead), strain):
            return (*turns, ev.CardTurned(card, "answers"))
        turns.append(ev.CardTurned(card, "skipped"))
    return (*turns[:-1], ev.CardTurned(turns[-1].card, "last_card")) if len(turns) == len(stock) else tuple(turns)


def win_trick(leader: Side, trick: tuple[Card, ...], strain: Strain) -> ev.TrickWon:
    """Who takes the trick of a lead and its answer; a lead without an answer is the player's."""
    if len(trick) == 1:
        return ev.TrickWon("me", "no_answer")
    lead, answer = trick
    if is_joker(lead) or is_joker(answer):
        return ev.TrickWon("me" if leader == "it" and is_joker(lead) and is_joker(answer) else "it", "joker")
    best, winner = lead, leader
    if _height(answer, lead, strain) > _height(lead, lead, strain):
        best, winner = answer, bridge.other(leader)
    reason: ev.Reason = "trump" if suit(best) == strain != suit(lead) else "high_card"
    return ev.TrickWon(winner, reason)


def _height(card: Card, lead: Card, strain: Strain) -> int:
    """What a card is worth in the trick: trumps above the suit led, both by rank; any other card 0."""
    rank = len(bridge.HIGH_TO_LOW) - bridge.HIGH_TO_LOW.index(card[0])
    return 100 + rank if suit(card) == strain else rank if suit(card) == suit(lead) else 0


def score_hand(state: State, finish: ev.Finish) -> ev.HandScored:
    """The hand as the sheet needs it; every trick that the player has not won is the house's."""
    contract, vulnerable = _contract(state), state.vulnerable
    taken = scoring.declarers_tricks(contract, state.tricks_me)
    old, lost = state.options.old_undertricks, bridge.TRICKS - state.tricks_me
    if state.board:
        rows = scoring.board_entries(state.hand_number, contract, taken, vulnerable, old)
    else:
        rows = scoring.entries(state.hand_number, contract, taken, state.held, vulnerable, old)
    return ev.HandScored(state.hand_number, state.held, contract, state.tricks_me, lost, vulnerable, finish, rows)


def _contract(state: State) -> Contract:
    if state.contract is None:
        raise ValueError("play without a contract")
    return state.contract
