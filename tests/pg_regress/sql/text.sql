-- Conversion of UUIDs to and from other text forms.
\i tests/pg_regress/common.sql
\set uuid '01890a5d-ac96-774b-bcce-b302099a8057'
CREATE TEMP TABLE formats AS
SELECT * FROM unnest('{urn,braces,hex,base32,base32hex,base58,base64url,decimal,oid}'::text[])
              WITH ORDINALITY AS f (format, place);
SELECT format, uuid_encode(:'uuid', format) FROM formats ORDER BY place;

SELECT count(DISTINCT format), bool_and(uuid_decode(uuid_encode(id, format), format) = id) AS read_back
FROM formats, unnest(ARRAY[:'uuid', nil_uuid(), max_uuid()]) AS id;

-- The operator ^@ tests the beginning of a UUID's standard text.
SELECT nil_uuid() ^@ NULL AS "null", nil_uuid() ^@ '' AS empty, nil_uuid() ^@ '0000000-' AS hyphen, max_uuid() ^@ max_uuid()::text AS whole, max_uuid() ^@ (max_uuid() || 'f') AS longer;

-- Aliases: upper and lower case, Crockford's look-alikes, base32hex without padding.
SELECT count(*), string_agg(text, ' ') FILTER (WHERE (uuid_decode(text, format) = :'uuid') IS NOT TRUE) AS others
FROM (VALUES
    ('URN:UUID:01890A5D-AC96-774B-BCCE-B302099A8057', 'urn'),
    ('{01890A5D-AC96-774B-BCCE-B302099A8057}', 'braces'),
    ('01890A5DAC96774BBCCEB302099A8057', 'hex'),
    ('01h455vb4pex5vsknk084sn02q', 'base32'),
    ('OIH455VB4PEX5VSKNKO84SNO2Q', 'base32'),
    ('oLH455VB4PEX5VSKNKo84SNo2Q', 'base32'),
    ('064GKNDCIPRKNF6EMC10J6K0AS', 'base32hex'),
    ('064gkndciprknf6emc10j6k0as======', 'base32hex')
) AS aliases (text, format);
-- Names of formats are case-insensitive, as in core's encode(), but must otherwise be exact.
SELECT uuid_encode(:'uuid', 'Base58'), uuid_decode('1BzmjTFLHWXwiSK4y3H5iW', 'BASE58');

-- The functions are immutable, so a generated column and its index can use them.
CREATE TEMP TABLE links (
    id uuid PRIMARY KEY,
    short text COLLATE "C" GENERATED ALWAYS AS (uuid_encode(id, 'base58')) STORED UNIQUE
);
INSERT INTO links VALUES (:'uuid');
SELECT id FROM links WHERE short = '1BzmjTFLHWXwiSK4y3H5iW';

-- Errors, first for the formats of both editions. Bits beyond a UUID's 128 must be zero. Messages show only the beginning
-- of a long text.
CREATE TEMP TABLE stored (text text);
INSERT INTO stored SELECT string_agg(md5(n::text), '') FROM generate_series(1, 1000) n;
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuid_decode('0OIl', 'base58')$$,
    $$uuid_decode('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'base32')$$,
    $$uuid_decode('80000000000000000000000000', 'base32')$$,
    $$uuid_decode('YcVfxkQb6JRzqk5kF2tNLw', 'base58')$$,
    $$uuid_decode(repeat('1', 64), 'base58')$$,
    $$uuid_decode(repeat('1', 65), 'base58')$$]) call;
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuid_encode(nil_uuid(), 'base62')$$,
    $$uuid_decode('', '')$$,
    $$uuid_decode('340282366920938463463374607431768211456', 'decimal')$$,
    $$uuid_decode('VVVVVVVVVVVVVVVVVVVVVVVVVT======', 'base32hex')$$,
    $$uuid_decode('_____________________x', 'base64url')$$,
    $$uuid_decode(repeat('1', 10000000), 'decimal')$$,
    $$uuid_decode(text, 'hex') FROM stored$$,
    $$uuid_decode(repeat(chr(128512), 100), 'hex')$$,
    $$uuid_encode(nil_uuid(), chr(233))$$,
    $$uuid_decode(E'a\nb"c\\d', 'hex')$$]) call;
