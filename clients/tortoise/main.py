"""Tortoise, over asyncpg."""
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

from models import Item, UuidV7Time, Visit
from settings import TORTOISE_ORM
from tortoise import Tortoise, run_async
from tortoise.exceptions import OperationalError
from tortoise.expressions import RawSQL
from views import ItemView


def command(*arguments):
    """Returns the output of a command of Tortoise."""
    tortoise = [sys.executable, "-m", "tortoise", "-c", "settings.TORTOISE_ORM"]
    return subprocess.run([*tortoise, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


async def feed(last):
    """Returns the next rows, each exactly once. Needs the preloaded library and scope server."""
    rows = Item.annotate(complete=RawSQL("(id < uuidv7_horizon())")).filter(id__gt=last, complete=True)
    return await rows.order_by("id").limit(1000)


async def main():
    Path("migrations/0002_item.py").unlink(missing_ok=True)
    command("makemigrations", "--name", "item")
    command("migrate")
    command("downgrade", "shop")
    command("migrate")
    assert "No changes detected" in command("makemigrations")
    await Tortoise.init(db_url=TORTOISE_ORM["connections"]["default"], modules={"shop": ["models", "views"]})
    connection = Tortoise.get_connection("default")
    view = "CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL"
    await connection.execute_script(view)
    await connection.execute_script(Path("../old_rows.sql").read_text())
    print("table")

    # Insert a row, and read it.
    tea = await Item.create(name="tea")
    assert tea.id.version == 7
    assert (await Item.get(id=tea.id)).name == "tea"
    ids = [(await Item.create(name=name)).id for name in "abc"]
    assert ids == sorted(ids) and tea.id < ids[0]
    print("insert")

    # Find the rows created between two times, through the function or the view.
    start, end = datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 3, tzinfo=timezone.utc)
    items = await Item.annotate(created_at=UuidV7Time("id")).filter(created_at__gte=start, created_at__lt=end).order_by("id")
    assert len(items) == 288 and items[0].created_at == start
    assert await ItemView.filter(created_at__gte=start, created_at__lt=end).count() == 288
    # The key itself cannot be compared with a time, which Tortoise converts to a string, as it does a UUID.
    try:
        await Item.filter(id__gte=start)
        raise AssertionError("a time was accepted as a UUID")
    except OperationalError as error:
        assert "invalid UUID '2026-01-02 00:00:00+00:00': length must be between 32..36 characters, got 25" in str(error)
    print("created")

    # Read the newest twenty rows. The condition is true for every version 7 key, and lets the primary key provide the order.
    dated = Item.annotate(created_at=UuidV7Time("id")).filter(created_at__isnull=False)
    newest = await dated.order_by("-created_at").limit(20)
    for rows in (newest, await ItemView.all().order_by("-created_at").limit(20)):
        assert len(rows) == 20 and [row.id for row in rows[:3]] == ids[::-1]
    print("page")

    # Generate keys before their rows exist.
    _, [row] = await connection.execute_query("SELECT uuidv7_array($1::int) AS ids", [3])
    parent, *children = row["ids"]
    await Item.bulk_create([Item(id=parent, name="parent"), *(Item(id=child, name=str(parent)) for child in children)])
    assert parent < children[0] < children[1]
    assert await Item.filter(id__in=children, name=str(parent)).count() == 2
    print("ahead")

    assert [item.id for item in await feed(parent)] == children
    print("feed")

    # A column of the domain and an array of the domain are returned as UUIDs.
    await Visit.create(id=parent, items=children)
    assert (await Visit.get(id=parent)).items == children
    _, [row] = await connection.execute_query("SELECT array_agg(id) AS ids FROM visit")
    assert row["ids"] == [parent]
    print("domain")


run_async(main())
