#!/usr/bin/env python3
"""Compares the operator class uuid_time_ops with the order that it promises, computed here: (time inside, bytes), with UUIDs
without a time first.

Each round has random UUIDs of all versions, and tests sorts and index scans in both directions, conditions on UUIDs and on
times by every access path, merge joins, and RANGE window frames. UUIDRFC_DIFFERENTIAL_SECONDS sets the duration, and
UUIDRFC_DIFFERENTIAL_SEED the first seed. Each round has the next seed, with which differences are printed.

The program connects through psql to the server that libpq's variables name, creates a database there and drops it.
"""

import os
import random
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone

from crosscheck import GREGORIAN, Tally, expected_micros, new_database, psql

DATABASE = "uuidrfc_time_order"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
NO_TIME = float("-inf")
# The operators of a UUID with a UUID and with a time, with their commutators. A time equals no UUID.
OPERATORS = {
    "uuid": [
        ("~<~", "~>~", lambda a, b: a < b),
        ("~<=~", "~>=~", lambda a, b: a <= b),
        ("=", "=", lambda a, b: a == b),
        ("~>=~", "~<=~", lambda a, b: a >= b),
        ("~>~", "~<~", lambda a, b: a > b),
    ],
    "timestamptz": [
        ("~<~", "~>~", lambda a, b: a < b),
        ("~<=|~", "~>=|~", lambda a, b: a < b),
        ("~=|~", "~=|~", lambda a, b: False),
        ("~>=~", "~<=~", lambda a, b: a >= b),
        ("~>|~", "~<|~", lambda a, b: a >= b),
    ],
}
# The ends of timestamptz, in microseconds since 1970.
ENDS = [
    ("-infinity", NO_TIME),
    ("4714-11-24 00:00:00+00 BC", -210_866_803_200_000_000),
    ("294276-12-31 23:59:59.999999+00", 9_224_318_015_999_999_999),
    ("infinity", float("inf")),
]


def micros(value):
    """Returns the time inside a UUID by RFC 9562, in microseconds since 1970, or minus infinity if there is none."""
    found = expected_micros(value)[0]
    return NO_TIME if found is None else found


def sort_key(value):
    return micros(value), value.int


