"""PgBouncer in transaction mode, with named statements: runs asyncpg's program, and eight clients over two connections."""
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time

import asyncpg

CONFIGURATION = """
[databases]
* = host={PGHOST} port={PGPORT}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {directory}/users
pool_mode = transaction
default_pool_size = 2
max_prepared_statements = 100
"""


async def clients():
    """Each client inserts with a statement that it prepares once, through whichever connection is free."""

    async def client():
        connection = await asyncpg.connect()
        insert = await connection.prepare("INSERT INTO item (name) VALUES ('pooled') RETURNING id, pg_backend_pid() AS pid")
        rows = [await insert.fetchrow() for _ in range(100)]
        await connection.close()
        # In scope `server`, values ascend whichever connection generates them.
        ids = [row["id"] for row in rows]
        assert ids == sorted(ids)
        return rows

    rows = [row for rows in await asyncio.gather(*(client() for _ in range(8))) for row in rows]
    assert len({row["id"] for row in rows}) == 800
    assert len({row["pid"] for row in rows}) == 2


with tempfile.TemporaryDirectory() as directory, socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
    probe.close()
    with open(f"{directory}/users", "w", encoding="utf-8") as users:
        users.write('"{PGUSER}" "{PGPASSWORD}"\n'.format(**os.environ))
    with open(f"{directory}/pgbouncer.ini", "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(**os.environ, port=port, directory=directory))
    # PgBouncer refuses to run as root.
    user = ["-u", "nobody"] if os.getuid() == 0 else []
    os.chmod(directory, 0o755)
    pooler = subprocess.Popen(["source/pgbouncer", "-q", *user, f"{directory}/pgbouncer.ini"])
    try:
        os.environ["PGPORT"] = str(port)
        while pooler.poll() is None and socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            time.sleep(0.05)
        subprocess.run([sys.executable, "../asyncpg/main.py"], check=True)
        asyncio.run(clients())
    finally:
        pooler.terminate()
        pooler.wait()
print("pooled")
