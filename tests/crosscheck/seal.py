#!/usr/bin/env python3
"""Compares the Python program of docs/sealing.md with the published vectors, crates/rfc9562/tests/vectors/seal.csv, and with those
on the page.

The program exits with status 1 if anything differs.
"""

import csv
import re
import sys
import uuid

from crosscheck import Tally

VECTORS = "crates/rfc9562/tests/vectors/seal.csv"

with open("docs/sealing.md", encoding="utf-8") as page:
    PAGE = page.read()
PROGRAM = {}
exec("".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)), PROGRAM)


def by_program(function, key, value):
    return str(PROGRAM[function](PROGRAM["cipher"](bytes.fromhex(key)), uuid.UUID(value)))


def main():
    tally = Tally("sealing")
    with open(VECTORS, encoding="ascii") as lines:
        published = [tuple(row.values()) for row in csv.DictReader(lines)]
    tally.check("rows", len(published), 50)
    shown = [("00" * 32, *row) for row in re.findall(r"^\| 32 bytes `00` \| `(.*)` \| `(.*)` \|$", PAGE, re.MULTILINE)]
    tally.check("rows on the page", len(shown), 4)
    for key, opened, sealed in published + shown:
        tally.check(f"{key} {opened}", by_program("seal", key, opened), sealed)
        tally.check(f"{key} {sealed}", by_program("unseal", key, sealed), opened)
    return 0 if tally.close() else 1


if __name__ == "__main__":
    sys.exit(main())
