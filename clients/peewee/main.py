"""Peewee, over psycopg2."""
import os
from datetime import datetime, timezone

from peewee import SQL, DateTimeField, Model, TextField, UUIDField, fn
from playhouse.db_url import connect

database = connect(os.environ["DATABASE_URL"])


class Item(Model):
    id = UUIDField(primary_key=True, constraints=[SQL("DEFAULT uuidv7()")])
    name = TextField()

    class Meta:
        database = database
        table_name = "item"


class ItemView(Item):
    created_at = DateTimeField()

    class Meta:
        table_name = "item_v"


# Without coerce(False), Peewee would convert the result to a UUID, the type of the argument.
created_at = fn.uuidv7_time(Item.id).coerce(False)

database.execute_sql("CREATE EXTENSION uuidrfc")
database.create_tables([Item])
database.execute_sql(
    "CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL"
)
with open("../old_rows.sql", encoding="utf-8") as file:
    database.execute_sql(file.read())
print("table")

# Insert a row, and read it. create() does not ask for the key that the database generated; returning() does.
[tea] = Item.insert(name="tea").returning(Item).execute()
assert tea.id.version == 7
assert Item.get_by_id(tea.id).name == "tea"
ids = [row.id for row in Item.insert_many([{"name": name} for name in "abc"]).returning(Item.id).execute()]
assert ids == sorted(ids) and ids[0] > tea.id
print("insert")

# Find the rows created between two times, through the function or the view.
start, end = datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 3, tzinfo=timezone.utc)
rows = Item.select(Item, created_at.alias("created_at")).where(created_at >= start, created_at < end).order_by(Item.id)
assert len(rows) == 288 and rows[0].created_at == start
assert ItemView.select().where(ItemView.created_at >= start, ItemView.created_at < end).count() == 288
# psycopg2 writes times into statements with their type, so the key itself can also be compared with them.
assert Item.select().where(Item.id >= start, Item.id < end).count() == 288
print("created")

# Read the newest twenty rows, through the function or the view.
newest = Item.select().where(created_at.is_null(False)).order_by(created_at.desc()).limit(20)
for rows in (newest, ItemView.select().order_by(ItemView.created_at.desc()).limit(20)):
    assert len(rows) == 20 and [row.id for row in rows[:3]] == ids[::-1]
print("page")

# Generate keys before their rows exist.
parent, *children = database.execute_sql("SELECT uuidv7_array(%s)", [3]).fetchone()[0]
Item.insert_many([{"id": parent, "name": "parent"}, *({"id": child, "name": str(parent)} for child in children)]).execute()
assert parent < children[0] < children[1]
assert Item.select().where(Item.id.in_(children), Item.name == str(parent)).count() == 2
print("ahead")


def feed(last):
    """Returns the next rows, each exactly once. Needs the preloaded library and scope server."""
    return list(Item.select().where(Item.id > last, Item.id < fn.uuidv7_horizon()).order_by(Item.id).limit(1000))


assert [item.id for item in feed(parent)] == children
print("feed")
