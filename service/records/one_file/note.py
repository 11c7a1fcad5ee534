"""The note on a game's page: what is missing there, and the source of an imported game."""

from collections.abc import Sequence

from domain.play.aggregate import Game
from domain.play.sentences import source_sentence
from service.records.one_file.data import ViewerFrames


def note(game: Game, looking: Sequence[ViewerFrames], left_out: int = 0) -> str:
    """The note, empty for a whole game played here; `left_out`: viewers omitted because the game is long."""
    source, lacking = game.opening.source, _missing_sentence(game, looking, left_out)
    return " ".join(filter(None, ["" if source is None else source_sentence(source), lacking]))


def _missing_sentence(game: Game, looking: Sequence[ViewerFrames], left_out: int) -> str:
    eyes = " and ".join(one.label for one in looking)
    if game.status not in ("finished", "voided"):
        return f"Not over yet: the game up to step {looking[0].frames[-1].step}. Seen by: {eyes}."
    if left_out:
        return f"A long game. Seen by: {eyes}, and no others."
    return "" if looking[-1].key == "all" else "Not every card of this game may be told yet."
