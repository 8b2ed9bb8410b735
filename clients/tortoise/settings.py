import os

# Only models with migrations are listed. The view is declared in views.py, because Tortoise would create a table for it.
TORTOISE_ORM = {
    "connections": {"default": os.environ["DATABASE_URL"].replace("postgresql://", "asyncpg://")},
    "apps": {"shop": {"models": ["models"], "migrations": "migrations"}},
}
