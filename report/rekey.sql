-- Writes scripts that change the keys of a table, and the references to it, while it is in use. This script itself changes
-- nothing.
--
--     mkdir plan && psql -X -d shop -v table=customer -v time=created_at -v out=plan -f report/rekey.sql
--     for step in plan/[1-6]*.sql; do psql -X -d shop -f $step || break; done
--
-- The first line writes the scripts that docs/moving.md describes into plan/. The second runs those that back.sql can revert.
--
-- Variables: table=NAME. column=NAME, if the primary key has several columns. to=v7 (with time=EXPRESSION of the row's columns),
-- v6 (from version 1), uuid (from text), or a system of docs/other-ids.md. out=DIRECTORY of the scripts, by default '.'. If no
-- plan is possible, the script fails with the reasons.
\set ON_ERROR_STOP on
\set QUIET on
\if :{?column} \else \set column '' \endif
\if :{?to} \else \set to v7 \endif
\if :{?time} \else \set time '' \endif
\if :{?out} \else \set out . \endif
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT set_config('rekey.table', :'table'::regclass::oid::text, true), set_config('rekey.to', :'to', true),
       set_config('rekey.time', :'time', true), set_config('rekey.column', :'column', true) \gset ignored_
-- With this setting, names are printed with their schema.
SET LOCAL search_path = pg_catalog;

-- The procedures used by all scripts.
SELECT $procedures$\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
SET statement_timeout = 0;
-- Executes statements with tables locked. Lock requests time out quickly, so that other sessions do not wait long behind them.
-- Attempts alternate between two opposite orders, because other transactions may lock the tables in either.
CREATE PROCEDURE pg_temp.alter_tables(tables text[], mode text, patience text, statements text) LANGUAGE plpgsql AS $$
BEGIN
    FOR attempt IN 1..1000 LOOP
        BEGIN
            PERFORM set_config('lock_timeout', patience, true);
            FOR i IN 1..cardinality(tables) LOOP
                EXECUTE format('LOCK TABLE %s IN %s MODE',
                               tables[CASE attempt % 2 WHEN 1 THEN i ELSE cardinality(tables) + 1 - i END], mode);
                SET LOCAL lock_timeout = '90ms';
            END LOOP;
            EXECUTE statements;
            RETURN;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            PERFORM pg_sleep(random() / 5);
        END;
    END LOOP;
    RAISE 'could not lock tables' USING ERRCODE = 'lock_not_available', HINT = 'Run this script again.';
END $$;
CREATE PROCEDURE pg_temp.add_constraint(tables text[], mode text, name text, definition text) LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = tables[1]::regclass AND conname = name) THEN
        CALL pg_temp.alter_tables(tables, mode, '90ms',
                                  format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', tables[1], name, definition));
        COMMIT;
    END IF;
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', tables[1], name);
END $$;
-- Updates some pages in each transaction, for about 10 ms. One pass is enough, because the trigger fills rows that are written
-- in the meantime. The procedure waits for locks for less than deadlock_timeout, so that it causes no other session to be
-- canceled. If a superuser calls it, no triggers are fired.
CREATE PROCEDURE pg_temp.fill("table" text, assignments text, condition text) LANGUAGE plpgsql AS $$
DECLARE
    page bigint = 0;
    pages bigint = 1;
    started timestamptz;
    end_page CONSTANT bigint = pg_relation_size("table") / current_setting('block_size')::int;
BEGIN
    IF current_setting('is_superuser')::bool THEN
        SET session_replication_role = replica;
    END IF;
    SET lock_timeout = '20ms';
    WHILE page < end_page LOOP
        started := clock_timestamp();
        BEGIN
            EXECUTE format('UPDATE %s SET %s WHERE ctid >= $1 AND ctid < $2 AND (%s)', "table", assignments, condition)
            USING format('(%s,0)', page)::tid, format('(%s,0)', page + pages)::tid;
            page := page + pages;
            pages := greatest(1, pages * least(2, 0.01 / greatest(extract(epoch FROM clock_timestamp() - started), 0.001)));
        EXCEPTION WHEN lock_not_available OR deadlock_detected OR serialization_failure THEN
            pages := 1;
        END;
        COMMIT;
    END LOOP;
    RESET lock_timeout;
    IF current_setting('is_superuser')::bool THEN
        RESET session_replication_role;
    END IF;
END $$;
CREATE PROCEDURE pg_temp.demand(is_switched boolean) LANGUAGE plpgsql AS $$
BEGIN
    IF is_switched <> pg_temp.is_switched() THEN
        RAISE '%', CASE WHEN is_switched THEN 'keys have not been switched yet' ELSE 'keys have already been switched' END;
    END IF;
END $$;$procedures$ AS procedures \gset

DO $plan$
#variable_conflict use_column
DECLARE
    main CONSTANT regclass = current_setting('rekey.table')::oid;
    named CONSTANT text = current_setting('rekey.column');
    target CONSTANT text = current_setting('rekey.to');
    row_time CONSTANT text = CASE target WHEN 'v7' THEN '(' || nullif(current_setting('rekey.time'), '') || ')::timestamptz'
                                         ELSE 'NULL::timestamptz' END;
    key record;         -- the table: its name, its primary key, and its schema, in which all objects are created
    functions text;     -- the schema of the functions that generate keys
    map text;           -- the table of old and new keys
    new_key text;       -- the function that reads the table of keys, and adds keys to it
    made text;          -- the expression that generates a key
    pairs jsonb;        -- the columns that contain the key
    indexes jsonb;      -- the indexes on these columns, with @column@ in place of each
    foreign_keys jsonb;
    reasons text[];
    -- Templates: a trigger's function (name, body); statements that add columns and the trigger (table, columns, function, the
    -- function's name); calls.
    trigger_function text; attach text; alter_tables text; add_constraint text; fill text;
    script text[];      -- the scripts 1 to 7, and `back`
    fill_back text; remove text;
    tables text[];
    before text; after text;  -- the functions of all triggers, before and after the switch
    create_indexes text; add_keys text; ready text;
    drop_foreign_keys text; drops text; renames text; finish text;  -- parts of the switch
    part text; t record; i record;
    was text;           -- suffixes of the former and the future key columns
    other text;
BEGIN
    SELECT relname, quote_ident(nspname) AS schema, attname AS name, attnum, format_type(t.oid, NULL) AS type, typcategory,
           attidentity, pg_get_expr(adbin, adrelid) AS filled_by INTO key
    FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace
    JOIN pg_index ON indrelid = c.oid AND indisprimary
    JOIN pg_attribute a ON attrelid = c.oid AND attnum = ANY (indkey[0:indnkeyatts - 1]) JOIN pg_type t ON t.oid = atttypid
    LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
    WHERE c.oid = main AND CASE WHEN named = '' THEN indnkeyatts = 1 ELSE attname = named END;
    IF key IS NULL THEN
        RAISE 'cannot plan new keys for table %', main USING HINT = 'Name one of several columns, such as -v column=id.',
            DETAIL = 'Its primary key does not have this column, or has several.';
    END IF;
    SELECT quote_ident(nspname) INTO functions FROM pg_proc p JOIN pg_namespace s ON s.oid = pronamespace
    WHERE proname = CASE target WHEN 'v7' THEN 'uuidv7_at' WHEN 'v6' THEN 'uuid_v1_to_v6' WHEN 'uuid' THEN 'uuidv7'
                                ELSE 'other_id_to_uuid' END
      AND coalesce(obj_description(p.oid, 'pg_proc'), '') !~ '^not in the pure-SQL edition'
    ORDER BY nspname = 'pg_catalog' LIMIT 1;
    map := format('%s.%I', key.schema, key.relname || '_keys');
    new_key := format('%s.%I', key.schema, key.relname || '_key');
    made := format(CASE target
        WHEN 'v7' THEN '%s.uuidv7_at(greatest(''1970-01-01 00:00Z'', least(''9999-01-01 00:00Z'', '
                       'coalesce($2, (SELECT %s FROM %s WHERE %I = $1 LIMIT 1), now()))))'
        WHEN 'v6' THEN 'CASE %1$s.uuid_extract_version($1) WHEN 1 THEN %1$s.uuid_v1_to_v6($1) ELSE $1 END'
        WHEN 'uuid' THEN '$1::uuid'
        ELSE '%1$s.other_id_to_uuid($1, %5$L)' END, functions, row_time, main, key.name, target);

    -- The columns, the foreign keys to the key, and the indexes.
    SELECT jsonb_agg(to_jsonb(p) || jsonb_build_object('fires', format('%I.%I', nspname, relname || '_rekey'))
                     ORDER BY is_key DESC, tbl, col) INTO pairs
    FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace JOIN (
        SELECT main::oid AS rel, main::text AS tbl, key.name::text AS col, key.attnum, true AS is_key, true AS not_null
        UNION SELECT conrelid, conrelid::regclass::text, attname, attnum, false, attnotnull
        FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[array_position(confkey, key.attnum)]
        WHERE contype = 'f' AND confrelid = main) p ON c.oid = rel;
    SELECT coalesce(jsonb_agg(f), '[]') INTO foreign_keys FROM (
        SELECT c.oid, conrelid AS rel, conrelid::regclass::text AS tbl, conname AS name, conkey, confkey, convalidated,
               substring(def FROM '[^)]*$') AS tail, def ~ ' SET (NULL|DEFAULT) \([^)]*\)[^)]*$' AS sets_columns
        FROM pg_constraint c, pg_get_constraintdef(c.oid) def
        WHERE contype = 'f' AND confrelid = main AND key.attnum = ANY (confkey)) f;
    SELECT jsonb_agg(i) INTO indexes FROM (
        SELECT i.indexrelid AS oid, c.relname AS name, nspname AS schema, indrelid::regclass::text AS tbl, indisunique, contype,
               -- The definition after the name, with the columns marked.
               (SELECT regexp_replace(substr(def, strpos(def, 'INDEX ') + 6 + length(quote_ident(c.relname))),
                                      '(?<=[(, ])(' || string_agg(quote_ident(p.col), '|') || ')(?=[,) ])', '@\1@', 'g')
                FROM jsonb_to_recordset(pairs) p(rel oid, col text) WHERE rel = indrelid) AS def
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace s ON s.oid = relnamespace
        LEFT JOIN pg_constraint x ON conindid = i.indexrelid AND conrelid = indrelid AND contype IN ('p', 'u'),
        LATERAL pg_get_indexdef(i.indexrelid) def
        WHERE NOT indisexclusion AND indexprs IS NULL AND NOT coalesce(condeferrable, false) AND EXISTS (
            SELECT FROM jsonb_to_recordset(pairs) p(rel oid, col text, attnum int2)
            WHERE rel = indrelid AND attnum = ANY (indkey) AND strpos(coalesce(pg_get_expr(indpred, indrelid), ''), col) = 0)) i;

    -- The reasons to refuse a plan.
    reasons := ARRAY(
        SELECT 'a standby takes no plan: ask the primary' WHERE pg_is_in_recovery()
        UNION ALL SELECT format('there is no function for to=%s: create extension uuidrfc or run portable/uuidrfc.sql', target)
            WHERE functions IS NULL AND target <> 'uuid'
        UNION ALL SELECT 'to=v7 needs time=EXPRESSION of the columns, the time of a row' WHERE row_time IS NULL
        UNION ALL SELECT format('to=%s takes no key of type %s', target, key.type)
            WHERE CASE target WHEN 'v6' THEN key.type <> 'uuid' WHEN 'uuid' THEN key.typcategory <> 'S' ELSE false END
        UNION ALL SELECT 'after the switch nothing would fill the old key, so that there would be no way back: give it a default'
            WHERE key.filled_by IS NULL AND key.attidentity = '' AND key.type <> 'uuid' AND key.typcategory <> 'S'
        UNION ALL SELECT format('column %I is neither uuid nor unique: rows with the same value would get the same key', key.name)
            WHERE key.type <> 'uuid' AND NOT EXISTS (
                SELECT FROM pg_index
                WHERE indrelid = main AND indisunique AND indnkeyatts = 1 AND indkey[0] = key.attnum AND indpred IS NULL)
        UNION ALL SELECT format('there is a table %s, whose name the plan needs', map) WHERE to_regclass(map) IS NOT NULL
        UNION ALL SELECT DISTINCT format('there is a function %s, whose name the plan needs', p.oid::regprocedure)
            FROM pg_proc p JOIN pg_namespace s ON s.oid = pronamespace, jsonb_to_recordset(pairs) x(fires text)
            WHERE format('%I.%I', nspname, proname) IN (fires, new_key)
        UNION ALL SELECT DISTINCT format('table %s is %s', tbl, state)
            FROM jsonb_to_recordset(pairs) p(rel oid, tbl text) JOIN pg_class c ON c.oid = rel, LATERAL (
                SELECT 'partitioned, or a partition' WHERE relkind <> 'r' OR relispartition
                UNION ALL SELECT 'a parent or a child by inheritance'
                    WHERE relkind = 'r' AND NOT relispartition
                      AND EXISTS (SELECT FROM pg_inherits WHERE rel IN (inhparent, inhrelid))
                UNION ALL SELECT 'published, and its subscribers would not follow'
                    WHERE EXISTS (SELECT FROM pg_publication_tables JOIN pg_namespace ON nspname = schemaname
                                  WHERE pg_namespace.oid = relnamespace AND tablename = relname)
                UNION ALL SELECT 'subscribed to, and its publisher would not follow'
                    WHERE EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = rel)
                UNION ALL SELECT format('not owned by %I', current_user) WHERE NOT pg_has_role(relowner, 'USAGE')
                UNION ALL SELECT 'under a plan already: go on with it, or run its back.sql'
                    WHERE EXISTS (SELECT FROM pg_trigger WHERE tgrelid = rel AND tgname = 'zz_rekey')) s(state)
        UNION ALL SELECT DISTINCT format('trigger %s of %s would fire for each old row%s', tgname, tbl,
                                         CASE WHEN tgenabled = 'O' THEN ', unless a superuser runs the plan' END)
            FROM jsonb_to_recordset(pairs) p(rel oid, tbl text) JOIN pg_trigger ON tgrelid = rel
            WHERE NOT tgisinternal AND tgtype & 16 <> 0  -- for UPDATE
              AND (tgenabled IN ('A', 'R') OR tgenabled = 'O' AND NOT current_setting('is_superuser')::bool)
        UNION ALL SELECT format('foreign key %s of %s %s', name, tbl, state)
            FROM jsonb_to_recordset(foreign_keys)
                f(tbl text, name text, sets_columns bool, convalidated bool), LATERAL (
                SELECT 'is not valid' WHERE NOT convalidated
                UNION ALL SELECT 'sets columns' WHERE sets_columns) s(state)
        UNION ALL SELECT format('column %s of %s has %s', col, tbl, state)
            FROM jsonb_to_recordset(pairs) p(rel oid, tbl text, col text, is_key bool)
            JOIN pg_attribute a ON attrelid = rel AND attname = col, LATERAL (
                SELECT 'privileges of its own' WHERE attacl IS NOT NULL
                UNION ALL SELECT 'a default' WHERE atthasdef AND NOT is_key
                UNION ALL SELECT format('a neighbor %s', o.attname) FROM pg_attribute o
                    WHERE o.attrelid = rel AND o.attname IN (col || '_new', col || '_old')) s(state)
        UNION ALL SELECT format('index %s %s', name, state)
            FROM jsonb_to_recordset(indexes) i(oid oid, name text, def text), LATERAL (
                SELECT 'is the replica identity' WHERE EXISTS (SELECT FROM pg_index WHERE indexrelid = i.oid AND indisreplident)
                UNION ALL SELECT 'has an operator class or collation of its own'
                    WHERE key.type <> 'uuid' AND def ~ '@ (COLLATE|"?\w*_ops)') s(state)
        UNION ALL SELECT format('name %I is too long', n) FROM (
            SELECT col FROM jsonb_to_recordset(pairs) p(col text)
            UNION SELECT name FROM jsonb_to_recordset(foreign_keys || indexes) f(name text)) names(n) WHERE octet_length(n) > 55
        UNION ALL SELECT DISTINCT format('%s depends on column %s of %s', pg_describe_object(classid, objid, objsubid), col, tbl)
            FROM jsonb_to_recordset(pairs) p(rel oid, tbl text, col text, attnum int2)
            JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = rel AND refobjsubid = attnum
            LEFT JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid
            LEFT JOIN pg_attrdef d ON classid = 'pg_attrdef'::regclass AND d.oid = objid
            LEFT JOIN pg_constraint x ON classid = 'pg_constraint'::regclass AND x.oid = objid
            WHERE relkind IS DISTINCT FROM 'S' AND adnum IS DISTINCT FROM attnum AND contype IS DISTINCT FROM 'n'
              AND NOT EXISTS (SELECT FROM jsonb_to_recordset(indexes) i(oid oid) WHERE i.oid IN (objid, conindid))
              AND NOT EXISTS (SELECT FROM jsonb_to_recordset(foreign_keys) f(oid oid) WHERE f.oid = objid));
    IF reasons <> '{}' THEN
        RAISE 'cannot plan new keys for table %', main USING DETAIL = array_to_string(reasons, E'\n');
    END IF;

    -- Scripts 1 and 2 are for the table itself.
    script[1] := format($$CREATE TABLE IF NOT EXISTS %1$s (old_id %2$s PRIMARY KEY, new_id uuid NOT NULL UNIQUE);
-- An old key has one new key. A session that needs a key that another transaction is generating waits for that transaction.
CREATE OR REPLACE FUNCTION %3$s(%2$s, timestamptz DEFAULT NULL) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
#variable_conflict use_column
DECLARE
    key uuid;
BEGIN
    WHILE $1 IS NOT NULL LOOP
        SELECT new_id INTO key FROM %1$s WHERE old_id = $1;
        EXIT WHEN FOUND;
        INSERT INTO %1$s VALUES ($1, %4$s) ON CONFLICT (old_id) DO NOTHING;
    END LOOP;
    RETURN key;
END $function$;
REVOKE ALL ON FUNCTION %3$s FROM PUBLIC;
$$, map, key.type, new_key, made);
    -- The bodies of the triggers before and after the switch, for the key and for each column that references it.
    SELECT jsonb_agg(p || jsonb_build_object('before', format('    IF NEW.%1$I IS NULL OR NEW.%2$I IS DISTINCT FROM OLD.%2$I THEN
        NEW.%1$I := %3$s(NEW.%2$I%4$s);
    END IF;
', col || '_new', col, new_key, CASE WHEN is_key AND target = 'v7'
            THEN format(', (SELECT %s FROM (SELECT NEW.*) r)', row_time) END),
        'after', CASE WHEN is_key THEN format('    IF NEW.%2$I IS DISTINCT FROM OLD.%2$I THEN
        NEW.%1$I := coalesce((SELECT old_id FROM %3$s WHERE new_id = NEW.%2$I), NEW.%1$I, %4$s);
        INSERT INTO %3$s AS m VALUES (NEW.%1$I, NEW.%2$I)
        ON CONFLICT (old_id) DO UPDATE SET new_id = EXCLUDED.new_id WHERE m.new_id <> EXCLUDED.new_id;
    END IF;
', col || '_old', col, map, CASE WHEN key.type = 'uuid' OR key.typcategory = 'S' THEN format('NEW.%I::%s', col, key.type)
            ELSE 'NULL' END)
        ELSE format('    IF NEW.%1$I IS NULL OR NEW.%2$I IS DISTINCT FROM OLD.%2$I THEN
        NEW.%1$I := (SELECT old_id FROM %3$s WHERE new_id = NEW.%2$I);
    END IF;
', col || '_old', col, map) END)) INTO pairs
    FROM jsonb_array_elements(pairs) p, jsonb_to_record(p) c(col text, is_key bool);
    trigger_function := $$CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
%2$s    RETURN NEW;
END $function$;
REVOKE ALL ON FUNCTION %1$s() FROM PUBLIC;
$$;
    alter_tables := E'CALL pg_temp.alter_tables(%L, ''ACCESS EXCLUSIVE'', %L, $statements$\n%s$statements$);\n';
    add_constraint := E'CALL pg_temp.add_constraint(%L, %L, %L, %L);\n';
    fill := E'CALL pg_temp.fill(%L, %L, %L);\n';
    attach := $$ALTER TABLE %1$s %2$s;
%3$sCREATE OR REPLACE TRIGGER zz_rekey BEFORE INSERT OR UPDATE ON %1$s FOR EACH ROW EXECUTE FUNCTION %4$s();
$$;
    -- Tables that only reference the key come first, because columns are dropped in this order.
    FOR t IN SELECT tbl, fires, bool_or(NOT is_key) AS refers,
                    string_agg(before, '' ORDER BY is_key DESC) AS before, string_agg(after, '' ORDER BY is_key DESC) AS after,
                    string_agg(before, '') FILTER (WHERE is_key) AS before_of_key,
                    string_agg('ADD COLUMN IF NOT EXISTS ' || new || ' uuid', ', ') FILTER (WHERE NOT is_key) AS columns,
                    string_agg(format('%1$s = coalesce(%1$s, %2$s(%3$I))', new, new_key, col), ', ')
                        FILTER (WHERE NOT is_key) AS fill,
                    string_agg(format('%s IS NULL AND %I IS NOT NULL', new, col), ' OR ') FILTER (WHERE NOT is_key) AS unfilled,
                    string_agg(format('%1$s = coalesce(%1$s, (SELECT old_id FROM %2$s WHERE new_id = %3$I))', old, map, col),
                               ', ') FILTER (WHERE NOT is_key) AS fill_back,
                    string_agg(format('%s IS NULL AND %I IS NOT NULL', old, col), ' OR ')
                        FILTER (WHERE NOT is_key) AS unfilled_back,
                    string_agg(format('DROP COLUMN IF EXISTS %I', col || '_@'), ', ' ORDER BY is_key) AS drop
             FROM jsonb_to_recordset(pairs) p(tbl text, fires text, col text, is_key bool, before text, after text),
                  LATERAL (SELECT quote_ident(col || '_new') AS new, quote_ident(col || '_old') AS old) names
             GROUP BY tbl, fires ORDER BY bool_or(is_key)
    LOOP
        IF t.before_of_key IS NOT NULL THEN
            part := format(attach, main, format('ADD COLUMN IF NOT EXISTS %I uuid', key.name || '_new'),
                           format(trigger_function, t.fires, t.before_of_key), t.fires);
            script[1] := script[1] || format($$SELECT count(*) = 0 AS is_new FROM pg_trigger
WHERE tgrelid = %L::regclass AND tgname = 'zz_rekey' \gset
\if :is_new
%s\endif
$$, main, format(alter_tables, ARRAY[main::text], '90ms', part));
            script[2] := format(fill, main, format('%I = %s(%I, %s)', key.name || '_new', new_key, key.name, row_time),
                                format('%I IS NULL', key.name || '_new'));
        END IF;
        IF t.refers THEN
            part := format(attach, t.tbl, t.columns, format(trigger_function, t.fires, t.before), t.fires);
            script[3] := concat(script[3], format(alter_tables, ARRAY[t.tbl], '90ms', part),
                                format(fill, t.tbl, t.fill, t.unfilled));
            fill_back := concat(fill_back, format(fill, t.tbl, t.fill_back, t.unfilled_back));
        END IF;
        remove := concat(remove, format($$DROP TRIGGER IF EXISTS zz_rekey ON %1$s;
ALTER TABLE %1$s %2$s;
DROP FUNCTION IF EXISTS %3$s();
$$, t.tbl, t.drop, t.fires));
        before := concat(before, format(trigger_function, t.fires, t.before));
        after := concat(after, format(trigger_function, t.fires, t.after));
        tables := t.tbl || tables;
    END LOOP;
    script[3] := coalesce(script[3], E'-- No table refers to it.\n');

    FOREACH other IN ARRAY '{new,old}'::text[] LOOP
        was := CASE other WHEN 'new' THEN 'old' ELSE 'new' END;
        create_indexes := '';
        add_keys := '';
        ready := NULL;
        drops := '';
        finish := '';
        FOR i IN SELECT * FROM jsonb_to_recordset(indexes)
                 i(name text, schema text, tbl text, contype text, indisunique bool, def text) LOOP
            FOR t IN SELECT col FROM jsonb_to_recordset(pairs) p(col text) LOOP
                i.def := replace(i.def, format('@%I@', t.col), quote_ident(t.col || '_' || other));
            END LOOP;
            part := format('%I.%I', i.schema, i.name || '_' || other);
            -- An interrupted run may have left an invalid index.
            create_indexes := create_indexes || format($$SELECT 'DROP INDEX CONCURRENTLY ' || indexrelid::regclass FROM pg_index
WHERE indexrelid = to_regclass(%L) AND NOT indisvalid \gexec
CREATE %sINDEX CONCURRENTLY IF NOT EXISTS %I%s;
$$, part, CASE WHEN i.indisunique THEN 'UNIQUE ' END, i.name || '_' || other, i.def);
            IF i.contype IS NULL THEN
                finish := finish || format(E'ALTER INDEX %1$I.%2$I RENAME TO %3$I;\nALTER INDEX %1$I.%4$I RENAME TO %2$I;\n',
                                           i.schema, i.name, i.name || '_' || was, i.name || '_' || other);
            ELSE
                drops := drops || format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', i.tbl, i.name);
                finish := finish || format(E'ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I;\n', i.tbl, i.name,
                                           CASE i.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, i.name || '_' || other);
            END IF;
        END LOOP;
        renames := '';
        FOR t IN SELECT * FROM jsonb_to_recordset(pairs) p(tbl text, col text, is_key bool, not_null bool) LOOP
            part := format('CHECK (%I IS NOT NULL%s)', t.col || '_' || other,
                           CASE WHEN NOT t.not_null THEN format(' OR %I IS NULL', t.col) END);
            add_keys := add_keys || format(add_constraint, ARRAY[t.tbl], 'ACCESS EXCLUSIVE', t.col || '_rekey', part);
            ready := concat_ws(', ', ready, format('(%L::regclass, %L)', t.tbl, t.col || '_rekey'));
            renames := renames || format(
                E'ALTER TABLE %1$s RENAME COLUMN %2$I TO %3$I;\nALTER TABLE %1$s RENAME COLUMN %4$I TO %2$I;\n',
                t.tbl, t.col, t.col || '_' || was, t.col || '_' || other);
            IF t.not_null THEN
                renames := renames || format(E'ALTER TABLE %s ALTER COLUMN %I SET NOT NULL;\n', t.tbl, t.col);
                IF NOT t.is_key OR other = 'old' OR key.attidentity = '' THEN
                    finish := finish || format(E'ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL;\n', t.tbl, t.col || '_' || was);
                END IF;
            END IF;
            finish := finish || format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', t.tbl, t.col || '_rekey');
        END LOOP;
        drop_foreign_keys := '';
        FOR t IN SELECT tbl, name, format('FOREIGN KEY (%s) REFERENCES %s (%s)%s', columns, main, referenced, tail) AS definition
                 FROM jsonb_to_recordset(foreign_keys)
                     f(rel oid, tbl text, name text, conkey int2[], confkey int2[], tail text), LATERAL (
                     SELECT string_agg(quote_ident(f.attname || suffix), ', ' ORDER BY n) AS columns,
                            string_agg(quote_ident(t.attname || suffix), ', ' ORDER BY n) AS referenced
                     FROM unnest(conkey, confkey) WITH ORDINALITY k(f, t, n)
                     JOIN pg_attribute f ON f.attrelid = rel AND f.attnum = k.f
                     JOIN pg_attribute t ON t.attrelid = main AND t.attnum = k.t,
                     LATERAL (SELECT CASE k.t WHEN key.attnum THEN '_' || other ELSE '' END AS suffix) x) k LOOP
            add_keys := add_keys || format(add_constraint, ARRAY[t.tbl, main::text], 'SHARE ROW EXCLUSIVE',
                                           t.name || '_' || other, t.definition);
            ready := concat_ws(', ', ready, format('(%L::regclass, %L)', t.tbl, t.name || '_' || other));
            drop_foreign_keys := drop_foreign_keys || format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', t.tbl, t.name);
            finish := finish || format(E'ALTER TABLE %s RENAME CONSTRAINT %I TO %I;\n', t.tbl, t.name || '_' || other, t.name);
        END LOOP;
        -- If an index is missing, the switch fails. If a valid CHECK were missing, the switch would scan whole tables. Foreign keys
        -- are dropped before the keys that they reference.
        part := format($$DO $ready$
BEGIN
    IF EXISTS (SELECT FROM (VALUES %s) n(conrelid, conname) LEFT JOIN pg_constraint USING (conrelid, conname)
               WHERE convalidated IS NOT TRUE) THEN
        RAISE 'keys are missing' USING HINT = 'Run 5_keys.sql.';
    END IF;
END $ready$;
$$, ready) || format(alter_tables, tables, '2s', concat(drop_foreign_keys, drops, renames, finish,
            format(E'ALTER TABLE %s ALTER COLUMN %I %s;\n', main, concat(key.name, CASE other WHEN 'old' THEN '_new' END), CASE
                WHEN other = 'old' THEN 'DROP DEFAULT' WHEN functions IS NULL THEN 'SET DEFAULT gen_random_uuid()'
                ELSE format('SET DEFAULT %s.uuidv%s()', functions, CASE target WHEN 'v6' THEN 6 ELSE 7 END) END),
            CASE other WHEN 'new' THEN after ELSE before END));
        IF other = 'new' THEN
            script[4] := concat(create_indexes, 'ANALYZE ', array_to_string(tables, ', '), E';\n');
            script[5] := add_keys;
            script[6] := part;
        ELSE
            script[8] := concat(fill_back, create_indexes, add_keys, part);
        END IF;
    END LOOP;
    remove := format(E'%sDROP FUNCTION IF EXISTS %s(%s, timestamptz);\n', remove, new_key, key.type);
    script[7] := format(E'-- From here on, there is no way back. Table %s is kept, to find rows by old keys.\n', map)
        || format(alter_tables, tables, '2s', replace(remove, '@', 'old'));
    script[8] := format($$DO $guard$
BEGIN
    IF to_regclass(%L) IS NOT NULL AND NOT EXISTS (
        SELECT FROM pg_trigger WHERE tgrelid = %L::regclass AND tgname = 'zz_rekey') THEN
        IF EXISTS (SELECT FROM %s) THEN
            RAISE 'cannot go back after 7_clean.sql';
        END IF;
    END IF;
END $guard$;
SELECT pg_temp.is_switched() \gset
\if :is_switched
%s\endif
$$, map, main, map, script[8]) || format(alter_tables, tables, '2s',
          concat(replace(remove, '@', 'new'), 'DROP TABLE IF EXISTS ', map, E';\n'));
    FOR n IN 1..8 LOOP
        PERFORM set_config('rekey.script' || n, concat(E'\\ir procedures.sql\n',
            CASE WHEN n < 8 THEN format(E'CALL pg_temp.demand(is_switched => %s);\n', (n = 7)::text) END, script[n]), true);
    END LOOP;
    PERFORM set_config('rekey.is_switched', format(E'CREATE FUNCTION pg_temp.is_switched() RETURNS boolean LANGUAGE sql RETURN\n'
        '    EXISTS (SELECT FROM pg_attribute WHERE attrelid = %L::regclass AND attname = %L);', main, key.name || '_old'), true);
END $plan$;

\pset format unaligned
\pset tuples_only on
\pset fieldsep '\n'
SELECT :'procedures', current_setting('rekey.is_switched') \g :out/procedures.sql
SELECT current_setting('rekey.script1') \g :out/1_columns.sql
SELECT current_setting('rekey.script2') \g :out/2_fill.sql
SELECT current_setting('rekey.script3') \g :out/3_references.sql
SELECT current_setting('rekey.script4') \g :out/4_indexes.sql
SELECT current_setting('rekey.script5') \g :out/5_keys.sql
SELECT current_setting('rekey.script6') \g :out/6_switch.sql
SELECT current_setting('rekey.script7') \g :out/7_clean.sql
SELECT current_setting('rekey.script8') \g :out/back.sql
COMMIT;
