#!/bin/sh
# The secrets that compose.yaml beside this mounts, made once in deploy/failover/secrets.
set -eu
folder="$(dirname "$0")/secrets"
umask 077
mkdir "$folder"
made() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
password="$(made)"
printf '%s' "$(made)" > "$folder/superuser"
printf '%s' "$(made)" > "$folder/replication"
printf '%s' "$password" > "$folder/kibitz"
printf 'postgresql://kibitz:%s@one:5432,two:5432/kibitz?target_session_attrs=read-write' "$password" > "$folder/database_url"
chmod 0444 "$folder"/*
