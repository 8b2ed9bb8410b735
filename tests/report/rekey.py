#!/usr/bin/env python3
"""Tests the plans of report/rekey.sql: every step is interrupted and run again, and reverted, while sessions write.

  rekey.py [writers] [kinds]    both by default; libpq's variables name the server. If it does not have the extension, the
                                pure-SQL edition is used where possible

  ROWS=5000      accounts of pgbench's schema
  CLIENTS=16     sessions that write
  RATE=400       transactions a second
  SEED=...       seed of the times of interruptions

writers: pgbench_accounts gets version 7 keys in place of numbers, while pgbench writes to it and to pgbench_history, which
references it. Each step is interrupted at a random time and run again; after each step, the plan is reverted and started again.
In the end, no row may be lost, no session may have received an error, each row must reference the account for which it was
written, and each old key must be in the map. No step before the switch may hold an ACCESS EXCLUSIVE lock on a table for more
than 100 ms twice, not counting the time in which it waits for a processor. For each step, the test counts how often writers waited
for the plan for more than 100 ms, which also depends on the load of the machine.

kinds: the plan for each kind of key, with all kinds of references, is run to the end and reverted, and so is that for a
composite key. Tables for which no plan is possible are refused.
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
RATE = int(os.environ.get("RATE") or 400)
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


def start(*arguments, database=DATABASE, name="rekey", role="none"):
    return subprocess.Popen(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, *arguments], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env={**os.environ, "PGAPPNAME": name, "PGOPTIONS": f"-c role={role}"})


def psql(*arguments, fails=False, **options):
    session = start(*arguments, **options)
    out, errors = session.communicate()
    if fails != (session.returncode != 0):
        sys.exit(f"psql {' '.join(arguments)}: {errors or 'no error'}")
    return errors if fails else out.strip()


def query(sql, role="none"):
    return psql("-c", sql, name="test", role=role)


def new_database(*statements, role="none"):
    psql("-c", "SET client_min_messages = error", "-c", f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)",
         "-c", f"CREATE DATABASE {DATABASE} TEMPLATE template0", database="postgres")
    psql("-1", "-c", "SET search_path = public", *(["-c", "CREATE EXTENSION uuidrfc"] if HAS_EXTENSION else ["-f", "portable/uuidrfc.sql"]))
    query("GRANT CREATE ON SCHEMA public TO PUBLIC")
    psql("-c", "SET client_min_messages = error", *(word for statement in statements for word in ("-c", statement)), role=role)


HAS_EXTENSION = psql("-c", "SELECT count(*) FROM pg_available_extensions WHERE name = 'uuidrfc'", database="postgres") == "1"


def plan(directory, table, role="none", **variables):
    settings = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
    psql("-v", f"table={table}", "-v", f"out={directory}", *settings, "-f", "report/rekey.sql", role=role)


def run(directory, step, role="none"):
    psql("-f", f"{directory}/{step}.sql", name=step, role=role)


def stop(directory, step):
    """Runs a step, ends its session at a random time, and returns whether that was before the end of the step."""
    stopper = start("-c", f"""
        DO $$
        DECLARE
            until timestamptz := clock_timestamp() + interval '1 s';
        BEGIN
            WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '{step}') AND clock_timestamp() < until LOOP
                PERFORM pg_sleep(0.001), pg_stat_clear_snapshot();
            END LOOP;
            PERFORM pg_sleep({random.expovariate(20)}), pg_stat_clear_snapshot();
            PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{step}';
        END $$""", name="stopper")
    stopped = "terminating connection" in start("-f", f"{directory}/{step}.sql", name=step).communicate()[1]
    stopper.communicate()
    return stopped


def shape(*tables):
    """Returns the definitions of tables from the catalogs."""
    return "\n".join(psql("-c", f"\\d {table}") for table in tables)


WRITER = r"""
\set n random(1, :rows)
\set delta random(-5000, 5000)
\set kind random(1, 4)
\set back random(1, 1000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE number = :n;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, number)
    SELECT 1, bid, aid, :delta, now(), number FROM pgbench_accounts WHERE number = :n;
