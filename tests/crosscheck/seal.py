#!/usr/bin/env python3
"""Compares sealed UUIDs with FF1 and AES, which are implemented here from the standards and share nothing with the extension.

standard    AES-256 against FIPS 197, appendix C.3, and FF1 against NIST's samples for AES-256
vectors     the published vectors, crates/rfc9562/tests/vectors/seal.csv, against this program
page        the same vectors, and those on the page docs/sealing.md, against the program on that page
server      uuid_seal and uuid_unseal for random keys and UUIDs, on the server that libpq's variables name

    seal.py             all four; exits with 1 if anything differs
    seal.py --vectors   prints the vectors again
"""

import csv
import random
import re
import sys
import uuid
from math import ceil, log2
from pathlib import Path

from crosscheck import drop_database, make_database, psql

DATABASE = "uuidrfc_crosscheck_seal"
VECTORS = Path(__file__).resolve().parents[2] / "crates/rfc9562/tests/vectors/seal.csv"

# AES (FIPS 197), encryption only, one byte at a time.


def times(a, b):
    """Returns the product in GF(2^8)."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def substitution(byte):
    inverse = next((x for x in range(256) if times(byte, x) == 1), 0)
    rotated = 0
    for turn in range(5):
        rotated ^= (inverse << turn | inverse >> (8 - turn)) & 0xFF
    return rotated ^ 0x63


S_BOX = [substitution(byte) for byte in range(256)]
DOUBLE = [times(byte, 2) for byte in range(256)]


def round_keys(key):
    words = [list(key[at : at + 4]) for at in range(0, len(key), 4)]
    length, constant = len(words), 1
    while len(words) < 4 * (length + 7):
        word = words[-1]
        if len(words) % length == 0:
            word = [S_BOX[byte] for byte in word[1:] + word[:1]]
            word[0] ^= constant
            constant = times(constant, 2)
        elif length > 6 and len(words) % length == 4:
            word = [S_BOX[byte] for byte in word]
        words.append([a ^ b for a, b in zip(words[-length], word)])
    return [sum(words[at : at + 4], []) for at in range(0, len(words), 4)]


def aes(keys, block):
    state = [a ^ b for a, b in zip(block, keys[0])]
    for number, key in enumerate(keys[1:], 1):
        # SubBytes and ShiftRows, in which the byte of row r, column c comes from column c + r.
        state = [S_BOX[state[(place + 4 * (place % 4)) % 16]] for place in range(16)]
        if number < len(keys) - 1:
            mixed = []
            for at in range(0, 16, 4):
                column = state[at : at + 4]
                everything = column[0] ^ column[1] ^ column[2] ^ column[3]
                mixed += [column[r] ^ everything ^ DOUBLE[column[r] ^ column[(r + 1) % 4]] for r in range(4)]
            state = mixed
        state = [a ^ b for a, b in zip(state, key)]
    return bytes(state)


# FF1 (NIST SP 800-38G, algorithms 1 to 8), for any radix and length. The names are the standard's.


def num(numerals, radix):
    x = 0
    for numeral in numerals:
        x = x * radix + numeral
    return x


def numerals_of(x, radix, m):
    string = []
    for _ in range(m):
        x, numeral = divmod(x, radix)
        string.append(numeral)
    return string[::-1]


def prf(keys, x):
    y = bytes(16)
    for at in range(0, len(x), 16):
        y = aes(keys, bytes(a ^ b for a, b in zip(y, x[at : at + 16])))
    return y


def ff1(key, radix, tweak, x, decrypt=False):
    keys = round_keys(key)
    n, t = len(x), len(tweak)
    u = n // 2
    v = n - u
    a, b = x[:u], x[u:]
    width = ceil(ceil(v * log2(radix)) / 8)
    d = 4 * ceil(width / 4) + 4
    p = bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([10, u % 256]) + n.to_bytes(4, "big") + t.to_bytes(4, "big")
    for i in reversed(range(10)) if decrypt else range(10):
        known, other = (a, b) if decrypt else (b, a)
        q = tweak + bytes(-(t + width + 1) % 16) + bytes([i]) + num(known, radix).to_bytes(width, "big")
        r = prf(keys, p + q)
        blocks = ceil(d / 16)
        s = r + b"".join(aes(keys, bytes(x ^ y for x, y in zip(r, j.to_bytes(16, "big")))) for j in range(1, blocks))
        y = int.from_bytes(s[:d], "big")
        m = u if i % 2 == 0 else v
        c = numerals_of((num(other, radix) + (-y if decrypt else y)) % radix**m, radix, m)
        a, b = (c, a) if decrypt else (b, c)
    return a + b


# UUIDs.

FREE = [place for place in range(128) if not 48 <= place < 52 and not 64 <= place < 66]


def permuted(key, value, version, decrypt):
    """Permutes all bits except those of version and variant."""
    bits = format(uuid.UUID(value).int, "0128b")
    image = ff1(key, 2, b"", [int(bits[place]) for place in FREE], decrypt)
    bits = [""] * 128
    for place, bit in zip(FREE, image):
        bits[place] = str(bit)
    bits[48:52] = format(version, "04b")
    bits[64:66] = "10"
    return str(uuid.UUID(int=int("".join(bits), 2)))


def seal(key, value):
    return permuted(key, value, 4, False)


def unseal(key, value):
    return permuted(key, value, 7, True)


def random_v7(rng):
    return str(uuid.UUID(int=rng.getrandbits(128) & ~(0xF << 76) & ~(0b11 << 62) | 7 << 76 | 0b10 << 62))


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
    rows = [(key, value) for key in keys for value in ids]
    rows += [(rng.randbytes(32), random_v7(rng)) for _ in range(20)]
    return [(key.hex(), value, seal(key, value)) for key, value in rows]


# Tests.

failed = 0


def check(topic, pairs):
    global failed
    wrong = [f"{what}: {ours}, expected {theirs}" for what, ours, theirs in pairs if ours != theirs]
    print(f"{topic}: {len(pairs) - len(wrong)} passed, {len(wrong)} failed", flush=True)
    for line in wrong[:10]:
        print(f"  {line}")
    failed += len(wrong) + (not pairs)


def check_standard():
    # The sample of FIPS 197, appendix C.3.
    block, result = bytes.fromhex("00112233445566778899aabbccddeeff"), "8ea2b7ca516745bfeafc49904b496089"
    pairs = [("AES-256", aes(round_keys(bytes(range(32))), block).hex(), result)]
    # Samples 7 to 9 of NIST's FF1samples.pdf.
    key = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    for sample, radix, tweak, plain, cipher in (
        (7, 10, "", "0123456789", "6657667009"),
        (8, 10, "39383736353433323130", "0123456789", "1001623463"),
        (9, 36, "3737373770717273373737", "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
    ):
        for text, result, decrypt in ((plain, cipher, False), (cipher, plain, True)):
            image = ff1(key, radix, bytes.fromhex(tweak), [digits.index(digit) for digit in text], decrypt)
            pairs.append((f"sample {sample}", "".join(digits[numeral] for numeral in image), result))
    check("standard", pairs)


def check_vectors():
    with VECTORS.open(encoding="ascii") as lines:
        rows = [tuple(row.values()) for row in csv.DictReader(lines)]
    pairs = [(f"{key} {opened}", unseal(bytes.fromhex(key), sealed), opened) for key, opened, sealed in rows]
    check("vectors", pairs + [("rows", rows, vectors())])


def check_page():
    """Runs the last block of Python on the page, which follows the choice of an AES library, with the AES of this program."""
    page = (VECTORS.parents[4] / "docs/sealing.md").read_text(encoding="utf-8")
    shown = {"uuid": uuid}
    exec(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[-1], shown)
    rows = [("00" * 32, *row) for row in re.findall(r"^\| 32 bytes `00` \| `(.*)` \| `(.*)` \|$", page, re.MULTILINE)]
    pairs = [("rows", len(rows), 4)]
    for key, opened, sealed in rows + vectors():
        keys = round_keys(bytes.fromhex(key))
        calls = (("seal", opened), ("unseal", sealed))
        images = [str(shown[name](lambda block: aes(keys, block), uuid.UUID(value))) for name, value in calls]
        pairs.append((f"{key} {opened}", images, [sealed, opened]))
    check("page", pairs)


def check_server():
    rng = random.Random(20260)
    rows = [(rng.randbytes(32).hex(), random_v7(rng)) for _ in range(2000)]
    values = ", ".join(f"('\\x{key}'::bytea, '{value}'::uuid)" for key, value in rows)
    make_database(DATABASE, "UTF8")
    found = psql(f"SELECT uuid_seal(id, key), uuid_unseal(uuid_seal(id, key), key) FROM (VALUES {values}) AS v (key, id)", DATABASE)
    drop_database(DATABASE)
    answers = [tuple(row) for row in found]
    expected = [(seal(bytes.fromhex(key), value), value) for key, value in rows]
    check("server", [("rows", len(answers), len(rows))] + list(zip([value for _, value in rows], answers, expected)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--vectors"]:
        print("key,v7,v4")
        for row in vectors():
            print(",".join(row))
        sys.exit()
    check_standard()
    check_vectors()
    check_page()
    check_server()
    sys.exit(1 if failed else 0)
