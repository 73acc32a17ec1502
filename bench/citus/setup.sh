#!/usr/bin/env bash
# Builds Citus from a source folder, and runs a cluster on this machine: a coordinator and workers. Every command can be repeated.
#
#   bench/citus/setup.sh build SOURCE    build Citus against PostgreSQL 15 and install it; SOURCE is a checkout of tag v13.2.2
#   bench/citus/setup.sh start           create the cluster if there is none, start it, and print the URL of the coordinator
#   bench/citus/setup.sh stop            stop the cluster and keep its data
#   bench/citus/setup.sh remove          stop the cluster and delete its data
#
# CITUS_HOME   folder of the cluster (default: citus-cluster in the temporary folder)
# CITUS_PORT   port of the coordinator (default: 9700); worker n listens on the port n above it
# WORKERS      number of workers (default: 2); a cluster that exists gets the missing ones. With 0, a PostgreSQL without Citus
#
# Building needs the packages postgresql-15, postgresql-server-dev-15, libcurl4-openssl-dev, liblz4-dev, libzstd-dev, libkrb5-dev, libselinux1-dev,
# libpam0g-dev, libxslt1-dev, libxml2-dev, libssl-dev, autoconf, flex, make and gcc, and write access to the folders of PostgreSQL 15.
# The cluster accepts connections from this machine only, without a password: it is for tests and measurements.
set -euo pipefail

bin=${PG_BIN:-/usr/lib/postgresql/15/bin}
home=${CITUS_HOME:-${TMPDIR:-/tmp}/citus-cluster}
port=${CITUS_PORT:-9700}
workers=${WORKERS:-2}
role=svc
database=svc

# Runs a program as a user that PostgreSQL accepts, because it refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then (cd / && exec runuser -u postgres -- "$@"); else "$@"; fi
}

sql() {
  as_server "$bin/psql" --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --host 127.0.0.1 --port "$1" --username "$role" --dbname "$2" --command "$3"
}

build() {
  local source=$1
  cd "$source"
  # PostgreSQL 15.20 and later export a function of the same name as one in Citus 13.2, so the one in Citus gets another name.
  if grep -q have_createdb_privilege "$("$bin/pg_config" --includedir-server)/commands/dbcommands.h"; then
    sed -i 's/^have_createdb_privilege(void)$/citus_have_createdb_privilege(void)/' src/include/pg_version_compat.h
  fi
  [ -f Makefile.global ] || ./configure --quiet PG_CONFIG="$bin/pg_config"
  nice -n 10 make -j"$(nproc)" extension > /dev/null
  make install > /dev/null
}

create_node() {
  local folder=$1 node_port=$2
  [ -f "$folder/PG_VERSION" ] && return
  as_server "$bin/initdb" --pgdata="$folder" --username="$role" --auth=trust --encoding=UTF8 --locale=C > /dev/null
  as_server tee --append "$folder/postgresql.conf" > /dev/null << CONF
port = $node_port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$home'
wal_level = logical
max_connections = 300
max_prepared_transactions = 300
max_worker_processes = 32
max_replication_slots = 32
max_wal_senders = 32
timezone = 'UTC'
lc_messages = 'C'
CONF
  [ "$workers" = 0 ] || as_server tee --append "$folder/postgresql.conf" > /dev/null << CONF
shared_preload_libraries = 'citus'
citus.node_conninfo = 'sslmode=prefer'
CONF
}

start_node() {
  local folder=$1
  as_server "$bin/pg_ctl" --pgdata="$folder" status > /dev/null || as_server "$bin/pg_ctl" --pgdata="$folder" --log="$folder.log" --wait start > /dev/null
}

open_database() {
  local node_port=$1
  [ "$(sql "$node_port" postgres "SELECT count(*) FROM pg_database WHERE datname = '$database'")" = 1 ] || sql "$node_port" postgres "CREATE DATABASE $database"
  [ "$workers" = 0 ] || sql "$node_port" "$database" 'CREATE EXTENSION IF NOT EXISTS citus' 2> /dev/null
}

start() {
  mkdir -p "$home"
  [ "$(id -u)" != 0 ] || chown postgres "$home"
  for n in $(seq 0 "$workers"); do
    create_node "$home/node-$n" $((port + n))
    start_node "$home/node-$n"
    open_database $((port + n))
  done
  [ "$workers" = 0 ] || sql "$port" "$database" "SELECT citus_set_coordinator_host('127.0.0.1', $port)" > /dev/null
  for n in $(seq 1 "$workers"); do
    sql "$port" "$database" "SELECT citus_add_node('127.0.0.1', $((port + n)))" > /dev/null
  done
  echo "postgresql://$role@127.0.0.1:$port/$database"
}

stop() {
  for folder in "$home"/node-*/; do
    folder=${folder%/}
    if as_server "$bin/pg_ctl" --pgdata="$folder" status > /dev/null 2>&1; then
      as_server "$bin/pg_ctl" --pgdata="$folder" --mode=fast --wait stop > /dev/null
    fi
  done
}

case "${1:-}" in
  build) build "${2:?the folder of the Citus sources is missing}" ;;
  start) start ;;
  stop) stop ;;
  remove)
    stop
    rm -rf "$home"/node-*
    ;;
  *)
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"
    exit 2
    ;;
esac
