#!/usr/bin/env python3
"""Compares sealed UUIDs with the Python program of docs/sealing.md, which shares nothing with the extension.

vectors     the published vectors, crates/rfc9562/tests/vectors/seal.csv, and those on the page
server      uuid_seal and uuid_unseal for random keys and UUIDs, on the server that libpq's variables name

The program exits with status 1 if anything differs.
"""

import csv
import random
import re
import sys
import uuid

from crosscheck import Tally, new_database, psql, versioned

DATABASE = "uuidrfc_crosscheck_seal"
VECTORS = "crates/rfc9562/tests/vectors/seal.csv"

with open("docs/sealing.md", encoding="utf-8") as page:
    PAGE = page.read()
PROGRAM = {}
exec("".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)), PROGRAM)


def by_program(function, key, value):
    return str(PROGRAM[function](PROGRAM["cipher"](bytes.fromhex(key)), uuid.UUID(value)))


def check_vectors():
    tally = Tally("vectors")
    with open(VECTORS, encoding="ascii") as lines:
        published = [tuple(row.values()) for row in csv.DictReader(lines)]
    tally.check("rows", len(published), 50)
    shown = [("00" * 32, *row) for row in re.findall(r"^\| 32 bytes `00` \| `(.*)` \| `(.*)` \|$", PAGE, re.MULTILINE)]
    tally.check("rows on the page", len(shown), 4)
    for key, opened, sealed in published + shown:
        tally.check(f"{key} {opened}", by_program("seal", key, opened), sealed)
        tally.check(f"{key} {sealed}", by_program("unseal", key, sealed), opened)
    return tally.close()


def check_server():
    tally = Tally("server")
    rng = random.Random(20260)
    rows = [(rng.randbytes(32).hex(), str(versioned(7, rng.getrandbits(128)))) for _ in range(2000)]
    values = ", ".join(f"('\\x{key}'::bytea, '{value}'::uuid)" for key, value in rows)
    with new_database(DATABASE, "UTF8"):
        found = psql(
            f"SELECT uuid_seal(id, key), uuid_unseal(uuid_seal(id, key), key) FROM (VALUES {values}) AS v (key, id)", DATABASE
        )
    tally.check("rows", len(found), len(rows))
    for (key, value), answer in zip(rows, found):
        tally.check(f"{key} {value}", answer, [by_program("seal", key, value), value])
    return tally.close()


if __name__ == "__main__":
    sys.exit(0 if all([check_vectors(), check_server()]) else 1)
