//! The extension as an object of a database: the privileges to create it, its schema, its coexistence with other objects, and
//! its removal without any remains.

use postgres::Client;
use server_tests::{Cluster, sql};

/// Creates a database owned by a role without any other privileges, and returns a connection of that role.
fn database_of_plain_owner(cluster: &Cluster, database: &str) -> Client {
    let mut superuser = cluster.connect();
    sql::run(&mut superuser, "DO $$ BEGIN CREATE ROLE owner LOGIN; EXCEPTION WHEN duplicate_object THEN END $$");
    sql::run(&mut superuser, &format!("CREATE DATABASE {database} OWNER owner"));
    cluster.connect_as("owner", database)
}

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
    let mut owner = database_of_plain_owner(&cluster, "owned");
    assert!(!sql::value::<bool>(&mut owner, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"));
    sql::run(&mut owner, "CREATE SCHEMA ids; CREATE SCHEMA \"Other ids\"");
    let mut superuser = cluster.connect_as("postgres", "owned");
    let before = catalogs(&mut superuser);

    sql::run(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids");
    // One schema contains all objects of the extension.
    let elsewhere =
        "SELECT count(*) FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        WHERE d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
          AND p.pronamespace <> 'ids'::regnamespace";
    assert_eq!(sql::value::<i64>(&mut owner, elsewhere), 0);

    // Functions that call each other find each other without a search_path.
    sql::run(&mut owner, "SET search_path = pg_catalog");
    sql::run(
        &mut owner,
        "CREATE TABLE public.kept (
             id uuid PRIMARY KEY DEFAULT ids.uuidv7(),
             made timestamptz GENERATED ALWAYS AS (ids.uuid_extract_time(id)) STORED,
             n int);
         CREATE INDEX ON public.kept (ids.uuid_extract_version(id));
         CREATE VIEW public.times AS SELECT n, ids.uuid_extract_time_us(id) AS time FROM public.kept;
         INSERT INTO public.kept (n) SELECT generate_series(1, 100)",
    );
    // The objects of trusted extensions, even PostgreSQL's own, belong to the bootstrap superuser. Only owners may move objects.
    sql::run(&mut owner, "CREATE EXTENSION pgcrypto SCHEMA ids");
    for extension in ["pgcrypto", "uuidrfc"] {
        let state = sql::sqlstate(&mut owner, &format!("ALTER EXTENSION {extension} SET SCHEMA \"Other ids\""));
        assert_eq!(state, "42501", "{extension}");
    }
    sql::run(&mut owner, "DROP EXTENSION pgcrypto");
    sql::run(&mut superuser, "ALTER EXTENSION uuidrfc SET SCHEMA \"Other ids\"");
    let schema = "SELECT n.nspname::text FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'uuidrfc'";
    assert_eq!(sql::value::<String>(&mut owner, schema), "Other ids");
    assert_eq!(sql::sqlstate(&mut owner, "SELECT ids.uuidv7()"), "42883");
    sql::run(&mut owner, "INSERT INTO public.kept (n) SELECT generate_series(101, 200)");
    let ordered =
        "SELECT count(*) FROM (SELECT n, row_number() OVER (ORDER BY id) AS place FROM public.kept) k WHERE n = place";
    assert_eq!(sql::value::<i64>(&mut owner, ordered), 200, "rows before and after the move, in one order");
    let known =
        "SELECT count(*) FROM public.times JOIN public.kept USING (n) WHERE date_trunc('milliseconds', time) = made";
    assert_eq!(sql::value::<i64>(&mut owner, known), 200);
    let at = "SELECT \"Other ids\".uuid_extract_time(\"Other ids\".uuidv7_at('2020-02-29 12:00:00+00')) = '2020-02-29 12:00:00+00'";
    assert!(sql::value::<bool>(&mut owner, at));

    // Like any other, the extension cannot be dropped while another object depends on it.
    assert_eq!(sql::sqlstate(&mut owner, "DROP EXTENSION uuidrfc"), "2BP01");
    sql::run(&mut owner, "DROP EXTENSION uuidrfc CASCADE");
    assert_eq!(sql::value::<i64>(&mut owner, "SELECT count(*) FROM public.kept"), 200, "the data stays");
    let id = "SELECT column_default FROM information_schema.columns WHERE table_name = 'kept' AND column_name = 'id'";
    assert_eq!(sql::value::<Option<String>>(&mut owner, id), None);

    sql::run(&mut owner, "DROP TABLE public.kept");
    assert_eq!(catalogs(&mut superuser), before, "catalogs after DROP EXTENSION and before CREATE EXTENSION");
}

#[test]
fn others_may_use_it_and_not_create_it() {
    let cluster = Cluster::new("guest", &[]);
    cluster.start();
    let mut owner = database_of_plain_owner(&cluster, "owned");
    sql::run(&mut owner, "CREATE SCHEMA ids; GRANT USAGE ON SCHEMA ids TO public");
    sql::run(&mut cluster.connect(), "CREATE ROLE guest LOGIN");
    let mut guest = cluster.connect_as("guest", "owned");
    assert_eq!(sql::sqlstate(&mut guest, "CREATE EXTENSION uuidrfc"), "42501");
    sql::run(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids");
    assert_eq!(sql::value::<i16>(&mut guest, "SELECT ids.uuid_extract_version(ids.uuidv7())"), 7);
    assert_eq!(sql::sqlstate(&mut guest, "ALTER EXTENSION uuidrfc SET SCHEMA public"), "42501");
    assert_eq!(sql::sqlstate(&mut guest, "DROP EXTENSION uuidrfc"), "42501");
}

/// The functions of uuid-ossp and of the extension can be in the same schema, in either order of creation.
#[test]
fn it_shares_a_schema_with_uuid_ossp_and_pgcrypto() {
    let cluster = Cluster::new("beside", &[]);
    cluster.start();
    for (database, order) in
        [("first", ["uuidrfc", "uuid-ossp", "pgcrypto"]), ("last", ["pgcrypto", "uuid-ossp", "uuidrfc"])]
    {
        let mut owner = database_of_plain_owner(&cluster, database);
        sql::run(&mut owner, "CREATE SCHEMA ids; SET search_path = ids");
        for extension in order {
            sql::run(&mut owner, &format!("CREATE EXTENSION IF NOT EXISTS \"{extension}\" SCHEMA ids"));
        }
        sql::run(&mut owner, "CREATE EXTENSION IF NOT EXISTS \"uuid-ossp\" SCHEMA ids");
        // The functions are called by unqualified names, as by users of either extension.
        let versions = "SELECT ARRAY(SELECT uuid_extract_version(id) FROM unnest(ARRAY[
            uuidv7(), uuidv6(), uuidv4(), uuidv1(), uuid_generate_v1(), uuid_generate_v4(), gen_random_uuid()]) id)";
        assert_eq!(sql::value::<Vec<i16>>(&mut owner, versions), [7, 6, 4, 1, 1, 4, 4], "{order:?}");
        assert!(sql::value::<bool>(&mut owner, "SELECT uuid_nil() = nil_uuid() AND uuid_ns_dns() < max_uuid()"));
        for extension in order {
            sql::run(&mut owner, &format!("DROP EXTENSION \"{extension}\""));
        }
    }
}

