#!/usr/bin/env python3
"""Compares the pure-SQL edition with the extension: editions.py, run by `make portable-test`.

The program connects as superuser to the server that libpq's variables name. The same SQL tests run in two databases, of which
one has the extension and the other the pure-SQL edition, installed by a role that owns nothing but schemas. Each statement must
have the same result in both, or fail with the same SQLSTATE. It may fail in the pure-SQL edition alone if the error says what
is missing (SQLSTATE 0A000), or if the statement uses an object that only the extension has. tests/portable/random.sql then
compares both editions in one database, for ROWS random arguments from SEED on.
"""

import os
import re
import subprocess
import sys
import time

# The SQL tests (tests/pg_regress) with statements for both editions, and the texts at which to stop.
TESTS = "at boundary domain extract feed fields generate name_based text time_predicate typeid vectors".split()
TESTS = {**dict.fromkeys(TESTS), "aggregates": "-- On a server with aggregates of", "feed": "-- A mark derived"}
ROLE, EXTENSION, PURE_SQL, BOTH = "uuidrfc_pure_sql", "uuidrfc_extension", "uuidrfc_pure_sql", "uuidrfc_both"
OBJECTS = """
    SELECT proname, format('%s(%s) %s %s', proname, pg_get_function_identity_arguments(oid), prorettype::regtype, provolatile)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND obj_description(oid, 'pg_proc') IS DISTINCT FROM 'not in the pure-SQL edition: raises an error'
    UNION ALL SELECT typname, format('domain %s of %s', typname, typbasetype::regtype)
    FROM pg_type WHERE typtype = 'd' AND typnamespace = 'public'::regnamespace
    UNION ALL SELECT oprname, format('%s %s %s', oprleft::regtype, oprname, oprright::regtype)
    FROM pg_operator WHERE oprnamespace = 'public'::regnamespace"""


def psql(database, *arguments, user=None, options="", check=True, script=None):
    environment = {**os.environ, "PGOPTIONS": f"-c client_min_messages=warning {options}"}
    command = ["psql", "--no-psqlrc", "--quiet", "--dbname", database, *arguments]
    command += ["--set=ON_ERROR_STOP=1"] if check else []
    command += ["--username", user] if user else []
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    run = subprocess.run(command, env=environment, input=script, **output, text=True, check=False)
    if check and run.returncode:
        sys.exit(run.stdout)
    return run.stdout


def rows(database, query):
    output = psql(database, "--tuples-only", "--no-align", "--field-separator=\t", "--command", query)
    return {tuple(line.split("\t")) for line in output.splitlines()}


def remove():
    commands = [f"DROP DATABASE IF EXISTS {database}" for database in (EXTENSION, PURE_SQL, BOTH)]
    commands += [f"DROP ROLE IF EXISTS {ROLE}"]
    psql("postgres", *(f"--command={command}" for command in commands))


def create(database):
    psql("postgres", f"--command=CREATE DATABASE {database} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")


def install(database, schema, with_extension):
    psql(database, f"--command=DROP SCHEMA IF EXISTS {schema} CASCADE", f"--command=CREATE SCHEMA {schema} AUTHORIZATION {ROLE}")
    if with_extension:
        psql(database, f"--command=CREATE EXTENSION uuidrfc SCHEMA {schema}")
    else:
        psql(database, f"--command=CREATE SCHEMA crypto AUTHORIZATION {ROLE}", "--command=CREATE EXTENSION pgcrypto SCHEMA crypto")
        psql(database, "--single-transaction", "--file=portable/uuidrfc.sql", user=ROLE, options=f"-c search_path={schema}")


def statements(database, script):
    """Returns the output of each statement of a script, by the line in which it ends, because psql echoes each input line."""
    options = ["--echo-all", "--set=VERBOSITY=verbose", "--set=SHOW_CONTEXT=never", "--file=-"]
    path = "-c search_path=public,pg_catalog"
    output = psql(database, *options, user=ROLE, options=path, check=False, script="\n".join(script))
    results, at = {}, 0
    for line in filter(None, map(str.rstrip, output.splitlines())):
        while at < len(script) and not script[at]:
            at += 1
        if at < len(script) and line == script[at]:
            at += 1
        else:
            results.setdefault(at, []).append(line)
    if any(script[at:]):
        sys.exit(f"psql ended before {script[at]}")
    return results


