#!/bin/sh
# What the entry point of PostgreSQL's official image does, as far as packaging/container needs it: on the first start a cluster
# and the scripts in /docker-entrypoint-initdb.d, then the server.
set -eu
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
install -d -o postgres -g postgres -m 700 "$PGDATA"
install -d -o postgres -g postgres -m 2775 /var/run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    (umask 077 && printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password && chown postgres /tmp/password)
    as_postgres initdb --username=postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
    rm /tmp/password
    shift
    as_postgres pg_ctl -D "$PGDATA" -w -o "-c listen_addresses='' $*" start
    for file in /docker-entrypoint-initdb.d/*.sql; do
        as_postgres psql --no-psqlrc -v ON_ERROR_STOP=1 --username=postgres --file="$file"
    done
    as_postgres pg_ctl -D "$PGDATA" -w stop
    set -- postgres "$@"
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"
