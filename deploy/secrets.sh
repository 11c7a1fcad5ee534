#!/bin/sh
# The secrets that compose.yaml mounts, made once in deploy/secrets: `sh deploy/secrets.sh`.
# Each is readable inside the containers, whose users differ; outside the folder lets nobody in.
set -eu
folder="$(dirname "$0")/secrets"
umask 077
mkdir "$folder"
password="$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
printf '%s' "$password" > "$folder/postgres_password"
printf '"kibitz" "%s"\n' "$password" > "$folder/pgbouncer_users"
printf 'postgresql://kibitz:%s@pgbouncer:6432/kibitz' "$password" > "$folder/database_url"
printf 'postgresql://kibitz:%s@database:5432/kibitz' "$password" > "$folder/session_url"
chmod 0444 "$folder"/*
