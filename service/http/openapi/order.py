"""The order in which the operations are told: what a newcomer needs first stands first."""

from collections.abc import Iterable

from service.http.operation import Operation

TAGS = {
    "players": "Who plays. To register needs no token, and its answer holds the first one.",
    "tokens": "More tokens, for bots and other devices: sent as `Authorization: Bearer kbz_...`.",
    "game types": "What can be played, with the rules and the schemas of options, commands and events.",
    "games": "Open a game, look at it, sit down, invite, play it once more.",
    "play": "What may be said now, and saying it.",
    "inbox": "The games in which it is your turn.",
    "replay": "What was seen after each step, by any viewer, for ever.",
    "live": "A game while it is played, as server-sent events.",
    "contests": "Same-deal days: everybody is dealt the same cards.",
    "scoreboards": "Life-time boards of each game type.",
    "ladders": "Ratings of those who play against each other.",
    "rubbers": "Scoresheets of Bridge Solitaire.",
    "leagues": "Seasons of fixtures or of same deals among members.",
    "rulings": "What moderators and organisers have decided.",
    "records": "Games as text, to take along, to bring here, and to verify.",
    "service": "The service itself, for operators and for programs.",
}
_FIRST = (
    "open_game", "look_at_game", "join_game", "leave_game", "seed_game", "list_games", "deal_proof", "invite_player",
    "uninvite_player", "open_rematch", "fork_game", "abandon_game", "void_game",
    "list_frames", "get_frame", "list_moments", "replay_page", "feed_games",
    "get_record", "import_record", "list_imports", "delete_import", "import_moves", "verify_game", "verify_record",
    "found_league", "list_leagues", "get_league", "join_league", "leave_league", "open_season", "list_fixtures",
    "open_fixture", "get_tables", "close_season", "get_promotions", "decide_promotions",
    "openapi_page", "openapi_document", "list_problems", "get_problem", "liveness", "readiness",
)  # fmt: skip
"""Operations that come first among those of their tag, in this order; the others follow as they were found."""
_PLACES = {name: place for place, name in enumerate(_FIRST)}


def ordered(operations: Iterable[Operation]) -> list[Operation]:
    """These operations, tag by tag."""
    tags = list(TAGS)
    return sorted(operations, key=lambda one: (tags.index(one.tag), _PLACES.get(one.id, len(_PLACES))))


def tags_of(operations: Iterable[Operation]) -> list[dict[str, str]]:
    """The tags that these operations have, as the document tells them."""
    used = {described.tag for described in operations}
    return [{"name": tag, "description": says} for tag, says in TAGS.items() if tag in used]
