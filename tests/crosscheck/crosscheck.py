#!/usr/bin/env python3
"""Compares the extension's SQL with implementations that share nothing with it.

names       every name-based function, for names of many lengths and scripts, against Python's uuid and hashlib
encodings   names in databases of encodings other than UTF8, against the same names hashed by Python in UTF-8
texts       every text form and its aliases, for the same UUIDs and for numbers of every length, against Python's uuid and base64
fields      everything that can be read from a UUID, for UUIDs of every version and variant, against Python's uuid

The names and UUIDs are the same in every run. The program connects through psql to the server that libpq's variables name,
creates its own databases there and drops them. It exits with status 1 if anything differs.
"""

import base64
import contextlib
import csv
import datetime
import hashlib
import json
import random
import subprocess
import sys
import uuid
from decimal import Decimal

DATABASE = "uuidrfc_crosscheck"

# The hashspaces of draft-ietf-uuidrev-rfc4122bis-12, "Some Hashspace IDs", by hashlib's names.
HASHSPACES = {
    "sha224": "59031ca3-fbdb-47fb-9f6c-0f30e2e83145",
    "sha256": "3fb32780-953c-4464-9cfd-e85dbbe9843d",
    "sha384": "e6800581-f333-484b-8778-601ff2b58da8",
    "sha512": "0fde22f2-e7ba-4fd1-9753-9c2ea88fa3f9",
    "sha512_224": "003c2038-c4fe-4b95-a672-0c26c1b79542",
    "sha512_256": "9475ad00-3769-4c07-9642-5e7383732306",
    "sha3_224": "9768761f-ac5a-419e-a180-7ca239e8025a",
    "sha3_256": "2034d66b-4047-4553-8f80-70e593176877",
    "sha3_384": "872fb339-2636-4bdd-bda6-b6dc2a82b1b3",
    "sha3_512": "a4920a5d-a8a6-426c-8d14-a6cafbe64c7b",
    "shake_128": "7ea218f6-629a-425f-9f88-7439d63296bb",
    "shake_256": "2e7fc6a4-2919-4edc-b0ba-7d7062ce4f0a",
}
NAMESPACES = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
}


def sql_name(hash_name):
    return hash_name.replace("shake_", "shake")


def psql(script, database=DATABASE):
    """Returns the rows that a script prints, as lists of texts."""
    command = ["psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", database]
    run = subprocess.run(command, input=script.encode(), stdout=subprocess.PIPE, check=True)
    return [line.split("\t") for line in run.stdout.decode().splitlines()]


