#!/usr/bin/python3
"""Measures how the order of keys affects a btree index, and writes the tables and charts of docs/locality.md.

One table (id, created) after another, each with another kind of key, grows batch by batch until its index is several times as
large as the server's memory. A row's time is drawn evenly from its share of one year, so that keys with a time ascend as in real
use. libpq's variables name the server, which this program configures and restarts (make bench-locality).

  ROWS=800000          rows in each table at the end
  BATCH=50000          rows of each INSERT, which follows a checkpoint
  SHARED_BUFFERS=8MB   the server's setting
  MEMORY=...MB         memory for the whole server and the operating system's cache of its files, if a control group limits it
"""
import os
import shutil
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import matplotlib
import psycopg2
from matplotlib import ticker
from matplotlib.figure import Figure

os.chdir(Path(__file__).resolve().parent.parent)

BATCH = int(os.environ.get("BATCH") or 50_000)
ROWS = int(os.environ.get("ROWS") or 800_000)
# The rows in each table up to which its index fits in shared_buffers.
FIT_ROWS = 2 * BATCH
SHARED_BUFFERS = os.environ.get("SHARED_BUFFERS") or "8MB"
OUT = Path("target/locality")

# The year of the rows, in seconds, begins at 2025-01-01 00:00:00 UTC.
YEAR_START = 1_735_689_600
DAY = 86_400
YEAR = 365 * DAY

# A kind of key: the type of its column; the columns of the unique index; and the key of a row with time t, in SQL.
Kind = namedtuple("Kind", "name column index key")
VERSION_1 = "uuid_v6_to_v1(uuidv6_at(t))"
TENTH_VERSION_4 = "CASE WHEN i % 10 = 0 THEN uuidv4() ELSE uuidv7_at(t) END"
KINDS = [
    Kind("bigint identity", "bigint GENERATED ALWAYS AS IDENTITY", "id", None),
    Kind("v4", "uuid", "id", "uuidv4()"),
    Kind("v1, core's class", "uuid", "id", VERSION_1),
    Kind("v1, uuid_time_ops", "uuid", "id uuid_time_ops", VERSION_1),
    Kind("v6", "uuid", "id", "uuidv6_at(t)"),
    Kind("v7", "uuid", "id", "uuidv7_at(t)"),
    Kind("v7 + 10 % v4", "uuid", "id", TENTH_VERSION_4),
    Kind("v7 + 10 % v4, uuid_time_ops", "uuid", "id uuid_time_ops", TENTH_VERSION_4),
]

# A Batch has the rate and the costs per row of a batch. A Measurement has the batches of a kind of key, their means while the
# index fits and in the last fifth, and the Index at the end.
Batch = namedtuple("Batch", "rows index_size rate wal images read dirtied")
Index = namedtuple("Index", "size density fragmentation")
Measurement = namedtuple("Measurement", "name batches early late index")


class Session:
    """A connection in autocommit mode."""

    def __enter__(self):
        self.connection = psycopg2.connect("")
        self.connection.autocommit = True
        return self

    def __exit__(self, *_):
        self.connection.close()

    def run(self, sql, *arguments):
        (cursor := self.connection.cursor()).execute(sql, arguments or None)
        return cursor.fetchall() if cursor.description else []

    def explain(self, sql):
        """Returns the plan's top node, whose counts include those of the nodes below, and the milliseconds of the execution."""
        [[[plan]]] = self.run(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT json) {sql}")
        return plan["Plan"], plan["Execution Time"]


