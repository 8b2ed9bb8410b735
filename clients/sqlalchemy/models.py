"""The tables, as SQLAlchemy declares them."""
import uuid
from datetime import datetime

from sqlalchemy import DateTime, Uuid, func
from sqlalchemy.dialects.postgresql import ARRAY, DOMAIN, UUID
from sqlalchemy.orm import DeclarativeBase, Mapped, column_property, mapped_column


class Base(DeclarativeBase):
    pass


class Item(Base):
    __tablename__ = "item"

    # With monotonic, many rows are sent in one INSERT and matched with those of RETURNING by the order of the keys.
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True, server_default=func.uuidv7(type_=Uuid(), monotonic=True))
    name: Mapped[str]
    created_at: Mapped[datetime] = column_property(func.uuidv7_time(id.column, type_=DateTime(timezone=True)))


class Visit(Base):
    __tablename__ = "visit"

    # The domain must be named, because Alembic would otherwise find a different type.
    id: Mapped[uuid.UUID] = mapped_column(DOMAIN("uuid_v7", UUID()), primary_key=True, server_default=func.uuidv7())
    items: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(Uuid))
