#!/usr/bin/env python3
"""Runs the programs of clients/, one for each driver or ORM: run.py [CLIENT...]

libpq's variables name the server, whose log and data directory are SERVER_LOG and SERVER_DATA (make clients-test). The server has
the extension, preloads it, and logs every plan. All clients run unless some are named.
The dependencies of a client are installed from the registry of its language, in the versions of its lock file, into
target/clients/CLIENT, or from Debian by apt, as root.

Each client runs twice, with a new database: the second time, PostgreSQL makes generic plans for prepared statements. A program
uses the extension as the tool's manual recommends, prints each fact that it has verified, and ends with an error if one is false.
From the logged plans, this program checks that no statement scans the table `item` sequentially, that conditions on time use the
table's primary key, that queries for the newest rows read them in the order of that key, without sorting, and that a feed
has the horizon as its bound. (The programs for psycopg and asyncpg also read a feed while another transaction is open.)

On PostgreSQL 18 and later, an unqualified uuidv7() is PostgreSQL's own. There, the programs call public.uuidv7(), as
docs/clients.md recommends.
"""
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from pathlib import Path

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
COPIES = Path("target/clients").resolve()

# The facts that every program prints. Some programs print more.
FACTS = ["insert", "created", "page", "ahead", "feed"]

# The drivers, whose databases setup.sql prepares. ORMs create their tables themselves.
DRIVERS = {
    "asyncpg", "jdbc", "lib-pq", "node-pg", "pgbouncer", "pgx", "postgres-js", "psycopg", "psycopg2", "ruby-pg", "tokio-postgres",
}

PROGRAMS = {
    "main.py": ["python3", "main.py"],
    "main.mjs": ["node", "main.mjs"],
    "Main.java": ["java", "-cp", "/usr/share/java/postgresql.jar", "Main.java"],
    "main.rb": ["ruby", "main.rb"],
    "main.go": ["env", "GO111MODULE=off", "GOPATH=/usr/share/gocode", "GOFLAGS=", "go", "run", "main.go"],
    "src/main.rs": ["cargo", "run", "--quiet", "--locked"],
}
# The command that installs the dependencies of a program into its copy, by the file that lists them.
APT_GET, INSTALL_MISSING = Path("scripts/apt-get").resolve(), Path("scripts/install-missing").resolve()
BUILDS = {
    "debian": f"""xargs dpkg --status <debian >/dev/null 2>&1 || {{
        {APT_GET} update && xargs {APT_GET} install --no-install-recommends <debian; }}""",
    "requirements.txt": f"""{INSTALL_MISSING} python3-pip=pip3
        python3 -m pip install --quiet --no-deps --upgrade --target packages --requirement requirements.txt""",
    "package-lock.json": f"""{INSTALL_MISSING} npm=npm
        npm ci --ignore-scripts --silent --no-audit --no-fund""",
    "build": "sh build",
    "prepare": "sh prepare",
    "Cargo.toml": "cargo build --quiet --locked",
}

# ORDER BY with the newest rows first, by the name of the time, by the function, or by a position, as Django writes it.
NEWEST = re.compile(r"\bitem.*\bORDER BY (?:.*(?:uuidv7_time|created_?at).*|\d+ )DESC\b", re.IGNORECASE | re.DOTALL)

# Patterns in the programs, and their replacements on PostgreSQL 18 and later.
QUALIFIED = {
    r"(?<![\w.])uuidv7\(\)": "public.uuidv7()",
    r"\bfunc\.uuidv7\(": "func.public.uuidv7(",
    r'\bfunction = "uuidv7"': 'function = "public.uuidv7"',
}


class Failed(Exception):
    pass


class NotHere(Exception):
    pass


