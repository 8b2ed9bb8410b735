#!/usr/bin/env python3
"""Compares the extension's SQL for IDs of the systems in docs/other-ids.md with Python, which shares nothing with it.

The program compares the time, the fields and the conversion to a UUID and back, for random IDs of every system in every type of
its IDs, near the ends of their range and in between, and texts at an edit distance of one from those of IDs. It connects through
psql to the server that libpq's variables name, creates a database there and drops it. It exits with status 1 if anything differs.
"""

import hashlib
import json
import random
import re
import sys
from fractions import Fraction
from uuid import UUID

import crosscheck
from crosscheck import CROCKFORD, Tally, iso_8601, text

DATABASE = "uuidrfc_crosscheck_other_ids"
# The number of IDs for each type of a system.
COUNT = 500
# The number of texts of each system to which every edit is applied.
EDITED = 3

DECIMAL = "0123456789"
HEX = "0123456789abcdef"
BASE32HEX = "0123456789abcdefghijklmnopqrstuv"
BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
PUSHID = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
SID64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"

NUMBER = "0|[1-9][0-9]*"
MS, SECOND, DAY = 10**6, 10**9, 86400 * 10**9
TICK = Fraction(SECOND, 300)
NHIBERNATE_TICK = Fraction("3333333")


def number(text, digits):
    value = 0
    for digit in text:
        value = value * len(digits) + digits.index(digit)
    return value


def up_to(last):
    """Returns a random number from 0 to `last`, often one of the ends."""
    return random.choice([0, 1, last, random.randrange(last + 1), random.randrange(last + 1)])