def made(rng, version, at):
    """Returns a UUID of a version at a time in microseconds since 1970, if the version has a time."""
    tail = 2 << 62 | rng.getrandbits(62)
    ticks = at * 10 + GREGORIAN + rng.choice([0, 0, 1, 9])
    if version == 7:
        return uuid.UUID(int=(max(at, 0) // 1000 & (1 << 48) - 1) << 80 | 7 << 76 | rng.getrandbits(12) << 64 | tail)
    if version == 6:
        return uuid.UUID(int=ticks >> 12 << 80 | 6 << 76 | (ticks & 0xFFF) << 64 | tail)
    if version == 1:
        high = ticks >> 48 & 0xFFF
        return uuid.UUID(int=(ticks & 0xFFFFFFFF) << 96 | (ticks >> 32 & 0xFFFF) << 80 | 1 << 76 | high << 64 | tail)
    return uuid.UUID(int=rng.getrandbits(48) << 80 | version << 76 | rng.getrandbits(12) << 64 | tail)


def sample(rng):
    """Returns UUIDs of all versions around a few instants, so that many share a millisecond or a microsecond."""
    first = rng.choice([0, 1_700_000_000_000_000, 1_767_225_600_000_000])
    step = rng.choice([1, 10, 999, 1000, 1_000_000, 3_600_000_000])
    values = [uuid.UUID(int=0), uuid.UUID(int=(1 << 128) - 1)]
    while len(values) < rng.choice([50, 400, 1500]):
        kind = rng.choice([1, 1, 6, 6, 7, 7, 7, 4, 8, 0, 15, "bytes", "variant"])
        if kind == "bytes":
            values.append(uuid.UUID(int=rng.getrandbits(128)))
        elif kind == "variant":
            values.append(uuid.UUID(int=made(rng, 7, first).int ^ 3 << 62))
        else:
            values.append(made(rng, kind, first + rng.randrange(50) * step))
    return list(dict.fromkeys(values)), first, step


def conditions(rng, values, first, step):
    """Yields conditions as SQL, each with a function that returns its result for a UUID."""

    def other(kind):
        """Returns a UUID or a time as text, and its position in the order."""
        if kind == "uuid":
            value = rng.choice(values)
            return str(value), sort_key(value)
        if rng.random() < 0.1:
            return rng.choice(ENDS)
        at = first + rng.randrange(-1, 51) * step + rng.choice([-1, 0, 0, 1, 500])
        return (EPOCH + timedelta(microseconds=at)).isoformat(), at

    def one():
        kind, where = rng.choice([("uuid", sort_key), ("timestamptz", micros)])
        sign, commutator, holds = rng.choice(OPERATORS[kind])
        text, at = other(kind)
        shape = rng.random()
        if shape < 0.15:
            texts, places = zip(*(other(kind) for _ in range(3)))
            return f"id {sign} ANY (ARRAY{list(texts)}::{kind}[])", lambda value: any(holds(where(value), at) for at in places)
        if shape < 0.3 and kind == "timestamptz" and sign in ("~<~", "~>=~"):
            return f"(id, id) {sign} ('{text}'::timestamptz, '{rng.choice(values)}'::uuid)", lambda value: holds(micros(value), at)
        written = f"'{text}'::{kind}"
        return rng.choice([f"id {sign} {written}", f"{written} {commutator} id"]), lambda value: holds(where(value), at)

    for _ in range(8):
        yield one()
    for _ in range(8):
        (a, holds_a), (b, holds_b) = one(), one()
        yield f"{a} AND {b}", lambda value, p=holds_a, q=holds_b: p(value) and q(value)
        yield f"{a} OR {b}", lambda value, p=holds_a, q=holds_b: p(value) or q(value)


PATHS = {
    "sequential scan": "SET enable_seqscan = on; SET enable_indexscan = off; SET enable_bitmapscan = off;",
    "index scan": "SET enable_seqscan = off; SET enable_indexscan = on; SET enable_bitmapscan = off;",
    "bitmap scan": "SET enable_seqscan = off; SET enable_indexscan = off; SET enable_bitmapscan = on;",
}
FRAMES = [("1 hour", 3_600_000_000), ("1 second", 1_000_000), ("1 microsecond", 1), ("0 seconds", 0)]


def check_round(seed, tally):
    rng = random.Random(seed)
    values, first, step = sample(rng)
    ordered = sorted(values, key=sort_key)
    asked = []  # descriptions, statements, expected rows

    def ask(what, sql, expected):
        asked.append((what, sql, expected))

    texts = [str(value) for value in ordered]
    ask("sort", "SET enable_indexscan = off; SET enable_indexonlyscan = off; SELECT id FROM u ORDER BY id USING ~<~", texts)
    ask("sort, descending", "SELECT id FROM u ORDER BY id USING ~>~", texts[::-1])
    ask("index order", "RESET ALL; SET enable_sort = off; SELECT id FROM u ORDER BY id USING ~<~", texts)
    ask("index order, descending", "SELECT id FROM u ORDER BY id USING ~>~", texts[::-1])
    limit = rng.randrange(len(texts))
    ask("top n", f"RESET ALL; SELECT id FROM u ORDER BY id USING ~<~ LIMIT {limit}", texts[:limit])
    for condition, holds in conditions(rng, values, first, step):
        expected = [str(value) for value in ordered if holds(value)]
        path, (sign, direction) = rng.choice(list(PATHS)), rng.choice([("~<~", 1), ("~>~", -1)])
        sql = f"RESET ALL; {PATHS[path]} SELECT id FROM u WHERE {condition} ORDER BY id USING {sign}"
        ask(f"{path}: {condition}", sql, expected[::direction])
    merge = "RESET ALL; SET enable_hashjoin = off; SET enable_nestloop = off;"
    half = sorted((value for value in values if value.int % 2 == 0), key=sort_key)
    ask("merge join", f"{merge} SELECT id FROM u JOIN half USING (id) ORDER BY id USING ~<~", [str(value) for value in half])
    (before, back), (after, forth) = rng.choice(FRAMES), rng.choice(FRAMES)
    times = [micros(value) for value in ordered]
    counts = [sum(at - back <= other <= at + forth for other in times) for at in times] if len(times) < 500 else None
    if counts:
        frame = f"RANGE BETWEEN '{before}' PRECEDING AND '{after}' FOLLOWING"
        sql = f"SELECT count(*) OVER (ORDER BY id USING ~<~ {frame}) FROM u ORDER BY id USING ~<~"
        ask(frame, f"RESET ALL; {sql}", [str(count) for count in counts])

    rows = ", ".join(f"('{value}')" for value in values)
    script = [
        f"SET client_min_messages = warning; DROP TABLE IF EXISTS u, half; CREATE TABLE u (id uuid); INSERT INTO u VALUES {rows};",
        "CREATE INDEX ON u (id uuid_time_ops); CREATE TABLE half AS SELECT id FROM u WHERE right(id::text, 1) IN",
        "('0', '2', '4', '6', '8', 'a', 'c', 'e'); CREATE INDEX ON half (id uuid_time_ops); ANALYZE u, half;",
    ]
    if rng.random() < 0.3:
        # The index is built row by row instead of by a sort.
        script.insert(1, "DELETE FROM u; CREATE INDEX ON u (id uuid_time_ops);" + f"INSERT INTO u VALUES {rows};")
    for number, (_, sql, _) in enumerate(asked):
        script.append(f"\\echo = {number}\n{sql};")
    found = {}
    for (line,) in psql("SET TimeZone = 'UTC';\n" + "\n".join(script), DATABASE):
        if line.startswith("= "):
            rows_found = found.setdefault(int(line[2:]), [])
        else:
            rows_found.append(line)
    for number, (what, sql, expected) in enumerate(asked):
        rows = found[number]
        tally.check(f"seed {seed}: {what}: {sql}", beside(rows, expected), beside(expected, rows))


def beside(rows, others):
    """Returns how rows differ from the expected ones, or None if they are equal."""
    if rows == others:
        return None
    row = next((n for n, pair in enumerate(zip(rows, others)) if pair[0] != pair[1]), min(len(rows), len(others)))
    return f"{len(rows)} rows, from row {row} on {rows[row : row + 3]}"


def main():
    seconds = float(os.environ.get("UUIDRFC_DIFFERENTIAL_SECONDS", 10))
    seed = int(os.environ.get("UUIDRFC_DIFFERENTIAL_SEED", 1))
    tally = Tally("timeorder")
    with new_database(DATABASE, "UTF8"):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            check_round(seed, tally)
            seed += 1
    return 0 if tally.close() else 1


if __name__ == "__main__":
    sys.exit(main())
