-- 6. Keys for existing rows: the history of this repository, with each commit at its author's time.
CREATE TABLE commit (
    id          uuid PRIMARY KEY,
    author_time timestamptz NOT NULL,
    hash        text NOT NULL UNIQUE,
    subject     text NOT NULL
);
INSERT INTO commit
SELECT uuidv7_at(author_time), author_time, hash, subject
FROM git_log ORDER BY position;

SELECT id, author_time, left(hash, 10) AS hash, left(subject, 60) AS subject FROM commit ORDER BY id DESC LIMIT 5;

-- ORDER BY id returns the history in order, and every id contains the time of its commit.
SELECT count(*) AS commits,
       array_agg(hash ORDER BY id) = (SELECT array_agg(hash ORDER BY author_time, position) FROM git_log) AS order_by_id_is_the_history,
       bool_and(uuid_extract_time(id) = author_time) AS every_time_is_the_commits
FROM commit;
