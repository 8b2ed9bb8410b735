import os

SECRET_KEY = "none"
INSTALLED_APPS = ["shop"]
USE_TZ = True
DEFAULT = {
    "ENGINE": "django.db.backends.postgresql",
    "HOST": os.environ["PGHOST"],
    "PORT": os.environ["PGPORT"],
    "USER": os.environ["PGUSER"],
    "PASSWORD": os.environ["PGPASSWORD"],
    "NAME": os.environ["PGDATABASE"],
}
DATABASES = {
    "default": DEFAULT,
    # Parameters are sent separately from statements, which are prepared on first use.
    "prepared": {**DEFAULT, "OPTIONS": {"server_side_binding": True, "prepare_threshold": 0}},
}
