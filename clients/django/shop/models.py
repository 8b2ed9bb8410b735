"""The table, as Django declares it."""
from datetime import datetime, timedelta, timezone

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import DateTimeField, F, Func, UUIDField
from django.utils.functional import cached_property


class UuidV7(Func):
    function = "uuidv7"
    output_field = UUIDField()


class UuidV7Time(Func):
    function = "uuidv7_time"
    output_field = DateTimeField()


class ItemManager(models.Manager):
    def get_queryset(self):
        # The condition is true for every version 7 key, and lets the primary key provide order_by("-created_at").
        return super().get_queryset().annotate(created_at=UuidV7Time(F("id"))).filter(created_at__isnull=False)


class Item(models.Model):
    id = models.UUIDField(primary_key=True, db_default=UuidV7(), editable=False)
    name = models.TextField()

    objects = ItemManager()

    @cached_property
    def created_at(self):
        """Reads the time from the key, for objects that the manager did not fetch, as after create() or by a ForeignKey."""
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=self.id.int >> 80)

    class Meta:
        db_table = "item"


class UuidV7Field(UUIDField):
    """A column of the domain `uuid_v7`."""

    def db_type(self, connection):
        return "uuid_v7"


class Visit(models.Model):
    id = UuidV7Field(primary_key=True, db_default=UuidV7(), editable=False)
    items = ArrayField(UUIDField())


class Sale(models.Model):
    id = models.BigAutoField(primary_key=True)
    item = models.ForeignKey(Item, models.CASCADE)


class ItemView(models.Model):
    """A view, for uses in which an annotation is not possible."""

    id = models.UUIDField(primary_key=True)
    name = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        db_table = "item_v"
        managed = False
