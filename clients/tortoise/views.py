"""A view, as Tortoise declares it."""
from tortoise import Model, fields


class ItemView(Model):
    id = fields.UUIDField(primary_key=True)
    name = fields.TextField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "item_v"
