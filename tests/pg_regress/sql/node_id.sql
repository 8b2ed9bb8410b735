-- Node IDs, and the setting uuidrfc.node_id, which the library defines when it is loaded.
\i tests/pg_regress/common.sql
SELECT uuid_extract_node_id(nil_uuid());
SHOW uuidrfc.node_id;
-- Generates 50 UUIDs of version 7, 6 or 1 in each of eight ways. Those of each way must ascend in the order of the calls.
CREATE FUNCTION pg_temp.made(OUT way text, OUT id uuid) RETURNS SETOF record LANGUAGE sql AS $$
    SELECT w.way, w.id FROM generate_series(1, 50) n, LATERAL (VALUES
        ('v7', uuidv7()), ('v6', uuidv6()), ('v1', uuid_v1_to_v6(uuidv1())), ('shifted by nothing', uuidv7(n * interval '0')),
        ('shifted', uuidv7(interval '1 year')), ('v7 at', uuidv7_at('2026-01-01')), ('v6 at', uuidv6_at('2026-01-01'))) w (way, id)
    UNION ALL SELECT 'array', unnest(uuidv7_array(50)) $$;
CREATE FUNCTION pg_temp.judged(bits int, OUT ways bigint, OUT nodes text, OUT ascending boolean, OUT differ boolean) LANGUAGE sql AS $$
    SELECT count(DISTINCT way), CASE WHEN count(DISTINCT uuid_extract_node_id(id, bits)) < 3 THEN string_agg(DISTINCT uuid_extract_node_id(id, bits)::text, ' ') ELSE 'many' END,
           bool_and(id > before IS NOT FALSE), count(DISTINCT id) = count(*)
    FROM (SELECT way, id, lag(id) OVER (PARTITION BY way ORDER BY place) AS before
          FROM pg_temp.made() WITH ORDINALITY made (way, id, place)) made $$;
SELECT * FROM pg_temp.judged(8);
SET uuidrfc.node_id = 7;
SELECT * FROM pg_temp.judged(8);
SET uuidrfc.node_id = 0;
SELECT * FROM pg_temp.judged(8);
SET uuidrfc.node_id = '65535/16';
SELECT * FROM pg_temp.judged(16);
SET uuidrfc.node_id = '1/1';
SELECT * FROM pg_temp.judged(1);

-- A session's UUIDs still ascend when the node ID changes.
CREATE TEMP TABLE made (n serial, v7 uuid DEFAULT uuidv7(), at uuid DEFAULT uuidv7_at('2026-01-01'), v6 uuid DEFAULT uuidv6());
SET uuidrfc.node_id = '65535/16';
INSERT INTO made DEFAULT VALUES;
SET uuidrfc.node_id = '0/16';
INSERT INTO made DEFAULT VALUES;
SET uuidrfc.node_id = '';
INSERT INTO made DEFAULT VALUES;
SELECT array_agg(n ORDER BY v7) AS v7, array_agg(n ORDER BY at) AS at, array_agg(n ORDER BY v6) AS v6 FROM made;

-- In version 7, the node ID follows the bits that determine the order; in versions 6 and 1, it is in the field `node`.
SET uuidrfc.node_id = '43981/16';
SELECT substr(uuidv7()::text, 29, 4) AS v7, substr(uuidv7_at('2026-01-01')::text, 29, 4) AS at,
       right(uuid_extract_node(uuidv6())::text, 5) AS v6, right(uuid_extract_node(uuidv1())::text, 5) AS v1;
SELECT bits, uuid_extract_node_id('017f22e2-79b0-7cc3-98c4-dc0cabcd398f', bits) AS v7, uuid_extract_node_id('1ec9414c-232a-6b00-b3c8-9f6bdeceabcd', bits) AS v6,
       uuid_extract_node_id('c232ab00-9414-11ec-b3c8-9f6bdeceabcd', bits) AS v1
FROM unnest(ARRAY[1, 4, 8, 12, 16]) bits;
SELECT uuid_extract_node_id(uuidv7(), 16) AS node, uuid_extract_node_id(uuidv1(), 16) AS of_v1, uuid_extract_node_id(uuidv1()) AS first_bits;
-- UUIDs of other versions, and those with the address of a network card, have no node ID.
SELECT uuid_extract_node_id(id, 16), uuid_extract_node_id(id)
FROM unnest(ARRAY[uuidv4(), nil_uuid(), max_uuid(), 'c232ab00-9414-11ec-b3c8-00c04fd430c8', '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0']::uuid[]) id;

-- Invalid node IDs, and those that do not fit into their bits, are refused.
SELECT pg_temp.outcome(format('set_config(''uuidrfc.node_id'', %L, false)', node))
FROM unnest(ARRAY['256', '300/8', '2/1', '65536/16', '-1', '+7', 'first', '7/', '/8', '7/8/9', '7/0', '7/17', '7/-1', '4294967303', '0x7']) node;
SHOW uuidrfc.node_id;
SELECT substr(uuidv7()::text, 29, 4) AS still;
-- Spaces around a node ID are ignored.
SET uuidrfc.node_id = ' 255 ';
SELECT uuid_extract_node_id(uuidv7());
SELECT count(*), pg_temp.outcome(format('uuid_extract_node_id(uuidv7(), %s)', bits)) FROM unnest(ARRAY[-2147483648, -1, 0, 17, 32, 64, 2147483647]) bits GROUP BY 2;
-- Ordinary roles cannot set a node ID.
CREATE ROLE uuidrfc_regress_node;
SET ROLE uuidrfc_regress_node;
SET uuidrfc.node_id = 1;
SELECT uuid_extract_node_id(uuidv7()) AS node;
RESET ROLE;
DROP ROLE uuidrfc_regress_node;
