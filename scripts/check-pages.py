#!/usr/bin/env python3
"""Checks the Markdown pages: check-pages.py

Links within the repository must lead to a file, and to a heading in it. In CONTRIBUTING.md and docs/testing.md, named files and
make targets must exist; a part in capitals matches any name, as in expected/NAME_1.out. Prose is at most 132 columns wide. The
README lists every page.

A block after <!-- from FILE... --> is quoted from those files: each of its pieces, between empty lines, occurs verbatim in one
of them, except for the indentation. In a block without a language, which shows messages, each line occurs in one of them. In
docs/clients.md, every block except those of SQL is quoted.
"""
import fnmatch
import glob
import os
import re
import sys
import textwrap

WIDTH = 132
PAGES = sorted([*glob.glob("*.md"), *glob.glob("docs/*.md")])
TAKEN_FROM_PROGRAMS = {"docs/clients.md"}
NAMES_FILES = {"CONTRIBUTING.md", "docs/testing.md"}
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchors(path):
    """Returns the headings of a page as fragments of a URL, by the rules of GitHub and GitLab."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", read(path)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, fragment = target.partition("#")
        if "://" in target:
            continue
        file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(file):
            yield f"{page}: {target}: no such file"
        elif fragment and fragment not in anchors(file):
            yield f"{page}: {target}: no such heading"


def paths():
    """Yields every file and directory as /PATH."""
    for directory, below, files in os.walk("."):
        below[:] = [name for name in below if name not in (".git", "target")]
        yield from (f"{directory[1:]}/{name}" for name in [*below, *files])


def names(page, text):
    targets = re.findall(r"^([a-z][\w%-]*):", read("Makefile"), re.MULTILINE)
    targets = [re.compile(target.replace("%", ".+")) for target in targets]
    known_paths = list(paths())
    for span in re.findall(r"`([^`]+)`", text):
        if span.startswith("make "):
            target = span.split()[1]
            if not any(known.fullmatch(target) for known in targets):
                yield f"{page}: {span}: no such target"
            continue
        for word in (word.strip("$()") for word in span.split()):
            if "/" not in word or word.startswith(("target/", "//")):
                continue
            pattern = "*/" + re.sub(r"[A-Z]{4,}", "*", word).rstrip("/")
            if not any(fnmatch.fnmatch(path, pattern) or path.endswith("/" + word) for path in known_paths):
                yield f"{page}: {word}: no such file"


def contains_lines(text, piece):
    """Returns whether the text contains the lines of the piece, except for the indentation."""
    wanted, lines = textwrap.dedent(piece).split("\n"), text.split("\n")
    starts = (at for at, line in enumerate(lines) if line.strip() == wanted[0].strip())
    return any(textwrap.dedent("\n".join(lines[at : at + len(wanted)])) == "\n".join(wanted) for at in starts)


def taken(page, text):
    for mark, language, block in re.findall(r"^(?:<!-- from ([^\n]*) -->\n)?```(\w*)\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL):
        if not mark:
            if page in TAKEN_FROM_PROGRAMS and language != "sql":
                yield f"{page}: from nowhere: {block}"
            continue
        files = [read(path) for path in mark.split()]
        for piece in re.split(r"\n\n+", block) if language else block.split("\n"):
            if not any(contains_lines(file, piece) if language else piece in file for file in files):
                yield f"{page}: not in {mark}:\n{piece}"


def widths(page, lines):
    for number, line in enumerate(lines, 1):
        if len(line) > WIDTH and not line.startswith("|"):
            yield f"{page}:{number}: {len(line)} columns, more than {WIDTH}"


def unlisted():
    """Yields pages that are missing from the README's list, which determines the order of the site."""
    listed = set(re.findall(r"\]\(([^)#]+\.md)\)", read("README.md").partition("\n## Pages\n")[2]))
    yield from (f"{page}: not in the README's list" for page in PAGES if page not in {"README.md", *listed})


os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
wrong = []
for page in PAGES:
    wrong += taken(page, read(page))
    prose = FENCE.sub(lambda block: "\n" * block[0].count("\n"), read(page))
    wrong += links(page, prose)
    if page in NAMES_FILES:
        wrong += names(page, prose)
    wrong += widths(page, prose.split("\n"))
wrong += unlisted()
print(*wrong, sep="\n", end="\n" if wrong else "")
print(f"pages: {len(PAGES)} checked, {len(wrong)} faults")
sys.exit(bool(wrong))
