"""Scored hands without their play: what a sheet is folded from."""

from hypothesis import strategies as st

from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire.events import HandScored, HandsVoided, RubberClosed, RubberScored
from domain.games.bridge_solitaire.state import CARDS, STRAINS, Contract, Entry, Sheet

from .positions import contract, hand

PLAIN = hand("5432 S, 543 H, 543 D, 543 C")


def scored_hand(on: Sheet, made: Contract, tricks_me: int, cards=PLAIN) -> HandScored:
    """The next hand of this sheet as the game would record it."""
    taken = scoring.declarers_tricks(made, tricks_me)
    entries = scoring.entries(on.hands + 1, made, taken, cards, on.vulnerable)
    return HandScored(on.hands + 1, cards, made, tricks_me, 13 - tricks_me, on.vulnerable, "played_out", entries)


def folded(*hands: str) -> Sheet:
    """The sheet after hands like `me 2H 8` or `it 1D doubled 6`: declarer, contract, declarer's tricks."""
    on = Sheet()
    for words in (row.split() for row in hands):
        side, tricks = words[0], int(words[-1])
        made = contract(" ".join(words[1:-1]), side)
        on = scoring.after(on, scored_hand(on, made, tricks if side == "me" else 13 - tricks))
    return on


def ended(on: Sheet) -> Sheet:
    """The sheet with the premiums that are due when it ends now."""
    due = scoring.at_end(on)
    return scoring.after(on, RubberScored(due) if on.complete else RubberClosed("closed", due))


def rows(entries: tuple[Entry, ...]) -> list[tuple[str, str, int]]:
    return [(entry.side, entry.kind, entry.points) for entry in entries]


@st.composite
def deals(draw):
    """A contract that the auction allows, the player's cards and the player's tricks."""
    side = draw(st.sampled_from(["me", "it"]))
    level = draw(st.integers(1, 7 if side == "me" else 6))
    strain = draw(st.sampled_from(STRAINS if side == "me" else STRAINS[:4]))
    doubling = draw(st.sampled_from(["undoubled", "doubled", "redoubled"]))
    cards = draw(st.permutations(CARDS))[:13]
    return Contract(side, level, strain, doubling), draw(st.integers(0, 13)), tuple(cards)


@st.composite
def rubbers(draw):
    """The events of a rubber, up to two games, an early end or just so far, now and then with hands voided."""
    on, events = Sheet(), []
    for made, tricks_me, cards in draw(st.lists(deals(), max_size=25)):
        event = scored_hand(on, made, tricks_me, cards)
        if on.hands and draw(st.integers(0, 9)) == 0:
            event = HandsVoided(draw(st.integers(1, on.hands)))
        events.append(event)
        on = scoring.after(on, event)
        if on.complete:
            return [*events, RubberScored(scoring.rubber(on))]
    return [*events, RubberClosed("closed", scoring.find_unfinished(on))] if draw(st.booleans()) else events
