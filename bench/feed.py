#!/usr/bin/env python3
"""Measures the cost of scope `server`, which feeds need, for a transaction that inserts one row: bench/feed.py PG_CONFIG OLD_LIBRARY

Three servers run at the same time: without the library, with OLD_LIBRARY, and with the installed one (make bench-feed). In each
of ROUNDS=25 rounds after a warm-up, a session of each candidate, in random order, inserts TRANSACTIONS=50000 rows and
commits each in a procedure, so that no client is involved. The kernel counts the processor time, which does not depend on other
load.
"""
import os
import random
import statistics
import subprocess
import sys

SERVERS = {"none": "", "old": sys.argv[2], "new": "uuidrfc"}
# For each candidate: the server, the key, and the scope.
CANDIDATES = {
    "no library, `bigint` identity": ("none", "bigint GENERATED ALWAYS AS IDENTITY", ""),
    "no library, `gen_random_uuid()`": ("none", "uuid DEFAULT gen_random_uuid()", ""),
    "earlier library, scope `backend`": ("old", "uuid DEFAULT uuidv7()", "backend"),
    "earlier library, scope `server`": ("old", "uuid DEFAULT uuidv7()", "server"),
    "this library, scope `backend`": ("new", "uuid DEFAULT uuidv7()", "backend"),
    "this library, scope `server`": ("new", "uuid DEFAULT uuidv7()", "server"),
}
TRANSACTIONS, ROUNDS = int(os.environ.get("TRANSACTIONS", 50_000)), int(os.environ.get("ROUNDS", 25))
ports = os.environ.get("PORTS", "").split() + os.environ.get("PGPORT", "").split()
if len(ports) < len(SERVERS):
    name, library = list(SERVERS.items())[len(ports)]
    os.environ["PORTS"] = " ".join(ports)
    os.execv("scripts/private-postgres", ["private-postgres", "temporary", sys.argv[1], f"feed-{name}", f"shared_preload_libraries={library}",
                                          "autovacuum=off", "max_wal_size=16GB", "--", *sys.argv])


def psql(server, scope, *statements):
    environment = {"PGPORT": ports[list(SERVERS).index(server)], "PGOPTIONS": f"-c uuidrfc.monotonic_scope={scope}" if scope else ""}
    command = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", *(word for statement in statements for word in ("-c", statement))]
    return subprocess.run(command, env=os.environ | environment, check=True, text=True, capture_output=True).stdout


for server, library in SERVERS.items():
    psql(server, "", """
        CREATE PROCEDURE run(transactions int, INOUT took numeric) LANGUAGE plpgsql AS $$
        DECLARE
            file CONSTANT text = format('/proc/%s/schedstat', pg_backend_pid());
        BEGIN
            took := split_part(pg_read_file(file), ' ', 1);
            FOR i IN 1..transactions LOOP
                INSERT INTO target (n) VALUES (i);
                COMMIT;
            END LOOP;
            took := (split_part(pg_read_file(file), ' ', 1)::numeric - took) / transactions;
        END $$""", *([f"CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE c PARALLEL SAFE AS '{library}', 'uuidv7_wrapper'"] if library else []))
took = {name: [] for name in CANDIDATES}
for n in range(ROUNDS + 1):
    for name, (server, key, scope) in random.sample(list(CANDIDATES.items()), len(CANDIDATES)):
        psql(server, "", "DROP TABLE IF EXISTS target", f"CREATE TABLE target (id {key} PRIMARY KEY, n int)", "CHECKPOINT")
        took[name] += [float(psql(server, scope, f"CALL run({TRANSACTIONS}, NULL)"))] * (n > 0)
print("| | µs per transaction: quartile | median | quartile | ratio to the last row, median |\n|---|--:|--:|--:|--:|")
for name, times in took.items():
    quartiles = " | ".join(f"{time / 1000:.2f}" for time in statistics.quantiles(times, n=4))
    print(f"| {name} | {quartiles} | {statistics.median(time / base for time, base in zip(times, took[list(CANDIDATES)[-1]])):.3f} |")
