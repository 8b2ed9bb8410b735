#!/usr/bin/env python3
"""The plans of report/rekey.sql: every step stopped and run again, and the way back from each, while sessions write.

  rekey.py [writers] [kinds]    both unless told; libpq's variables say where the server is, which has the extension

  ROWS=5000      accounts of pgbench's schema
  CLIENTS=16     sessions that write
  SEED=...       when steps are stopped

writers: pgbench_accounts gets keys of version 7 in place of numbers, while pgbench writes it and pgbench_history, which refers to
it. Each step is stopped at random and run again; after each step the way back is tried, and the plan begins anew. In the end no
row may be lost, no session may have got an error, each row must refer to the account that it was written for, and each old key
must be in the map. Waits of writers for the plan that take longer than 100 ms are counted for each step.

kinds: each kind of key, with all that may refer to it, to the end and back; and what the plan refuses.
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
ROWS = int(os.environ.get("ROWS") or 5000)
CLIENTS = int(os.environ.get("CLIENTS") or 16)
SEED = int(os.environ.get("SEED") or time.time())
DATABASE = "rekey"
STEPS = ["1_columns", "2_fill", "3_references", "4_indexes", "5_keys", "6_switch"]
failures = []
checks = 0


def check(what, holds):
    global checks
    checks += 1
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}", flush=True)


def start(*arguments, database=DATABASE, name="rekey", **options):
    return subprocess.Popen(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, *arguments], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env={**os.environ, "PGAPPNAME": name}, **options)


def psql(*arguments, fails=False, **options):
    session = start(*arguments, **options)
    out, errors = session.communicate()
    if fails != (session.returncode != 0):
        sys.exit(f"psql {' '.join(arguments)}: {errors or 'no error'}")
    return errors if fails else out.strip()


def query(sql):
    return psql("-c", sql, name="test")


def new_database(*statements):
    psql("-c", "SET client_min_messages = error", "-c", f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)",
         "-c", f"CREATE DATABASE {DATABASE} TEMPLATE template0", database="postgres")
    arguments = [word for statement in ("CREATE EXTENSION uuidrfc", *statements) for word in ("-c", statement)]
    psql("-c", "SET client_min_messages = error", *arguments)


def plan(directory, table, **variables):
    settings = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
    psql("-v", f"table={table}", "-v", f"out={directory}", *settings, "-f", "report/rekey.sql")


def run(directory, step):
    t=time.time()
    psql("-f", f"{directory}/{step}.sql", name=step)
    print(step, round(time.time()-t,1), flush=True)


def stop(directory, step, after):
    """Runs a step, and ends its session after so many seconds unless it has ended by itself."""
    session = start("-f", f"{directory}/{step}.sql", name=step)
    try:
        session.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        query(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{step}'")
        session.communicate()


def shape(*tables):
    """All that the catalogs say of tables."""
    return "\n".join(psql("-c", f"\\d {table}") for table in tables)


WRITER = r"""
\set n random(1, :rows)
\set delta random(-5000, 5000)
\set kind random(1, 4)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE number = :n;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, number)
    SELECT 1, bid, aid, :delta, now(), number FROM pgbench_accounts WHERE number = :n;
