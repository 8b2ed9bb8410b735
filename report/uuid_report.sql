-- Reports on the keys of a database and their costs, with advice, as docs/moving.md describes. For psql, on PostgreSQL 14 to 19,
-- without any extension:
--
--     psql -X -d shop -f report/uuid_report.sql
--
-- Variables (psql -v NAME=VALUE):
--
--     json=on        prints JSON with all results instead of tables
--     schema=NAME    only the tables of this schema
--     pages=100      number of pages sampled of each table
--     timeout=30s    statement_timeout for each table; lock_timeout is one second
--     small=64MB     the advice for keys of versions 1 and 4 with a smaller index is to leave them
--     exact=1GB      pgstattuple, if installed, measures how full indexes up to this size are
\set ON_ERROR_STOP on
\set QUIET on
\pset pager off
\if :{?json} \else \set json off \endif
\if :{?schema} \else \set schema '' \endif
\if :{?pages} \else \set pages 100 \endif
\if :{?timeout} \else \set timeout 30s \endif
\if :{?small} \else \set small 64MB \endif
\if :{?exact} \else \set exact 1GB \endif

BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- With this setting, regclass prints names with their schema.
SET LOCAL search_path = pg_catalog;
SET LOCAL statement_timeout = :'timeout';
SET LOCAL lock_timeout = '1s';
SET LOCAL TimeZone = 'UTC';
SET LOCAL jit = off;
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT set_config('uuid_report.pages', :'pages', true), set_config('uuid_report.small', :'small', true),
       set_config('uuid_report.exact', :'exact', true) \gset ignored_

-- A DO statement is run for each table. It stores its results in a setting, because a read-only transaction cannot store them
-- elsewhere.
SELECT $survey$
DO $do$
#variable_conflict use_column
DECLARE
    rel CONSTANT regclass = @table;
    block CONSTANT int = current_setting('block_size');
    small CONSTANT bigint = pg_size_bytes(current_setting('uuid_report.small'));
    leaves oid[] = ARRAY[rel];
    notes text[] = '{}';
    bytes bigint;
    share float8;     -- fraction of the pages that are sampled
    rows float8;
    columns jsonb;    -- the columns that can contain IDs or times
    sample jsonb;     -- for each row, an array of the values of these columns
    indexes jsonb;
    referrers jsonb;
    key jsonb;        -- the column that the advice is about, its index, and the column with the time of the row
    key_index jsonb;
    clock jsonb;
    in_order float8;  -- bytes that the index would have if its keys had been inserted in order
    inserted float8;
    clock_bytes bigint; -- the size of the indexes that begin with the column of the time
    gain bigint;
    advice text[];    -- what to do, why, and the page
    n float8;
