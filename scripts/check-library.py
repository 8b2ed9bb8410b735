#!/usr/bin/env python3
"""Checks the exports and the requirements of a built library: check-library.py LIBRARY

The library must export exactly the functions that the SQL script declares and those that PostgreSQL calls. It may require only
libgcc_s and the C library, in no newer version than 2.34, which Debian 12, Ubuntu 22.04 and RHEL 9 have. A
library for musl requires no version. The program prints the requirements and the size of the library.
"""
import re
import subprocess
import sys
from pathlib import Path

library, floor = Path(sys.argv[1]), "2.34"
# PostgreSQL calls these functions by name, when it loads the library and as a background worker.
ENTRIES = {"_PG_init", "Pg_magic_func", "uuidrfc_record_replay"}


def output(*command):
    return subprocess.run([*command, library], check=True, stdout=subprocess.PIPE, text=True).stdout


def number(version):
    return [int(part) for part in version.split(".")]


script = (Path(__file__).parent.parent / "sql/uuidrfc.sql").read_text()
declared = set(re.findall(r"'MODULE_PATHNAME',\s*'(\w+)'", script))
# For each declared function, PostgreSQL also looks up a second symbol.
wanted = ENTRIES | declared | {f"pg_finfo_{symbol}" for symbol in declared}
exported = {line.split()[2] for line in output("nm", "--dynamic", "--defined-only").splitlines()}
libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide"))
glibc = max(re.findall(r"GLIBC_([\d.]+)", output("readelf", "--version-info", "--wide")), key=number, default=None)
relocations = len(re.findall(r"^[0-9a-f]{8,}  ", output("readelf", "--relocs", "--wide"), re.M))

faults = [f"it exports {symbol}, which the SQL script does not declare" for symbol in sorted(exported - wanted)]
faults += [f"it lacks {symbol}" for symbol in sorted(wanted - exported)]
faults += [f"it needs {name}" for name in libraries if not re.match(r"lib(c|m|gcc_s)\.so|ld-linux", name)]
if glibc and number(glibc) > number(floor):
    faults.append(f"it needs glibc {glibc}, and {floor} should do")
needed = f"glibc {glibc}" if glibc else "musl"
for fault in faults:
    print(f"{library}: {fault}")
print(f"{library.name}: {len(exported)} symbols, {needed}, {relocations} relocations, {library.stat().st_size // 1024} KiB")
sys.exit(bool(faults))