@contextlib.contextmanager
def new_database(name, encoding):
    """A database with the extension, which is dropped at the end."""
    drop = f"SET client_min_messages = warning; DROP DATABASE IF EXISTS {name}"
    psql(drop, "postgres")
    psql(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'", "postgres")
    try:
        psql("CREATE EXTENSION uuidrfc", name)
        yield
    finally:
        psql(drop, "postgres")


class Tally:
    """Counts agreements and differences, and prints the first differences."""

    def __init__(self, topic):
        self.topic, self.passed, self.failed = topic, 0, 0

    def check(self, what, ours, theirs):
        if ours == theirs:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= 10:
            if isinstance(ours, list):
                ours, theirs = zip(*(pair for pair in zip(ours, theirs) if pair[0] != pair[1]))
            print(f"{self.topic}: {what[:200]}: {str(ours)[:200]}, expected {str(theirs)[:200]}")

    def close(self):
        print(f"{self.topic}: {self.passed} passed, {self.failed} failed", flush=True)
        return self.failed == 0 and self.passed > 0


# Names


# A range of code points, without surrogates, for each of many scripts.
SCRIPTS = {
    "ascii": (0x20, 0x7E),
    "control": (0x01, 0x1F),
    "latin": (0xA0, 0x24F),
    "combining": (0x300, 0x36F),
    "greek": (0x391, 0x3C9),
    "cyrillic": (0x410, 0x44F),
    "armenian": (0x531, 0x556),
    "hebrew": (0x5D0, 0x5EA),
    "arabic": (0x620, 0x64A),
    "devanagari": (0x904, 0x939),
    "tamil": (0xB85, 0xBB9),
    "thai": (0xE01, 0xE3A),
    "georgian": (0x10D0, 0x10F0),
    "ethiopic": (0x1200, 0x1248),
    "hiragana": (0x3041, 0x3096),
    "han": (0x4E00, 0x9FA5),
    "hangul": (0xAC00, 0xD7A3),
    "noncharacters": (0xFFF0, 0xFFFF),
    "emoji": (0x1F600, 0x1F64F),
    "plane 16": (0x10FF00, 0x10FFFF),
}


def text_names(rng):
    """Returns names of every length around the block sizes of all hashes, and some long names."""

    def characters(script, count):
        first, last = SCRIPTS[script]
        return "".join(chr(rng.randint(first, last)) for _ in range(count))

    names = ["", "www.example.com", "python.org"]
    for script in SCRIPTS:
        names += [characters(script, count) for count in range(1, 301)]
        names += [characters(script, rng.randint(1, 150)) for _ in range(200)]
        names += [characters(script, count) for count in (1000, 5000, 20000)]
    while len(names) < 12000:
        parts = (characters(rng.choice(list(SCRIPTS)), rng.randint(0, 30)) for _ in range(rng.randint(1, 6)))
        names.append("".join(parts))
    return names


def versioned(version, bits):
    """Returns the UUID of a version that has these bits elsewhere."""
    return uuid.UUID(int=bits & ~(0xF << 76) & ~(0b11 << 62) | version << 76 | 0b10 << 62)


def stamped(version, digest):
    return str(versioned(version, int.from_bytes(digest[:16], "big")))


def hashed(hash_name, content):
    digest = hashlib.new(hash_name, content)
    return digest.digest(16) if hash_name.startswith("shake") else digest.digest()


def expected_uuids(namespace, content):
    """Yields the UUIDs in the order of name_columns: version 3, 5, and 8 with every hash."""
    yield stamped(3, hashlib.md5(namespace.bytes + content).digest())
    yield stamped(5, hashlib.sha1(namespace.bytes + content).digest())
    for hash_name in HASHSPACES:
        yield stamped(8, hashed(hash_name, namespace.bytes + content))


def name_columns(name):
    v8 = [f"uuid_v8(ns, {name}, '{sql_name(hash_name)}')" for hash_name in HASHSPACES]
    return [f"uuid_v3(ns, {name})", f"uuid_v5(ns, {name})", *v8]


def copy_names(rows):
    """Returns a script that creates a table of the given pairs of a namespace and the content of a name."""
    lines = [f"{i}\t{ns}\t\\\\x{content.hex()}" for i, (ns, content) in enumerate(rows)]
    return (
        "CREATE TEMPORARY TABLE name (i int, ns uuid, content bytea);\nCOPY name FROM stdin;\n"
        + "\n".join(lines)
        + "\n\\.\n"
    )


def check_names():
    tally = Tally("names")
    rng = random.Random(9562)

    def namespace():
        return rng.choice([*NAMESPACES.values(), uuid.UUID(int=rng.getrandbits(128))])

    texts = [(namespace(), name.encode()) for name in text_names(rng)]
    content = [(namespace(), rng.randbytes(rng.randint(0, 400))) for _ in range(2000)]

    # Python's uuid module generates versions 3 and 5 from text only, so the rest of this file relies on hashlib.
    for ns, name in texts[:100]:
        assert str(uuid.uuid3(ns, name.decode())) == next(expected_uuids(ns, name))
        assert str(uuid.uuid5(ns, name.decode())) == list(expected_uuids(ns, name))[1]

    of_text, of_bytes = name_columns("convert_from(content, 'UTF8')"), name_columns("content")
    for rows, forms in (texts, [of_text, of_bytes]), (content, [of_bytes]):
        answers = psql(copy_names(rows) + f"SELECT {', '.join(sum(forms, []))} FROM name ORDER BY i;")
        for (ns, name), answer in zip(rows, answers, strict=True):
            tally.check(f"{name!r} in {ns}", answer, list(expected_uuids(ns, name)) * len(forms))
    return tally.close()


def check_encodings():
    """Compares names in PostgreSQL's encodings, each listed with its name in Python, in scripts that both convert alike."""
    tally = Tally("encodings")
    rng = random.Random(9562)
    for encoding, codec, scripts in [
        ("LATIN1", "latin-1", ["latin"]),
        ("LATIN2", "iso8859-2", ["latin"]),
        ("ISO_8859_5", "iso8859-5", ["cyrillic"]),
        ("WIN1251", "cp1251", ["cyrillic"]),
        ("WIN1253", "cp1253", ["greek"]),
        ("KOI8R", "koi8-r", ["cyrillic"]),
        ("EUC_JP", "euc_jp", ["hiragana", "han"]),
        ("EUC_KR", "euc_kr", ["hangul"]),
        ("EUC_CN", "gb2312", ["han"]),
    ]:
        letters = [chr(code) for script in scripts for code in range(SCRIPTS[script][0], SCRIPTS[script][1] + 1)]
        # Unlike PostgreSQL, Python writes eight bytes for Hangul without a code in EUC-KR.
        letters = [letter for letter in letters if 0 < len(letter.encode(codec, "ignore")) <= 3]
        letters += ["a", "b", " ", "0"] * (len(letters) // 10 + 1)
        lengths = [*range(100), 5000, 8191, 8192, 8193, 16384, 40000]
        names = ["".join(rng.choices(letters, k=length)) for length in lengths]
        rows = [(uuid.NAMESPACE_URL, name.encode(codec)) for name in names]

        database = f"{DATABASE}_{encoding.lower()}"
        # In a database of the same encoding, convert_from checks the bytes and leaves them unchanged.
        columns = ", ".join(name_columns(f"convert_from(content, '{encoding}')"))
        with new_database(database, encoding):
            answers = psql(copy_names(rows) + f"SELECT {columns} FROM name ORDER BY i;", database)
        for name, answer in zip(names, answers, strict=True):
            tally.check(f"{name!r} in {encoding}", answer, list(expected_uuids(uuid.NAMESPACE_URL, name.encode())))
    return tally.close()


# UUIDs


def uuids(rng):
    """Returns UUIDs of every version and variant, the ends of each version, UUIDs with one more bit set, and known UUIDs."""
    made = [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)]
    made += NAMESPACES.values()
    made += map(uuid.UUID, HASHSPACES.values())
    with open("tests/vectors.csv", encoding="ascii") as vectors:
        made += [uuid.UUID(row["uuid"]) for row in csv.DictReader(vectors)]
    for version in range(16):
        made += [versioned(version, 0), versioned(version, 2**128 - 1)]
        made += [versioned(version, rng.getrandbits(128)) for _ in range(50)]
        # Of the 16 values of the four bits that begin with the variant, RFC 9562 has four.
        for variant in range(16):
            bits = rng.getrandbits(128) & ~(0xF << 76) & ~(0xF << 60)
            made.append(uuid.UUID(int=bits | version << 76 | variant << 60))
    for version in range(1, 9):
        made += [versioned(version, 1 << bit) for bit in range(128)]
    return made


# Texts

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def text(value, digits, width=1):
    made = ""
    while value or len(made) < width:
        value, digit = divmod(value, len(digits))
        made = digits[digit] + made
    return made


def texts(u):
    """Returns the text of a UUID in each format, followed by its aliases."""
    base32, base32hex = text(u.int, CROCKFORD, 26), base64.b32hexencode(u.bytes).decode()
    look_alikes = [base32.translate(str.maketrans("01", letters)) for letters in ("OI", "OL", "oi", "ol")]
    return {
        "urn": [u.urn, u.urn.upper()],
        "braces": [f"{{{u}}}", f"{{{u}}}".upper()],
        "hex": [u.hex, u.hex.upper()],
        "base32": [base32, base32.lower(), *look_alikes],
        "base32hex": [base32hex, base32hex.lower(), base32hex.rstrip("=")],
        "base58": [text(u.int, BASE58, 22)],
        "base64url": [base64.urlsafe_b64encode(u.bytes).decode().rstrip("=")],
        "decimal": [str(u.int)],
        "oid": [f"2.25.{u.int}"],
    }


def check_texts():
    tally = Tally("texts")
    rng = random.Random(9562)
    listed = uuids(rng) + [uuid.UUID(int=rng.getrandbits(bits)) for bits in range(129) for _ in range(10)]
    rows = [(u, name, forms[0], form) for u in listed for name, forms in texts(u).items() for form in forms]
    lines = "\n".join(f"{i}\t{u}\t{name}\t{form}" for i, (u, name, _, form) in enumerate(rows))
    answers = psql(
        f"CREATE TEMPORARY TABLE form (i int, id uuid, name text, form text);\nCOPY form FROM stdin;\n{lines}\n\\.\n"
        "SELECT uuid_encode(id, name), uuid_decode(form, name) FROM form ORDER BY i;"
    )
    for (u, name, expected, form), answer in zip(rows, answers, strict=True):
        tally.check(f"{name} {form}", answer, [expected, str(u)])
    return tally.close()


# Fields


VARIANTS = {
    uuid.RESERVED_NCS: "ncs",
    uuid.RFC_4122: "rfc9562",
    uuid.RESERVED_MICROSOFT: "microsoft",
    uuid.RESERVED_FUTURE: "future",
}
GREGORIAN = 0x01B21DD213814000  # ticks of 100 ns between 1582-10-15 and 1970-01-01


def gregorian_tick(u):
    """Returns the tick of version 1 as Python reads it, or that of version 6, which has the same fields in time order."""
    if u.version == 1:
        return u.time
    return u.time_low << 28 | u.time_mid << 12 | u.time_hi_version & 0xFFF


def iso_8601(nanos, digits):
    """Returns the text of a time in nanoseconds since 1970. Python's years end at 9999, but the calendar repeats after 400 years."""
    seconds, fraction = divmod(nanos, 10**9)
    cycles, seconds = divmod(seconds, 146097 * 86400)
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    point = "." + f"{fraction:09}"[:digits] if digits else ""
    return f"{time.year + 400 * cycles:04}-{time:%m-%dT%H:%M:%S}{point}Z"


def expected_micros(u):
    """Returns the microseconds since 1970 by RFC 9562, with the fraction of a version 7 UUID, and by draft-02."""
    if u.version in (1, 6):
        micros = (gregorian_tick(u) - GREGORIAN) // 10
        return micros, micros, micros
    if u.version != 7:
        return None, None, None
    millis, fraction = u.int >> 80, u.int >> 64 & 0xFFF
    second, of_second = u.int >> 92, (u.int >> 80 & 0xFFF) << 12 | u.int >> 64 & 0xFFF
    # The microsecond in which the fraction, a 4096th of a millisecond, ends, but no later than the millisecond's last.
    us = millis * 1000 + min((fraction + 1) * 1000 // 4096, 999)
    # The last microsecond that begins before the end of the fraction, a 2^24th of a second.
    draft = second * 10**6 + -(-(of_second + 1) * 10**6 // 2**24) - 1
    return millis * 1000, us, draft


def expected_fields(u):
    fields = {"variant": VARIANTS[u.variant]}
    if u.int == 0:
        fields["name"] = "nil"
    if u.int == 2**128 - 1:
        fields["name"] = "max"
    if u.version is None:
        return fields
    fields["version"] = u.version
    fields |= {"namespace": name for name, ns in NAMESPACES.items() if ns == u}
    fields |= {"hashspace": sql_name(name) for name, id in HASHSPACES.items() if id == str(u)}

    high, mid, low = u.int >> 80, u.int >> 64 & 0xFFF, u.int & 2**62 - 1
    for version, names in {
        3: ("md5_high", "md5_mid", "md5_low"),
        4: ("random_a", "random_b", "random_c"),
        5: ("sha1_high", "sha1_mid", "sha1_low"),
    }.items():
        if u.version == version:
            fields |= zip(names, (f"{high:012x}", f"{mid:03x}", f"{low:016x}"))
    if u.version in (1, 6):
        first, last = ("time_low", "time_high") if u.version == 1 else ("time_high", "time_low")
        fields |= {
            first: f"{u.time_low:08x}",
            "time_mid": f"{u.time_mid:04x}",
            last: f"{u.time_hi_version & 0xFFF:03x}",
            "clock_seq": u.clock_seq,
            "node": f"{u.node:012x}",
            "node_multicast": bool(u.node >> 40 & 1),
            "time": iso_8601((gregorian_tick(u) - GREGORIAN) * 100, 7),
        }
    if u.version == 7:
        fields |= {"unix_ts_ms": high, "rand_a": f"{mid:03x}", "rand_b": f"{low:016x}", "time": iso_8601(high * 10**6, 3)}
    if u.version == 8:
        fields |= {"custom_a": high, "custom_b": mid, "custom_c": f"{low:016x}"}
    return fields


def reordered(u):
    """Converts version 1 to version 6, and version 6 to version 1."""
    tick, tail = gregorian_tick(u), u.int & 2**64 - 1
    if u.version == 1:
        return str(uuid.UUID(int=tick >> 12 << 80 | 6 << 76 | (tick & 0xFFF) << 64 | tail))
    low, mid, high = tick & 0xFFFFFFFF, tick >> 32 & 0xFFFF, tick >> 48
    return str(uuid.UUID(int=low << 96 | mid << 80 | 1 << 76 | high << 64 | tail))


def check_fields():
    tally = Tally("fields")
    listed = uuids(random.Random(9562))
    values = ",".join(f"({i},'{u}')" for i, u in enumerate(listed))
    answers = psql(
        f"""
        \\pset null NULL
        SELECT id, uuid_extract_version(id), uuid_extract_variant(id),
               extract(epoch FROM uuid_extract_time(id)), extract(epoch FROM uuid_extract_time(id, 'rfc9562')),
               extract(epoch FROM uuid_extract_time_us(id)), extract(epoch FROM uuid_extract_time(id, 'draft-02')),
               uuid_extract_clock_seq(id), uuid_extract_node(id), uuid_inspect(id),
               CASE uuid_extract_version(id) WHEN 1 THEN uuid_v1_to_v6(id) WHEN 6 THEN uuid_v6_to_v1(id) END
        FROM (VALUES {values}) listed (i, text), LATERAL (SELECT text::uuid AS id) cast_ ORDER BY i;
        """
    )

    def shown(value):
        return "NULL" if value is None else str(value)

    def micros(seconds):
        return None if seconds == "NULL" else int(Decimal(seconds) * 10**6)

    for u, answer in zip(listed, answers, strict=True):
        (id, version, variant, time, time_rfc, time_us, time_draft, clock_seq, node, inspected, other) = answer
        gregorian = u.version in (1, 6)
        mac = ":".join(f"{byte:02x}" for byte in u.node.to_bytes(6, "big"))
        expected, expected_us, expected_draft = expected_micros(u)
        tally.check(f"{u}: text", id, str(u))
        tally.check(f"{u}: version", version, shown(u.version))
        tally.check(f"{u}: variant", variant, VARIANTS[u.variant])
        tally.check(f"{u}: time", micros(time), expected)
        tally.check(f"{u}: time, rfc9562", micros(time_rfc), expected)
        tally.check(f"{u}: time, us", micros(time_us), expected_us)
        tally.check(f"{u}: time, draft-02", micros(time_draft), expected_draft)
        tally.check(f"{u}: clock_seq", clock_seq, shown(u.clock_seq if gregorian else None))
        tally.check(f"{u}: node", node, shown(mac if gregorian else None))
        tally.check(f"{u}: inspect", json.loads(inspected), expected_fields(u))
        # JavaScript reads numbers as floating point, which must not change them.
        tally.check(f"{u}: inspect, by floating point", json.loads(inspected, parse_int=float), expected_fields(u))
        tally.check(f"{u}: other order", other, shown(reordered(u) if gregorian else None))
    return tally.close()


def main():
    with new_database(DATABASE, "UTF8"):
        agreed = [check() for check in (check_names, check_encodings, check_texts, check_fields)]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
