"""Examples and links of the API's description. Request examples are run, one by one, by the tests."""

from typing import Any
from uuid import UUID

from domain.games import GAME_TYPES
from domain.games.klondike import Draw
from domain.play import events as ev
from domain.play.deciding import Act, Step, play
from domain.play.open_record import OpenRecord, record_lines, sealed_record
from domain.play.table import Opening, open_game

OPENINGS: dict[str, Any] = {
    "klondike": {"game_type": "klondike"},
    "klondike, draw three": {"game_type": "klondike", "options": {"draw": 3, "passes": 3, "undo": False}},
    "spite and malice, waiting for another player": {"game_type": "spite_and_malice"},
    "spite and malice, both seats yours": {
        "game_type": "spite_and_malice", "options": {"preset": "snm_pz"}, "hot_seat": True,
    },
    "freecell, a published deal": {"game_type": "freecell", "deal_number": 11982},
    "pyramid, in private": {"game_type": "pyramid", "visibility": "private"},
    "bridge solitaire, a rubber": {"game_type": "bridge_solitaire"},
    "bridge solitaire, one hand from a seed": {
        "game_type": "bridge_solitaire", "options": {"length": "hand"}, "seed": "my lucky number",
    },
}  # fmt: skip

COMMANDS: dict[str, Any] = {
    "one command": {"type": "klondike/draw"},
    "take back": {"type": "game/undo"},
}

COMMAND_LISTS: dict[str, Any] = {
    "two draws": {"commands": [{"type": "klondike/draw"}, {"type": "klondike/draw"}]},
}

_GAME = {"game_id": "$response.body#/id"}
_SEATED = _GAME | {"seat": "$response.body#/your_seats/0"}
_PLAYED = {"game_id": "$response.body#/game_id"}

GAME_LINKS: dict[str, Any] = {
    "look": {"operationId": "get_game", "parameters": _GAME, "description": "Look at the game."},
    "legal": {"operationId": "list_legal_commands", "parameters": _SEATED, "description": "What you may say."},
    "frames": {"operationId": "list_frames", "parameters": _GAME, "description": "Replay it."},
    "stream": {"operationId": "stream_game", "parameters": _GAME, "description": "Follow it."},
    "join": {"operationId": "join_game", "parameters": _GAME, "description": "Take a seat."},
    "leave": {"operationId": "leave_game", "parameters": _GAME, "description": "Give your seat back."},
    "seed": {"operationId": "seed_game", "parameters": _GAME, "description": "Give a seed for the deal."},
    "abandon": {"operationId": "abandon_game", "parameters": _GAME, "description": "Agree to leave it unfinished."},
    "rematch": {"operationId": "open_rematch", "parameters": _GAME, "description": "Play it again when it is over."},
    "moments": {"operationId": "list_moments", "parameters": _GAME, "description": "The steps worth jumping to."},
    "fork": {
        "operationId": "fork_game",
        "parameters": _GAME,
        "description": "Play on from a step when it is over.",
    },
    "proof": {"operationId": "get_deal_proof", "parameters": _GAME, "description": "The deal's proof."},
}

COMMAND_LINKS: dict[str, Any] = {
    "say": {
        "operationId": "post_command",
        "parameters": _PLAYED | {"seat": "$response.body#/seat", "If-Match": "$response.header.ETag"},
        "requestBody": "$response.body#/commands/0",
        "description": "Say the first of them.",
    },
}

PLAY_LINKS: dict[str, Any] = {
    "legal": {
        "operationId": "list_legal_commands",
        "parameters": _PLAYED | {"seat": "$response.body#/frames/0/seat"},
        "description": "What you may say next.",
    },
    "frames": {"operationId": "list_frames", "parameters": _PLAYED, "description": "Replay it so far."},
}

STREAM = {"event": "end", "data": '{"reason":"finished"}'}
INBOX_STREAM = {
    "event": "waiting",
    "data": '{"game_id":"0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11","game_type":"spite_and_malice","seats":[0],'
    '"since":"2026-01-05T18:30:00Z","version":12}',
}
"""One event each, as clients read it: its lines are `event: end` and `data: {...}`."""

