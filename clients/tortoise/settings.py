import os

# Only models with migrations are listed. The view, which a migration creates in SQL, is declared in views.py.
TORTOISE_ORM = {
    "connections": {"default": os.environ["DATABASE_URL"].replace("postgresql://", "asyncpg://")},
    "apps": {"shop": {"models": ["models"], "migrations": "migrations"}},
}
