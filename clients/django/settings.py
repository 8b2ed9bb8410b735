import os

INSTALLED_APPS = ["shop"]
# The other parameters of the connection are libpq's variables.
DEFAULT = {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}
DATABASES = {
    "default": DEFAULT,
    # Parameters are sent separately from statements, which are prepared on first use.
    "prepared": {**DEFAULT, "OPTIONS": {"server_side_binding": True, "prepare_threshold": 0}},
}
