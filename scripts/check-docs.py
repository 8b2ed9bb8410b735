#!/usr/bin/env python3
"""Runs the SQL examples of the documentation as printed.

  check-docs.py [FILE...]    by default, README.md, docs/*.md and site/llms.txt; libpq's variables name the server

The ```sql blocks of a file are run in order, each in a session of its own, in a database that is created for the file with the
extension and dropped afterwards. search_path is the default. Errors and wrong results are failures. A comment after a
statement's semicolon, or in the lines between it and an empty line, must be the statement's result. The word true means t, and
white space around | is ignored.

Comments in the file, which readers do not see:
  <!-- setup            the statements up to the line --> are run here
  <!-- error: 2BP01 --> the next block must fail with this SQLSTATE, and with the message of its line
                        "-- ERROR:  ...", if it has one
  <!-- not run: why --> the next block is for another server or extension
  <!-- preload -->      at the beginning of a file: its blocks are run only on a server that preloads uuidrfc, in scope server,
                        such as that of the server test `horizon`
"""
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

MARK = "check-docs: result"
# A comment for this program, or a code block, at the beginning of a line.
PARTS = re.compile(r"""
    ^\ *<!--\ setup\n (?P<setup>.*?) ^--> | ^\ *<!--\ error:\ (?P<error>\w{5})\ --> | ^\ *<!--\ not\ run:\ (?P<not_run>.*?)\ *-->
    | ^(?P<indent>\ *)```(?P<language>\w*)\ *\n (?P<block>.*?) ^(?P=indent)```""", re.MULTILINE | re.DOTALL | re.VERBOSE)


@dataclass
class Block:
    line: int
    sql: str
    error: str | None = None  # SQLSTATE
    not_run: str | None = None
    setup: bool = False


def blocks(text):
    """Yields the SQL of a page: its sql blocks and its setup comments."""
    error = not_run = None
    for part in PARTS.finditer(text):
        line = text.count("\n", 0, part.start()) + 2
        if part["setup"] is not None:
            yield Block(line, part["setup"], setup=True)
        elif part["not_run"]:
            not_run = part["not_run"]
        elif part["language"] is None:
            error = part["error"]
        else:
            if part["language"] == "sql":
                yield Block(line, re.sub(f"^{part['indent']}", "", part["block"], flags=re.MULTILINE), error, not_run)
            error = not_run = None


def with_marks(sql):
    """Returns the block with marks around each statement whose result it prints, and the printed results."""
    script, expected, pending, lines = [], [], [], sql.rstrip("\n").split("\n")
    at, quoted = 0, False
    while at < len(lines):
        line = lines[at]
        at += 1
        pending.append(line)
        quoted ^= line.count("$$") % 2 == 1
        end = None if quoted else re.search(r";\s*(?:--\s*(.*?)\s*)?$", line)
        if not end:
            continue
        result, after = end[1], at
        while result is None and after < len(lines) and lines[after].lstrip().startswith("--"):
            after += 1
        if after > at and (after == len(lines) or not lines[after].strip()):
            result, at = "\n".join(text.strip().removeprefix("--").strip() for text in lines[at:after]), after
        if result is not None:
            expected.append(result)
            pending = [f"\\echo {MARK}", *pending, f"\\echo {MARK}"]
        script += pending
        pending = []
    return "\n".join(script + pending), expected


def normal(result):
    cells = [[cell.strip() for cell in line.split("|")] for line in result.strip().split("\n")]
    return [[{"true": "t", "false": "f"}.get(cell, cell) for cell in row] for row in cells]


def psql(database, sql):
    command = ["psql", "-XqAt", "-F", " | ", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose", "-d", database, "-f", "-"]
    return subprocess.run(command, input=sql, text=True, capture_output=True)


def complaint(database, block):
    """Returns the failure of a block, or nothing."""
    # The extension already exists, for examples that precede the instructions to create it.
    sql = block.sql if block.setup else block.sql.replace("CREATE EXTENSION uuidrfc;", "CREATE EXTENSION IF NOT EXISTS uuidrfc;")
    script, expected = with_marks(sql)
    run = psql(database, script)
    if block.error:
        if run.returncode == 0:
            return "no error"
        if f"ERROR:  {block.error}:" not in run.stderr:
            return f"another error than {block.error}: {run.stderr.strip()}"
        said = re.search(r"^-- (ERROR:  .*)$", block.sql, re.MULTILINE)
        if said and f"{said[1]}\n" not in re.sub(r"(?<=ERROR:  )\w{5}: ", "", run.stderr):
            return f"another message than {said[1]!r}: {run.stderr.strip()}"
        return None
    if run.returncode != 0:
        return run.stderr.strip()
    for said, got in zip(expected, run.stdout.split(MARK + "\n")[1::2], strict=True):
        if normal(said) != normal(got):
            return f"prints {said!r}, gives {got.strip()!r}"
    return None


def check(page):
    """Returns the numbers of blocks that passed and failed."""
    text, database, counts = page.read_text(), "check_docs", [0, 0]
    if text.startswith("<!-- preload -->\n") and "uuidrfc" not in psql("postgres", "SHOW shared_preload_libraries").stdout:
        print(f"{page}: not run: the server does not preload uuidrfc")
        return counts
    for statement in (f"SET client_min_messages = error; DROP DATABASE IF EXISTS {database};", f"CREATE DATABASE {database} TEMPLATE template0;"):
        if (made := psql("postgres", statement)).returncode:
            sys.exit(f"check-docs: {made.stderr.strip()}")
    for block in [Block(0, "CREATE EXTENSION uuidrfc;", setup=True), *blocks(text)]:
        wrong = f"not run: {block.not_run}" if block.not_run else complaint(database, block)
        if wrong:
            print(f"{page}:{block.line}: {wrong}")
        if not block.not_run and (wrong or not block.setup):
            counts[bool(wrong)] += 1
    psql("postgres", f"DROP DATABASE {database};")
    return counts


os.chdir(Path(__file__).parent.parent)
os.environ["PGOPTIONS"] = os.environ.get("PGOPTIONS", "") + " -c TimeZone=UTC -c client_min_messages=warning"
pages = sys.argv[1:] or ["README.md", *sorted(Path("docs").glob("*.md")), "site/llms.txt"]
passed, failed = map(sum, zip(*(check(Path(page)) for page in pages)))
print(f"docs: {passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
