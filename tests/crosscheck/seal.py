#!/usr/bin/env python3
"""Compares sealed UUIDs with the Python program of docs/sealing.md, which shares nothing with the extension.

vectors     the published vectors, crates/rfc9562/tests/vectors/seal.csv, and those on the page
server      uuid_seal and uuid_unseal for random keys and UUIDs, on the server that libpq's variables name

    seal.py             both; exits with 1 if anything differs
    seal.py --vectors   prints the vectors again
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


def vectors():
    """Returns the smallest and largest keys and UUIDs, the RFC's example, adjacent UUIDs, and random ones."""
    rng = random.Random(0x9562)
    keys = [bytes(32), bytes([255] * 32), bytes(range(32)), rng.randbytes(32), rng.randbytes(32)]
    ids = [
        "00000000-0000-7000-8000-000000000000",
        "ffffffff-ffff-7fff-bfff-ffffffffffff",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "017f22e2-79b0-7cc3-98c4-dc0c0c073990",
        "00000000-0000-7000-9fff-ffffffffffff",
        "00000000-0000-7000-a000-000000000000",
    ]
    rows = [(key.hex(), value) for key in keys for value in ids]
    rows += [(rng.randbytes(32).hex(), str(versioned(7, rng.getrandbits(128)))) for _ in range(20)]
    return [(key, value, by_program("seal", key, value)) for key, value in rows]


def check_vectors():
    tally = Tally("vectors")
    with open(VECTORS, encoding="ascii") as lines:
        published = [tuple(row.values()) for row in csv.DictReader(lines)]
    tally.check("rows", published, vectors())
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
    if sys.argv[1:] == ["--vectors"]:
        print("key,v7,v4")
        for row in vectors():
            print(",".join(row))
        sys.exit()
    sys.exit(0 if all([check_vectors(), check_server()]) else 1)
