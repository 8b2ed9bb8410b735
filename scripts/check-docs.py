#!/usr/bin/env python3
"""Runs the SQL examples of the documentation, as they are printed.

  check-docs.py [FILE...]    README.md, docs/*.md and site/llms.txt unless told; libpq's variables say where the server is

The ```sql blocks of a file are run in their order, each in a session, in a database of the file's own that has the
extension and is dropped afterwards; names are found as in any session. Errors and wrong results fail it. A
result that a block prints as a comment must be the statement's: behind the semicolon, or in the lines after it when
nothing else follows before the next empty line. The word true stands for t, and white space around | is none.

In the file, not seen by readers:
  <!-- setup            statements to be run at this place, up to the line -->
  <!-- error: 2BP01 --> the next block must end with this SQLSTATE, or without one named, with any error, and with the message
                        that it prints, if a line of it begins with "-- ERROR:  "
  <!-- not run: why --> the next block is for another server or extension
  <!-- preload -->      first in a file: its blocks are run on a server that preloads uuidrfc, in scope server, and on no other.
                        The server test `horizon` has one
"""
import glob
import os
import re
import subprocess
import sys
from dataclasses import dataclass

FENCE = re.compile(r"^( *)```(\w*) *$")
MARK = "check-docs: result"


@dataclass
class Block:
    file: str
    line: int
    sql: str
    error: str | None = None  # SQLSTATE, or "any"
    not_run: str | None = None
    setup: bool = False


def blocks(file):
    """The SQL of a file: its sql blocks and its setup comments."""
    with open(file, encoding="utf-8") as source:
        lines = source.read().split("\n")
    found, error, not_run, at = [], None, None, 0
    while at < len(lines):
        line = lines[at]
        if re.match(r"^ *<!-- setup$", line):
            end = lines.index("-->", at)
            found.append(Block(file, at + 2, "\n".join(lines[at + 1 : end]), setup=True))
            at = end
        elif mark := re.match(r"^ *<!-- error(?:: *(\w{5}))? -->$", line):
            error = mark[1] or "any"
        elif mark := re.match(r"^ *<!-- not run: (.*\S) *-->$", line):
            not_run = mark[1]
        elif fence := FENCE.match(line):
            indent, language = fence.groups()
            end = lines.index(indent + "```", at + 1)
            if language == "sql":
                sql = "\n".join(text.removeprefix(indent) for text in lines[at + 1 : end])
                found.append(Block(file, at + 2, sql, error, not_run))
            error = not_run = None
            at = end
        at += 1
    return found


def with_marks(sql):
    """The block with a mark around each statement whose result it prints, and those results."""
    script, expected, pending, lines = [], [], [], sql.split("\n")

    def flush(result):
        if result is None:
            script.extend(pending)
        else:
            expected.append(result)
            script.extend([f"\\echo {MARK}", *pending, f"\\echo {MARK}"])
        pending.clear()

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
        if result is None:
            while after < len(lines) and lines[after].lstrip().startswith("--"):
                after += 1
            comments = [text.strip().removeprefix("--").strip() for text in lines[at:after]]
            if comments and (after == len(lines) or not lines[after].strip()):
                result, at = "\n".join(comments), after
        flush(result)
    flush(None)
    return "\n".join(script), expected


def normal(result):
    cells = [[cell.strip() for cell in line.split("|")] for line in result.strip().split("\n")]
    return [[{"true": "t", "false": "f"}.get(cell, cell) for cell in row] for row in cells]


def psql(database, sql):
    return subprocess.run(
        ["psql", "-XqAt", "-F", " | ", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose", "-d", database, "-f", "-"],
        input=sql,
        text=True,
        capture_output=True,
    )


def complaint(database, block):
    """What is wrong with a block, or nothing."""
    # The extension is there from the beginning, for the examples that come before a page says how to create it.
    sql = block.sql if block.setup else block.sql.replace("CREATE EXTENSION uuidrfc;", "CREATE EXTENSION IF NOT EXISTS uuidrfc;")
    script, expected = with_marks(sql)
    run = psql(database, script)
    if block.error:
        if run.returncode == 0:
            return "no error"
        if block.error != "any" and f"ERROR:  {block.error}:" not in run.stderr:
            return f"another error than {block.error}: {run.stderr.strip()}"
        said = re.search(r"^-- (ERROR:  .*)$", block.sql, re.MULTILINE)
        shown = re.sub(r"(?<=ERROR:  )\w{5}: ", "", run.stderr).split("\n")
        if said and not any(line.endswith(said[1]) for line in shown):
            return f"another message than {said[1]!r}: {run.stderr.strip()}"
        return None
    if run.returncode != 0:
        return run.stderr.strip()
    results = run.stdout.split(MARK + "\n")[1::2]
    for said, got in zip(expected, results, strict=True):
        if normal(said) != normal(got):
            return f"prints {said!r}, gives {got.strip()!r}"
    return None


def lacks_preload(file):
    with open(file, encoding="utf-8") as source:
        if source.readline() != "<!-- preload -->\n":
            return False
    return "uuidrfc" not in psql("postgres", "SHOW shared_preload_libraries").stdout


def check(file):
    passed = failed = not_run = 0
    database = "check_docs"
    todo = blocks(file)
    if lacks_preload(file):
        print(f"{file}: not run: the server does not preload uuidrfc")
        return 0, 0, len(todo)
    psql("postgres", f"SET client_min_messages = error; DROP DATABASE IF EXISTS {database};")
    made = psql("postgres", f"CREATE DATABASE {database} TEMPLATE template0;")
    if made.returncode != 0:
        sys.exit(f"check-docs: {made.stderr.strip()}")
    todo.insert(0, Block(file, 0, "CREATE EXTENSION uuidrfc;", setup=True))
    for block in todo:
        if block.not_run:
            not_run += 1
            print(f"{block.file}:{block.line}: not run: {block.not_run}")
            continue
        wrong = complaint(database, block)
        if wrong:
            failed += 1
            print(f"{block.file}:{block.line}: {wrong}")
        elif not block.setup:
            passed += 1
    psql("postgres", f"DROP DATABASE {database};")
    return passed, failed, not_run


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    os.environ["PGOPTIONS"] = os.environ.get("PGOPTIONS", "") + " -c TimeZone=UTC -c client_min_messages=warning"
    known = ["README.md", *sorted(glob.glob("docs/*.md")), "site/llms.txt"]
    files = sys.argv[1:] or [file for file in known if os.path.exists(file)]
    passed = failed = not_run = 0
    for file in files:
        counts = check(file)
        passed, failed, not_run = passed + counts[0], failed + counts[1], not_run + counts[2]
    if not_run:
        print(f"docs: {not_run} not run")
    print(f"docs: {passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
