\set ECHO none
-- What many tests share: settings, output without headings, and functions.
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET max_parallel_workers_per_gather = 0;
SET jit = off;
\pset format unaligned
\pset tuples_only on

-- Returns the result of a call, or the SQLSTATE, message, detail and hint of its error.
CREATE FUNCTION pg_temp.outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text; state text; message text; detail text; hint text;
BEGIN
    EXECUTE 'SELECT ' || call INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN state || ': ' || concat_ws(' | ', message, nullif(detail, ''), nullif(hint, ''));
END $$;

-- Returns the rows of a query with rewriting on or off, preferably by index scans, or the SQLSTATE of an error that values cause.
CREATE FUNCTION pg_temp.result(query text, rewriting text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    rows text;
BEGIN
    PERFORM set_config('uuidrfc.enable_time_rewrite', rewriting, true), set_config('enable_seqscan', 'off', true);
    EXECUTE format('SELECT string_agg(s::text, '' '') FROM (%s) s', query) INTO rows;
    SET LOCAL uuidrfc.enable_time_rewrite = on;
    RETURN rows;
EXCEPTION WHEN feature_not_supported OR datetime_field_overflow OR statement_too_complex THEN
    RETURN SQLSTATE;
END $$;

-- Returns the plan of a query, without the parts that differ between PostgreSQL versions. If analyze_too is true, the query is
-- executed, and the plan shows the numbers of rows.
CREATE FUNCTION pg_temp.plan(query text, analyze_too boolean DEFAULT false) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF, ANALYZE %s) %s', analyze_too::text, query) LOOP
        CONTINUE WHEN line ~ '^ *(Heap Fetches|Index Searches|Rows Removed by [A-Za-z ]+|Heap Blocks|Replaces|Disabled): ';
        line := regexp_replace(line, ' \(actual rows=([0-9]+)(\.00)? loops=([0-9]+)\)', ' (\1 rows, \3 times)');
        RETURN NEXT regexp_replace(line, '(?<=SubPlan )expr_|(?<=InitPlan )minmax_| \(returns \$\d+\)', '');
    END LOOP;
END $$;

-- Returns the number of rows that the planner expects.
CREATE FUNCTION pg_temp.expected(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
\set ECHO all