class Server:
    """The server. The operating system must not cache its files, because that would hide the cost of having little memory."""

    def __init__(self):
        self.group = None
        settings = {"shared_buffers": SHARED_BUFFERS, "effective_cache_size": SHARED_BUFFERS, "autovacuum": "off",
                    "fsync": "on", "max_wal_size": "16GB", "checkpoint_timeout": "1h", "jit": "off",
                    "synchronize_seqscans": "off", "max_parallel_workers_per_gather": "0"}
        with Session() as session:
            [[self.version]] = session.run("SELECT split_part(version(), ' on ', 1)")
            if session.connection.server_version >= 160000:
                settings["debug_io_direct"] = "data"
                self.memory = "data files bypassed the operating system's cache (`debug_io_direct = data`)"
            else:
                # A server needs memory in addition to shared buffers, for structures that grow with them and for caches.
                limit = os.environ.get("MEMORY") or session.run(
                    "SELECT (pg_size_bytes(%s) * 17 / 16 >> 20) + 24 || 'MB'", SHARED_BUFFERS)[0][0]
                self.memory = self.limit_memory(int(limit.removesuffix("MB")))
            for name, value in settings.items():
                session.run(f"ALTER SYSTEM SET {name} = %s", value)
            for extension in "uuidrfc", "pgstattuple", "pg_walinspect":
                session.run(f"CREATE EXTENSION {extension}")
        self.restart()

    def limit_memory(self, megabytes):
        """Limits the server's memory by a control group, which needs root, and returns a description of the limit or its lack."""
        for parent, file in ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"):
            group = Path(parent, f"uuidrfc-locality-{os.getpid()}")
            try:
                group.mkdir()
                self.group = group
                with open(group / file, "r+", encoding="ascii") as limit:
                    limit.write(str(megabytes << 20))
                return f"the server with the operating system's cache of its files limited to {megabytes} MB by a control group"
            except OSError:
                self.remove_group()
        return ("the operating system caches files in the machine's whole memory, which hides what is measured here: take "
                "PostgreSQL 16 or later, or root")

    def remove_group(self):
        if self.group:
            self.group.rmdir()
        self.group = None

    def join_group(self):
        if self.group:
            (self.group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    def restart(self, while_stopped=lambda: None):
        control = ["scripts/private-postgres", "control", shutil.which("pg_config"), os.environ["SERVER_DATA"]]
        subprocess.run([*control, "-m", "fast", "stop"], check=True)
        while_stopped()
        subprocess.run([*control, "-l", os.environ["SERVER_LOG"], "start"], check=True, preexec_fn=self.join_group)


def measure(kind):
    """Measures one kind of key, in a table that is dropped afterwards."""
    print(f"\n==> {kind.name}", flush=True)
    with Session() as session:
        session.run(f"CREATE TABLE keys (id {kind.column} NOT NULL, created timestamptz NOT NULL)")
        session.run(f"CREATE UNIQUE INDEX keys_id ON keys ({kind.index})")
    batches = []
    for last in range(BATCH, ROWS + 1, BATCH):
        with Session() as session:
            batch = insert(kind, session, last)
        print(f"    {last:>10} rows, index {batch.index_size >> 20:>4} MB: {batch.rate:>8.0f} rows/s, "
              f"{batch.wal:>4.0f} + {batch.images:>4.0f} B of WAL and {batch.read:.3f} pages read a row", flush=True)
        batches.append(batch)
    with Session() as session:
        [index] = session.run("SELECT pg_relation_size('keys_id'), avg_leaf_density, leaf_fragmentation FROM pgstatindex('keys_id')")
        session.run("DROP TABLE keys")
    early, late = mean(batches[:FIT_ROWS // BATCH]), mean(batches[len(batches) * 4 // 5:])
    return Measurement(kind.name, batches, early, late, Index(*index))


def insert(kind, session, last):
    """Inserts the batch that ends with row `last`."""
    columns, values = ("id, created", f"{kind.key}, t") if kind.key else ("created", "t")
    # After a checkpoint, the batch writes a full-page image of each page that it changes.
    session.run("CHECKPOINT")
    [[before]] = session.run("SELECT pg_current_wal_insert_lsn()")
    start = time.monotonic()
    node, _ = session.explain(f"""
        INSERT INTO keys ({columns}) SELECT {values} FROM (
            SELECT i, to_timestamp({YEAR_START}) + (i - random()) / {ROWS} * interval '{YEAR} seconds' AS t
            FROM generate_series({last - BATCH + 1}, {last}) i OFFSET 0) times""")
    seconds = time.monotonic() - start
    [[wal, images, size]] = session.run("""
        SELECT sum(record_size)::float8, sum(fpi_size)::float8, pg_relation_size('keys_id')
        FROM pg_get_wal_stats(%s, pg_current_wal_flush_lsn(), false)""", before)
    return Batch(last, size, BATCH / seconds, wal / BATCH, images / BATCH,
                 node["Shared Read Blocks"] / BATCH, node["Shared Dirtied Blocks"] / BATCH)


def mean(batches):
    """Returns the mean rate and costs of batches of the same size."""
    costs = (sum(values) / len(batches) for values in zip(*(batch[3:] for batch in batches)))
    return Batch(None, None, len(batches) / sum(1 / batch.rate for batch in batches), *costs)


def table(heading, rows):
    return "\n".join([f"| {heading} |", "|---" + "|---:" * heading.count("|") + "|", *(f"| {' | '.join(row)} |" for row in rows)])


def summary(measurements):
    """Yields the main results as sentences."""
    def ratio(value):
        return f"{value:.{0 if value >= 10 else 1}f}"
    named = {measurement.name: measurement for measurement in measurements}
    for one, other in (("v7", "v4"), ("v1, uuid_time_ops", "v1, core's class"), ("v6", "v1, core's class"),
                       ("v7 + 10 % v4, uuid_time_ops", "v7 + 10 % v4")):
        a, b = named[one], named[other]
        wal = (a.late.wal + a.late.images) / (b.late.wal + b.late.images)
        early, late = ratio(a.early.rate / b.early.rate), ratio(a.late.rate / b.late.rate)
        yield (f"- **{one} compared with {other}:** {early} times the rows per second while the index fits in memory, and "
               f"**{late} times** once the index has outgrown it; {100 * wal:.0f} % of the WAL and "
               f"{100 * a.index.size / b.index.size:.0f} % of the index.")


def results(measurements):
    """Returns the summary and the tables in Markdown."""
    inserting = table("key | rows/s, fits | rows/s, outgrown | WAL B | image B | pages read | pages dirtied", [
        [m.name, f"{m.early.rate:,.0f}", f"{m.late.rate:,.0f}", f"{m.late.wal:.0f}", f"{m.late.images:.0f}", f"{m.late.read:.3f}",
         f"{m.late.dirtied:.3f}"] for m in measurements])
    index = table("key | bytes a row | size, MB | leaf density, % | leaf fragmentation, %", [
        [m.name, *(f"{value:.1f}" for value in (m.index.size / ROWS, m.index.size / (1 << 20), m.index.density, m.index.fragmentation))]
        for m in measurements])
    return "\n".join([*summary(measurements), "", inserting, "", index, ""])


# A chart of a cost by the number of rows in the table.
Chart = namedtuple("Chart", "file title unit value scale")
CHARTS = [
    Chart("locality-rate.svg", "Rows inserted per second", "rows per second", lambda b: b.rate, "log"),
    Chart("locality-wal.svg", "WAL per inserted row", "bytes, full-page images included", lambda b: b.wal + b.images, "linear"),
    Chart("locality-reads.svg", "Pages read to insert a row", "pages read into shared buffers", lambda b: b.read, "linear"),
]
# Colors that differ on a dark page, and the colors of the kinds of key, which are legible on light and dark pages.
PAPER, INK, RULE = "#ffffff", "#1f2328", "#d1d9e0"
ON_DARK = {PAPER: "#0d1117", INK: "#e6edf3", RULE: "#3d444d"}
COLOURS = ["#828b96", "#e0413a", "#d6821f", "#2ca04e", "#149ca8", "#2f7de8", "#9a63e0", "#d94fa0"]


def draw(chart, measurements, server):
    figure = Figure(figsize=(9, 4.2), facecolor=PAPER)
    figure.text(0.022, 0.935, chart.title, fontsize=13)
    figure.text(0.022, 0.875, f"{chart.unit}; {server.version}, shared_buffers = {SHARED_BUFFERS}")
    axes = figure.add_axes([0.085, 0.13, 0.63, 0.7], facecolor="none", yscale=chart.scale, xlabel="rows in the table, millions")
    for measurement, colour in zip(measurements, COLOURS):
        axes.plot([batch.rows / 1e6 for batch in measurement.batches], [chart.value(batch) for batch in measurement.batches],
                  color=colour, label=measurement.name)
    axes.set_xlim(0, ROWS / 1e6)
    if chart.scale == "log":
        axes.yaxis.set(major_formatter=ticker.EngFormatter(), minor_formatter=ticker.NullFormatter())
    else:
        axes.set_ylim(0)
    axes.grid(axis="y", color=RULE)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="upper left", bbox_to_anchor=(0.72, 0.85), handlelength=1.6, frameon=False)
    figure.savefig(OUT / chart.file, metadata={"Date": None})
    style = "".join(f'[style*="{what}: {light}"] {{ {what}: {dark} !important }} '
                    for light, dark in ON_DARK.items() for what in ("fill", "stroke"))
    svg = (OUT / chart.file).read_text(encoding="utf-8")
    (OUT / chart.file).write_text(svg.replace(
        " <defs>", f" <style>@media (prefers-color-scheme: dark) {{ {style}}}</style>\n <defs>", 1), encoding="utf-8")


def main():
    if ROWS % BATCH or FIT_ROWS > ROWS:
        sys.exit("locality: ROWS must be a multiple of BATCH, and at least twice as large")
    begin = time.monotonic()
    server = Server()
    try:
        print(f"==> {server.version}; {server.memory}", flush=True)
        measurements = [measure(kind) for kind in KINDS]
    finally:  # The control group can be removed only while no process is in it.
        server.restart(server.remove_group)
    OUT.mkdir(parents=True, exist_ok=True)
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "locality", "font.size": 9.5, "text.color": INK,
                                "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK})
    for chart in CHARTS:
        draw(chart, measurements, server)
    (OUT / "locality.md").write_text(results(measurements), encoding="utf-8")
    print(f"==> {OUT / 'locality.md'}, with charts beside it, in {-(-(time.monotonic() - begin) // 60):.0f} minutes")


if __name__ == "__main__":
    main()