\if :kind = 1
WITH account AS (INSERT INTO pgbench_accounts (bid, abalance, number) VALUES (1, 0, nextval('numbers')) RETURNING aid, number)
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, number) SELECT 1, 1, aid, 0, now(), number FROM account;
\elif :kind = 2
UPDATE pgbench_history h SET aid = a.aid, number = a.number, delta = 0 FROM pgbench_accounts a
WHERE a.number = :n AND h.line = (SELECT line FROM pgbench_history WHERE delta = 0 ORDER BY line LIMIT 1 FOR UPDATE SKIP LOCKED);
\elif :kind = 3
UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = 1 + :n % 10;
\endif
END;
"""


def writers():
    random.seed(SEED)
    new_database()
    subprocess.run(["pgbench", "-iq", "--foreign-keys", DATABASE], check=True, capture_output=True)
    query(f"""
        DELETE FROM pgbench_accounts WHERE aid > {ROWS};
        CREATE SEQUENCE aids START 1000000;
        CREATE SEQUENCE numbers START 1000000;
        ALTER TABLE pgbench_accounts ALTER aid SET DEFAULT nextval('aids'), ADD number int UNIQUE,
            ADD created_at timestamptz NOT NULL DEFAULT clock_timestamp();
        UPDATE pgbench_accounts SET number = aid, created_at = timestamptz '2024-01-01' + aid * interval '1 hour';
        ALTER TABLE pgbench_history ADD line bigserial PRIMARY KEY, ADD number int NOT NULL;
        CREATE INDEX ON pgbench_history (delta) WHERE delta = 0;
        CREATE INDEX ON pgbench_history (aid, mtime DESC);
        CREATE TABLE waits (step text, pid int, since timestamptz, PRIMARY KEY (pid, since))""")
    query("VACUUM (FULL, ANALYZE) pgbench_accounts")
    before = shape("pgbench_accounts", "pgbench_history")
    sampler = start("-c", """
        DO $$
        BEGIN
            LOOP
                INSERT INTO waits SELECT plan.application_name, w.pid, w.waitstart FROM pg_locks w JOIN pg_stat_activity a USING (pid),
                    unnest(pg_blocking_pids(pid)) blocker JOIN pg_stat_activity plan ON plan.pid = blocker
                WHERE NOT w.granted AND w.waitstart < clock_timestamp() - interval '100 ms' AND a.application_name = 'pgbench'
                  AND plan.application_name NOT IN ('pgbench', 'test', 'sampler')
                ON CONFLICT DO NOTHING;
                COMMIT;
                PERFORM pg_sleep(0.02);
            END LOOP;
        END $$""", name="sampler")
    with tempfile.TemporaryDirectory() as directory:
        script = f"{directory}/writer.sql"
        with open(script, "w", encoding="utf-8") as file:
            file.write(WRITER)
        pgbench = subprocess.Popen(["pgbench", "-n", "-f", script, "-D", f"rows={ROWS}", "-c", str(CLIENTS), "-j", "2", "-T", "3600", DATABASE],
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PGAPPNAME": "pgbench"})
        for last in range(1, len(STEPS) + 1):
            plan(directory, "pgbench_accounts", time="created_at")
            for step in STEPS[:last]:
                if step == STEPS[last - 1]:
                    for _ in range(2):
                        stop(directory, step, random.uniform(0.05, 0.6))
                if step != "6_switch" or not is_switched():
                    run(directory, step)
            if last == 6:
                check("the keys are uuid", query("SELECT pg_typeof(aid) FROM pgbench_accounts LIMIT 1") == "uuid")
                time.sleep(1)
            stop(directory, "back", random.uniform(0.05, 0.6))
            run(directory, "back")
            after = shape("pgbench_accounts", "pgbench_history")
            check(f"back from {STEPS[last - 1]}: {after}", after == before)
        plan(directory, "pgbench_accounts", time="created_at")
        for step in STEPS:
            run(directory, step)
        time.sleep(1)
        query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sampler'")
        sampler.communicate()
        run(directory, "7_clean")
        # As if its time were over.
        pgbench.send_signal(signal.SIGALRM)
        out, errors = pgbench.communicate(timeout=60)
    written = int(re.search(r"number of transactions actually processed: (\d+)", out)[1])
    check(f"no session got an error: {errors}", "aborted" not in errors and "ERROR" not in errors)
    check(f"no transaction failed: {out}", re.search(r"number of failed transactions: 0 ", out) or "failed" not in out)
    accounts, history, joined, mapped, known, timed = map(int, query(f"""
        SELECT (SELECT count(*) FROM pgbench_accounts), (SELECT count(*) FROM pgbench_history),
               (SELECT count(*) FROM pgbench_history JOIN pgbench_accounts USING (aid, number)),
               (SELECT count(*) FROM pgbench_accounts JOIN pgbench_accounts_keys ON new_id = aid),
               (SELECT count(*) FROM pgbench_accounts JOIN pgbench_accounts_keys ON new_id = aid AND old_id = number),
               (SELECT count(*) FROM pgbench_accounts WHERE uuid_extract_time_us(aid) = created_at AND number <= {ROWS})""").split("|"))
    check(f"{accounts} accounts and {written} transactions, but {history} lines", history == written + accounts - ROWS)
    check(f"{joined} of {history} lines refer to their account", joined == history)
    check(f"{mapped} of {accounts} keys are in the map", mapped == accounts)
    check(f"{known} of {ROWS} old keys lead to their row", known == ROWS)
    check(f"{timed} of {ROWS} old rows have their time in the key", timed == ROWS)
    waits = query("SELECT string_agg(format('%s %s', step, n), ', ') FROM (SELECT step, count(*) AS n FROM waits GROUP BY step ORDER BY step) w")
    print(f"seed {SEED}: {written} transactions; waits of more than 100 ms: {waits or 'none'}")


def is_switched():
    return query("SELECT count(*) FROM pg_attribute WHERE attrelid = 'pgbench_accounts'::regclass AND attname = 'aid_old'") == "1"


if __name__ == "__main__":
    writers()
    print(f"rekey: {checks - len(failures)} passed, {len(failures)} failed")
    sys.exit(bool(failures))
