-- The executions of code that another role has planted: every planted function adds a row to this table.
CREATE TABLE public.trapped (who name, what text);
GRANT INSERT ON public.trapped TO public;
CREATE FUNCTION public.trap(what text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO public.trapped VALUES (current_user, what); RETURN false; END $$;
GRANT EXECUTE ON FUNCTION public.trap(text) TO public;
GRANT CREATE ON SCHEMA public TO public

-- For the functions and operators of core and of the schema ids that take data types, creates others of the same names and
-- arguments in SCHEMA, which record their execution and return null.
DO $plant$
DECLARE
    types oid[] = ARRAY(SELECT oid FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typname = ANY (
        '{text,name,int2,int4,int8,numeric,float8,oid,regclass,uuid,date,timestamptz,timestamp,interval,tstzrange,tstzmultirange,bool,'
        'bytea,bit,varbit,jsonb,_text,_uuid,_timestamptz}'));
    one record;
BEGIN
    FOR one IN SELECT DISTINCT proname AS name, oidvectortypes(proargtypes) AS arguments,
                      format_type(prorettype, NULL) AS result
               FROM pg_proc WHERE (pronamespace = 'pg_catalog'::regnamespace OR pronamespace = to_regnamespace('ids'))
                 AND prokind = 'f' AND NOT proretset AND proallargtypes IS NULL AND provariadic = 0
                 AND prorettype = ANY (types) AND proargtypes::oid[] <@ types
                 -- Functions of later PostgreSQL versions with names of the extension's functions would prevent its creation.
                 AND NOT ('SCHEMA' = 'ids' AND proname ~ '^uuid(v|_extract)')
               -- Functions with exact types are preferred to core's polymorphic ones, although pg_catalog is searched first.
               UNION VALUES ('range_merge', 'tstzmultirange', 'tstzrange'), ('unnest', 'text[]', 'text'),
                            ('pg_has_role', 'text, text', 'boolean')
    LOOP
        EXECUTE format('CREATE FUNCTION SCHEMA.%I(%s) RETURNS %s LANGUAGE sql AS %L', one.name, one.arguments, one.result,
                       format('SELECT NULL::%s FROM (SELECT public.trap(%L)) t', one.result, one.name));
    END LOOP;
    FOR one IN SELECT row_number() OVER () AS n, oprname AS name, format_type(oprleft, NULL) AS l,
                      format_type(oprright, NULL) AS r, format_type(oprresult, NULL) AS result
               FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b'
                 AND ARRAY[oprleft, oprright, oprresult] <@ types
    LOOP
        EXECUTE format('CREATE FUNCTION SCHEMA.planted_%s(%s, %s) RETURNS %s LANGUAGE sql AS %L', one.n, one.l, one.r,
                       one.result, format('SELECT NULL::%s FROM (SELECT public.trap(%L)) t', one.result, one.name));
        EXECUTE format('CREATE OPERATOR SCHEMA.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = SCHEMA.planted_%s)',
                       one.name, one.l, one.r, one.n);
    END LOOP;
END $plant$

-- Types with the names of core's types.
CREATE DOMAIN SCHEMA.text AS pg_catalog.text CHECK (public.trap('text'));
CREATE DOMAIN SCHEMA.uuid AS pg_catalog.uuid CHECK (public.trap('uuid'));
CREATE DOMAIN SCHEMA.bytea AS pg_catalog.bytea CHECK (public.trap('bytea'));
CREATE DOMAIN SCHEMA.timestamptz AS pg_catalog.timestamptz CHECK (public.trap('timestamptz'));
CREATE DOMAIN SCHEMA.jsonb AS pg_catalog.jsonb CHECK (public.trap('jsonb'))
