-- A demonstration of uuidrfc, to be read or pasted. `make demo` runs it in a separate database.

-- 1. The extension.
CREATE EXTENSION uuidrfc;

-- 2. A table whose key contains the time at which each row was created.
CREATE TABLE item (
    id   uuid PRIMARY KEY DEFAULT uuidv7(),
    name text NOT NULL
);
INSERT INTO item (name)
SELECT 'item ' || n FROM generate_series(1, 5) n;

SELECT id, uuidv7_time(id) AS created_at, name FROM item ORDER BY id;
