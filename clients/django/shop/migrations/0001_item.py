import django.contrib.postgres.fields
import shop.models
from django.contrib.postgres.operations import CreateExtension
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        CreateExtension("uuidrfc"),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.UUIDField(db_default=shop.models.UuidV7(), editable=False, primary_key=True, serialize=False)),
                ("name", models.TextField()),
            ],
            options={"db_table": "item"},
        ),
        migrations.CreateModel(
            name="ItemView",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("name", models.TextField()),
                ("created_at", models.DateTimeField()),
            ],
            options={"db_table": "item_v", "managed": False},
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "id",
                    shop.models.UuidV7Field(
                        db_default=shop.models.UuidV7(), editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("items", django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
            ],
            options={"db_table": "visit"},
        ),
        migrations.CreateModel(
            name="Sale",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("item", models.ForeignKey(on_delete=models.deletion.CASCADE, to="shop.item")),
            ],
            options={"db_table": "sale"},
        ),
        migrations.RunSQL(
            "CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL",
            "DROP VIEW item_v",
        ),
    ]
