"""SQLAlchemy 2.1 and Alembic, over psycopg. The connection's parameters are libpq's variables."""
import asyncio
import os
from datetime import datetime, timezone

from alembic import command
from alembic.config import Config
from models import Item, Visit
from sqlalchemy import Uuid, create_engine, event, func, insert, make_url, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import Session

migrations = Config()
migrations.set_main_option("script_location", "migrations")
command.upgrade(migrations, "head")
command.downgrade(migrations, "base")
command.upgrade(migrations, "head")
command.check(migrations)  # Raises an error if models and tables differ, including server defaults.

engine = create_engine("postgresql+psycopg://")
sent = []
event.listen(engine, "before_cursor_execute", lambda connection, cursor, statement, *rest: sent.append(statement))


async def scalar(driver, statement, parameters=None):
    """Executes a statement through another driver."""
    url = make_url(os.environ["DATABASE_URL"]).set(drivername=f"postgresql+{driver}")
    if driver == "asyncpg":
        async with create_async_engine(url).connect() as connection:
            return await connection.scalar(statement, parameters)
    with create_engine(url).connect() as connection:
        return connection.scalar(statement, parameters)


with Session(engine) as session:
    with open("../old_rows.sql", encoding="utf-8") as file:
        session.execute(text(file.read()))
    print("table")

    # Insert a row, and read it.
    tea = Item(name="tea")
    session.add(tea)
    session.commit()
    assert tea.id.version == 7 and tea.created_at.tzinfo
    # Insert three rows in one INSERT, which returns their keys.
    items = [Item(name=name) for name in "abc"]
    sent.clear()
    session.add_all(items)
    session.flush()
    assert len(sent) == 1 and sent[0].count("%(name") == 3 and "RETURNING" in sent[0]
    assert [item.id for item in items] == sorted(item.id for item in items)
    # Insert a thousand rows, with results in the order of the parameters.
    names = [f"row {n}" for n in range(1000)]
    rows = session.execute(
        insert(Item).returning(Item.id, Item.name, sort_by_parameter_order=True), [{"name": name} for name in names]
    ).all()
    assert [name for _, name in rows] == names and rows == sorted(rows)
    session.commit()
    print("insert")

    # Find the rows created between two times.
    start, end = datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 3, tzinfo=timezone.utc)
    items = session.scalars(select(Item).where(Item.created_at >= start, Item.created_at < end).order_by(Item.id)).all()
    assert len(items) == 288 and items[0].created_at == start
    view = text("SELECT id FROM item_v WHERE created_at >= :start AND created_at < :end")
    assert len(session.execute(view, {"start": start, "end": end}).all()) == 288
    # The condition needs no attribute of the model, and the key itself can also be compared with a time.
    time = func.uuidv7_time(Item.id)
    by_time = select(func.count()).where(time >= start, time < end)
    by_key = select(func.count()).where(Item.id >= start, Item.id < end)
    assert session.scalar(by_time) == session.scalar(by_key) == 288
    # In text(), some drivers send parameters without a type, which PostgreSQL takes for UUIDs next to `id`.
    times = {"start": start, "end": end}
    for driver, message in (
        ("pg8000", 'invalid input syntax for type uuid: "2026-01-02'),
        ("asyncpg", "'datetime.datetime' object has no attribute 'bytes'"),
    ):
        assert asyncio.run(scalar(driver, by_key)) == 288
        text_by_time = text("SELECT count(*) FROM item WHERE uuidv7_time(id) >= :start AND uuidv7_time(id) < :end")
        assert asyncio.run(scalar(driver, text_by_time, times)) == 288
        try:
            asyncio.run(scalar(driver, text("SELECT count(*) FROM item WHERE id >= :start AND id < :end"), times))
            raise AssertionError("a time was accepted as a UUID")
        except DBAPIError as error:
            assert message in str(error)
    print("created")

    # Read the newest twenty rows. The condition is true for every version 7 key, and lets the primary key provide the order.
    newest = session.scalars(
        select(Item).where(Item.created_at.is_not(None)).order_by(Item.created_at.desc()).limit(20)
    ).all()
    assert [item.id for item in newest] == [key for key, _ in rows[:-21:-1]]
    print("page")

    # Generate keys before their rows exist.
    parent, *children = session.scalar(select(func.uuidv7_array(3, type_=ARRAY(Uuid))))
    session.add(Item(id=parent, name="parent"))
    session.add_all(Item(id=child, name=str(parent)) for child in children)
    session.commit()
    assert parent < children[0] < children[1]
    assert session.scalars(select(Item.name).where(Item.id.in_(children))).all() == [str(parent)] * 2
    print("ahead")

    def feed(last):
        """Returns the next rows, each exactly once. Needs the preloaded library and scope server."""
        return session.scalars(
            select(Item).where(Item.id > last, Item.id < func.uuidv7_horizon()).order_by(Item.id).limit(1000)
        ).all()

    assert [item.id for item in feed(parent)] == children
    print("feed")

    # A column of the domain is returned as a UUID. An array of the domain is best declared as one of uuid.
    visit = Visit(id=parent, items=children)
    session.add(visit)
    session.commit()
    assert (visit.id, visit.items) == (parent, children)
    wrong = session.scalar(select(func.array_agg(Visit.id, type_=ARRAY(Uuid))))
    assert wrong[:2] == ["{", str(parent)[0]]
    print("domain")
