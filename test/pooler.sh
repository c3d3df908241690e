#!/usr/bin/env bash
# Runs a command with PgBouncer in front of the Postgres of TEST_DATABASE_URL, in transaction mode:
# test/services.sh test/pooler.sh go test ./dbx
#
# Tests make and drop their databases on the server itself, and open them through the address in
# ROSTRUM_TEST_POOLER.
set -euo pipefail

server=${TEST_DATABASE_URL#*@}
server=${server%%/*}
folder=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then
  as=(runuser -u postgres --)
  chown postgres: "$folder"
fi
stop_pooler() {
  [ -z "${pooler:-}" ] || kill "$pooler" 2>/dev/null || true
  rm -rf "$folder"
}
trap stop_pooler EXIT
trap 'exit 130' INT TERM

listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
port=
for try in $(shuf -i 20000-29999 -n 5); do
  listening "$try" || { port=$try; break; }
done
cat >"$folder/pgbouncer.ini" <<INI
[databases]
* = host=${server%%:*} port=${server##*:}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 12
server_idle_timeout = 5
logfile = $folder/log
INI
sed -i 's/^\* = /&user=postgres /' "$folder/pgbouncer.ini"
[ "$(id -u)" != 0 ] || chown postgres: "$folder/pgbouncer.ini"
"${as[@]}" pgbouncer -q "$folder/pgbouncer.ini" &
pooler=$!
for _ in $(seq 1 100); do
  listening "$port" && break
  sleep 0.1
done
listening "$port" || { cat "$folder/log" >&2; exit 1; }
export ROSTRUM_TEST_POOLER=127.0.0.1:$port
"$@"
