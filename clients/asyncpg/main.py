"""asyncpg. The connection's parameters are libpq's variables. The tables are those of ../setup.sql."""
import asyncio
from datetime import datetime, timezone

import asyncpg


async def main():
    connection, other = await asyncpg.connect(), await asyncpg.connect()
    # Insert a row, and read it.
    tea = await connection.fetchval("INSERT INTO item (name) VALUES ($1) RETURNING id", "tea")
    assert tea.version == 7
    assert await connection.fetchval("SELECT name FROM item WHERE id = $1", tea) == "tea"
    rows = await connection.fetchmany("INSERT INTO item (name) VALUES ($1) RETURNING id", [["a"], ["b"], ["c"]])
    ids = [row["id"] for row in rows]
    assert ids == sorted(ids) and ids[0] > tea
    print("insert")

    # Find the rows created between two times.
    times = [datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 3, tzinfo=timezone.utc)]
    rows = await connection.fetch(
        "SELECT id, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) < $2 ORDER BY id",
        *times,
    )
    assert len(rows) == 288 and rows[0]["created_at"] == times[0]
    rows = await connection.fetch("SELECT id FROM item_v WHERE created_at >= $1 AND created_at < $2", *times)
    assert len(rows) == 288
    # In this condition, PostgreSQL infers that the parameter is a UUID.
    try:
        await connection.fetch("SELECT id FROM item WHERE id >= $1 AND id < $2", *times)
        raise AssertionError("a time was accepted as a UUID")
    except asyncpg.DataError as error:
        assert "'datetime.datetime' object has no attribute 'bytes'" in str(error)
    print("created")

    # Read the newest twenty rows.
    newest = await connection.fetch("SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20")
    assert len(newest) == 20 and [row["id"] for row in newest[:3]] == ids[::-1]
    print("page")

    # Generate keys before their rows exist.
    parent, *children = await connection.fetchval("SELECT uuidv7_array($1::int)", 3)
    await connection.executemany(
        "INSERT INTO item (id, name) VALUES ($1, $2)", [(parent, "parent"), *((child, str(parent)) for child in children)]
    )
    assert parent < children[0] < children[1]
    assert len(await connection.fetch("SELECT name FROM item WHERE id = ANY($1)", children)) == 2
    print("ahead")

    async def feed(last):
        """Returns the next rows, each exactly once. Needs the preloaded library and scope server."""
        return await connection.fetch(
            "SELECT id, name FROM item WHERE id > $1 AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", last
        )

    async with other.transaction():
        await other.execute("INSERT INTO item (name) VALUES ('commits late')")
        await connection.execute("INSERT INTO item (name) VALUES ('commits early')")
        assert await feed(children[1]) == []
    assert [row["name"] for row in await feed(children[1])] == ["commits late", "commits early"]
    print("feed")

    # A column of the domain and an array of the domain are returned as UUIDs.
    assert await connection.fetchval("INSERT INTO visit VALUES ($1) RETURNING id", parent) == parent
    assert await connection.fetchval("SELECT array_agg(id) FROM visit") == [parent]
    print("domain")

    await connection.close()
    await other.close()


asyncio.run(main())
