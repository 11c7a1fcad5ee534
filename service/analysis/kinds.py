"""What kind of analysis a game type has, and the report of each."""

from typing import Literal

from domain.games import GAME_TYPES, AnyGameType
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE
from service.analysis.hands import BridgeReport
from service.analysis.questions import has_solver
from service.analysis.report import PatienceReport
from service.analysis.swings import SeveralReport
from service.house.outlooks import OUTLOOKS

Report = PatienceReport | BridgeReport | SeveralReport
Kind = Literal["patience", "bridge", "several"]
"""`patience`: verdicts at its steps; `bridge`: the open stock; `several`: the share of a win before and after each
move."""


def kind_of(game_type: AnyGameType) -> Kind | None:
    """How games of this type, in this revision, are analysed; None: they are not."""
    if has_solver(game_type):
        return "patience"
    if game_type.key == BRIDGE_SOLITAIRE.key:
        return "bridge"
    return "several" if game_type.key in OUTLOOKS and GAME_TYPES[game_type.key] is game_type else None
