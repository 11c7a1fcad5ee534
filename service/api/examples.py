"""Examples and links of the API's description. Request examples are run, one by one, by the tests."""

from typing import Any

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
    "a list": [{"type": "klondike/draw"}, {"type": "klondike/draw"}],
    "take back": {"type": "game/undo"},
}

_GAME = {"game_id": "$response.body#/id"}
_SEATED = _GAME | {"seat": "$response.body#/your_seats/0"}
_PLAYED = {"game_id": "$response.body#/game_id"}

GAME_LINKS: dict[str, Any] = {
    "look": {"operationId": "look_at_game", "parameters": _GAME, "description": "Look at the game."},
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
        "requestBody": {"step": 0},
        "description": "Play on from a step when it is over.",
    },
    "proof": {"operationId": "deal_proof", "parameters": _GAME, "description": "The deal's proof."},
}

COMMAND_LINKS: dict[str, Any] = {
    "say": {
        "operationId": "play",
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

STREAM = (
    'id: 12\nevent: frame\ndata: {"step": 3, "version": 12}\n\n: heartbeat\n\n'
    'event: end\ndata: {"reason":"finished"}\n\n'
)

INBOX_STREAM = (
    'event: snapshot\ndata: {"games":[]}\n\nevent: waiting\ndata: {"game_id":"0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11",'
    '"game_type":"spite_and_malice","seats":[0],"since":"2026-01-05T18:30:00Z","version":12}\n\n: heartbeat\n\n'
    'event: done\ndata: {"game_id":"0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11"}\n\nevent: end\ndata: {"reason":"limit"}\n\n'
)

FEED = (
    '{"cursor":"4711","kind":"finished","game":{"id":"0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11","game_type":"klondike",'
    '"revision":1,"options":{"draw":3,"passes":3,"undo":false},"seats":[{"seat":0,"player":null}],"rated":true,'
    '"origin":"shuffled","forked_from":null,"result":{"ending":"won","reason":"all_home","winners":[0],"scores":[52]},'
    '"opened_at":"2026-01-05T18:30:00Z","finished_at":"2026-01-05T18:41:12Z","steps":131,"version":204}}\n'
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
        ("list_counted_games", {"key": "klondike"}, "The games behind a row."),
        ("list_rubbers", {}, "The player's rubbers."),
        ("get_back_score", {}, "The player's back score."),
    )
}
