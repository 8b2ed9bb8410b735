#!/bin/sh
# Installs uuidrfc into the PostgreSQL that a pg_config belongs to: install.sh [PG_CONFIG]
# On PostgreSQL 18 and later, nothing has to be installed, because extension_control_path and dynamic_library_path can name this
# directory's share and lib.
set -eu
pg_config=${1:-pg_config}
cd "$(dirname "$0")"
"$pg_config" --version | grep -q "^PostgreSQL @MAJOR@[^0-9]" || { echo "this archive is for PostgreSQL @MAJOR@" >&2; exit 1; }
install -m 755 lib/uuidrfc.so "$("$pg_config" --pkglibdir)/"
install -m 644 share/extension/* "$("$pg_config" --sharedir)/extension/"
echo "installed; now, in each database: CREATE EXTENSION uuidrfc"
