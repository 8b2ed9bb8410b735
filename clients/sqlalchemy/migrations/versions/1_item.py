"""The table, its view, and a table with a column of the domain."""
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "1"
down_revision = None


def upgrade():
    op.execute("CREATE EXTENSION uuidrfc")
    op.create_table(
        "item",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
    )
    op.execute(
        "CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL"
    )
    uuid_v7 = postgresql.DOMAIN("uuid_v7", postgresql.UUID(), create_type=False)
    op.create_table(
        "visit",
        sa.Column("id", uuid_v7, server_default=sa.text("uuidv7()"), primary_key=True),
        sa.Column("items", postgresql.ARRAY(sa.Uuid()), nullable=False),
    )


def downgrade():
    op.drop_table("visit")
    op.execute("DROP VIEW item_v")
    op.drop_table("item")
    op.execute("DROP EXTENSION uuidrfc")