class System:
    """A system. `rest` contains the fields after the time: the name, bits, and form of display of each. `form` is a pattern for its
    texts, whose numbers may still be too large, and `conversion` is the way in which its IDs become UUIDs."""

    def __init__(
        self, types, time_bits, rest, form=NUMBER, unit=MS, epoch_ms=0, takes_epoch=False, digits=3, conversion="version 7", last=None
    ):
        self.types, self.time_bits, self.rest_fields, self.form = types, time_bits, rest, form
        self.rest_bits = sum(bits for _, bits, _ in rest)
        self.unit, self.epoch_ms, self.takes_epoch, self.digits = unit, epoch_ms, takes_epoch, digits
        self.conversion, self.version = conversion, int(conversion.split()[1])
        self.one_way = conversion in ("version 7 in place", "version 8 hashed")
        self.last = (1 << time_bits) - 1 if last is None else last

    def nanos(self, time, epoch_ms):
        return epoch_ms * MS + time * self.unit

    def times(self):
        """Returns a random time that an ID can contain."""
        return up_to(self.last)

    def shown_time(self, time):
        return {"timestamp": time if self.time_bits <= 53 else str(time)}

    def shown_rest(self, rest):
        shown, left = {}, self.rest_bits
        for name, bits, how in self.rest_fields:
            left -= bits
            value = rest >> left & ((1 << bits) - 1)
            shown[name] = {"number": value, "text": str(value), "hex": text(value, HEX, -(-bits // 4))}[how]
        return shown

    def write(self, time, rest, kind):
        """Returns the ID as the text of a value of the type `kind`."""
        whole = time << self.rest_bits | rest
        if kind == "bigint":
            return str(whole - (1 << 64) if whole >> 63 else whole)
        if kind == "bytea":
            return "\\x" + text(whole, HEX, (self.time_bits + self.rest_bits + 7) // 8 * 2)
        if kind == "uuid":
            return str(UUID(int=whole))
        return self.text(time, rest)

    def read(self, value, kind):
        """Returns the time and the rest of a valid ID."""
        if kind == "bigint":
            whole = int(value) % (1 << 64)
        elif kind in ("bytea", "uuid"):
            whole = int(value.removeprefix("\\x").replace("-", ""), 16)
        else:
            whole = self.read_text(value)
        return whole >> self.rest_bits, whole & ((1 << self.rest_bits) - 1)

    def text(self, time, rest):
        return str(time << self.rest_bits | rest)

    def read_text(self, value):
        return int(value, 16) if value.startswith("0x") else int(value)

    def random_rest(self):
        return up_to((1 << self.rest_bits) - 1)

    def refusal(self, value):
        """Returns the SQLSTATE of the error for a text, or None if the text is valid."""
        return self.mismatch(value) if re.fullmatch(self.form, value) else "22P02"

    def mismatch(self, value):
        """Returns the SQLSTATE of the error for a text of the system's form, or None."""
        return "22003" if self.read_text(value) >> (self.time_bits + self.rest_bits) else None

    def to_uuid(self, time, rest, nanos):
        """Returns the UUID for an ID, or None if the UUID's 48 bits cannot represent the time."""
        ms = time if self.conversion == "version 8" else nanos // MS
        if not 0 <= ms < 1 << 48:
            return None
        units = 1 if self.conversion == "version 8" else max(1, MS // self.unit)
        finer_bits = (units - 1).bit_length()
        free = time % units << self.rest_bits | rest
        if self.conversion == "version 7 in place":
            free = (rest >> 64 & 0xFFF) << 62 | rest & ((1 << 62) - 1)
        elif self.conversion == "version 8 hashed":
            digest = hashlib.sha256(bytes(16) + time.to_bytes(8, "big") + rest.to_bytes(16, "big")).digest()
            hashed = int.from_bytes(digest[8:16], "big") & ((1 << 50) - 1)
            free = free >> (self.rest_bits + finer_bits - 24) << 50 | hashed
        assert free < 1 << 74
        return str(UUID(int=ms << 80 | self.version << 76 | free >> 62 << 64 | 2 << 62 | free & ((1 << 62) - 1)))


class Encoded(System):
    """A system whose IDs are text in the digits of an alphabet, in any case if `fold` is given."""

    def __init__(self, alphabet, width, *of_system, unused=0, fold=str, **named):
        any_case = set(alphabet) if fold is str else set(alphabet.lower() + alphabet.upper())
        form = f"[{re.escape(''.join(any_case))}]{{{width}}}"
        super().__init__(*of_system, **{"form": form, **named})
        self.alphabet, self.width, self.unused, self.fold = alphabet, width, unused, fold

    def text(self, time, rest):
        return text((time << self.rest_bits | rest) << self.unused, self.alphabet, self.width)

    def read_text(self, value):
        return number(self.fold(value), self.alphabet) >> self.unused


class Lexical(System):
    def text(self, time, rest):
        made = text(time << 64 | rest, HEX, 32)
        return f"{made[:8]}-{made[8:12]}-{made[12:16]}-{made[16:]}"

    def read_text(self, value):
        return number(value.lower().replace("-", ""), HEX)


class Sid(System):
    FORMS = [(DECIMAL, 19), (HEX, 16), (BASE32HEX, 13), (SID64, 11)]

    def times(self):
        return random.randrange(10**18, 1 << 63)

    def text(self, time, rest):
        digits, width = random.choice(self.FORMS)
        return text(time, digits, width) + "-" + text(rest, digits, width)

    def halves(self, value):
        digits, width = next(form for form in self.FORMS if 2 * form[1] + 1 == len(value))
        return number(value[:width], digits), number(value[width + 1 :], digits)

    def read_text(self, value):
        time, rest = self.halves(value)
        return time << 63 | rest

    def mismatch(self, value):
        return "22003" if max(self.halves(value)) >> 63 else None


class Cuid(System):
    def __init__(self):
        super().__init__(["text"], 48, [], form="c[1-9a-z][0-9a-z]{23,24}", conversion="version 8 hashed")
        self.rest_bits = 83

    def times(self):
        return random.randrange(36**7, random.choice([36**8, 36**9]))

    def random_rest(self):
        return random.randrange(36**16)

    def shown_rest(self, rest):
        made = text(rest, BASE36, 16)
        return {"counter": number(made[:4], BASE36), "fingerprint": made[4:8], "random": made[8:]}

    def text(self, time, rest):
        return "c" + text(time, BASE36) + text(rest, BASE36, 16)

    def read_text(self, value):
        return number(value[1:-16], BASE36) << 83 | number(value[-16:], BASE36)

    def mismatch(self, value):
        return None


class Version4(System):
    """A version 4 UUID."""

    def __init__(self, rest, **named):
        form = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
        super().__init__(["text", "uuid"], 48, rest, form=form, **named)

    def text(self, time, rest):
        return self.write(time, rest, "uuid")

    def mismatch(self, value):
        return None if value[14] == "4" and value[19] in "89abAB" else "22023"


class FirstTime(Version4):
    """A version 4 UUID whose first 48 bits, the head, are the time or, in subclasses, depend on it."""

    def head(self, time):
        return time

    time_of = head

    def write(self, time, rest, kind):
        return str(UUID(int=self.head(time) << 80 | 4 << 76 | rest >> 62 << 64 | 2 << 62 | rest & ((1 << 62) - 1)))

    def read(self, value, kind):
        whole = int(value.replace("-", ""), 16)
        return self.time_of(whole >> 80), (whole >> 64 & 0xFFF) << 62 | whole & ((1 << 62) - 1)


class Binary(FirstTime):
    """The bytes of the head are those of the time, of which the first four and the last two are in reverse order."""

    def head(self, time):
        made = time.to_bytes(6, "big")
        return int.from_bytes(made[3::-1] + made[:3:-1], "big")

    time_of = head


class LastTime(Version4):
    def write(self, time, rest, kind):
        return str(UUID(int=rest >> 26 << 80 | 4 << 76 | (rest >> 14 & 0xFFF) << 64 | 2 << 62 | (rest & 0x3FFF) << 48 | time))

    def read(self, value, kind):
        whole = int(value.replace("-", ""), 16)
        rest = whole >> 80 << 26 | (whole >> 64 & 0xFFF) << 14 | whole >> 48 & 0x3FFF
        return whole & ((1 << 48) - 1), rest


class Daily:
    """A time that consists of the number of days since 1900 and the ticks of the day."""

    tick = TICK

    def nanos(self, time, epoch_ms):
        return -25567 * DAY + (time >> 32) * DAY + int((time & 0xFFFFFFFF) * self.tick)

    def times(self):
        ticks = -(-DAY // self.tick)
        return random.choice([0, 25567, 65535, random.randrange(1 << 16), random.randrange(25567, 1 << 16)]) << 32 | random.choice(
            [0, ticks - 1, random.randrange(ticks)]
        )

    def shown_time(self, time):
        return {"days": time >> 32, "ticks": time & 0xFFFFFFFF}


class PgDateTime(Daily, FirstTime):
    pass


class SqlDateTime(Daily, LastTime):
    pass


class NHibernate(Daily, LastTime):
    tick = NHIBERNATE_TICK


class RtComb1(Daily, Binary):
    def head(self, time):
        digits = text(time, HEX, 12)
        assert digits[4] == "0"
        return super().head(int(digits[:4] + digits[5:9] + "4" + digits[9:], 16))

    def time_of(self, head):
        digits = text(super().time_of(head), HEX, 12)
        assert digits[8] == "4"
        return int(digits[:4] + "0" + digits[4:8] + digits[9:], 16)

    def mismatch(self, value):
        return super().mismatch(value) or (None if value[11] == "4" else "22003")


COMB = [("random", 74, "hex")]
NODE_12 = [("datacenter", 5, "number"), ("worker", 5, "number")]
INT = ["text", "bigint"]
SONYFLAKE = [("sequence", 8, "number"), ("machine", 16, "number")]

SYSTEMS = {
    "ulid": Encoded(
        CROCKFORD, 26, ["text", "bytea", "uuid"], 48, [("random", 80, "hex")], fold=str.upper, conversion="version 7 in place"
    ),
    "lexicaluuid": Lexical(
        ["text", "bytea", "uuid"],
        64,
        [("worker", 64, "hex")],
        form="[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){2}-[0-9a-fA-F]{16}",
        unit=1000,
        digits=6,
        last=(1 << 63) - 1,
    ),
    "snowflake": System(INT, 41, NODE_12 + [("sequence", 12, "number")], epoch_ms=1288834974657, takes_epoch=True),
    "discord": System(INT, 42, [("worker", 5, "number"), ("process", 5, "number"), ("increment", 12, "number")], epoch_ms=1420070400000),
    "mastodon": System(INT, 48, [("sequence", 16, "number")]),
    "linkedin": System(INT, 42, [("rest", 22, "hex")]),
    "pgedge": System(INT, 41, [("node", 10, "number"), ("counter", 12, "number")], epoch_ms=1672531200000),
    "flake": Encoded(
        BASE62,
        1,
        ["text", "bytea", "uuid"],
        64,
        [("worker", 48, "hex"), ("sequence", 16, "number")],
        form="0|[1-9A-Za-z][0-9A-Za-z]*",
        last=2**48 - 1,
    ),
    "shardingid": System(INT, 41, [("shard", 13, "number"), ("sequence", 10, "number")], epoch_ms=1314220021721, takes_epoch=True),
    "ksuid": Encoded(
        BASE62,
        27,
        ["text", "bytea"],
        32,
        [("payload", 128, "hex")],
        unit=SECOND,
        epoch_ms=1400000000000,
        digits=0,
        conversion="version 8 hashed",
    ),
    "elasticflake": Encoded(BASE64URL, 20, ["text", "bytea"], 48, [("munged_mac", 48, "hex"), ("sequence", 24, "number")]),
    "flakeid": System(INT + ["bytea"], 42, NODE_12 + [("counter", 12, "number")], form=NUMBER + "|0x[0-9a-fA-F]{16}", takes_epoch=True),
    "sonyflake": System(INT, 39, SONYFLAKE, unit=10 * MS, epoch_ms=1409529600000, takes_epoch=True),
    "sonyflake-v2": System(INT, 39, SONYFLAKE, unit=10 * MS, epoch_ms=1735689600000, takes_epoch=True),
    "ordereduuid": FirstTime([("random_a", 12, "hex"), ("random_b", 62, "hex")], unit=10000, digits=6, conversion="version 8"),
    "combguid-sql": LastTime(COMB),
    "combguid-sql-datetime": SqlDateTime(COMB, digits=6),
    "combguid-postgresql": FirstTime(COMB),
    "combguid-postgresql-datetime": PgDateTime(COMB, digits=6),
    "combguid-binary": Binary(COMB),
    "combguid-nhibernate": NHibernate(COMB, digits=6),
    "combguid-rtcomb1": RtComb1(COMB, digits=6),
    "sid": Sid(
        ["text"],
        63,
        [("random", 63, "text")],
        form="[1-9][0-9]{18}-[0-9]{19}|[0-9a-f]{16}-[0-9a-f]{16}|[0-9a-v]{13}-[0-9a-v]{13}|[0-9A-Z_a-z~]{11}-[0-9A-Z_a-z~]{11}",
        unit=1,
        digits=9,
        conversion="version 8 hashed",
    ),
    "pushid": Encoded(PUSHID, 20, ["text"], 48, [("random", 72, "hex")]),
    "xid": Encoded(
        BASE32HEX,
        20,
        ["text", "bytea"],
        32,
        [("machine", 24, "hex"), ("pid", 16, "number"), ("counter", 24, "number")],
        form="[0-9a-v]{19}[0g]",
        unit=SECOND,
        digits=0,
        unused=4,
    ),
    "objectid": Encoded(
        HEX, 24, ["text", "bytea"], 32, [("process", 40, "hex"), ("counter", 24, "number")], unit=SECOND, digits=0, fold=str.lower
    ),
    "cuid": Cuid(),
}


def expected(name, kind, value, epoch_ms=None):
    """Returns the microseconds since 1970, the fields, and the UUID of a valid ID."""
    system = SYSTEMS[name]
    time, rest = system.read(value, kind)
    nanos = system.nanos(time, system.epoch_ms if epoch_ms is None else epoch_ms)
    fields = {"time": iso_8601(nanos, system.digits), **system.shown_time(time), **system.shown_rest(rest)}
    return nanos // 1000, fields, system.to_uuid(time, rest, nanos)


def edits(value):
    """Yields texts at an edit distance of one, with characters that are digits of most, some or no alphabets."""
    for at in range(len(value) + 1):
        for character in ["", *"0179agvzAIOUZ-_~+ {é"]:
            yield value[:at] + character + value[at:]
            yield value[:at] + character + value[at + 1 :]


FUNCTIONS = """
CREATE FUNCTION systems(OUT hint text) LANGUAGE plpgsql AS $$
BEGIN PERFORM other_id_time(1, ''); EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT; END $$;
CREATE FUNCTION refusal(id text, system text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN PERFORM other_id_time(id, system); RETURN ''; EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE; END $$;
"""


def check_refusals(name, tally):
    system = SYSTEMS[name]
    texts = {system.text(system.times(), system.random_rest()) for _ in range(EDITED)}
    edited = sorted({edit for value in texts for edit in edits(value)})
    array = ", ".join(map(quoted, edited))
    rows = psql(f"SELECT refusal(id, '{name}') FROM unnest(ARRAY[{array}]) WITH ORDINALITY texts (id, n) ORDER BY n;")
    for edit, [got] in zip(edited, rows, strict=True):
        # A valid text is also rejected (22008) if its time is outside the range of timestamps.
        tally.check(f"{name} {edit!r}", got.replace("22008", "") or None, system.refusal(edit))


def psql(script):
    return crosscheck.psql(script, DATABASE)


def quoted(value):
    return "'" + value.replace("'", "''") + "'"


def to_timestamptz(micros):
    return f"(timestamptz '1970-01-01 00:00:00+00' + interval '{micros} microseconds')"


def check_ids(name, tally):
    system = SYSTEMS[name]
    ids = []
    for kind in system.types:
        for _ in range(COUNT):
            time, rest = system.times(), system.random_rest()
            epoch = None
            if system.takes_epoch and random.random() < 0.5:
                epoch = random.randrange(2 * 10**12) // 10 * 10
            value = system.write(time, rest, kind)
            micros, fields, uuid = expected(name, kind, value, epoch)
            if micros < 2**63 - 10**15:
                ids.append((kind, value, epoch, micros, fields, uuid))
    script = ["SET TimeZone = 'UTC';"]
    for kind, value, epoch, micros, fields, uuid in ids:
        since = "" if epoch is None else f", {to_timestamptz(epoch * 1000)}"
        call = f"({quoted(value)}::{kind}, '{name}'{since})"
        over = f"other_id_to_uuid{call}" if uuid else "NULL"
        back = f"uuid_to_other_id({over}, '{name}', NULL::{kind}{since})" if uuid and not system.one_way else "NULL"
        script.append(f"SELECT other_id_time{call} = {to_timestamptz(micros)}, other_id_fields{call}, {over}, {back};")
    rows = psql("\n".join(script))
    for (kind, value, epoch, micros, fields, uuid), (same, got, over, back) in zip(ids, rows, strict=True):
        of_back = value if uuid and not system.one_way else ""
        tally.check(f"{name} {kind} {value} {epoch}", [same, json.loads(got), over, back], ["t", fields, uuid or "", of_back])


def main():
    random.seed(9562)
    tally = Tally("other_ids")
    with crosscheck.new_database(DATABASE, "UTF8"):
        psql(FUNCTIONS)
        [[hint]] = psql("SELECT systems();")
        tally.check("systems", re.findall('"([^"]+)"', hint), list(SYSTEMS))
        for name in SYSTEMS:
            check_refusals(name, tally)
            check_ids(name, tally)
    sys.exit(not tally.close())


if __name__ == "__main__":
    main()
