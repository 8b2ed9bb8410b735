import time
import uuid

import psycopg


def follow(conninfo, last=uuid.UUID(int=0), pause=0.2):
    with psycopg.connect(conninfo, autocommit=True) as connection:
        while True:
            rows = connection.execute(
                "SELECT id, topic, payload FROM outbox WHERE id > %s AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", [last]
            ).fetchall()
            for row in rows:
                yield row  # work, then store row[0]
                last = row[0]
            if not rows:
                time.sleep(pause)
