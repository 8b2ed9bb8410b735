-- A database with objects that only the extension supports, and the list that to_portable.sql prints.
-- listed: constraint seen_other_check on table public.seen uses function ids.other_id_time(anynonarray,text,timestamp with time zone)
-- listed: default value for column made of table public.kept uses function ids.uuidv6()
-- listed: default value for column name of table public.kept uses function ids.uuid_v5(uuid,text)
-- listed: default value for column text of table public.kept uses function ids.uuid_encode(uuid,text)
-- listed: index public.kept_id uses operator class ids.uuid_time_ops for access method btree
-- listed: rule _RETURN on view public.inspected uses function ids.uuid_inspect(uuid)
CREATE TABLE kept (
    id uuid,
    made uuid DEFAULT ids.uuidv6(),
    name uuid GENERATED ALWAYS AS (ids.uuid_v5(id, 'name'::text)) STORED,
    text text GENERATED ALWAYS AS (ids.uuid_encode(id, 'Hex')) STORED,
    ulid text GENERATED ALWAYS AS (ids.uuid_encode(id, 'base32')) STORED);
CREATE INDEX kept_id ON kept (id ids.uuid_time_ops);
CREATE VIEW inspected AS SELECT ids.uuid_inspect(id) FROM kept WHERE id OPERATOR(ids.>) now();
CREATE TABLE seen (
    other bigint CHECK (ids.other_id_time(other, 'discord') > '2020-01-01 00:00:00+00'),
    tweet bigint CHECK (ids.other_id_time(tweet, 'snowflake') > '2020-01-01 00:00:00+00'));
