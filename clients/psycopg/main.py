"""psycopg 3. The connection's parameters are libpq's variables. The tables are those of ../setup.sql."""
from datetime import datetime, timezone

import psycopg
from follow import follow

with psycopg.connect(autocommit=True) as connection, psycopg.connect() as other:
    # Insert a row, and read it.
    row = connection.execute("INSERT INTO item (name) VALUES (%s) RETURNING id", ["tea"]).fetchone()
    assert row[0].version == 7
    assert connection.execute("SELECT name FROM item WHERE id = %s", row).fetchone() == ("tea",)
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO item (name) VALUES (%s) RETURNING id", [["a"], ["b"], ["c"]], returning=True)
        ids = [result.fetchone()[0] for result in cursor.results()]
    assert ids == sorted(ids) and ids[0] > row[0]
    print("insert")

    # Find the rows created between two times.
    times = [datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 3, tzinfo=timezone.utc)]
    rows = connection.execute(
        "SELECT id, uuidv7_time(id) FROM item WHERE uuidv7_time(id) >= %s AND uuidv7_time(id) < %s ORDER BY id", times
    ).fetchall()
    assert len(rows) == 288 and rows[0][1] == times[0]
    for prepare in (False, True):
        rows = connection.execute(
            "SELECT id, created_at FROM item_v WHERE created_at >= %s AND created_at < %s", times, prepare=prepare
        ).fetchall()
        assert len(rows) == 288 and rows[0][1] == times[0]
    # psycopg sends times with their type, so the key itself can also be compared with them.
    rows = connection.execute("SELECT id FROM item WHERE id >= %s AND id < %s", times).fetchall()
    assert len(rows) == 288
    print("created")

    # Read the newest twenty rows.
    newest = connection.execute("SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20").fetchall()
    assert len(newest) == 20 and [row[0] for row in newest[:3]] == ids[::-1]
    print("page")

    # Generate keys before their rows exist.
    parent, *children = connection.execute("SELECT uuidv7_array(%s)", [3]).fetchone()[0]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO item (id, name) VALUES (%s, %s)", [(parent, "parent"), *((child, str(parent)) for child in children)]
        )
    assert parent < children[0] < children[1]
    assert connection.execute("SELECT name FROM item WHERE id = ANY(%s)", [children]).fetchall() == 2 * [(str(parent),)]
    print("ahead")

    def feed(last):
        """Returns the next rows, each exactly once. Needs the preloaded library and scope server."""
        return connection.execute(
            "SELECT id, name FROM item WHERE id > %s AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", [last]
        ).fetchall()

    last = children[1]
    other.execute("INSERT INTO item (name) VALUES ('commits late')")
    connection.execute("INSERT INTO item (name) VALUES ('commits early')")
    assert feed(last) == []
    other.commit()
    assert [name for _, name in feed(last)] == ["commits late", "commits early"]
    # Follow a feed, waiting for new rows.
    connection.execute("CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT uuidv7(), topic text, payload jsonb)")
    connection.execute("INSERT INTO outbox (topic) VALUES ('paid'), ('sent')")
    reader = follow("")
    assert [next(reader)[1], next(reader)[1]] == ["paid", "sent"]
    connection.execute("INSERT INTO outbox (topic) VALUES ('returned')")
    assert next(reader)[1] == "returned"
    reader.close()
    print("feed")

    # A column of the domain is returned as a UUID, but the driver does not know arrays of the domain.
    assert connection.execute("INSERT INTO visit VALUES (%s) RETURNING id", [parent]).fetchone() == (parent,)
    assert connection.execute("SELECT array_agg(id) FROM visit").fetchone() == ("{" + str(parent) + "}",)
    assert connection.execute("SELECT array_agg(id)::uuid[] FROM visit").fetchone() == ([parent],)
    print("domain")
