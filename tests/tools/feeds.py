#!/usr/bin/env python3
"""Tests whether tools that copy by a cursor column read feeds correctly: feeds.py, run by `make tools-test`.

The server that libpq's variables name preloads the library and listens on 127.0.0.1. tap-postgres (Meltano) and dbt, which pip
installs into target/tools/feeds, each copy twice with the settings of docs/feed-consumers.md: once while a transaction with an
earlier key is open, and once after its commit. From the view with the horizon, they copy each row; from the table itself, they
lose one.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

TOOLS = Path("target/tools/feeds").absolute()
PACKAGES = ["meltanolabs-tap-postgres==0.10.0", "dbt-core==1.9.*", "dbt-postgres==1.9.*"]
DATABASE = "feed_tools"
PAGES = "".join(Path(page).read_text(encoding="utf-8") for page in ("docs/feeds.md", "docs/feed-consumers.md"))
SERVER = {"host": "127.0.0.1", "port": int(os.environ["PGPORT"]), "user": os.environ.get("PGUSER", "postgres"), "password": "none"}


def block(language, begins):
    """Returns the first block of a language with the text `begins`."""
    return next(text for text in re.findall(rf"^```{language}\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL) if begins in text)


def psql(*statements, database=DATABASE):
    command = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, *(f"--command={one}" for one in statements)]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


class OpenTransaction:
    """A transaction that has generated a key and commits at the end."""

    def __enter__(self):
        self.session = subprocess.Popen(["psql", "-XqAt", "-d", DATABASE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.session.stdin.write("BEGIN; INSERT INTO doc (id, body) VALUES (1, 'late'); SELECT 'made';\n")
        self.session.stdin.flush()
        assert self.session.stdout.readline() == "made\n"
        psql("INSERT INTO doc (id, body) VALUES (2, 'soon')")

    def __exit__(self, *_):
        self.session.communicate("COMMIT;\n")


def tap_postgres(relation, directory):
    """Runs the tap on a view or table, and stores its state as Meltano does."""
    config, catalog, state = (directory / f"{name}.json" for name in ("config", "catalog", "state"))
    config.write_text(json.dumps({**SERVER, "database": DATABASE, "filter_schemas": ["public"], "stream_maps": {}}))
    tap = [TOOLS / "bin/tap-postgres", "--config", config]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    streams = json.loads(subprocess.run([*tap, "--discover"], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment).stdout)
    # These are `replication-method` and `replication-key` in Meltano's metadata.
    chosen = next(stream for stream in streams["streams"] if stream["tap_stream_id"] == f"public-{relation}")
    chosen.update({"replication_key": "changed", "replication_method": "INCREMENTAL", "selected": True})
    for entry in chosen["metadata"]:
        if not entry["breadcrumb"]:
            entry["metadata"].update({"replication-key": "changed", "replication-method": "INCREMENTAL", "selected": True})
    catalog.write_text(json.dumps({"streams": [chosen]}))
    arguments = ["--catalog", catalog, *(["--state", state] if state.exists() else [])]
    run = subprocess.run([*tap, *arguments], text=True, capture_output=True, env=environment, check=False)
    assert run.returncode == 0, run.stderr[-3000:]
    messages = [json.loads(line) for line in run.stdout.splitlines()]
    state.write_text(json.dumps([message["value"] for message in messages if message["type"] == "STATE"][-1]))
    return {message["record"]["id"] for message in messages if message["type"] == "RECORD"}


def dbt(relation, directory):
    """Builds the page's incremental model from a view or table."""
    (directory / "models").mkdir(exist_ok=True)
    (directory / "models/doc_copy.sql").write_text(block("sql", "materialized='incremental'").replace("doc_feed", relation))
    (directory / "models/sources.yml").write_text(f"sources:\n  - name: app\n    schema: public\n    tables:\n      - name: {relation}\n")
    (directory / "dbt_project.yml").write_text("name: feeds\nprofile: feeds\n")
    target = {"type": "postgres", "dbname": DATABASE, "schema": f"copy_of_{relation}", "threads": 1, **SERVER}
    (directory / "profiles.yml").write_text(json.dumps({"feeds": {"target": "here", "outputs": {"here": target}}}))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    run = subprocess.run([TOOLS / "bin/dbt", "run", "--project-dir", ".", "--profiles-dir", "."], cwd=directory, text=True, capture_output=True, env=environment, check=False)
    assert run.returncode == 0, run.stdout[-3000:]
    return {int(row) for row in psql(f"SELECT id FROM copy_of_{relation}.doc_copy").split()}


def main():
    if not (TOOLS / "bin/dbt").exists():
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
        subprocess.run([TOOLS / "bin/pip", "install", "--quiet", *PACKAGES], check=True)
    passed = failed = 0
    for tool in tap_postgres, dbt:
        for relation, expected in ("doc_feed", {1, 2}), ("doc", {2}):
            psql(f"DROP DATABASE IF EXISTS {DATABASE}", f"CREATE DATABASE {DATABASE}", database="postgres")
            psql("CREATE EXTENSION uuidrfc", block("sql", "CREATE TABLE doc (id"), block("sql", "CREATE VIEW doc_feed"))
            directory = Path(f"target/tools/runs/{tool.__name__}-{relation}").absolute()
            subprocess.run(["rm", "-rf", directory], check=True)
            directory.mkdir(parents=True)
            with OpenTransaction():
                got = tool(relation, directory)
            got |= tool(relation, directory)
            is_right = got == expected
            passed, failed = passed + is_right, failed + (not is_right)
            print(f"{tool.__name__} from {relation}: rows {sorted(got)} of [1, 2]{'' if is_right else ', FAILED'}", flush=True)
    print(f"tools: {passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
