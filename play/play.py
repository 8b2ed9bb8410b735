#!/usr/bin/env python3
"""A playground: a server with a million visits of a year, psql with a menu, and pictures.

  play.py          runs until psql ends, with ROWS=1000000 by default
  play.py --test   runs every query of the menu, and checks its output

libpq's variables name the server, which must have and preload the extension (make play).
"""
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import pictures

os.chdir(Path(__file__).resolve().parent.parent)

OUT = Path("target/play")
ENVIRONMENT = os.environ | {"PGDATABASE": "play", "PGOPTIONS": "-c client_min_messages=warning", "PSQLRC": "play/menu.sql"}
# psql with the menu, in which the variable 1 runs the script of entry 1, and so on.
MENU = ["psql", "-q", *(f"--set={script.name.split('-')[0]}=\\i {script}" for script in Path("play").glob("[0-9]*.sql"))]
# Patterns that the output of each menu entry must match.
PRINTS = {
    1: [r"Seq Scan on visit", r"Rows Removed by Filter: \d{3}", r"(Index Scan using|on) visit_pkey", r"Index Cond: \(id >= \(now"],
    2: [r"visit_pkey", r"\(4 rows\)|\(5 rows\)", r"Index Scan Backward using visit_pkey"],
    3: [r"rows=\d+ width", r"visit_pkey"],
    4: [r"\(3 rows\)", r"Index Scan Backward using visit_pkey"],
    5: [r"\(7 rows\)", r"visit_pkey.*\n.*Index Cond: \(\(id >= uuid_tstzrange_start"],
    6: [r"visit_\d{4}_\d\d", r"\(1 row\)"],
    7: [r" 1 \| +0\n", r"first_value.*\n.*\n.*\n\(1 row\)", r" 2\n\(1 row\)", r"Index Scan using outbox_pkey.*\n.*uuidv7_horizon",
        r" 7 \| changed\n +700 \| changed\n\(2 rows\)"],
    8: [r" *[1-9]\d* \| +0\n", r" server\n", r" t +\| t\n"],
    9: [r"key_v4_pkey \|.*[5-8]\d\n", r"key_v7_pkey \|.*(8[789]|9\d)\n"],
    10: [r"ULID +\| 0[0-9A-Z]{25}\n", r"TypeID +\| visit_0[0-9a-z]{25}\n", r"Index Cond: \(id = '", r"01665fa2-4db3-7000"],
}


def run(command, **options):
    return subprocess.run(command, text=True, check=True, **options)


def psql(*arguments, **options):
    return run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", *arguments], env=ENVIRONMENT, **options)


def rows(query):
    lines = psql("-At", "-F", " ", "-c", query, capture_output=True).stdout.splitlines()
    return [tuple(float(value) for value in line.split()) for line in lines]


def create(visits):
    """Creates the database `play` with its tables and writers' rows, and draws its pictures."""
    psql("-d", "postgres", "-c", "CREATE DATABASE play", "-c", "ALTER DATABASE play SET uuidrfc.monotonic_scope = 'server'")
    psql("-v", f"rows={visits}", "-f", "play/tables.sql")
    run(["pgbench", "-n", "-c", "8", "-j", "2", "-t", "100", "-f", "play/writer.pgbench"], env=ENVIRONMENT, capture_output=True)
    psql("-c", "VACUUM ANALYZE outbox")
    OUT.mkdir(parents=True, exist_ok=True)
    [(keys,)] = rows("SELECT count(*) FROM key_v7")
    pictures.ids(rows(pictures.IDS)).write(OUT / "ids.svg")
    pages = (rows(pictures.INDEX.format(f"key_{version}_pkey")) for version in ("v4", "v7"))
    pictures.index(int(keys), *pages).write(OUT / "index.svg")


def faults():
    """Runs the menu's queries, checks their output and the pictures, and yields the faults."""
    asked = "".join(f"\\echo === {number}\n:{number}\n" for number in PRINTS)
    shown = subprocess.run(MENU, input=asked, text=True, capture_output=True, env=ENVIRONMENT)
    yield from shown.stderr.splitlines()
    answers = dict(re.findall(r"^=== (\d+)\n(.*?)(?=^=== |\Z)", shown.stdout, re.MULTILINE | re.DOTALL))
    for number, patterns in PRINTS.items():
        answer = answers.get(str(number), "")
        yield from (f":{number} does not print {pattern}:\n{answer}" for pattern in patterns if not re.search(pattern, answer))
    for name, least in ("ids", 300), ("index", 20):
        paths = xml.etree.ElementTree.parse(OUT / f"{name}.svg").iterfind("{*}path")
        if (marks := sum(path.get("d").count("M") for path in paths)) < least:
            yield f"{name}.svg shows {marks} things"


def main():
    is_test = "--test" in sys.argv
    visits, begun = int(os.environ.get("ROWS", 1_000_000)), time.monotonic()
    print(f"==> {visits:,} visits of a year, and an outbox to which eight sessions write", flush=True)
    create(visits)
    if not is_test:
        print("==> feeds on servers of their own, including a standby", flush=True)
        run(["cargo", "run", "--quiet", "--profile", "server-test", "--package", "server-tests", "--example", "feed", OUT / "changes.txt"])
        pictures.changes((OUT / "changes.txt").read_text().splitlines()).write(OUT / "changes.svg")
        print(f"==> created in {time.monotonic() - begun:.0f} seconds. Pictures for a browser:", *sorted(OUT.glob("*.svg")), sep="\n    ")
        subprocess.run(MENU, env=ENVIRONMENT, check=False)
        return
    wrong = list(faults())
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"play: {int(not wrong)} passed, {len(wrong)} failed")
    sys.exit(bool(wrong))


main()
