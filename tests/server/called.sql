-- Calls the functions of the pure-SQL edition, and each comparison, by qualified names.
SELECT pg_catalog.concat_ws(' ',
    ids.uuid_extract_version(ids.uuidv7()), ids.uuid_extract_variant(id), ids.uuid_extract_time_us(ids.uuidv7_at(t)), ids.uuidv7_floor(t),
    ids.uuidv7_ceil(t), ids.uuidv7_time(id), ids.uuid_extract_timestamp(v1), ids.uuid_extract_time(v1), ids.uuid_extract_clock_seq(v1),
    ids.uuid_extract_node(v1), ids.uuid_time_decoder(id::pg_catalog.text), ids.uuid_v3(id, 'name'::pg_catalog.text),
    ids.uuid_v3(ids.uuid_namespace('dns'), '\x00'::pg_catalog.bytea), ids.uuid_decode(ids.uuid_encode(id, 'base58'), 'base58'),
    ids.uuid_decode(ids.uuid_encode(id, 'base32'), 'base32'), ids.typeid_decode(ids.typeid_encode('user', id), 'user'),
    ids.typeid_prefix('user_01h455vb4pex5vsknk084sn02q'), ids.other_id_time(1050118621198921728, 'snowflake'),
    (SELECT ids.max(one) FROM (VALUES (id)) AS ones (one)), ids.nil_uuid(), ids.max_uuid(), id::ids.uuid_v7,
    id OPERATOR(ids.<) t, id OPERATOR(ids.<=) t, id OPERATOR(ids.>=) t, id OPERATOR(ids.>) t, t OPERATOR(ids.<) id,
    t OPERATOR(ids.<=) id, t OPERATOR(ids.>=) id, t OPERATOR(ids.>) id, id OPERATOR(ids.<@) pg_catalog.tstzrange(t, NULL),
    pg_catalog.tstzrange(t, NULL) OPERATOR(ids.@>) id)
FROM (VALUES ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::pg_catalog.uuid, 'c232ab00-9414-11ec-b3c8-9f6bdeced846'::pg_catalog.uuid,
              '2022-02-22 19:22:22+00'::pg_catalog.timestamptz)) AS given (id, v1, t)
