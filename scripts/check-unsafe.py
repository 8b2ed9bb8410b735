#!/usr/bin/env python3
"""Counts the lines in unsafe blocks in src/, and fails if a file has more than src/unsafe.baseline allows.

  check-unsafe.py            compares
  check-unsafe.py --accept   writes the baseline
"""
import re
import sys
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"
BASELINE = SRC / "unsafe.baseline"


def unsafe_lines(path):
    """Returns the number of lines in the braces of all `unsafe { }`, without comments and empty lines."""
    text = re.sub(r"//.*", "", path.read_text())
    lines = 0
    for block in re.finditer(r"\bunsafe \{", text):
        depth, end = 1, block.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        lines += sum(1 for line in text[block.end():end - 1].splitlines() if line.strip())
    return lines


counted = {str(path.relative_to(SRC)): unsafe_lines(path) for path in sorted(SRC.rglob("*.rs"))}
counted = {name: lines for name, lines in counted.items() if lines}
if "--accept" in sys.argv:
    rows = "".join(f"{name} {lines}\n" for name, lines in counted.items())
    BASELINE.write_text("# file, lines in unsafe blocks: scripts/check-unsafe.py --accept\n" + rows)
allowed = dict(row.split() for row in BASELINE.read_text().splitlines() if not row.startswith("#"))
grown = [f"src/{name}: {lines} lines in unsafe blocks, {allowed.get(name, 0)} in src/unsafe.baseline"
         for name, lines in counted.items() if lines > int(allowed.get(name, 0))]
print(*grown, f"unsafe: {sum(counted.values())} lines in {len(counted)} files", sep="\n")
sys.exit(bool(grown))