def call(command, what, **options):
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise Failed(f"{what} needs {command[0]}") from None
    if done.returncode != 0:
        raise Failed(f"{what} failed: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Server:
    """The server that libpq's variables name. Clients connect by TCP, with a password."""

    def __init__(self):
        self.password = secrets.token_hex(16)
        rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        call(["scripts/private-postgres", "run", "tee", f"{os.environ['SERVER_DATA']}/pg_hba.conf"], "pg_hba.conf", input=rules)
        self.psql("postgres", "SELECT pg_reload_conf()")
        self.psql("postgres", f"CREATE ROLE shop LOGIN PASSWORD '{self.password}'")

    def psql(self, database, sql):
        return call(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", sql], "psql")

    def database(self, name, plan_cache_mode):
        """Creates an empty database, owned by the ordinary role `shop`, and returns the environment for its client."""
        self.psql("postgres", f"CREATE DATABASE {name} OWNER shop TEMPLATE template0")
        self.psql("postgres", f"ALTER DATABASE {name} SET plan_cache_mode = {plan_cache_mode}")
        return {
            "TZ": "UTC",
            "PGHOST": "127.0.0.1",
            "PGUSER": "shop",
            "PGPASSWORD": self.password,
            "PGDATABASE": name,
            "DATABASE_URL": f"postgresql://shop:{self.password}@127.0.0.1:{os.environ['PGPORT']}/{name}",
        }

    def plans(self, database):
        """Yields the text and the plan of each statement that the database received."""
        with open(os.environ["SERVER_LOG"], encoding="utf-8") as log:
            entries = re.split(r"^(?=\S)", log.read(), flags=re.MULTILINE)
        for entry in entries:
            if entry.startswith(f"{database} LOG:  duration: ") and "\tQuery Text: " in entry:
                # A plan begins with the first line that has costs.
                lines = entry.split("\n")[1:]
                first = next(number for number, line in enumerate(lines) if re.search(r"\(cost=\d", line))
                yield "\n".join(lines[:first]), "\n".join(lines[first:])


def clients():
    """Returns the directory of each program."""
    directories = [path for path in sorted(Path("clients").rglob("*")) if any((path / file).exists() for file in PROGRAMS)]
    return {directory.name: directory for directory in directories}


def copy_programs():
    """Copies the directories of the programs, in which `install` then puts their dependencies."""
    # Other files of earlier runs may belong to another revision.
    for directory, names, files in os.walk(COPIES):
        names[:] = [name for name in names if name not in {"node_modules", "packages", "source", "target"}]
        for file in files:
            if not file.startswith("installed-"):
                os.unlink(os.path.join(directory, file))
    shutil.copytree("clients", COPIES, dirs_exist_ok=True)
    if int(re.search(r"\d+", call(["pg_config", "--version"], "pg_config"))[0]) < 18:
        return
    for source in Path("clients").rglob("*.*"):
        if source.is_file():
            text = before = source.read_text()
            for pattern, replacement in QUALIFIED.items():
                text = re.sub(pattern, replacement, text)
            if text != before:
                (COPIES / source.relative_to("clients")).write_text(text)


def install(copy):
    """Installs the program's dependencies into its copy, unless its lock files are unchanged. `prepare` always runs."""
    for lock, command in BUILDS.items():
        # The programs in JavaScript share their packages.
        directory = copy.parent if lock == "package-lock.json" and (copy / "main.mjs").exists() else copy
        wanted, installed = directory / lock, directory / f"installed-{lock}"
        unchanged = installed.exists() and installed.read_text() == wanted.read_text()
        if not wanted.exists() or unchanged and lock != "prepare":
            continue
        try:
            call(["sh", "-ec", command], "the installation", cwd=directory)
        except Failed as failure:
            absent = re.findall(r"Unable to locate package (\S+)", str(failure))
            raise NotHere(f"this release has no {' '.join(absent)}") if absent else failure
        shutil.copy(wanted, installed)


def judge(server, database, said):
    """Checks a client's facts and plans. Returns the number of statements for times or newest rows that used the primary key."""
    lacking = [fact for fact in FACTS if fact not in said]
    if lacking:
        raise Failed(f"not shown: {' '.join(lacking)}")
    by_time = newest = followed = 0
    for statement, plan in server.plans(database):
        # For a new foreign key, PostgreSQL itself scans the referenced table, under the name `pk`.
        if re.search(r"Seq Scan on (public\.)?item\b(?! pk\b)", plan):
            raise Failed(f"the table is scanned:\n{statement}\n{plan}")
        if re.search(r"uuidv7_time|created_at", statement) and re.search(r"Index Cond: .*\bid >?=? ", plan):
            by_time += 1
        followed += "id < uuidv7_horizon()" in plan
        if NEWEST.search(statement):
            if "Sort" in plan or not re.search(r"Scan Backward using \S+ on (public\.)?item\b", plan):
                raise Failed(f"the newest rows are not read from the primary key:\n{statement}\n{plan}")
            newest += 1
    if by_time < 2 or newest < 1:
        raise Failed(f"only {by_time} statements for times and {newest} for the newest rows used the primary key")
    if followed < 1:
        raise Failed("no feed has the horizon as its bound")
    return by_time + newest


def check(server, name, directory):
    """Installs and runs a client, and returns the result in one line."""
    copy = COPIES / directory.relative_to("clients")
    begin = time.monotonic()
    install(copy)
    installed = time.monotonic()
    program = next(command for file, command in PROGRAMS.items() if (copy / file).exists())
    counts = []
    for mode in ("auto", "force_generic_plan"):
        database = f"{name.replace('-', '_')}_{mode}"
        environment = server.database(database, mode)
        if name in DRIVERS:
            call(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-U", "shop", "-d", database, "-f", str(COPIES / "setup.sql")], "the setup")
        paths = {"PYTHONPATH": str(copy / "packages"), "PYTHONDONTWRITEBYTECODE": "1"}
        output = call(program, "the program", cwd=copy, env={**os.environ, **environment, **paths})
        said = re.findall(r"^[a-z]+$", output, re.MULTILINE)
        counts.append(judge(server, database, said))
    ran = time.monotonic()
    extra = [fact for fact in said if fact not in FACTS]
    return (f"{len(FACTS)} facts{', ' + ' '.join(extra) if extra else ''}; by the primary key: {counts[0]} statements, "
            f"{counts[1]} with generic plans ({installed - begin:.0f} s to install, {ran - installed:.0f} s)")


def main():
    names = sys.argv[1:]
    known = clients()
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"clients: no program for {' '.join(unknown)}, only for {' '.join(known)}")
    copy_programs()
    passed = failed = 0
    begin = time.monotonic()
    server = Server()
    for name in names or known:
        try:
            print(f"{name}: {check(server, name, known[name])}", flush=True)
            passed += 1
        except NotHere as reason:
            print(f"{name}: not run: {reason}", flush=True)
        except Failed as failure:
            print(f"{name}: FAILED: {failure}", flush=True)
            failed += 1
    print(f"all in {time.monotonic() - begin:.0f} s")
    print(f"clients: {passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