BEGIN
    IF (SELECT relkind = 'p' FROM pg_class WHERE oid = rel) THEN
        leaves := ARRAY(SELECT relid FROM pg_partition_tree(rel) WHERE isleaf);
    END IF;
    SELECT coalesce(sum(pg_relation_size(leaf)), 0) INTO bytes FROM unnest(leaves) leaf;
    share := least(current_setting('uuid_report.pages')::float8 * block / greatest(bytes, 1), 1);

    -- The columns: uuid, bigint and bytea in keys and indexes, text anywhere (because uuid is smaller), and times.
    SELECT jsonb_agg(to_jsonb(c) ORDER BY attnum) INTO columns FROM (
        SELECT a.attnum, a.attname AS name,
               CASE t.typcategory WHEN 'S' THEN 'text' WHEN 'D' THEN 'time' ELSE t.typname END AS type, use,
               EXISTS (SELECT FROM pg_constraint WHERE conrelid = rel AND contype = 'f' AND a.attnum = ANY (conkey)) AS refers,
               CASE WHEN a.attidentity <> '' THEN 'identity' WHEN a.attgenerated <> '' THEN 'generated'
                    WHEN d.oid IS NOT NULL THEN pg_get_expr(d.adbin, rel)
                    ELSE coalesce((SELECT 'trigger ' || min(tgname) FROM pg_trigger g JOIN pg_proc p ON p.oid = tgfoid
                                   WHERE tgrelid = rel AND NOT tgisinternal AND tgtype & 7 = 7  -- before each row's INSERT
                                     AND strpos(lower(prosrc), 'new.' || lower(a.attname)) > 0), 'application') END AS filled_by
        FROM pg_attribute a
        JOIN pg_type own ON own.oid = a.atttypid
        JOIN pg_type t ON t.oid = coalesce(nullif(own.typbasetype, 0), own.oid)
        LEFT JOIN pg_attrdef d ON d.adrelid = rel AND d.adnum = a.attnum,
        LATERAL (SELECT (ARRAY['primary key', 'unique', 'indexed'])[min(
                     CASE WHEN indisprimary AND indnkeyatts = 1 THEN 1 WHEN indisunique AND indnkeyatts = 1 THEN 2
                          WHEN indisprimary OR indkey[0] = a.attnum THEN 3 END)] AS use
                 FROM pg_index WHERE indrelid = rel AND a.attnum = ANY (indkey)) i
        WHERE a.attrelid = rel AND a.attnum > 0 AND NOT a.attisdropped
          AND (use IS NOT NULL AND t.typname IN ('uuid', 'int8', 'bytea')
               OR t.typname IN ('text', 'varchar', 'bpchar', 'timestamp', 'timestamptz'))) c;
    notes := ARRAY(SELECT format('column %s may not be read', c ->> 'name') FROM jsonb_array_elements(columns) c
                   WHERE c ->> 'use' IS NOT NULL AND NOT has_column_privilege(rel, (c ->> 'attnum')::int2, 'SELECT'));
    IF row_security_active(rel) THEN
        notes := notes || text 'row-level security hides rows';
    END IF;
    SELECT jsonb_agg(c) INTO columns FROM jsonb_array_elements(columns) c
    WHERE has_column_privilege(rel, (c ->> 'attnum')::int2, 'SELECT');
    -- Pages are read in order.
    EXECUTE format('SELECT count(*), jsonb_agg(jsonb_build_array(%s)) FROM %s %s TABLESAMPLE SYSTEM (%s) REPEATABLE (1)',
                   (SELECT string_agg(format(CASE c ->> 'type'
                       WHEN 'time' THEN 'extract(epoch FROM %I)'
                       WHEN 'bytea' THEN 'CASE WHEN octet_length(%I) <= 20 THEN encode(%1$I, ''hex'') ELSE '''' END'
                       WHEN 'text' THEN 'CASE WHEN octet_length(%I) <= 40 THEN %1$I::text ELSE '''' END'
                       ELSE '%I::text' END, c ->> 'name'), ', ') FROM jsonb_array_elements(columns) c),
                   CASE WHEN leaves = ARRAY[rel::oid] THEN 'ONLY' END, rel, 100 * share) INTO n, sample;
    rows := round(n / share);
    SELECT jsonb_agg(e ORDER BY place), count(*) INTO sample, n FROM jsonb_array_elements(sample) WITH ORDINALITY s(e, place)
    WHERE place::int % ceil(n / 3000)::int = 0;

    -- The contents of the columns. The fixed digits in the expressions are the first digits of times from about 2010 to 2035.
    WITH value AS (
        SELECT c.ordinality - 1 AS number, type, text, place, rank() OVER (PARTITION BY c.ordinality
                   ORDER BY CASE WHEN type = 'int8' THEN text::numeric END, text COLLATE "C") AS rank,
               lower(CASE WHEN length(text) = 36 THEN replace(text, '-', '') ELSE text END) AS hex
        FROM jsonb_array_elements(columns) WITH ORDINALITY c, LATERAL (SELECT c.value ->> 'type' AS type) t,
             jsonb_array_elements(sample) WITH ORDINALITY s(value, place),
             LATERAL (SELECT s.value ->> (c.ordinality - 1)::int AS text) v
        WHERE type <> 'time' AND text IS NOT NULL
    ), kind AS (
        SELECT *, CASE
            WHEN type = 'int8' OR text ~ '^[1-9]\d{14,18}$' THEN 'number'
            WHEN text ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{16}$' OR hex ~ '^000[4-7][0-9a-f]{28}$' THEN 'lexicaluuid'
            WHEN hex ~ '^[0-9a-f]{12}[1-8][0-9a-f]{3}[89ab][0-9a-f]{15}$' THEN 'version ' || substr(hex, 13, 1)
            WHEN hex ~ '^(0{32}|f{32})$' THEN 'Nil or Max'
            WHEN hex ~ '^01[0-9a-f]{30}$' OR text ~* '^01[0-9a-hjkmnp-tv-z]{24}$' THEN 'ulid'
            WHEN type = 'uuid' THEN 'not of RFC 9562'
            WHEN text ~* '^[4-7][0-9a-f]{23}$' THEN CASE type WHEN 'text' THEN 'objectid' ELSE 'objectid or xid' END
            WHEN text ~ '^[0-4][0-9A-Za-z]{26}$' OR type = 'bytea' AND text ~ '^[0-3][0-9a-f]{39}$' THEN 'ksuid'
            WHEN text ~ '^[89a-d][0-9a-v]{18}[0g]$' THEN 'xid'
            WHEN text ~ '^c[g-o][0-9a-z]{23}$' THEN 'cuid'
            WHEN text ~ '^-[G-T][-_0-9A-Za-z]{18}$' THEN 'pushid'
            WHEN text ~ '^A[S-a][-_0-9A-Za-z]{18}$' OR type = 'bytea' AND text ~ '^01[0-9a-f]{28}$' THEN 'elasticflake'
            WHEN type = 'text' AND text ~ '^[0-9a-f]{8}$' THEN 'short id'
            ELSE 'other' END AS kind
        FROM value
    ), system AS (
        -- Version 4 UUIDs and numbers may contain a time. Version 4 UUIDs are assumed to do so if there are at least 20
        -- and over 90 % have a plausible time, and numbers if all times lie between 2010, or a day after the epoch of a system if
        -- that is later, and now. (The numbers of a sequence would be times just after the epoch.)
        SELECT number, kind, CASE kind
            WHEN 'version 4' THEN (SELECT min(name) FROM (VALUES
                ('combguid-postgresql', avg((left(hex, 12) BETWEEN '0125' AND '01e0')::int)),
                ('combguid-sql', avg((right(hex, 12) BETWEEN '0125' AND '01e0')::int)),
                ('combguid-sql-datetime', avg((right(hex, 12) BETWEEN '9c' AND 'c1' AND right(hex, 8) < '018b82')::int)),
                ('ordereduuid', avg((left(hex, 12) BETWEEN '72' AND 'b8')::int))) s(name, share)
                WHERE share > 0.9 AND count(hex) >= 20)
            WHEN 'number' THEN (SELECT string_agg(name, ', ') FROM (VALUES
                ('snowflake', 22, 1288834974657, 1), ('discord', 22, 1420070400000, 1), ('linkedin or flakeid', 22, 0, 1),
                ('pgedge', 22, 1672531200000, 1), ('mastodon', 16, 0, 1), ('shardingid', 23, 1314220021721, 1),
                ('sonyflake', 24, 1409529600000, 10), ('sonyflake-v2', 24, 1735689600000, 10)) s(name, bits, epoch, unit)
                WHERE min(text::numeric) / 2 ^ bits::numeric * unit > greatest(86400e3, 1262304000e3 - epoch)
                  AND max(text::numeric) / 2 ^ bits::numeric * unit < extract(epoch FROM now()) * 1000 - epoch)
            WHEN 'other' THEN NULL ELSE kind END AS name
        FROM (SELECT number, kind, hex, CASE kind WHEN 'number' THEN text END AS text FROM kind) k GROUP BY number, kind
    ), counted AS (
        SELECT number, coalesce(name, kind) AS kind, count(*) AS values, count(*) FILTER (WHERE place > 0.9 * n) AS newest
        FROM kind JOIN system USING (number, kind) GROUP BY 1, 2
    )
    SELECT jsonb_agg(c.value || coalesce(holds, '{}') || coalesce(ascends, '{}') ORDER BY c.ordinality) INTO columns
    FROM jsonb_array_elements(columns) WITH ORDINALITY c
    LEFT JOIN (SELECT number, jsonb_build_object(
                   'kind', (array_agg(kind ORDER BY values DESC))[1],
                   'newest', (array_agg(kind ORDER BY newest DESC, values DESC))[1],
                   'holds', string_agg(format('%s %s %%', kind, round(100 * values / total, 1)), ', ' ORDER BY values DESC)
                       FILTER (WHERE values > total / 2000)) AS holds
               FROM (SELECT *, sum(values) OVER (PARTITION BY number) AS total FROM counted) c GROUP BY number) h
        ON h.number = c.ordinality - 1
    LEFT JOIN (SELECT number, jsonb_build_object('ascends', round(corr(place, rank)::numeric, 2)) AS ascends
               FROM kind GROUP BY number) a ON a.number = c.ordinality - 1;

    -- The column that the advice is about, and the column with the row's time: that with the least difference from the times of
    -- the keys (99th percentile).
    SELECT c INTO key FROM jsonb_array_elements(columns) c
    WHERE c ->> 'kind' ~ '^version' OR c ->> 'use' IS NOT NULL AND c ->> 'kind' NOT IN ('other', 'number', 'short id')
    ORDER BY coalesce(c ->> 'use', 'indexed') = 'indexed', (c ->> 'refers')::bool, c ->> 'use' LIMIT 1;
    IF key IS NULL AND notes = '{}' AND NOT EXISTS (SELECT FROM jsonb_array_elements(columns) c WHERE c ->> 'type' = 'uuid') THEN
        RETURN;
    END IF;
    SELECT jsonb_agg(c || coalesce(jsonb_build_object('seconds_apart', apart), '{}') ORDER BY number) INTO columns
    FROM jsonb_array_elements(columns) WITH ORDINALITY c(c, number)
    LEFT JOIN LATERAL (
        SELECT round(percentile_disc(0.99) WITHIN GROUP (ORDER BY abs(time - CASE substr(hex, 13, 1)
                   WHEN '7' THEN ('x0000' || left(hex, 12))::bit(64)::bigint / 1e3
                   WHEN '6' THEN ('x0' || left(hex, 12) || substr(hex, 14, 3))::bit(64)::bigint / 1e7 - 12219292800
                   WHEN '1' THEN ('x0' || substr(hex, 14, 3) || substr(hex, 9, 4) || left(hex, 8))::bit(64)::bigint / 1e7
                                 - 12219292800
                   END)), 3) AS apart
        FROM jsonb_array_elements(columns) WITH ORDINALITY k(k, key_number), jsonb_array_elements(sample) row,
             LATERAL (SELECT replace(row ->> (key_number - 1)::int, '-', '') AS hex,
                             CASE c ->> 'type' WHEN 'time' THEN (row ->> (number - 1)::int)::numeric END AS time) t
        WHERE k ->> 'name' = key ->> 'name' AND key ->> 'kind' ~ 'version [167]' AND length(hex) = 32) a ON c ->> 'type' = 'time';
    SELECT c INTO clock FROM jsonb_array_elements(columns) c
    WHERE c ->> 'type' = 'time' AND (c ->> 'filled_by' ~* 'now\(|timestamp' OR c ->> 'name' ~* 'creat|insert')
    ORDER BY (c ->> 'seconds_apart')::numeric, c ->> 'name' !~* 'creat|insert' LIMIT 1;

    SELECT jsonb_agg(to_jsonb(i) ORDER BY bytes DESC) INTO indexes FROM (
        SELECT i.indexrelid::regclass::text AS name, a.attname AS begins_with, indisunique AND indnkeyatts = 1 AS is_unique,
               sum(pg_relation_size(leaf)) AS bytes, sum(pg_stat_get_numscans(leaf)) AS scans,
               round(100.0 * sum(pg_stat_get_blocks_hit(leaf)) / nullif(sum(pg_stat_get_blocks_fetched(leaf)), 0), 1)
                   AS cached_percent,
               indexprs IS NOT NULL AND def ~* format('(left|substr|substring)"?\(+"?%s"?\)?::text', key ->> 'name')
                   AS is_of_short_ids
        FROM pg_index i LEFT JOIN pg_attribute a ON attrelid = rel AND attnum = indkey[0], pg_get_indexdef(i.indexrelid) def,
             LATERAL (SELECT relid FROM pg_partition_tree(i.indexrelid) UNION SELECT i.indexrelid) l(leaf)
        WHERE indrelid = rel AND def ~ ' USING btree ' GROUP BY i.indexrelid, attname, def) i;
    SELECT jsonb_agg(format('%s.%s', conrelid::regclass, attname) ORDER BY conrelid::regclass::text) INTO referrers
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND confrelid = rel AND conparentid = 0;

    -- An entry takes 28 bytes, and pages are 90 % full if keys are inserted in order. The actual fill is measured, or estimated
    -- from these numbers.
    SELECT i INTO key_index FROM jsonb_array_elements(indexes) i WHERE i ->> 'begins_with' = key ->> 'name'
    ORDER BY (i ->> 'is_unique')::bool DESC LIMIT 1;
    in_order := (ceil(rows * 28 / 0.9 / (block - 40)) + 1) * block;
    IF (key_index ->> 'is_unique')::bool AND (key_index ->> 'bytes')::bigint > 0 THEN
        key_index := key_index || jsonb_build_object('bytes_in_order', in_order,
            'full_percent_estimated', least(90, round(90 * in_order / (key_index ->> 'bytes')::bigint)));
        BEGIN
            IF (key_index ->> 'bytes')::bigint <= pg_size_bytes(current_setting('uuid_report.exact')) THEN
                EXECUTE (SELECT format('SELECT avg_leaf_density FROM %I.pgstatindex(%L::regclass)', nspname, key_index ->> 'name')
                         FROM pg_extension JOIN pg_namespace s ON s.oid = extnamespace WHERE extname = 'pgstattuple') INTO STRICT n;
                key_index := key_index || jsonb_build_object('full_percent', n);
            END IF;
        EXCEPTION WHEN OTHERS OR query_canceled THEN
            NULL;  -- not installed, not permitted, or partitioned
        END;
    END IF;
    -- A whole page is written to WAL when it is first changed after a checkpoint. The bytes for each key inserted out of order
    -- depend on the number of rows inserted between two checkpoints, according to the statistics since their last reset.
    EXECUTE CASE WHEN current_setting('server_version_num')::int >= 170000
                 THEN 'SELECT num_timed + num_requested FROM pg_stat_checkpointer'
                 ELSE 'SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter' END INTO n;
    SELECT sum(pg_stat_get_tuples_inserted(leaf)) INTO inserted FROM unnest(leaves) leaf WHERE NOT pg_is_in_recovery();
    IF inserted > 0 AND n > 0 AND (key_index ->> 'bytes')::float8 > 0 AND current_setting('full_page_writes')::bool THEN
        n := inserted / n / ((key_index ->> 'bytes')::float8 / block);
        key_index := key_index || jsonb_build_object('wal_images_per_key_if_in_no_order', round(0.7 * block * (1 - exp(-n)) / n));
    END IF;

    SELECT coalesce(sum((i ->> 'bytes')::bigint), 0) INTO clock_bytes FROM jsonb_array_elements(indexes) i
    WHERE i ->> 'begins_with' = clock ->> 'name';
    gain := (key_index ->> 'bytes')::float8 - in_order + clock_bytes;
    advice := CASE
        WHEN key IS NULL AND notes <> '{}' THEN ARRAY['unknown', array_to_string(notes, '; '), 'moving.md#what-a-line-means']
        WHEN key IS NULL
            THEN ARRAY['leave it', 'it is empty', 'moving.md#leave-it']
        WHEN (key ->> 'refers')::bool
            THEN ARRAY['leave it', 'its ids are those of the tables that it refers to', 'moving.md#leave-it']
        WHEN key ->> 'type' = 'uuid' AND EXISTS (
                SELECT FROM jsonb_array_elements(indexes) i WHERE (i ->> 'is_of_short_ids')::bool
                UNION ALL SELECT FROM jsonb_array_elements(columns) c WHERE c ->> 'kind' = 'short id')
            THEN ARRAY['leave it', 'short ids are the first digits of the key, which repeat in version 7',
                       'faq.md#short-ids-collide']
        WHEN key ->> 'type' IN ('text', 'bytea') AND key ->> 'kind' LIKE 'version%'
            THEN ARRAY['re-key', format('%s: UUIDs as %s, which uuid holds in 16 bytes', key ->> 'name', key ->> 'type'),
                       'moving.md#re-key']
        WHEN key ->> 'type' = 'text' AND key ->> 'kind' !~ 'version|Nil|RFC|,'
            THEN ARRAY['re-key', format('%s: %s as text, which uuid holds in 16 bytes', key ->> 'name', key ->> 'kind'),
                       'moving.md#re-key']
        WHEN key ->> 'kind' !~ 'version|Nil|RFC'
            THEN ARRAY['leave it', format('%s: other_id_time reads the time as it is', key ->> 'kind'),
                       'other-ids.md#queries-by-time']
        WHEN key ->> 'newest' IN ('version 1', 'version 4') AND (key_index ->> 'bytes')::bigint < small
            THEN ARRAY['leave it', 'the index is small', 'moving.md#leave-it']
        WHEN key ->> 'newest' = 'version 1'
            THEN ARRAY['re-key', 'version 1 is in no order: index it by its time, or make it version 6', 'moving.md#version-1']
        WHEN key ->> 'newest' = 'version 4' AND inserted = 0
            THEN ARRAY['leave it', 'nothing was inserted since statistics were reset', 'moving.md#leave-it']
        WHEN key ->> 'newest' = 'version 4' AND key ->> 'kind' = 'version 4' AND clock_bytes > 0 AND gain > bytes / 10
            THEN ARRAY['re-key', format('with the time of %s in the key its index can go: %s less',
                                        clock ->> 'name', pg_size_pretty(gain)), 'moving.md#re-key']
        WHEN key ->> 'newest' = 'version 4'
            THEN ARRAY['new rows version 7', 'old keys may stay as they are', 'moving.md#new-rows-version-7']
        WHEN key ->> 'newest' IN ('version 6', 'version 7') AND key ->> 'newest' = key ->> 'kind'
                AND (clock ->> 'seconds_apart')::float8 <= 1
            THEN ARRAY[CASE WHEN clock_bytes > 0 THEN 'drop the index' ELSE 'drop the column' END,
                       format('%s is in the key, within %s s', clock ->> 'name', clock ->> 'seconds_apart')
                           || CASE WHEN clock_bytes > 0 THEN '; its index takes ' || pg_size_pretty(clock_bytes) ELSE '' END,
                       'created-at.md#dropping-the-column-of-a-live-table']
        ELSE ARRAY['leave it', CASE WHEN key ->> 'newest' IN ('version 6', 'version 7') THEN 'new keys come in order'
                                    ELSE format('%s has no time', key ->> 'newest') END, 'moving.md#leave-it'] END;
    PERFORM set_config(format('uuid_report.t%s', rel::oid), jsonb_build_object('table', rel::text, 'rows', rows, 'bytes', bytes,
        'columns', columns, 'indexes', indexes, 'referred_by', referrers, 'key', key, 'key_index', key_index, 'clock', clock,
        'gain_bytes', gain, 'notes', notes, 'do', advice[1], 'why', advice[2], 'page', 'docs/' || advice[3])::text, true);
