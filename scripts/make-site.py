#!/usr/bin/env python3
"""Builds a site from the pages, in target/site.

A dead link, a missing picture or a page that the README does not list is an error.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

os.chdir(Path(__file__).resolve().parent.parent)
SITE, PAGES, TOOLS = Path("target/site"), Path("target/site-pages"), Path("target/site-tools")


def tools():
    """Installs mkdocs and its theme, in the versions of site/requirements.txt."""
    wanted, has = Path("site/requirements.txt").read_text(), TOOLS / "requirements.txt"
    if not has.exists() or has.read_text() != wanted:
        shutil.rmtree(TOOLS, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
        subprocess.run([TOOLS / "bin/pip", "install", "--quiet", "--no-deps", "--requirement", "site/requirements.txt"], check=True)
        has.write_text(wanted)


def assemble():
    """Copies the pages and the files to which they link, with their paths in the repository."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree("docs", PAGES / "docs")
    for page in Path().glob("*.md"):
        shutil.copy(page, PAGES)
    for file in ("site/site.css", "site/llms.txt"):
        shutil.copy(file, PAGES)
    for page in [*PAGES.glob("*.md"), *PAGES.glob("docs/*.md")]:
        for target in re.findall(r"\]\(([^)\s#:]+)\)", page.read_text()):
            path = os.path.normpath(page.relative_to(PAGES).parent / target)
            if os.path.isfile(path) and not (PAGES / path).exists():
                (PAGES / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, PAGES / path)


def main():
    tools()
    assemble()
    # mkdocs counts only warnings that it prints, so it must not be quiet.
    made = subprocess.run([TOOLS / "bin/mkdocs", "build", "--strict", "--config-file", "site/mkdocs.yml",
                           "--site-dir", SITE.resolve()], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    if made.returncode:
        sys.exit(re.sub(r"^INFO .*\n", "", made.stdout, flags=re.MULTILINE))
    print(f"==> {len(list(SITE.rglob('*.html')))} pages in {SITE}/index.html; for search: python3 -m http.server --directory {SITE}")


main()
