"""The packed games that have records in a stretch of the log."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from service.event_store.codec import Codec
from service.event_store.packing.blob import Packed
from service.event_store.packing.kept import UNPACKED
from service.event_store.reading.multi_query import Asked
from service.event_store.reading.recorded import Recorded

_SPANS = (
    "SELECT game, digest FROM packed_games"
    " WHERE int8range(first_position, last_position, '[]') && int8range(%s, %s, '(]')"
)
_BODIES = (
    "SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = ANY(%s)"
)
_position = itemgetter(0)


def overlapping(after: int, until: int, codec: Codec) -> Asked[list[Recorded]]:
    """Every packed record between these positions, in no order; games that were read lately are not read again."""
    spans = yield _SPANS, (after, until)
    keys = [(game, bytes(digest)) for game, digest in spans]
    known = {key: game for key in keys if (game := UNPACKED.get(key)) is not None}
    missing = [key[0] for key in keys if key not in known]
    rows = (yield _BODIES, (missing,)) if missing else []
    games = [*known.values(), *(UNPACKED.keep(Packed(*row), codec) for row in rows)]
    return [placed for game in games for placed in _between(game, after, until)]


def _between(game: Sequence[Recorded], after: int, until: int) -> Sequence[Recorded]:
    return game[bisect_right(game, after, key=_position) : bisect_right(game, until, key=_position)]
