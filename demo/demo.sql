-- What uuidrfc does, to read along and to paste. `make demo` runs it in a database of its own.

-- 1. The extension.
CREATE EXTENSION uuidrfc;

-- 2. A table whose key knows when each row was made.
CREATE TABLE item (
    id   uuid PRIMARY KEY DEFAULT uuidv7(),
    name text NOT NULL
);
INSERT INTO item (name)
SELECT 'item ' || n FROM generate_series(1, 5) n;

SELECT id, uuidv7_time(id) AS created_at, name FROM item ORDER BY id;
