//! The extension as an object of a database: the privileges to create it, its schema, objects that prevent its creation, and
//! its complete removal.

use postgres::Client;
use server_tests::{Cluster, sql};

/// Returns the number of rows in each system catalog.
fn catalogs(client: &mut Client) -> Vec<(String, i64)> {
    let names = "SELECT relname::text FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r' ORDER BY 1";
    let names: Vec<String> = sql::column(client, names);
    let count = |name: &String| sql::value(client, &format!("SELECT count(*) FROM pg_catalog.{name}"));
    let counts: Vec<i64> = names.iter().map(count).collect();
    names.into_iter().zip(counts).collect()
}

#[test]
fn the_owner_of_a_database_creates_moves_and_drops_it() {
    let cluster = Cluster::new("extension", &[("autovacuum", "off")]);
    cluster.start();
    let mut superuser = cluster.connect();
    sql::run(&mut superuser, "CREATE ROLE owner LOGIN");
    sql::run(&mut superuser, "CREATE DATABASE owned OWNER owner");
    let mut owner = cluster.connect_as("owner", "owned");
    assert!(!sql::value::<bool>(&mut owner, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"));
    sql::run(&mut owner, "CREATE SCHEMA ids; CREATE SCHEMA \"Other ids\"");
    let mut superuser = cluster.connect_as("postgres", "owned");
    let before = catalogs(&mut superuser);

    sql::run(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids");
    // One schema contains all objects of the extension.
    let schemas = "SELECT array_agg(DISTINCT identity.schema)
        FROM pg_depend d, pg_identify_object(d.classid, d.objid, d.objsubid) AS identity
        WHERE d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc') AND identity.schema IS NOT NULL";
    assert_eq!(sql::value::<Vec<String>>(&mut owner, schemas), ["ids"]);

    // The extension's functions find each other although `search_path` does not contain their schema.
    sql::run(&mut owner, "SET search_path = pg_catalog");
    sql::run(
        &mut owner,
        "CREATE TABLE public.kept (
             id uuid PRIMARY KEY DEFAULT ids.uuidv7(),
             made timestamptz GENERATED ALWAYS AS (ids.uuid_extract_time(id)) STORED,
             v7 ids.uuid_v7 DEFAULT ids.uuidv7(),
             n int);
         CREATE INDEX ON public.kept (ids.uuid_extract_version(id));
         CREATE VIEW public.newest AS SELECT ids.max(v7) AS v7 FROM public.kept;
         CREATE VIEW public.times AS SELECT n, ids.uuid_extract_time_us(id) AS time FROM public.kept;
         INSERT INTO public.kept (n) SELECT generate_series(1, 100)",
    );
    // The bootstrap superuser owns trusted extensions' objects, even of PostgreSQL's own, so the database's owner cannot move them.
    sql::run(&mut owner, "CREATE EXTENSION pgcrypto SCHEMA ids");
    for extension in ["pgcrypto", "uuidrfc"] {
        let state = sql::sqlstate(&mut owner, &format!("ALTER EXTENSION {extension} SET SCHEMA \"Other ids\""));
        assert_eq!(state, "42501", "{extension}");
    }
    sql::run(&mut owner, "DROP EXTENSION pgcrypto");
    sql::run(&mut superuser, "ALTER EXTENSION uuidrfc SET SCHEMA \"Other ids\"");
    assert_eq!(sql::value::<Vec<String>>(&mut owner, schemas), ["\"Other ids\""]);
    assert_eq!(sql::sqlstate(&mut owner, "SELECT ids.uuidv7()"), "42883");
    sql::run(&mut owner, "INSERT INTO public.kept (n) SELECT generate_series(101, 200)");
    let ordered =
        "SELECT count(*) FROM (SELECT n, row_number() OVER (ORDER BY id) AS place FROM public.kept) k WHERE n = place";
    assert_eq!(sql::value::<i64>(&mut owner, ordered), 200, "rows before and after the move, in one order");
    assert_eq!(sql::sqlstate(&mut owner, "UPDATE public.kept SET v7 = gen_random_uuid()"), "23514");
    assert_eq!(sql::value::<i32>(&mut owner, "SELECT n FROM public.newest JOIN public.kept USING (v7)"), 200);
    let known =
        "SELECT count(*) FROM public.times JOIN public.kept USING (n) WHERE date_trunc('milliseconds', time) = made";
    assert_eq!(sql::value::<i64>(&mut owner, known), 200);
    let at = "SELECT \"Other ids\".uuid_extract_time(\"Other ids\".uuidv7_at('2020-02-29 12:00:00+00')) = '2020-02-29 12:00:00+00'";
    assert!(sql::value::<bool>(&mut owner, at));

    // Like any extension, this one cannot be dropped while another object depends on it.
    assert_eq!(sql::sqlstate(&mut owner, "DROP EXTENSION uuidrfc"), "2BP01");
    sql::run(&mut owner, "DROP EXTENSION uuidrfc CASCADE");
    assert_eq!(sql::value::<i64>(&mut owner, "SELECT count(*) FROM public.kept"), 200, "the data stays");
    let id = "SELECT column_default FROM information_schema.columns WHERE table_name = 'kept' AND column_name = 'id'";
    assert_eq!(sql::value::<Option<String>>(&mut owner, id), None);

    sql::run(&mut owner, "DROP TABLE public.kept");
    assert_eq!(catalogs(&mut superuser), before, "catalogs after DROP EXTENSION and before CREATE EXTENSION");
}

#[test]
fn functions_that_would_make_calls_ambiguous_stop_its_creation() {
    let cluster = Cluster::new("ambiguous", &[]);
    cluster.start();
    let mut client = cluster.connect();
    for (function, state) in [
        ("uuidv7()", Some("42723")),
        ("uuidv7(t timestamptz DEFAULT clock_timestamp())", Some("42725")),
        ("uuidv7_at(t timestamptz, zero boolean DEFAULT false)", Some("42725")),
        // The extension's function has a third argument with a default.
        ("uuid_v8(uuid, text)", Some("42725")),
        ("uuid_v8(uuid, bytea)", Some("42725")),
        ("uuidv7(t timestamptz)", None),
        ("uuidv7_at(t timestamptz, zero boolean)", None),
        ("uuid_v8(uuid)", None),
        ("uuid_v8(uuid, bytea, int)", None),
    ] {
        sql::run(&mut client, &format!("CREATE FUNCTION {function} RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'"));
        let name = function.split_once('(').map(|(name, _)| name).expect("arguments");
        match state {
            Some(state) => assert_eq!(sql::sqlstate(&mut client, "CREATE EXTENSION uuidrfc"), state, "{function}"),
            None => sql::run(&mut client, "CREATE EXTENSION uuidrfc; DROP EXTENSION uuidrfc"),
        }
        // A function in another schema does not prevent the creation.
        sql::run(
            &mut client,
            "CREATE SCHEMA ids; CREATE EXTENSION uuidrfc SCHEMA ids; DROP EXTENSION uuidrfc; DROP SCHEMA ids",
        );
        sql::run(&mut client, &format!("DROP FUNCTION public.{name}"));
    }

    // The error is reported even if the function's signature has characters outside ASCII.
    sql::run(&mut client, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    let mut latin = cluster.connect_as("postgres", "latin");
    sql::run(
        &mut latin,
        "CREATE DOMAIN größe AS text;
         CREATE FUNCTION uuidv7_at(t timestamptz, n größe DEFAULT '') RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'",
    );
    assert_eq!(sql::sqlstate(&mut latin, "CREATE EXTENSION uuidrfc"), "42725");
    // The schema's name may contain such characters and some that must be quoted.
    sql::run(
        &mut latin,
        "CREATE SCHEMA \"schön {ours}\"; CREATE EXTENSION uuidrfc SCHEMA \"schön {ours}\" VERSION '0.4.0';
         ALTER EXTENSION uuidrfc UPDATE; DROP EXTENSION uuidrfc; CREATE EXTENSION uuidrfc SCHEMA \"schön {ours}\"",
    );

    // An update also detects ambiguous functions.
    sql::run(
        &mut client,
        "CREATE EXTENSION uuidrfc VERSION '0.4.0';
         CREATE FUNCTION uuid_extract_timestamp(uuid, zone text DEFAULT 'UTC') RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'",
    );
    assert_eq!(sql::sqlstate(&mut client, "ALTER EXTENSION uuidrfc UPDATE"), "42725");
    sql::run(&mut client, "ALTER FUNCTION uuid_extract_timestamp(uuid, text) RENAME TO renamed");
    sql::run(&mut client, "ALTER EXTENSION uuidrfc UPDATE");
}

/// The extension PL/pgSQL may have been dropped from a database.
#[test]
fn it_is_created_and_updated_without_plpgsql() {
    let cluster = Cluster::new("plain_sql", &[]);
    cluster.start();
    let mut client = cluster.connect();
    sql::run(&mut client, "CREATE EXTENSION uuidrfc VERSION '0.4.0'; DROP EXTENSION plpgsql");
    sql::run(&mut client, "ALTER EXTENSION uuidrfc UPDATE; DROP EXTENSION uuidrfc; CREATE EXTENSION uuidrfc");
    // Functions that only the extension's scripts call do not remain.
    let own = "SELECT count(*) FROM pg_proc WHERE proname LIKE 'uuidrfc%'";
    assert_eq!(sql::value::<i64>(&mut client, own), 0);
    assert_eq!(sql::value::<i16>(&mut client, "SELECT uuid_extract_version(uuidv7())"), 7);
}
