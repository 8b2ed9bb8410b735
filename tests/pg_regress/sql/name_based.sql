-- Name-based UUIDs: versions 3, 5 and 8.
\i tests/pg_regress/common.sql
-- The vectors of RFC 9562, A.2, A.4 and B.2, and of draft-ietf-uuidrev-rfc4122bis-12.
SELECT uuid_v3(uuid_namespace('dns'), 'www.example.com');
SELECT uuid_v5(uuid_namespace('dns'), 'www.example.com');
SELECT uuid_v8(uuid_namespace('dns'), 'www.example.com');
SELECT uuid_v8('3fb32780-953c-4464-9cfd-e85dbbe9843d', uuid_send(uuid_namespace('dns')) || 'www.example.com', 'sha256');

-- Namespaces have short names, which are case-insensitive.
SELECT name, uuid_namespace(name) FROM unnest(ARRAY['dns', 'url', 'oid', 'x500', 'DNS']) name;

-- An untyped literal is taken as text. Text is hashed as UTF-8, and bytea is hashed unchanged.
SELECT uuid_v5(ns, '\xff') = uuid_v5(ns, text '\xff'), uuid_v5(ns, '\xff') = uuid_v5(ns, bytea '\xff'),
       uuid_v3(ns, '\xff') = uuid_v3(ns, text '\xff'), uuid_v3(ns, '\xff') = uuid_v3(ns, bytea '\xff'),
       uuid_v8(ns, '\xff') = uuid_v8(ns, text '\xff'), uuid_v8(ns, '\xff') = uuid_v8(ns, bytea '\xff'),
       uuid_v8(ns, '\xff', 'sha512') = uuid_v8(ns, text '\xff', 'sha512')
FROM uuid_namespace('dns') ns;
SELECT uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com');
SELECT uuid_v8('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com');
SELECT uuid_v8('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com', 'sha256'),
       uuid_v8('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '\xff', 'sha256') = uuid_v8(uuid_namespace('dns'), text '\xff') AS text,
       uuid_v8('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '\xff'::bytea, 'sha256') = uuid_v8(uuid_namespace('dns'), bytea '\xff') AS bytea;
PREPARE untyped AS SELECT uuid_v8($1, $2, $3);
EXECUTE untyped ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com', 'sha256');
SELECT parameter_types FROM pg_prepared_statements;
DEALLOCATE untyped;
SELECT uuid_v8(ns => uuid_namespace('dns'), name => 'www.example.com', hash => 'SHA256');
SELECT uuid_v5(ns, U&'\00e9\4f8b\+01F600') = uuid_v5(ns, '\xc3a9e4be8bf09f9880'::bytea) FROM uuid_namespace('url') ns;

-- Any UUID can be a namespace, and any text a name, even if it is empty, compressed or out of line.
SELECT uuid_v5(nil_uuid(), ''), uuid_v5(nil_uuid(), ''::bytea), uuid_v8(max_uuid(), '');
CREATE TEMPORARY TABLE long (kind text, name text, bytes bytea);
ALTER TABLE long ALTER name SET STORAGE EXTERNAL;
INSERT INTO long VALUES ('out of line', repeat('a long name ', 10000), repeat('a long name ', 10000)::bytea),
                        ('short', 'a short name', 'a short name');
ALTER TABLE long ALTER name SET STORAGE EXTENDED;
INSERT INTO long VALUES ('compressed', repeat('a long name ', 1000), repeat('a long name ', 1000)::bytea),
                        ('compressed, out of line', repeat('a long name ', 1000000), repeat('a long name ', 1000000)::bytea);
SELECT kind, length(name), uuid_v5(nil_uuid(), name), uuid_v5(nil_uuid(), bytes) = uuid_v5(nil_uuid(), name)
FROM long ORDER BY length(name);
SELECT uuid_v5(nil_uuid(), repeat('x', 100 * 1000 * 1000));

-- The functions are immutable, so indexes and generated columns can use them.
CREATE TEMPORARY TABLE page (url text PRIMARY KEY,
                             id uuid GENERATED ALWAYS AS (uuid_v5('6ba7b811-9dad-11d1-80b4-00c04fd430c8', url)) STORED);
CREATE INDEX ON page (uuid_v8('6ba7b811-9dad-11d1-80b4-00c04fd430c8', url));
INSERT INTO page VALUES ('https://www.example.com/') RETURNING id;

-- Unknown hashes and namespaces raise errors.
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuid_v8(uuid_namespace('dns'), 'name', 'md5')$$,
    $$uuid_v8(uuid_namespace('dns'), 'name'::bytea, '')$$]) call;
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuid_namespace('com')$$,
    $$uuid_namespace(repeat('dns', 100000))$$,
    $$uuid_namespace(U&'\00e9\4f8b')$$]) call;
