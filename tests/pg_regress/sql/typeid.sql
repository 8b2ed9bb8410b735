-- TypeIDs.
\i tests/pg_regress/common.sql
CREATE TEMP TABLE vector (name text, typeid text, prefix text, id text, valid boolean, reason text, rule text);
\copy vector FROM 'crates/rfc9562/tests/vectors/typeid.csv' CSV HEADER FORCE NOT NULL typeid, prefix, id
SELECT count(*), bool_and(typeid_decode(typeid) = id::uuid) AS decoded, bool_and(typeid_decode(typeid, prefix) = id::uuid) AS decoded_of_prefix,
       bool_and(typeid_prefix(typeid) = prefix) AS prefix, bool_and(typeid_encode(prefix, id::uuid) = typeid) AS encoded
FROM vector WHERE valid;
-- Invalid TypeIDs, and the rule that each violates.
SELECT name, pg_temp.outcome(format('typeid_decode(%L)', typeid)) FROM vector WHERE NOT valid ORDER BY name COLLATE "C";
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$typeid_decode('User_01h455vb4pex5vsknk084sn02q')$$,
    $$typeid_prefix('user_' || repeat('é', 100))$$,
    $$typeid_encode('User', nil_uuid())$$,
    $$typeid_encode('_', nil_uuid())$$,
    $$typeid_encode(repeat('a', 64), nil_uuid())$$,
    $$typeid_decode('order_01h455vb4pex5vsknk084sn02q', 'user')$$,
    $$typeid_decode('01h455vb4pex5vsknk084sn02q', 'user')$$,
    $$typeid_decode('user_01h455vb4pex5vsknk084sn02q', '')$$,
    $$typeid_decode('user_01h455vb4pex5vsknk084sn02q', 'user_')$$]) call;
-- TypeIDs sort like their UUIDs.
SELECT bool_and(by_uuid = by_text) AS keeps_order
FROM (SELECT row_number() OVER (ORDER BY id) AS by_uuid, row_number() OVER (ORDER BY typeid_encode('user', id) COLLATE "C") AS by_text
      FROM (SELECT md5(n::text)::uuid AS id FROM generate_series(1, 10000) n) sample) q;
CREATE TEMP TABLE customer (id uuid PRIMARY KEY, typeid text COLLATE "C" GENERATED ALWAYS AS (typeid_encode('customer', id)) STORED);
INSERT INTO customer VALUES ('01890a5d-ac96-774b-bcce-b302099a8057');
SELECT * FROM customer;
