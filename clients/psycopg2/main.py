"""psycopg2. The connection's parameters are libpq's variables. The tables are those of ../setup.sql."""
from datetime import datetime, timezone

import psycopg2
from psycopg2.extras import execute_values, register_uuid

register_uuid()
connection = psycopg2.connect("")
connection.autocommit = True
cursor = connection.cursor()


def fetch(statement, *parameters):
    cursor.execute(statement, parameters)
    return cursor.fetchall()


# Insert a row, and read it.
[tea] = fetch("INSERT INTO item (name) VALUES (%s) RETURNING id", "tea")
assert tea[0].version == 7
assert fetch("SELECT name FROM item WHERE id = %s", *tea) == [("tea",)]
ids = execute_values(cursor, "INSERT INTO item (name) VALUES %s RETURNING id", [["a"], ["b"], ["c"]], fetch=True)
assert ids == sorted(ids) and ids[0] > tea
print("insert")

# Find the rows created between two times, which psycopg2 writes into statements with their type.
times = [datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 3, tzinfo=timezone.utc)]
rows = fetch("SELECT id, uuidv7_time(id) FROM item WHERE uuidv7_time(id) >= %s AND uuidv7_time(id) < %s ORDER BY id", *times)
assert len(rows) == 288 and rows[0][1] == times[0]
assert len(fetch("SELECT id FROM item_v WHERE created_at >= %s AND created_at < %s", *times)) == 288
assert len(fetch("SELECT id FROM item WHERE id >= %s AND id < %s", *times)) == 288
print("created")

# Read the newest twenty rows.
newest = fetch("SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20")
assert len(newest) == 20 and [row[:1] for row in newest[:3]] == ids[::-1]
print("page")

# Generate keys before their rows exist.
[([parent, *children],)] = fetch("SELECT uuidv7_array(%s)", 3)
execute_values(cursor, "INSERT INTO item (id, name) VALUES %s", [(parent, "parent"), *((id, str(parent)) for id in children)])
assert parent < children[0] < children[1]
assert fetch("SELECT name FROM item WHERE id = ANY(%s)", children) == 2 * [(str(parent),)]
print("ahead")


def feed(last):
    """Returns the next rows, each exactly once. Needs the preloaded library and scope server."""
    return fetch("SELECT id, name FROM item WHERE id > %s AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", last)


assert [key for key, _ in feed(parent)] == children
print("feed")

# A column of the domain is returned as a UUID, but the driver does not know arrays of the domain.
assert fetch("INSERT INTO visit VALUES (%s) RETURNING id", parent) == [(parent,)]
assert fetch("SELECT array_agg(id) FROM visit") == [("{" + str(parent) + "}",)]
assert fetch("SELECT array_agg(id)::uuid[] FROM visit") == [([parent],)]
print("domain")
