"""Django, over psycopg 3."""
import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import django
from django.contrib.postgres.aggregates import ArrayAgg
from django.core.management import call_command
from django.db import connection
from django.db.models import F, Func, UUIDField, Value
from django.db.models.functions import Now

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()
from shop.models import Item, ItemView, Sale, UuidV7Time, Visit

Path("shop/migrations/0002_item.py").unlink(missing_ok=True)
call_command("makemigrations", "shop", name="item", verbosity=0)
call_command("migrate", verbosity=0)
call_command("migrate", "shop", "zero", verbosity=0)
call_command("migrate", verbosity=0)
call_command("makemigrations", check=True, dry_run=True, verbosity=0)  # Exits if models and migrations differ.
with connection.cursor() as cursor:
    cursor.execute("CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL")
    cursor.execute(Path("../old_rows.sql").read_text())
print("table")

# Insert a row, and read it.
tea = Item.objects.create(name="tea")
assert tea.id.version == 7
assert Item.objects.get(pk=tea.pk).name == "tea"
ids = [Item.objects.create(name=name).id for name in "abc"]
assert ids == sorted(ids) and tea.id < ids[0]
print("insert")

# Find the rows created between two times. The model's manager annotates created_at.
start, end = datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 3, tzinfo=timezone.utc)
for database in ("default", "prepared"):
    items = Item.objects.using(database).filter(created_at__gte=start, created_at__lt=end).order_by("id")
    assert len(items) == 288 and items[0].created_at == start
    assert Item.objects.using(database).filter(created_at__range=(start, end)).count() == 289
    assert ItemView.objects.using(database).filter(created_at__gte=start, created_at__lt=end).count() == 288
assert Item.objects.filter(created_at__gte=Now() - timedelta(hours=1)).count() == 4
# The key itself cannot be compared with a time, because Django converts values to the type of the field.
try:
    Item.objects.filter(id__gte=start)
    raise AssertionError("a time was accepted as a UUID")
except TypeError as error:
    assert str(error) == "'str' object cannot be interpreted as an integer"
assert Item.objects.filter(id__gte=Value(start), id__lt=Value(end)).count() == 288
# Objects that the manager did not fetch read created_at from the key, and filters follow a ForeignKey without a join.
assert tea.created_at == Item.objects.get(pk=tea.pk).created_at
Sale.objects.create(item=tea)
sales = Sale.objects.alias(item_created_at=UuidV7Time(F("item_id"))).filter(item_created_at__gte=end)
assert sales.get().item.created_at == tea.created_at
assert "JOIN" not in str(sales.query)
print("created")

# Read the newest twenty rows.
for model in (Item, ItemView):
    newest = list(model.objects.order_by("-created_at")[:20])
    assert len(newest) == 20 and [item.id for item in newest[:3]] == ids[::-1]
print("page")


# Generate keys before their rows exist. (After bulk_create without keys, Django 5.2 does not know the generated keys.)
def new_ids(count):
    with connection.cursor() as cursor:
        cursor.execute("SELECT uuidv7_array(%s)", [count])
        return cursor.fetchone()[0]


parent, *children = new_ids(3)
Item.objects.bulk_create([Item(id=parent, name="parent"), *(Item(id=child, name=str(parent)) for child in children)])
assert parent < children[0] < children[1]
assert Item.objects.filter(id__in=children, name=str(parent)).count() == 2
print("ahead")


def feed(last):
    """Returns the next rows, each exactly once. Needs the preloaded library and scope server."""
    horizon = Func(function="uuidv7_horizon", output_field=UUIDField())
    return list(Item.objects.filter(id__gt=last, id__lt=horizon).order_by("id")[:1000])


assert [item.id for item in feed(parent)] == children
print("feed")

# A column of the domain is returned as a UUID, and an array of the domain as text.
for database in ("default", "prepared"):
    Visit.objects.using(database).create(items=children)
visit = Visit.objects.create(id=parent, items=children)
assert Visit.objects.get(id=parent).items == children
assert Visit.objects.filter(id=parent).aggregate(ids=ArrayAgg("id"))["ids"] == "{" + str(parent) + "}"
print("domain")
