from models import UuidV7Field
from tortoise import fields, migrations
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.fields.db_defaults import SqlDefault
from tortoise.migrations import operations as ops


class Migration(migrations.Migration):
    initial = True

    operations = [
        ops.RunSQL("CREATE EXTENSION uuidrfc", "DROP EXTENSION uuidrfc"),
        ops.CreateModel(
            name="Item",
            fields=[
                ("id", fields.UUIDField(primary_key=True, unique=True, db_index=True, db_default=SqlDefault("uuidv7()"))),
                ("name", fields.TextField(unique=False)),
            ],
            options={"table": "item", "app": "shop", "pk_attr": "id"},
            bases=["Model"],
        ),
        ops.CreateModel(
            name="Visit",
            fields=[
                ("id", UuidV7Field(primary_key=True, unique=True, db_index=True, db_default=SqlDefault("uuidv7()"))),
                ("items", ArrayField(element_type="UUID")),
            ],
            options={"table": "visit", "app": "shop", "pk_attr": "id"},
            bases=["Model"],
        ),
        ops.RunSQL(
            "CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL",
            "DROP VIEW item_v",
        ),
    ]
