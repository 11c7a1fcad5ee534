"""Where a league's answers lead: links of the API's description."""

from typing import Any

_LEAGUE = {"league_id": "$response.body#/id"}
_SEASON = _LEAGUE | {"season": 1}
_OF_SEASON = {"league_id": "$response.body#/league", "season": "$response.body#/season"}
_FIXTURE = {"league_id": "$response.body#/league", "fixture_id": "$response.body#/fixtures/0/fixture"}
_PLAYER = _LEAGUE | {"player_id": "$response.body#/organisers/0/id"}


def _links(parameters: dict[str, Any], **says: str) -> dict[str, Any]:
    return {name: {"operationId": name, "parameters": parameters, "description": text} for name, text in says.items()}


LEAGUE_LINKS: dict[str, Any] = {
    **_links(
        _LEAGUE, get_league="Look at the league.", join_league="Join it.", leave_league="Leave it.",
        rename_league="Give it another name.", invite_member="Invite somebody.", name_organiser="Name an organiser.",
        open_season="Open the next season.", list_league_rulings="Its own rulings.", dissolve_league="End it.",
    ),
    **_links(
        _PLAYER, remove_member="Remove a member.", dismiss_organiser="Take an organiser's role away.",
        withdraw_invitation="Withdraw an invitation.",
    ),
    **_links(
        {"player_id": _PLAYER["player_id"]}, get_reliability="An organiser's reliability.",
        get_player_ladders="An organiser's ratings.",
    ),
    **_links(
        _SEASON, close_season="Close the first season.", get_tables="Its tables.", list_fixtures="Its fixtures.",
        get_promotions="Who moves after it.",
    ),
}  # fmt: skip

FIXTURE_LINKS: dict[str, Any] = _links(
    _FIXTURE, open_fixture="Open the first one's game.", give_walkover="Give it to who was there.",
    mark_not_played="Say that it was not played.", reopen_fixture="Take that back.",
) | _links(_OF_SEASON, get_tables="The season's tables.")  # fmt: skip