\if :kind = 1
WITH account AS (INSERT INTO pgbench_accounts (bid, abalance, number) VALUES (1, 0, nextval('numbers')) RETURNING aid, number)
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, number) SELECT 1, 1, aid, 0, now(), number FROM account;
\elif :kind = 2
UPDATE pgbench_history h SET aid = a.aid, number = a.number FROM pgbench_accounts a
WHERE a.number = :n AND h.line = (SELECT line FROM pgbench_history ORDER BY line DESC OFFSET :back LIMIT 1 FOR UPDATE SKIP LOCKED);
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
        CREATE TABLE waits (step text, pid int, since timestamptz, PRIMARY KEY (pid, since));
        CREATE TABLE holds (step text, transaction text PRIMARY KEY, begun timestamptz, ready bigint, took interval, ready_took bigint)""")
    query("VACUUM (FULL, ANALYZE) pgbench_accounts")
    before = shape("pgbench_accounts", "pgbench_history")
    stops = 0
    sampler = start("-c", """
        DO $$
        BEGIN
            LOOP
                INSERT INTO waits SELECT plan.application_name, w.pid, w.waitstart FROM pg_locks w JOIN pg_stat_activity a USING (pid),
                    unnest(pg_blocking_pids(pid)) blocker JOIN pg_stat_activity plan ON plan.pid = blocker
                WHERE NOT w.granted AND w.waitstart < clock_timestamp() - interval '100 ms' AND a.application_name = 'pgbench'
                  AND plan.application_name NOT IN ('pgbench', 'test', 'sampler', 'stopper')
                ON CONFLICT DO NOTHING;
                BEGIN
                    INSERT INTO holds AS h
                    SELECT DISTINCT ON (virtualtransaction) application_name, virtualtransaction, clock_timestamp(), ready, '0', 0
                    FROM pg_locks l JOIN pg_stat_activity a USING (pid),
                        coalesce(split_part(pg_read_file(format('/proc/%s/schedstat', pid), 0, 100, true), ' ', 2)::bigint, 0) ready
                    WHERE granted AND mode = 'AccessExclusiveLock' AND application_name ~ '^[1-5]_'
                      AND relation IN ('pgbench_accounts'::regclass, 'pgbench_history'::regclass)
                    ON CONFLICT (transaction) DO UPDATE SET took = EXCLUDED.begun - h.begun, ready_took = EXCLUDED.ready - h.ready;
                EXCEPTION WHEN OTHERS THEN
                    NULL; -- The process has ended since it was found.
                END;
                COMMIT;
                PERFORM pg_sleep(0.02);
            END LOOP;
        END $$""", name="sampler")
    with tempfile.TemporaryDirectory() as directory:
        script = f"{directory}/writer.sql"
        with open(script, "w", encoding="utf-8") as file:
            file.write(WRITER)
        pgbench = subprocess.Popen(["pgbench", "-n", "-f", script, "-D", f"rows={ROWS}", "-c", str(CLIENTS), "-j", "2", "-T", "3600",
                                    "-R", str(RATE), DATABASE],
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PGAPPNAME": "pgbench"})
        for last in range(1, len(STEPS) + 1):
            plan(directory, "pgbench_accounts", time="created_at")
            for step in STEPS[:last]:
                if step == STEPS[last - 1]:
                    for _ in range(2):
                        stops += stop(directory, step)
                if step != "6_switch" or not is_switched():
                    run(directory, step)
            if last == 6:
                check("the keys are uuid", query("SELECT pg_typeof(aid) FROM pgbench_accounts LIMIT 1") == "uuid")
                time.sleep(1)
            stops += stop(directory, "back")
            run(directory, "back")
            after = shape("pgbench_accounts", "pgbench_history")
            check(f"back from {STEPS[last - 1]}: {after}", after == before)
        plan(directory, "pgbench_accounts", time="created_at")
        for step in STEPS:
            run(directory, step)
        time.sleep(1)
        query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sampler'")
        said = sampler.communicate()[1]
        check(f"the sampler ended early: {said}", "terminating connection" in said)
        check("each key is in the map", query("""
            SELECT count(*) FROM pgbench_accounts LEFT JOIN pgbench_accounts_keys k ON new_id = aid WHERE k.old_id IS DISTINCT FROM aid_old""") == "0")
        run(directory, "7_clean")
        # pgbench ends as if its time had expired.
        pgbench.send_signal(signal.SIGALRM)
        out, errors = pgbench.communicate(timeout=60)
    written = int(re.search(r"number of transactions actually processed: (\d+)", out)[1])
    check("no step was stopped before its end", stops > 0)
    check(f"no session got an error: {errors}", "aborted" not in errors and "ERROR" not in errors)
    check(f"no transaction failed: {out}", re.search(r"number of failed transactions: 0 ", out) or "failed" not in out)
    accounts, history, joined, known, timed = map(int, query(f"""
        SELECT (SELECT count(*) FROM pgbench_accounts), (SELECT count(*) FROM pgbench_history),
               (SELECT count(*) FROM pgbench_history JOIN pgbench_accounts USING (aid, number)),
               (SELECT count(*) FROM pgbench_accounts JOIN pgbench_accounts_keys ON new_id = aid AND old_id = number AND number <= {ROWS}),
               (SELECT count(*) FROM pgbench_accounts WHERE uuid_extract_time_us(aid) = created_at AND number <= {ROWS})""").split("|"))
    check(f"{accounts} accounts and {written} transactions, but {history} lines", history == written + accounts - ROWS)
    check(f"{joined} of {history} lines refer to their account", joined == history)
    check(f"{known} of {ROWS} old keys lead to their row", known == ROWS)
    check(f"{timed} of {ROWS} old rows have their time in the key", timed == ROWS)
    # The kernel counts the time in which a process was ready but had no processor. A step that holds the lock for too long does so
    # whenever it runs; a single time may be due to a busy disk, so each step's second longest counts.
    held, at_most = query("""
        SELECT count(*), round(coalesce(max(ms) FILTER (WHERE number = 2), 0))
        FROM (SELECT ms, row_number() OVER (PARTITION BY step ORDER BY ms DESC) AS number
              FROM holds, LATERAL (SELECT extract(epoch FROM took) * 1000 - ready_took / 1e6) of_one (ms)) ordered""").split("|")
    check(f"a step before the switch held ACCESS EXCLUSIVE for {at_most} ms", int(at_most) <= 100)
    waits = query("SELECT string_agg(format('%s %s', step, n), ', ') FROM (SELECT step, count(*) AS n FROM waits GROUP BY step ORDER BY step) w")
    print(f"seed {SEED}: {written} transactions; {stops} steps stopped before their end; waits of more than 100 ms: {waits or 'none'}; "
          f"ACCESS EXCLUSIVE seen {held} times before the switch, for {at_most} ms at most")


def is_switched():
    return query("SELECT count(*) FROM pg_attribute WHERE attrelid = 'pgbench_accounts'::regclass AND attname = 'aid_old'") == "1"


# Per kind: the type and default of the key, the variables of the plan, and a condition that holds for each old and new key.
BY_TIME = {"time": "created_at"}
KINDS = {
    "version 4 to 7": ("uuid DEFAULT gen_random_uuid()", BY_TIME, "uuid_extract_time_us(new_id) = created_at"),
    "number to version 7": ("bigint GENERATED ALWAYS AS IDENTITY", BY_TIME, "uuid_extract_time_us(new_id) = created_at"),
    "text to version 7": ("text DEFAULT 'key ' || gen_random_uuid()", BY_TIME, "uuid_extract_time_us(new_id) = created_at"),
    "text to uuid": ("varchar(36) DEFAULT upper(gen_random_uuid()::text)", {"to": "uuid"}, "new_id = old_id::uuid"),
    "version 1 to 6": ("uuid DEFAULT uuidv1()", {"to": "v6"}, "new_id = uuid_v1_to_v6(old_id)"),
    "snowflake": ("bigint DEFAULT other_id_floor(now(), 'snowflake', NULL::bigint) + nextval('numbers')", {"to": "snowflake"},
                  "new_id = other_id_to_uuid(old_id, 'snowflake')"),
    "ulid": ("text DEFAULT uuid_encode(uuidv7(), 'base32')", {"to": "ulid"}, "new_id = other_id_to_uuid(old_id, 'ulid')"),
}
# Each row also contains the name of the row that it references.
TABLES = """
    CREATE SEQUENCE numbers;
    CREATE TABLE thing (id {key} PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT clock_timestamp(), name serial UNIQUE, old int, at int, key int,
                        parent {type} CONSTRAINT tree REFERENCES thing ON UPDATE CASCADE, parent_name int);
    CREATE INDEX "By parent" ON thing (parent DESC NULLS LAST, name) INCLUDE (id);
    CREATE TABLE "Part %s's" ("The thing" {type} NOT NULL REFERENCES thing ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, name int, n int, PRIMARY KEY ("The thing", n));
    CREATE INDEX ON "Part %s's" ("The thing") WHERE n > 1;
    ALTER TABLE thing ADD UNIQUE (name, id);
    CREATE TABLE link (a {type} REFERENCES thing ON DELETE SET NULL, a_name int, b {type}, b_name int, UNIQUE (a, b),
                       FOREIGN KEY (b_name, b) REFERENCES thing (name, id), FOREIGN KEY (a_name) REFERENCES thing (name) ON DELETE SET NULL)"""
WRITE = """
    INSERT INTO thing (created_at) SELECT now() - n * interval '1 hour' FROM generate_series(1, 200) n;
    INSERT INTO thing (parent, parent_name) SELECT id, name FROM thing ORDER BY name DESC LIMIT 50;
    INSERT INTO "Part %s's" ("The thing", name, n) SELECT id, name, n FROM (SELECT id, name FROM thing ORDER BY name DESC LIMIT 60) t, generate_series(1, 2) n;
    INSERT INTO link (a, a_name, b, b_name) SELECT a.id, a.name, b.id, b.name FROM (SELECT id, name FROM thing ORDER BY name LIMIT 30) a,
        (SELECT id, name FROM thing ORDER BY name DESC LIMIT 3) b;
    INSERT INTO link (a, a_name) SELECT id, name FROM thing WHERE name % 100 = 7;
    UPDATE "Part %s's" p SET "The thing" = t.id, name = t.name FROM thing t, (SELECT max(name) FROM thing) m(newest)
        WHERE t.name = newest - 100 AND p.n = 2 AND p.name = newest;
    DELETE FROM thing WHERE name = (SELECT min(name) FROM thing WHERE name > 100)"""
# The number of references, and of those that lead to the correct row.
COUNT = """
    SELECT (SELECT count(*) FROM thing WHERE parent IS NOT NULL) + (SELECT count(*) FROM "Part %s's") + (SELECT count(a) + count(b) FROM link),
           (SELECT count(*) FROM thing JOIN thing parent ON thing.parent = parent.id AND thing.parent_name = parent.name)
           + (SELECT count(*) FROM "Part %s's" part JOIN thing ON "The thing" = id AND part.name = thing.name)
           + (SELECT count(*) FROM link JOIN thing ON a = id AND a_name = thing.name)
           + (SELECT count(*) FROM link JOIN thing ON b = id AND b_name = thing.name)"""


NAMES = ("thing", '"Part %s\'s"', "link")


def kinds():
    # A plan requires no superuser, and its triggers require no privileges of the writing roles.
    psql("-c", "CREATE ROLE rekey_owner", "-c", "CREATE ROLE rekey_writer", database="postgres")
    for kind, (key, variables, holds) in KINDS.items():
        if not HAS_EXTENSION and variables.get("to") not in (None, "uuid"):
            continue
        new_database(TABLES.format(key=key, type=key.split()[0]), WRITE, WRITE, "GRANT ALL ON ALL TABLES IN SCHEMA public TO rekey_writer",
                     "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO rekey_writer", role="rekey_owner")
        before = shape(*NAMES)
        with tempfile.TemporaryDirectory() as directory:
            for last in "back", "7_clean":
                plan(directory, "thing", "rekey_owner", **variables)
                for step in (*STEPS, last):
                    run(directory, step, "rekey_owner")
                    query(WRITE, "rekey_writer")
                    there, right = query(COUNT).split("|")
                    check(f"{kind}: after {step}: {right} of {there} rows lead to theirs", right == there)
                if last == "back":
                    check(f"{kind}: back", shape(*NAMES) == before)
        check(f"{kind}: columns", query("""
            SELECT string_agg(attname || ' ' || atttypid::regtype, ', ' ORDER BY attrelid::regclass::text, attname) FROM pg_attribute
            WHERE attrelid IN (SELECT conrelid FROM pg_constraint WHERE confrelid = 'thing'::regclass) AND attnum > 0 AND NOT attisdropped""")
              == "The thing uuid, n integer, name integer, a uuid, a_name integer, b uuid, b_name integer, "
                 "at integer, created_at timestamp with time zone, id uuid, key integer, name integer, old integer, parent uuid, parent_name integer")
        check(f"{kind}: an old key does not lead to its row, or has a wrong new key", query(f"""
            SELECT count(*) FILTER (WHERE {holds}) = count(*) AND count(*) > 1000 FROM thing JOIN thing_keys ON new_id = id WHERE name < 2000""") == "t")
        check(f"{kind}: the same objects but for their columns: {shape(*NAMES)}",
              names(shape(*NAMES)) == names(before))


# Tenants have some keys in common.
COMPOSITE = """
    CREATE TABLE thing (tenant int, id uuid DEFAULT gen_random_uuid(), at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (tenant, id));
    CREATE TABLE part (id int, tenant int, thing uuid, at timestamptz, PRIMARY KEY (thing, tenant, id),
                       FOREIGN KEY (tenant, thing) REFERENCES thing ON DELETE CASCADE DEFERRABLE)"""
WRITE_COMPOSITE = """
    INSERT INTO thing (tenant, at) SELECT n % 3, now() - n * interval '1 hour' FROM generate_series(1, 200) n;
    INSERT INTO thing (tenant, id, at) SELECT tenant + 3, id, at FROM thing WHERE tenant < 2 ON CONFLICT DO NOTHING;
    INSERT INTO part (id, tenant, thing, at) SELECT n, tenant, id, at FROM thing, generate_series(1, 2) n ON CONFLICT DO NOTHING;
    DELETE FROM thing WHERE tenant = 3 AND at < now() - interval '150 hours'"""
COUNT_COMPOSITE = """
    SELECT count(*) > 500, count(*) = (SELECT count(*) FROM part JOIN thing ON thing.tenant = part.tenant AND thing.id = part.thing AND thing.at = part.at)
    FROM part"""


def composite():
    """Tests plans for one column of a composite key that composite foreign keys reference."""
    new_database(COMPOSITE, WRITE_COMPOSITE)
    before = shape("thing", "part")
    with tempfile.TemporaryDirectory() as directory:
        for last in "back", "7_clean":
            plan(directory, "thing", column="id", time="at")
            for step in (*STEPS, last):
                run(directory, step)
                if step == "6_switch":
                    check("composite: the time is in the key", query("SELECT bool_and(uuid_extract_time_us(id) = at) FROM thing") == "t")
                query(WRITE_COMPOSITE)
                check(f"composite: after {step}", query(COUNT_COMPOSITE) == "t|t")
            check(f"composite, {last}: {shape('thing', 'part')}",
                  (shape("thing", "part") == before) if last == "back" else names(shape("thing", "part")) == names(before))


def names(text):
    """Returns the names and definitions of indexes and constraints."""
    return sorted(re.findall(r'^    (?:TABLE \S+ CONSTRAINT )?(".*?".*)$|(TABLE .*)', text, re.MULTILINE))


# Reasons for a refusal: a statement executed after TABLES, and a part of the message.
REFUSED = [
    ("ALTER TABLE thing ALTER id DROP IDENTITY", "there would be no way back"),
    ("CREATE VIEW v AS SELECT parent FROM thing", "rule _RETURN on view public.v depends on column parent of public.thing"),
    ("ALTER TABLE link ADD CHECK (a > 0)", "constraint link_a_check on table public.link depends"),
    ("CREATE INDEX odd ON link ((a % 2))", "index public.odd depends on column a"),
    ("CREATE PUBLICATION p FOR TABLE link", "table public.link is published"),
    ("CREATE TABLE heir () INHERITS (link)", "table public.link is a parent or a child"),
    ("CREATE TABLE parts (thing bigint REFERENCES thing) PARTITION BY HASH (thing)", "table public.parts is partitioned"),
    ("GRANT SELECT (a) ON link TO pg_monitor", "column a of public.link has privileges of its own"),
    ("ALTER TABLE link ALTER a SET DEFAULT 1", "column a of public.link has a default"),
    ("ALTER TABLE link ADD CONSTRAINT more FOREIGN KEY (a) REFERENCES thing NOT VALID", "foreign key more of public.link is not valid"),
    ("ALTER TABLE thing REPLICA IDENTITY USING INDEX thing_pkey", "index thing_pkey is the replica identity"),
    ("CREATE FUNCTION thing_rekey() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'", "there is a function public.thing_rekey()"),
    ("CREATE TRIGGER t BEFORE UPDATE ON link FOR EACH ROW EXECUTE FUNCTION thing_rekey()", "trigger t of public.link would fire"),
    ("ALTER TABLE link ENABLE ALWAYS TRIGGER t", "would fire for each old row"),
    (f"ALTER TABLE link RENAME b TO {'b' * 60}", f"name {'b' * 60} is too long"),
    ("CREATE TABLE thing_keys ()", "there is a table public.thing_keys"),
]


def refusals():
    new_database(TABLES.format(key="bigint GENERATED ALWAYS AS IDENTITY", type="bigint"), *(there for there, _ in REFUSED))

    def check_refused(says, *variables):
        settings = [word for variable in ("table=thing", *variables) for word in ("-v", variable)]
        said = psql(*settings, "-f", "report/rekey.sql", fails=True)
        check(f"{says}: not refused, but: {said}", says in said)

    for _, says in REFUSED:
        check_refused(says, "time=created_at")
    check_refused("to=v7 needs time=EXPRESSION")
    check_refused("to=v6 takes no key of type bigint", "to=v6")
    query("DROP EXTENSION IF EXISTS uuidrfc")
    check_refused("there is no function for to=snowflake", "to=snowflake")
    query("ALTER TABLE thing REPLICA IDENTITY DEFAULT, DROP CONSTRAINT thing_pkey CASCADE")
    query("ALTER TABLE thing ADD PRIMARY KEY (id, name)")
    check_refused("primary key does not have this column, or has several", "time=created_at")
    check_refused("primary key does not have this column", "time=created_at", "column=at")
    check_refused("column id is neither uuid nor unique", "time=created_at", "column=id")


if __name__ == "__main__":
    if "writers" in (sys.argv[1:] or "writers"):
        writers()
    if "kinds" in (sys.argv[1:] or "kinds"):
        kinds()
        composite()
        refusals()
    psql("-c", f"DROP DATABASE {DATABASE} WITH (FORCE)", "-c", "SET client_min_messages = error",
         "-c", "DROP ROLE IF EXISTS rekey_owner, rekey_writer", database="postgres")
    print(f"rekey: {checks - len(failures)} passed, {len(failures)} failed")
    sys.exit(bool(failures))