EXCEPTION WHEN OTHERS OR query_canceled THEN
    PERFORM set_config(format('uuid_report.t%s', rel::oid), jsonb_build_object('table', rel::text, 'do', 'unknown',
        'why', SQLERRM, 'page', 'docs/moving.md#what-a-line-means')::text, true);
END $do$
$survey$ AS survey \gset

-- All tables except temporary tables, partitions, catalogs and members of extensions.
SELECT coalesce(array_agg(c.oid), '{}') AS tables FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace
WHERE relkind IN ('r', 'p') AND relpersistence <> 't' AND NOT relispartition AND nspname !~ '^(pg_|information_schema$)'
  AND :'schema' IN (nspname, '') AND NOT EXISTS (
      SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e') \gset
SELECT replace(:'survey', '@table', oid::text || '::oid') FROM unnest(:'tables'::oid[]) oid \gexec
SET LOCAL statement_timeout = 0;

SELECT jsonb_build_object('database', current_database(), 'server', current_setting('server_version'), 'at', now(),
           'role', current_user, 'tables_without_ids', count(*) - count(r),
           'tables', coalesce(jsonb_agg(r) FILTER (WHERE r IS NOT NULL), '[]')) AS report
FROM (SELECT nullif(current_setting('uuid_report.t' || oid, true), '')::jsonb AS r
      FROM unnest(:'tables'::oid[]) oid ORDER BY oid::regclass::text) t \gset
\if :json
SELECT :'report' \g (format=unaligned tuples_only=on)
\else
\qecho 'What ids there are'
SELECT r ->> 'table' AS table, c ->> 'name' AS column, c ->> 'type' AS type, c ->> 'use' AS use, c ->> 'holds' AS holds,
       c ->> 'ascends' AS ascends, c ->> 'filled_by' AS "filled by"
FROM jsonb_array_elements(:'report'::jsonb -> 'tables') r, jsonb_array_elements(nullif(r -> 'columns', 'null')) c
WHERE c ->> 'type' <> 'time' AND c ->> 'kind' NOT IN ('other', 'number');
\qecho 'What their indexes cost'
SELECT i ->> 'name' AS index, (r ->> 'rows')::bigint AS rows, pg_size_pretty((i ->> 'bytes')::bigint) AS size,
       pg_size_pretty((i ->> 'bytes_in_order')::bigint) AS "in order",
       coalesce(i ->> 'full_percent', '~' || (i ->> 'full_percent_estimated')) AS "% full", i ->> 'cached_percent' AS "% cached",
       i ->> 'wal_images_per_key_if_in_no_order' AS "WAL images", r -> 'clock' ->> 'name' AS clock,
       r -> 'clock' ->> 'seconds_apart' AS "s apart", (SELECT string_agg(n, ', ')
           FROM jsonb_array_elements_text(nullif(r -> 'referred_by', 'null')) n) AS "referred to by"
FROM jsonb_array_elements(:'report'::jsonb -> 'tables') r, LATERAL (SELECT r -> 'key_index' AS i) i WHERE i <> 'null';
\qecho 'What to do'
SELECT r ->> 'table' AS table, r ->> 'do' AS do, r ->> 'why' AS why, r ->> 'page' AS page,
       (SELECT string_agg(n, '; ') FROM jsonb_array_elements_text(nullif(r -> 'notes', 'null')) n) AS notes
FROM jsonb_array_elements(:'report'::jsonb -> 'tables') r;
\endif
COMMIT;
