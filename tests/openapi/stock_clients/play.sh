#!/bin/sh
# curl, which offers HTTP/2 with each request: register, open, play, stream.
set -eu
api() { curl -sS --fail-with-body --http2 -H "Content-Type: application/json" "$@"; }

token=$(api "$1/v1/players" -d '{"name":"Curl"}' | sed 's/.*"secret":"\([^"]*\)".*/\1/')
bearer="Authorization: Bearer $token"
game=$(api "$1/v1/games" -H "$bearer" -d '{"game_type":"klondike"}' | sed 's/{"id":"\([^"]*\)".*/\1/')
say="$1/v1/games/$game/commands"
api -H "$bearer" -d '{"type":"klondike/draw"}' "$say" "$say" "$say" > /dev/null
events=$(api -N "$1/v1/games/$game/events?max_frames=4" | tr -d '\r' | grep -c '^event: frame$')
echo "$game $events"
