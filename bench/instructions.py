#!/usr/bin/env python3
"""Counts the instructions of EXPLAIN with valgrind: those that the library adds to a statement, and those for a condition on the
time of a key or on a timestamptz column. The counts do not depend on the load of the machine (make bench-instructions).

Each count is the difference between two runs of a single-user server, divided by the difference in repetitions, so that it
includes neither the start of the server nor the first use of a catalog.
"""
import os
import re
import shutil
import subprocess
import sys

FEW, MANY = 20, 80

SETUP = """
CREATE EXTENSION uuidrfc;
CREATE TABLE plain (id bigint PRIMARY KEY, what text);
INSERT INTO plain SELECT i, 'what' FROM generate_series(1, 1000) i;
CREATE TABLE stamped (id uuid PRIMARY KEY, created_at timestamptz NOT NULL);
INSERT INTO stamped SELECT uuidv7_at(t), t FROM generate_series(timestamptz '2026-01-01', '2026-02-01', '1 minute') t;
CREATE INDEX ON stamped (created_at);
CREATE VIEW stamped_view AS SELECT * FROM stamped;
CREATE TABLE keyed (id uuid PRIMARY KEY);
INSERT INTO keyed SELECT id FROM stamped;
CREATE VIEW timed AS SELECT *, uuidv7_time(id) AS created_at FROM keyed;
CREATE TABLE proven (id uuid PRIMARY KEY CHECK (uuidv7_time(id) IS NOT NULL));
INSERT INTO proven SELECT id FROM stamped;
CREATE VIEW timed_proven AS SELECT *, uuidv7_time(id) AS created_at FROM proven;
CREATE TABLE parted (id bigint, what text) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (%s) TO (%s)', i, i * 10, i * 10 + 10)
FROM generate_series(1, 50) i \\gexec
SELECT format('CREATE TABLE wide (id bigint PRIMARY KEY, %s)', string_agg(format('c%s int', i), ', ')) FROM generate_series(1, 99) i \\gexec
SELECT format('CREATE INDEX ON wide (c%s)', i) FROM generate_series(1, 49) i \\gexec
VACUUM ANALYZE;
"""

# Statements without the time of a UUID.
OTHERS = {
    "`SELECT 1`": "SELECT 1",
    "`id = 5`, of a `bigint`": "SELECT * FROM plain WHERE id = 5",
    "`id = '...'`, of a `uuid`": "SELECT * FROM keyed WHERE id = '019b7600-0000-7000-8000-000000000000'",
    "ten such conditions, ORed": "SELECT * FROM plain WHERE " + " OR ".join(f"id = {i} AND what > 'a'" for i in range(10)),
    "`UPDATE` of one row by its key": "UPDATE plain SET what = 'other' WHERE id = 5",
    "a range of an indexed `timestamptz` column":
        "SELECT * FROM stamped WHERE created_at >= '2026-01-05' AND created_at < '2026-01-06'",
    "`created_at::date = '...'` of that column": "SELECT * FROM stamped WHERE created_at::date = '2026-01-05'",
    "a table with 100 columns and 50 indexes": "SELECT * FROM wide WHERE id = 5 AND c1 = 1",
    "a join of three tables, five conditions":
        "SELECT * FROM plain a JOIN plain b USING (id) JOIN plain c USING (id) WHERE a.id > 5 AND b.what = 'x' AND c.what < 'y'",
    "a join of six tables": "SELECT * FROM plain a " + " ".join(f"JOIN plain {name} USING (id)" for name in "bcdef"),
    "50 partitions": "SELECT * FROM parted WHERE what = 'x'",
}

# Pairs of a condition on an indexed timestamptz column and the same condition on the time of the key, most of them on views.
VIEW, TIMED, PROVEN = (f"SELECT * FROM {name} WHERE " for name in ("stamped_view", "timed", "timed_proven"))
WINDOW = "created_at >= '2026-01-05' AND created_at < '2026-01-06'"
NEWEST = "ORDER BY created_at DESC LIMIT 20"
SINCE = "created_at >= '2026-01-31'"
TIMES = {
    "`id >= t`": (f"SELECT * FROM stamped WHERE {SINCE}", "SELECT * FROM keyed WHERE id >= timestamptz '2026-01-31'"),
    "`created_at >= t`": (VIEW + SINCE, TIMED + SINCE),
    "the same, with a CHECK": (VIEW + SINCE, PROVEN + SINCE),
    "a range": (VIEW + WINDOW, TIMED + WINDOW),
    "`ORDER BY created_at DESC LIMIT 20`, with a CHECK": (f"SELECT * FROM stamped_view {NEWEST}", f"SELECT * FROM timed_proven {NEWEST}"),
    "`created_at::date = '...'`": (VIEW + "created_at::date = '2026-01-05'", TIMED + "created_at::date = '2026-01-05'"),
}


def instructions(statement, *settings):
    """Returns the number of instructions of one EXPLAIN, the same in each run, because addresses are not randomized."""
    command = ["setarch", "-R", "scripts/private-postgres", "run", "valgrind", "--tool=cachegrind", "--cache-sim=no",
               "--cachegrind-out-file=/dev/null", shutil.which("postgres"), "--single", "-D", os.environ["SERVER_DATA"],
               *(f"-c{setting}" for setting in settings), "postgres"]

    def counted(repetitions):
        done = subprocess.run(command, input=f"EXPLAIN {statement}\n" * repetitions, text=True, capture_output=True, check=False)
        if done.returncode or "ERROR:" in done.stderr:
            sys.exit(done.stderr)
        return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)[1].replace(",", ""))
    return (counted(MANY) - counted(FEW)) / (MANY - FEW)


def main():
    subprocess.run(["psql", "-X", "-q", "-o", "/dev/null", "-v", "ON_ERROR_STOP=1"], input=SETUP, text=True, check=True)
    subprocess.run(["scripts/private-postgres", "control", shutil.which("pg_config"), os.environ["SERVER_DATA"], "stop"], check=True)
    loaded = "shared_preload_libraries=uuidrfc"
    print("| statement | instructions without the library | with it | rewriting off |\n|---|--:|--:|--:|")
    for name, statement in OTHERS.items():
        base = instructions(statement)
        more = (100 * (instructions(statement, loaded, *off) / base - 1) for off in ([], ["uuidrfc.enable_time_rewrite=off"]))
        print(f"| {name} | {base:,.0f} | {' | '.join(f'{percent:+.2f}%' for percent in more)} |", flush=True)
    print("\n| condition | instructions for a `timestamptz` column | for the key | ratio |\n|---|--:|--:|--:|")
    for name, pair in TIMES.items():
        column, key = (instructions(statement, loaded) for statement in pair)
        print(f"| {name} | {column:,.0f} | {key:,.0f} | {key / column:.2f} |", flush=True)


if __name__ == "__main__":
    main()
