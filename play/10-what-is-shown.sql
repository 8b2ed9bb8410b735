\echo '-- One row, with forms of the key that outsiders may see.'
SELECT id AS key FROM visit ORDER BY id DESC LIMIT 1 \gset
SELECT form, shown FROM visit, LATERAL (VALUES
    ('uuid', id::text), ('its time', uuidv7_time(id)::text), ('ULID', uuid_encode(id, 'base32')), ('base 58', uuid_encode(id, 'base58')),
    ('TypeID', typeid_encode('visit', id)), ('sealed: a version 4', uuid_seal(id, decode(repeat('5e', 32), 'hex'))::text)) shown (form, shown)
WHERE id = :'key';
\echo '-- The row of such a key, found through the primary key.'
SELECT uuid_seal(:'key', decode(repeat('5e', 32), 'hex')) AS sealed \gset
EXPLAIN (COSTS OFF) SELECT * FROM visit WHERE uuid_seal(id, decode(repeat('5e', 32), 'hex')) = :'sealed';
EXPLAIN (COSTS OFF) SELECT * FROM visit WHERE typeid_encode('visit', id) = typeid_encode('visit', :'key');
\echo '-- The ID of a tweet of 2018 as a version 7 UUID, which sorts among the other keys by its time.'
SELECT other_id_to_uuid(1050118621198921728, 'snowflake') AS id, other_id_time(1050118621198921728, 'snowflake') AS created_at;
