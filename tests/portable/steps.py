#!/usr/bin/env python3
"""Tests moving from the pure-SQL edition to the extension and back, with data: steps.py PG_CONFIG PLAIN [PG_TLE_SOURCE]

PG_CONFIG belongs to the private installation, with the extension and a running server, and PLAIN to one without the extension.
A database with the pure-SQL edition is created on a server without the extension, dumped, restored on one with it, converted to
the extension, dumped, restored, converted back, dumped, and restored on the first server, always with the same contents and
behavior.
With PG_TLE_SOURCE, the source of pg_tle, the edition is also tested as a trusted language extension that an ordinary role
creates. pg_tle is built outside the repository, for a server of its own.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

os.chdir(Path(__file__).resolve().parents[2])
PRIVATE = os.path.abspath("scripts/private-postgres")
STEPS, OUT = "tests/portable/steps", Path("target/portable-steps")
UP, DOWN, EDITION = (f"--file=portable/{name}.sql" for name in ("to_extension", "to_portable", "uuidrfc"))
IN_IDS = ["--single-transaction", "--command=SET search_path = ids"]
faults = []


def call(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout.strip()


def check(what, holds):
    print(f"{'ok' if holds else 'FAILED'}: {what}", flush=True)
    if not holds:
        faults.append(what)


def same(what, found, expected):
    for line in sorted(set(found) ^ set(expected))[:40] if found != expected else []:
        print(f"{'found' if line in found else 'missing'}: {line}")
    check(what, found == expected)


class Server:
    def __init__(self, name, pg_config):
        self.environment = {**os.environ, "PRIVATE_NAME": name}
        self.pg_config = self.private("prefix", pg_config)
        self.extensions = Path(self.directory("--sharedir"), "extension")

    def private(self, command, *arguments):
        return call(PRIVATE, command, *arguments, env=self.environment)

    def directory(self, which):
        return call(self.pg_config, which)

    def restart(self):
        for command in ("stop", "start"):
            subprocess.run([PRIVATE, command, self.pg_config], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def take_away(self):
        for file in [*self.extensions.glob("uuidrfc*"), Path(self.directory("--pkglibdir"), "uuidrfc.so")]:
            file.unlink(missing_ok=True)

    def psql(self, database, *arguments, **options):
        return self.private_psql(database, *arguments, check=True, **options).stdout.splitlines()

    def private_psql(self, database, *arguments, check=False, **options):
        return subprocess.run([PRIVATE, "with", self.pg_config, "psql", "-XqAt", "--set=ON_ERROR_STOP=on", "--dbname", database, *arguments],
                              env=self.environment, text=True, check=check, stdout=subprocess.PIPE, **options)

    def error(self, database, *arguments):
        """Returns the error of a script that must fail, or nothing if it succeeds."""
        run = self.private_psql(database, *arguments, stderr=subprocess.PIPE)
        return run.stderr if run.returncode else ""

    def new(self, database, *statements):
        self.psql("postgres", "--command=SET client_min_messages = error", f"--command=DROP DATABASE IF EXISTS {database}",
                  f"--command=CREATE DATABASE {database} TEMPLATE template0")
        if statements:
            self.psql(database, *(f"--command={statement}" for statement in statements))

    def new_edition(self, database):
        self.new(database)
        self.psql(database, "--single-transaction", "--command=CREATE SCHEMA ids", "--command=SET search_path = ids", EDITION)

    def move(self, database, server, name, *options, prepare=None):
        """Copies the database to a new one, `name`, on a server by dump and restore, and returns the dump."""
        dump = OUT / f"{name}.sql"
        self.private("with", self.pg_config, "pg_dump", "--no-owner", *options, "--file", str(dump), database)
        (prepare or server.new)(name)
        server.psql(name, f"--file={dump}")
        return dump.read_text()

    def objects(self, database):
        return self.psql(database, f"--file={STEPS}/objects.sql")

    def fingerprint(self, database):
        return self.psql(database, f"--file={STEPS}/fingerprint.sql")


CREATE = ["CREATE SCHEMA ids", "CREATE EXTENSION uuidrfc SCHEMA ids"]


def steps(extension, plain):
    extension.new("steps_new", *CREATE)
    extension.new_edition("steps_portable")
    new, portable = (extension.objects(name) for name in ("steps_new", "steps_portable"))
    plain.take_away()
    plain.restart()
    plain.new_edition("made")
    plain.psql("made", f"--file={STEPS}/populated.sql")
    made = plain.fingerprint("made")
    assert len(made) > 60

    plain.move("made", extension, "up")
    same("the edition, restored on a server with the extension", extension.fingerprint("up"), made)
    extension.psql("up", *IN_IDS, UP)
    same("stepped up: the objects of a new extension", extension.objects("up"), new)
    same("stepped up: the same rows, definitions and indexes", extension.fingerprint("up"), made)
    dump = extension.move("up", extension, "again")
    check("its dump creates the extension and no object of it",
          dump.count("CREATE EXTENSION IF NOT EXISTS uuidrfc") == 1 and "FUNCTION ids.uuidv7" not in dump)
    same("the dump, restored", extension.fingerprint("again"), made)
    extension.psql("again", "--single-transaction", DOWN)
    same("stepped down: the objects of a new pure-SQL edition", extension.objects("again"), portable)
    same("stepped down: the same rows, definitions and indexes", extension.fingerprint("again"), made)
    extension.move("again", plain, "back")
    same("the edition, restored on a server without the extension", plain.fingerprint("back"), made)

    only = f"{STEPS}/only_extension.sql"
    extension.psql("steps_new", f"--file={only}")
    new = extension.objects("steps_new")
    listed = [line.removeprefix("-- listed: ") for line in Path(only).read_text().splitlines() if line.startswith("-- listed: ")]
    said = extension.error("steps_new", "--single-transaction", DOWN)
    same("down, with objects that only the extension supports: each is listed",
         [line.removeprefix("DETAIL:  ") for line in said.splitlines() if " uses " in line], listed)
    check("down, not in a transaction", "SAVEPOINT can only be used in transaction blocks" in extension.error("steps_new", DOWN))
    same("the objects after both errors", extension.objects("steps_new"), new)
    extension.new("steps_outside")
    check("the edition, not in a transaction", "must be run in a transaction" in extension.error("steps_outside", EDITION))
    own = "SELECT proname FROM pg_proc WHERE proname ~ '^uuid' AND pronamespace <> 'pg_catalog'::regnamespace"
    check("no function after the error", not extension.psql("steps_outside", f"--command={own}"))
    extension.psql("steps_portable", "--command=CREATE VIEW kept AS SELECT ids.uuidrfc_bound(now(), true)")
    check("up, with a view that uses an internal function of the edition",
          "view public.kept depends on function ids.uuidrfc_bound(timestamp with time zone,boolean)"
          in extension.error("steps_portable", *IN_IDS, UP))
    same("the objects after the error", extension.objects("steps_portable"), portable)

    # The edition has another name, because the server has the extension. trusted.sql explains its array types and domain.
    call("portable/package", "1.0")
    package = Path("target/portable-package/uuidrfc")
    copies = [extension.extensions / name for name in ("uuidrfc_tle.control", "uuidrfc_tle--1.0.sql")]
    for copy in copies:
        shutil.copy(package / copy.name.replace("_tle", ""), copy)
    extension.new("steps_tle")
    extension.psql("steps_tle", f"--file={STEPS}/trusted.sql")
    for copy in copies:
        copy.unlink()
    extension.psql("steps_tle", *IN_IDS, UP)
    extension.new("steps_fresh", *CREATE)
    same("stepped up from a trusted language extension", extension.objects("steps_tle"), extension.objects("steps_fresh"))
    check("stepped up: a function that the edition lacks, in a view", extension.psql("steps_tle", "--command=TABLE inspected") == ["ncs"])


def by_pg_tle(extension, tle, source):
    with tempfile.TemporaryDirectory() as build:
        if Path(source).is_dir():
            shutil.copytree(source, build, dirs_exist_ok=True)
        else:
            call("tar", "--extract", "--file", source, "--directory", build, "--strip-components=1")
        call("make", "--silent", "--directory", build, f"PG_CONFIG={tle.pg_config}", "install", stderr=subprocess.STDOUT)
    tle.take_away()
    tle.restart()
    tle.psql("postgres", "--command=ALTER SYSTEM SET shared_preload_libraries = 'pg_tle'")
    tle.restart()
    user = "--username=uuidrfc_tle"
    tle.psql("postgres", "--command=SET client_min_messages = error", "--command=CREATE EXTENSION IF NOT EXISTS pg_tle",
             "--command=DROP ROLE IF EXISTS uuidrfc_tle", "--command=CREATE ROLE uuidrfc_tle LOGIN IN ROLE pgtle_admin")

    def registered(database):
        tle.new(database, "CREATE EXTENSION pg_tle", f"ALTER DATABASE {database} OWNER TO uuidrfc_tle")
        tle.psql(database, user, "--file=target/portable-package/pg_tle.sql")

    registered("tle_made")
    tle.psql("tle_made", user, *(f"--command={statement}" for statement in CREATE))
    tle.new_edition("tle_plain")
    # The objects may differ only in belonging to the extension.
    members = [line.replace("|e|", "||", 1) for line in tle.objects("tle_made") if not line.startswith("uuidrfc|ids|")]
    same("by pg_tle: the same objects", members, tle.objects("tle_plain"))
    superusers = "SELECT proname FROM pg_proc JOIN pg_roles r ON r.oid = proowner WHERE pronamespace = 'ids'::regnamespace AND rolsuper"
    check("by pg_tle: no object belongs to a superuser", not tle.psql("tle_made", f"--command={superusers}"))
    path = ["CREATE SCHEMA elsewhere", "SET search_path = elsewhere", "DROP EXTENSION uuidrfc", CREATE[1], "SHOW search_path", "DROP SCHEMA elsewhere"]
    check("by pg_tle: search_path is as before", tle.psql("tle_made", *(f"--command={each}" for each in path)) == ["elsewhere"])
    tle.psql("tle_made", f"--file={STEPS}/populated.sql")
    made = tle.fingerprint("tle_made")
    tle.move("tle_made", extension, "from_tle", "--extension=uuidrfc", "--exclude-schema=pgtle")
    same("from pg_tle to the extension", extension.fingerprint("from_tle"), made)
    extension.move("from_tle", tle, "tle_back", prepare=registered)
    same("from the extension to pg_tle", tle.fingerprint("tle_back"), made)
    for directory, file in (("--sharedir", "extension/uuidrfc*"), ("--pkglibdir", "uuidrfc.so")):
        for path in Path(extension.directory(directory)).glob(file):
            shutil.copy(path, tle.extensions if "share" in directory else tle.directory(directory))
    tle.psql("tle_made", *IN_IDS, UP)
    same("the step up on a server that has both: the same rows", tle.fingerprint("tle_made"), made)
    tle.new("tle_fresh", *CREATE)
    same("the step up there: the objects of a new extension", tle.objects("tle_made"), tle.objects("tle_fresh"))


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    servers = [Server("", sys.argv[1]), Server("plain", sys.argv[2])]
    if len(sys.argv) > 3:
        servers.append(Server("tle", sys.argv[2]))
    try:
        steps(*servers[:2])
        if len(sys.argv) > 3:
            by_pg_tle(servers[0], servers[2], sys.argv[3])
    finally:
        for server in servers[1:]:
            server.private("stop", server.pg_config)
    dropped = "steps_new steps_portable steps_outside steps_tle steps_fresh up again from_tle".split()
    servers[0].psql("postgres", "--command=SET client_min_messages = error", *(f"--command=DROP DATABASE IF EXISTS {name}" for name in dropped))
    print(f"steps: {1 - bool(faults)} passed, {len(faults)} failed")
    sys.exit(bool(faults))


main()
