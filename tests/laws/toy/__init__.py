"""A toy game type for the laws themselves: hands, a later shuffle, spellings, a partial listing, undo, endings."""

from msgspec import Struct

from domain.capabilities import OptionRules, Resample, Spelling, Undoing
from domain.game_type import GameType
from domain.kit.boards import card_places

from . import picture, rules
from .values import DECK, Blocked, Dealt, Draw, Drew, Facts, Laid, Lay, Material, Options, Reshuffled, State

TOY: GameType[Options, State, Struct, Struct, Facts] = GameType(
    key="toy",
    name="Toy",
    revision=1,
    seats=range(1, 3),
    rules="Lay cards of the suit or the rank of the heap's top; whoever has none left has won.",
    options=Options,
    state=State,
    commands=(Draw, Lay),
    events=(Dealt, Drew, Laid, Reshuffled, Blocked),
    facts=Facts,
    deal=rules.deal,
    initial=rules.initial,
    decide=rules.decide,
    evolve=rules.evolve,
    legal_commands=rules.legal_commands,
    look=picture.look,
    tell=picture.tell,
    result=rules.result,
    redact=picture.redact,
    material=Material(card_places(picture.look(rules.initial(Options(), 2), None)), DECK),
    capabilities=(
        OptionRules(rules.settle),
        Spelling(rules.canonical),
        Undoing(rules.undoable),
        Resample(picture.resample),
    ),
)
