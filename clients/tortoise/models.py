"""The tables, as Tortoise declares them."""
from pypika_tortoise import CustomFunction
from tortoise import Model, fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.expressions import Function
from tortoise.fields.db_defaults import SqlDefault


class UuidV7Time(Function):
    database_func = CustomFunction("uuidv7_time", ["id"])


class Item(Model):
    # Without default=None, Tortoise would generate a version 4 UUID itself.
    id = fields.UUIDField(primary_key=True, default=None, db_default=SqlDefault("uuidv7()"))
    name = fields.TextField()

    class Meta:
        table = "item"


class UuidV7Field(fields.UUIDField):
    """A column of the domain `uuid_v7`."""

    class _db_postgres:
        SQL_TYPE = "uuid_v7"


class Visit(Model):
    id = UuidV7Field(primary_key=True, default=None, db_default=SqlDefault("uuidv7()"))
    items = ArrayField(element_type="uuid")

    class Meta:
        table = "visit"
