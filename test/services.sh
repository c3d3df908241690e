#!/usr/bin/env bash
# Runs a command with a Postgres of its own in TEST_DATABASE_URL: test/services.sh go test ./dbx
#
# Tests never share the machine's server, because its 100 connections are used by others. The own
# one takes 300 and does not sync. An address in TEST_DATABASE_URL is used as it is. Without the
# programs of Postgres the tests look for a server on its standard port.
set -euo pipefail

folder=
stop_postgres() {
  [ -n "$folder" ] || return 0
  "${as[@]}" "$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop_postgres EXIT
trap 'exit 130' INT TERM

listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# find_programs prints the folder of initdb and pg_ctl, or nothing.
find_programs() {
  local initdb
  initdb=$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1) || true
  [ -z "$initdb" ] || dirname "$(readlink -f "$initdb")"
}

start_postgres() {
  folder=$(mktemp -d)
  as=()
  if [ "$(id -u)" = 0 ]; then
    as=(runuser -u postgres --)
    chown postgres: "$folder"
  fi
  "${as[@]}" "$programs/initdb" -D "$folder/data" -U postgres -A trust -N -E UTF8 --locale C.UTF-8 >"$folder/initdb.log" || return 1
  local port options='-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300'
  options+=' -c shared_buffers=256MB -c fsync=off -c full_page_writes=off -c synchronous_commit=off'
  for port in $(shuf -i 20000-29999 -n 5); do
    listening "$port" && continue
    "${as[@]}" "$programs/pg_ctl" -D "$folder/data" -w -l "$folder/data/log" -o "-p $port $options" start >/dev/null || continue
    export TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable"
    return 0
  done
  return 1
}

if [ -z "${TEST_DATABASE_URL:-}" ]; then
  programs=$(find_programs)
  if [ -n "$programs" ]; then
    start_postgres || echo "*** no Postgres of its own could be started; the tests look for one on port 5432 ***" >&2
  fi
fi
"$@"
