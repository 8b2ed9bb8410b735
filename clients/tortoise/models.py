"""The table and its view, as Tortoise has them."""
from pypika_tortoise import CustomFunction
from tortoise import Model, fields
from tortoise.expressions import Function
from tortoise.fields.db_defaults import SqlDefault


class UuidV7Time(Function):
    database_func = CustomFunction("uuidv7_time", ["id"])


class Item(Model):
    # Without default=None Tortoise makes a version 4 itself.
    id = fields.UUIDField(primary_key=True, default=None, db_default=SqlDefault("uuidv7()"))
    name = fields.TextField()

    class Meta:
        table = "item"


class ItemView(Model):
    id = fields.UUIDField(primary_key=True)
    name = fields.TextField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "item_v"
