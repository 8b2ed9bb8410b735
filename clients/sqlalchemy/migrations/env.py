from alembic import context
from models import Base
from sqlalchemy import create_engine

with create_engine("postgresql+psycopg://").connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata, compare_server_default=True, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()
