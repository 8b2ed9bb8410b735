#!/usr/bin/env python3
"""Tests the report: each table of tests/report/database.sql must get the line in its comment.

libpq's variables name the server, which needs no extension but pgstattuple.
"""
import json
import os
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
DATABASE = "uuid_report"
checks = 0
failures = []


def psql(*arguments, database=DATABASE):
    run = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, *arguments], text=True, capture_output=True)
    if run.returncode != 0:
        sys.exit(f"psql {' '.join(arguments)}: {run.stderr}")
    return run.stdout


def report(*variables, schema="public", role="reader"):
    """Returns the results of the report, by table."""
    settings = [setting for variable in (*variables, f"schema={schema}") for setting in ("-v", variable)]
    found = psql("-c", f"SET ROLE {role}", *settings, "-v", "json=on", "-f", "report/uuid_report.sql")
    return {table["table"].removeprefix("public."): table for table in json.loads(found)["tables"]}


def check(what, holds):
    global checks
    checks += 1
    if not holds:
        failures.append(what)


psql("-c", "SET client_min_messages = error", "-c", f"DROP DATABASE IF EXISTS {DATABASE}", "-c", "DROP ROLE IF EXISTS reader",
     "-c", f"CREATE DATABASE {DATABASE} TEMPLATE template0", database="postgres")
psql("-f", "tests/report/database.sql")
expected = json.loads(psql("-c", """
    SELECT json_object_agg(oid::regclass, obj_description(oid, 'pg_class')) FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND obj_description(oid, 'pg_class') IS NOT NULL"""))

# The role that runs this report may not read all tables.
found = report("small=1MB")
check(f"tables: {set(found) ^ set(expected)}", set(found) == set(expected))
for table in found.keys() & expected.keys():
    do, _, why = expected[table].partition(": ")
    line = found[table]
    check(f"{table}: {line['do']}: {line['why']}", line["do"] == do and why in line["why"])
    page, _, heading = line["page"].partition("#")
    with open(page, encoding="utf-8") as file:
        headings = [text.strip("# \n").lower().replace(" ", "-") for text in file if text.startswith("#")]
    check(f"{table}: no such page: {line['page']}", heading in headings)
check("notes of a policy", found["guarded"]["notes"] == ["row-level security hides rows"])
check("who refers", found["v4_large"]["referred_by"] == ["public.link.b", "public.v4_more.id"])
check("what fills", [found[table]["key"]["filled_by"] for table in ("by_trigger", "v4_large", "v7_alone")]
      == ["trigger fill", "gen_random_uuid()", "application"])

# The owner may read everything, and pgstattuple measures values that were estimated before.
psql("-c", "CREATE EXTENSION pgstattuple")
found = report("small=1MB", role=os.environ.get("PGUSER", "postgres"))
check(f"the owner reads all: {found['secret']} {found['guarded']}", found["secret"]["why"] == "the index is small" and found["guarded"]["rows"] == 100)
for table in "v4_large", "v4_clock", "v4_still", "v4_then_v7":
    index = found[table]["key_index"]
    check(f"{table}: {index}", abs(index["full_percent"] - index["full_percent_estimated"]) < 5)
check("rows", abs(found["v4_large"]["rows"] - 40000) < 2000 and found["parts"]["rows"] == 3000)

# A lock or a timeout is reported for the table, and the report continues.
holder = subprocess.Popen(["psql", "-XqAt", "-d", DATABASE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
holder.stdin.write("BEGIN; LOCK TABLE v4_small; SELECT 'locked';\n")
holder.stdin.flush()
holder.stdout.readline()
found = report()
holder.stdin.close()
holder.wait()
check("a locked table", found["v4_small"]["why"] == "canceling statement due to lock timeout" and found["v5"]["do"] == "leave it")
found = report("timeout=500ms", schema="slow")
check("no time", found["slow.slow"]["why"] == "canceling statement due to statement timeout")
check("schema", report(schema="make") == {})

# The tables have the same lines as the JSON.
text = psql("-v", "small=1MB", "-f", "report/uuid_report.sql")
check("text", "public.v1_large|re-key|version 1 is in no order" in text and "version 4 65.9 %, version 7 34.1 %" in text)
psql("-c", f"DROP DATABASE {DATABASE}", "-c", "DROP ROLE reader", database="postgres")

print(*failures, sep="\n", end="\n" if failures else "")
print(f"report: {checks - len(failures)} passed, {len(failures)} failed")
sys.exit(bool(failures))
