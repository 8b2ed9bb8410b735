-- In PostgreSQL 19 and later, base32hex agrees with core's encode and decode of a UUID's bytes.
SELECT current_setting('server_version_num')::int < 190000 AS none \gset
\if :none
\quit
\endif
SELECT count(*),
       count(*) FILTER (WHERE uuid_encode(id, 'base32hex') IS DISTINCT FROM encode(id::bytea, 'base32hex')) AS other_text,
       count(*) FILTER (WHERE decode(uuid_encode(id, 'base32hex'), 'base32hex')::uuid IS DISTINCT FROM id) AS other_id_in_core,
       count(*) FILTER (WHERE uuid_decode(encode(id::bytea, 'base32hex'), 'base32hex') IS DISTINCT FROM id) AS other_id_in_ours
FROM (SELECT unnest(ARRAY[uuidv1(), uuidv4(), uuidv6(), uuidv7(), nil_uuid(), max_uuid()]) AS id FROM generate_series(1, 1000)) value;
