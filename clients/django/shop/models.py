"""The table, as Django has it."""
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import DateTimeField, F, Func, UUIDField


class UuidV7(Func):
    function = "uuidv7"
    output_field = UUIDField()


class UuidV7Time(Func):
    function = "uuidv7_time"
    output_field = DateTimeField()


class ItemManager(models.Manager):
    def get_queryset(self):
        return super().get_queryset().annotate(created_at=UuidV7Time(F("id")))


class Item(models.Model):
    id = models.UUIDField(primary_key=True, db_default=UuidV7(), editable=False)
    name = models.TextField()

    objects = ItemManager()

    class Meta:
        db_table = "item"


class UuidV7Field(UUIDField):
    """A column of the domain."""

    def db_type(self, connection):
        return "uuid_v7"


class Visit(models.Model):
    id = UuidV7Field(primary_key=True, db_default=UuidV7(), editable=False)
    items = ArrayField(UUIDField())

    class Meta:
        db_table = "visit"


class ItemView(models.Model):
    """A view, for what cannot have an annotation."""

    id = models.UUIDField(primary_key=True)
    name = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        db_table = "item_v"
        managed = False
