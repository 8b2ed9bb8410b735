-- The fields of a UUID. (tests/crosscheck compares them with Python's uuid module for more UUIDs.)
\i tests/pg_regress/common.sql
CREATE TEMPORARY TABLE vector (id uuid, source text);
INSERT INTO vector VALUES
    ('C232AB00-9414-11EC-B3C8-9F6BDECED846', 'RFC 9562, A.1'),
    ('00000000-0000-2000-8000-000000000000', 'version 2'),
    ('919108f7-52d1-4320-9bac-f847db4148a8', 'RFC 9562, A.3'),
    ('1EC9414C-232A-6B00-B3C8-9F6BDECED846', 'RFC 9562, A.5'),
    ('017F22E2-79B0-7CC3-98C4-DC0C0C07398F', 'RFC 9562, A.6'),
    ('5c146b14-3c52-8afd-938a-375d0df1fbf6', 'RFC 9562, B.2'),
    (nil_uuid(), 'nil'), (max_uuid(), 'max'),
    ('00000000-0000-0000-C000-000000000046', 'Microsoft'),
    ('ffffffff-ffff-7fff-bfff-ffffffffffff', 'the last version 7');
SELECT source, uuid_inspect(id) FROM vector;
SELECT source, uuid_extract_clock_seq(id), uuid_extract_node(id) FROM vector
WHERE uuid_extract_clock_seq(id) IS NOT NULL OR uuid_extract_node(id) IS NOT NULL;
SELECT uuid_inspect(uuid_namespace(name)) -> 'namespace' FROM unnest(ARRAY['dns', 'url', 'oid', 'x500']) name;
SELECT uuid_inspect('3fb32780-953c-4464-9cfd-e85dbbe9843d') -> 'hashspace';
-- The field `time`, rounded by the cast to timestamptz, is at most a microsecond after uuid_extract_time.
SELECT bool_and((uuid_inspect(id) ->> 'time')::timestamptz - uuid_extract_time(id) BETWEEN '0' AND '1 microsecond')
FROM vector WHERE uuid_inspect(id) ? 'time';
-- The node of a new UUID is random and marked as such.
SELECT bool_and((uuid_inspect(id) -> 'node_multicast')::boolean),
       bool_and((uuid_inspect(id) ->> 'node')::macaddr = uuid_extract_node(id)),
       bool_and((uuid_inspect(id) -> 'clock_seq')::int = uuid_extract_clock_seq(id)),
       count(DISTINCT uuid_extract_node(id))
FROM generate_series(1, 100) i, LATERAL (SELECT CASE WHEN i % 2 = 0 THEN uuidv1() ELSE uuidv6() END AS id) made;

\echo -- versions 1 and 6
SELECT id, uuid_v1_to_v6(id), uuid_v6_to_v1(uuid_v1_to_v6(id)) = id FROM vector WHERE uuid_extract_version(id) = 1;
SELECT id, uuid_v6_to_v1(id), uuid_v1_to_v6(uuid_v6_to_v1(id)) = id FROM vector WHERE uuid_extract_version(id) = 6;
SELECT uuid_v1_to_v6('919108f7-52d1-4320-9bac-f847db4148a8');
\echo :LAST_ERROR_SQLSTATE
SELECT uuid_v6_to_v1(nil_uuid());
\echo :LAST_ERROR_SQLSTATE
SELECT uuid_v6_to_v1('C232AB00-9414-11EC-B3C8-9F6BDECED846');
