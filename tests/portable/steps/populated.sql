-- A database that uses the pure-SQL edition, which is in the schema ids, wherever an expression can occur.
CREATE TABLE public.event (
    id uuid PRIMARY KEY DEFAULT ids.uuidv7() CHECK (ids.uuid_extract_version(id) = 7),
    made timestamptz GENERATED ALWAYS AS (ids.uuid_extract_time_us(id)) STORED,
    page uuid GENERATED ALWAYS AS (ids.uuid_v3(ids.uuid_namespace('url'), 'page ' || n)) STORED,
    more uuid[] DEFAULT ARRAY[ids.uuidv7(), ids.max_uuid()],
    checked ids.uuid_v7 DEFAULT ids.uuidv7(),
    n int);
CREATE INDEX event_made ON public.event (ids.uuid_extract_time(id));
CREATE INDEX event_early ON public.event (n) WHERE id OPERATOR(ids.<) '2026-01-15 00:00:00+00'::timestamptz;
CREATE UNIQUE INDEX event_text ON public.event (ids.typeid_encode('event', id));
CREATE STATISTICS public.event_by_time ON ids.uuid_extract_time_us(id), n FROM public.event;
CREATE TABLE public.tweet (
    id bigint PRIMARY KEY,
    posted timestamptz GENERATED ALWAYS AS (ids.other_id_time(id, 'snowflake')) STORED,
    uuid uuid GENERATED ALWAYS AS (ids.uuidv7_floor(ids.other_id_time(id, 'snowflake'))) STORED);
CREATE DOMAIN public.key AS uuid DEFAULT ids.uuidv7();
CREATE TABLE public.visit (id key, event uuid REFERENCES public.event, n int) PARTITION BY RANGE (id);
CREATE TABLE public.visit_early PARTITION OF public.visit FOR VALUES FROM (MINVALUE) TO (ids.uuidv7_floor('2026-02-01 00:00:00+00'));
CREATE TABLE public.visit_late PARTITION OF public.visit FOR VALUES FROM (ids.uuidv7_floor('2026-02-01 00:00:00+00')) TO (MAXVALUE);
CREATE TABLE public.by_hour (id uuid DEFAULT ids.uuidv7(), n int) PARTITION BY LIST (ids.uuidv7_time(id));
CREATE TABLE public.by_hour_rest PARTITION OF public.by_hour DEFAULT;
CREATE VIEW public.january AS SELECT n, made FROM public.event WHERE id OPERATOR(ids.<@) tstzrange('2026-01-01 00:00:00+00', '2026-02-01 00:00:00+00');
CREATE VIEW public.ends AS SELECT ids.min(id) AS first, ids.max(id) AS last FROM public.event;
CREATE VIEW public.later AS SELECT n FROM public.event WHERE id OPERATOR(ids.>) '2026-01-20 00:00:00+00'::timestamptz AND now() OPERATOR(ids.>) id;
CREATE MATERIALIZED VIEW public.day AS SELECT date_bin('1 day', ids.uuidv7_time(id), '2026-01-01 00:00:00+00') AS day, count(*) FROM public.event GROUP BY 1;
CREATE FUNCTION public.fresh() RETURNS uuid LANGUAGE sql BEGIN ATOMIC SELECT ids.uuidv7_at(now() - interval '1 hour'); END;
CREATE FUNCTION public.of_trigger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.more = ARRAY[ids.nil_uuid(), ids.max_uuid()]; RETURN NEW; END $$;
CREATE TRIGGER event_more BEFORE INSERT ON public.event FOR EACH ROW WHEN (ids.uuidv7_time(NEW.id) < '2026-01-02 00:00:00+00') EXECUTE FUNCTION public.of_trigger();
CREATE POLICY recent ON public.event USING (id OPERATOR(ids.>=) '2026-01-01 00:00:00+00'::timestamptz);
ALTER TABLE public.event ENABLE ROW LEVEL SECURITY;
INSERT INTO public.event (id, n) SELECT ids.uuidv7_at(timestamptz '2026-01-01 00:00:00+00' + n * interval '1 hour'), n FROM generate_series(0, 999) n;
INSERT INTO public.visit (id, event, n) SELECT ids.uuidv7_at(ids.uuid_extract_time(id)), id, n FROM public.event;
INSERT INTO public.by_hour SELECT id, n FROM public.event;
INSERT INTO public.tweet (id) SELECT n * 15099494400000::bigint + 1000000000000000000 FROM generate_series(0, 99) n;
REFRESH MATERIALIZED VIEW public.day;
ANALYZE;
