import os

# The models that have migrations. The view, which a migration creates in SQL, is a model of main.py only.
TORTOISE_ORM = {
    "connections": {"default": os.environ["DATABASE_URL"].replace("postgresql://", "asyncpg://")},
    "apps": {"shop": {"models": ["models"], "migrations": "migrations"}},
}
