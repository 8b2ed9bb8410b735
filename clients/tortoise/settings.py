import os

# What has migrations. The view, which a migration makes in SQL, is a model of main.py alone.
TORTOISE_ORM = {
    "connections": {"default": os.environ["DATABASE_URL"].replace("postgresql://", "asyncpg://")},
    "apps": {"shop": {"models": ["models"], "migrations": "migrations"}},
}