def sqlstate(lines):
    """Returns the SQLSTATE, if the lines contain an error."""
    found = re.search(r"(?:^|: )ERROR: +([0-9A-Z]{5}): ", "\n".join(lines))
    return found and found[1]


def without_messages(lines):
    """Returns the lines without the texts after SQLSTATEs, and without the table widths that depend on these texts."""
    shown = (line for line in lines if not re.fullmatch("[-+]+", line))
    return [re.sub(r"\s+", " ", re.sub(r"\b(22[0-9A-Z]{3})\b.*", r"\1", row)) for row in shown]


def compare(test, absent):
    """Prints each statement that differs; counts those that agree, those that differ, and those that use a missing object.

    An object counts as missing if the error says so, even if the statement catches and prints it, or if the statement reads a
    catalog that may show it. Only the SQLSTATE of errors is compared, even if they are caught and printed.
    """
    path = f"tests/pg_regress/sql/{test}.sql"
    with open(path, encoding="utf-8") as file:
        script = [line.rstrip() for line in file.read().split(TESTS[test] or "\0")[0].splitlines()]
    extension, pure_sql = statements(EXTENSION, script), statements(PURE_SQL, script)
    alike = differ = lacking = begin = 0
    missing = set()  # objects that failed statements should have created
    for end in sorted(extension.keys() | pure_sql.keys()):
        statement, begin = "\n".join(script[begin:end]).strip(), end
        expected, found = extension.get(end, []), pure_sql.get(end, [])
        if sqlstate(expected) and sqlstate(expected) == sqlstate(found) or without_messages(expected) == without_messages(found):
            alike += 1
        elif (
            absent.search("\n".join(found))
            or re.search(r"\bpg_(proc|prepared_statements)\b", statement)
            or sqlstate(found) and any(name in statement for name in missing)
        ):
            lacking += 1
            missing.update(re.findall(r"(?:TABLE|VIEW|FUNCTION|PREPARE) (?:pg_temp\.)?(\w+)", statement))
        else:
            differ += 1
            print("\n".join([f"{path}:{end}: {statement}", "-- extension:", *expected, "-- pure-SQL edition:", *found]))
    return alike, differ, lacking


def main():
    remove()
    psql("postgres", f"--command=CREATE ROLE {ROLE} LOGIN")
    for database in (EXTENSION, PURE_SQL, BOTH):
        create(database)
    install(EXTENSION, "public", with_extension=True)
    install(PURE_SQL, "public", with_extension=False)
    of_extension, of_pure_sql = rows(EXTENSION, OBJECTS), rows(PURE_SQL, OBJECTS)
    failures = 0

    own = {(name, signature) for name, signature in of_pure_sql if not name.startswith("uuidrfc_")}
    for _, signature in own - of_extension:
        print(f"only in the pure-SQL edition: {signature}")
    failures += bool(own - of_extension) or len(own) < 50
    print(f"surface: {len(own & of_extension)} passed, {len(own - of_extension)} failed")

    names = "|".join(sorted(map(re.escape, {name for name, _ in of_extension - own}), key=len, reverse=True))
    absent = re.compile(
        rf'\b0A000\b|42P17: .* must be marked IMMUTABLE|42883:? function (?:\w+\.)?(?:{names})\b'
        rf'|42883: operator does not exist: .* (?:{names}) |42704: type "(?:{names})"|^42883$'
    )
    total = 0
    for test in TESTS:
        alike, differ, lacking = compare(test, absent)
        print(f"{test}: {alike} passed, {differ} failed")
        print(f"    {lacking} statements use objects that only the extension has")
        failures += differ > 0 or alike < 2
        total += alike
    if total < 100:
        failures += 1
        print(f"only {total} statements were compared")

    install(BOTH, "pure_sql", with_extension=False)
    install(BOTH, "extension", with_extension=True)
    seed = os.environ.get("SEED") or str(int(time.time()) % 1000000)
    print(f"random arguments, SEED={seed}")
    variables = ["--set=ON_ERROR_STOP=1", f"--set=seed={seed}", f"--set=rows={os.environ.get('ROWS', '2000')}"]
    output = psql(BOTH, *variables, "--file=tests/portable/random.sql", check=False)
    passed = output.strip().endswith("the editions agree")
    print(output if not passed else "", end="")
    print(f"random: {int(passed)} passed, {int(not passed)} failed")
    failures += not passed

    remove()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