ACCOUNT_STREAM = {
    "id": "9d1c0c0e-5f0a-8d55-b1cf-0c6a6e1f2b77",
    "event": "account_event",
    "data": '{"id":"9d1c0c0e-5f0a-8d55-b1cf-0c6a6e1f2b77","type":"turn","time":"2026-01-05T18:30:00Z",'
    '"league_id":null,"game_id":"0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11","contest_id":null,'
    '"summary":"It is your turn in a game of Spite & Malice."}',
}

LEAGUE_STREAM = {
    "id": "5b0c4d2e-77aa-8c31-a0f4-6d1f0c7be915",
    "event": "league_event",
    "data": '{"id":"5b0c4d2e-77aa-8c31-a0f4-6d1f0c7be915","type":"member_joined","time":"2026-01-05T18:30:00Z",'
    '"season":null,"fixture_id":null,"game_id":null,"contest_id":null,'
    '"players":[{"id":"0190f3c1-1a2b-7def-8abc-0123456789ab","name":"Ada"}],"summary":"Ada joined."}',
}

ANALYSIS_STREAM = {
    "event": "analysis",
    "data": '{"game_id":"0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11","status":"running","bound":0,"verdicts":3,"expected":9,'
    '"spans":[{"first":0,"last":40,"verdict":"won"},{"first":41,"last":66,"verdict":"open"}],"report":null}',
}

FEED = (
    '{"cursor":"4711","kind":"finished","game":{"id":"0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11","game_type":"klondike",'
    '"revision":1,"options":{"draw":3,"passes":3,"undo":false},"seats":[{"seat":0,"player":'
    '{"id":"0190f3c1-1a2b-7def-8abc-0123456789ab","name":"Ada"}}],"league":null,"rated":true,'
    '"origin":"shuffled","forked_from":null,"result":{"ending":"won","reason":"all_home","winners":[0],"scores":[52]},'
    '"opened_at":"2026-01-05T18:30:00Z","finished_at":"2026-01-05T18:41:12Z","steps":133,"moves":131,'
    '"version":204,"summary":"Ada won Klondike in 131 moves."}}\n'
    '{"end":true,"count":1,"cursor":"4715"}\n'
)

TOKEN_LINKS: dict[str, Any] = {
    "revoke": {
        "operationId": "revoke_token", "parameters": {"token_id": "$response.body#/id"}, "description": "Revoke it.",
    },
}  # fmt: skip

_PLAYER = {"player_id": "$response.body#/player/id"}

PLAYER_LINKS: dict[str, Any] = {
    operation: {"operationId": operation, "parameters": _PLAYER | more, "description": says}
    for operation, more, says in (
        ("get_player", {}, "Look at the player."),
        ("get_player_scores", {}, "The player's rows on the boards."),
        ("list_counted_games", {"game_type": "klondike"}, "The games behind a row."),
        ("list_rubbers", {}, "The player's rubbers."),
        ("get_back_score", {}, "The player's back score."),
    )
}


_GAME_ID = UUID("0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11")
_SOLE_PLAYER = UUID("0190f3c1-1a2b-7def-8abc-0123456789ab")
_START, _SECOND = 1_767_637_800_000_000, 1_000_000


def _recorded_game() -> Step:
    klondike = GAME_TYPES["klondike"]
    opening = Opening(type=klondike, options=klondike.options(), players=(_SOLE_PLAYER,))
    secret = ev.Sealed(bytes(range(32)), bytes(range(32, 64)))
    step = open_game(_GAME_ID, opening, secret, Act(_SOLE_PLAYER, None, _START))
    for number, command in enumerate((Draw(), ev.Resign()), 1):
        step = step.then(play(step.game, command, Act(_SOLE_PLAYER, 0, _START + number * _SECOND)))
    return step


RECORD = b"".join(record_lines(sealed_record(OpenRecord(_recorded_game().records, None)))).decode()
"""An open record: a game of Klondike with one draw, given up. The same text in every run."""
