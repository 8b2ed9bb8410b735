from alembic import context
from models import Base
from sqlalchemy import create_engine


def is_ours(name, kind, parents):
    """Without the table of the extension, which Alembic would drop."""
    return (name, kind) != ("uuidv7_horizons", "table")


with create_engine("postgresql+psycopg://").connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_name=is_ours,
        compare_server_default=True,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