/// Functions that have names of the extension's functions and are in the schema in which it is created.
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
        // In another schema, such a function has no effect.
        sql::run(
            &mut client,
            "CREATE SCHEMA ids; CREATE EXTENSION uuidrfc SCHEMA ids; DROP EXTENSION uuidrfc; DROP SCHEMA ids",
        );
        sql::run(&mut client, &format!("DROP FUNCTION public.{name}"));
    }

    // The error is reported even if the name of the function cannot be printed unchanged.
    sql::run(&mut client, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    let mut latin = cluster.connect_as("postgres", "latin");
    sql::run(
        &mut latin,
        "CREATE DOMAIN größe AS text;
         CREATE FUNCTION uuidv7_at(t timestamptz, n größe DEFAULT '') RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'",
    );
    assert_eq!(sql::sqlstate(&mut latin, "CREATE EXTENSION uuidrfc"), "42725");
    // The name of the schema may also contain characters that must be quoted.
    sql::run(
        &mut latin,
        "CREATE SCHEMA \"schön {ours}\"; CREATE EXTENSION uuidrfc SCHEMA \"schön {ours}\" VERSION '0.4.0';
         ALTER EXTENSION uuidrfc UPDATE; DROP EXTENSION uuidrfc; CREATE EXTENSION uuidrfc SCHEMA \"schön {ours}\"",
    );

    // An update also looks for ambiguous functions.
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
    // The functions that only the scripts call do not remain.
    let own = "SELECT count(*) FROM pg_proc WHERE proname LIKE 'uuidrfc%'";
    assert_eq!(sql::value::<i64>(&mut client, own), 0);
    assert_eq!(sql::value::<i16>(&mut client, "SELECT uuid_extract_version(uuidv7())"), 7);
}
