//! Coexistence with another library: both libraries' hooks for each table work in either loading order, and the extension does not
//! mistake another function for its own of the same C symbol.

use postgres::Client;
use server_tests::{Cluster, sql};

fn plan(client: &mut Client, query: &str) -> String {
    sql::lines(client, &format!("EXPLAIN (COSTS OFF) {query}"))
}

#[test]
fn both_libraries_look_at_each_table() {
    let cluster = Cluster::started("hooks", &[]);
    let library = cluster.compile("other_hook.c");
    sql::run(
        &mut cluster.connect(),
        &format!(
            "CREATE FUNCTION other_hook(hides_indexes boolean) RETURNS int LANGUAGE c STRICT AS '{library}', 'other_hook';
             CREATE TABLE item (id uuid PRIMARY KEY);
             INSERT INTO item SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 minute') FROM generate_series(1, 20000) n;
             CREATE TABLE copy (LIKE item INCLUDING ALL);
             INSERT INTO copy SELECT * FROM item;
             ANALYZE item, copy"
        ),
    );
    let query = "SELECT * FROM item a JOIN copy b USING (id) WHERE uuidv7_time(a.id) >= '2026-01-14 12:00+00'";
    let load_other = format!("LOAD '{library}'");
    for (order, loads) in
        [("before", [load_other.as_str(), "LOAD 'uuidrfc'"]), ("after", ["LOAD 'uuidrfc'", load_other.as_str()])]
    {
        let mut client = cluster.connect();
        for load in loads {
            sql::run(&mut client, load);
        }
        sql::value::<i32>(&mut client, "SELECT other_hook(false)");
        let with_index = plan(&mut client, query);
        assert!(with_index.contains("Index Cond: (id >= "), "the other library {order}: {with_index}");
        let looked_at: i32 = sql::value(&mut client, "SELECT other_hook(true)");
        assert_eq!(looked_at, 2, "the other library {order}: number of tables it has looked at");
        // The other hook's effect on the table must remain.
        let without_index = plan(&mut client, query);
        assert!(
            without_index.contains("(id >= ") && !without_index.contains("Index"),
            "the other library {order}, which hides indexes: {without_index}"
        );
        sql::run(&mut client, "SET uuidrfc.enable_time_rewrite = off");
        let computed = plan(&mut client, query);
        assert!(!computed.contains("(id >= "), "the other library {order}, without rewriting: {computed}");
        assert_eq!(sql::value::<i32>(&mut client, "SELECT other_hook(false)"), 4, "the other library {order}");
    }
}

#[test]
fn a_function_of_the_same_symbol_is_not_the_extensions() {
    let cluster = Cluster::started("symbol", &[]);
    let library = cluster.compile("other_symbol.c");
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        &format!(
            "CREATE FUNCTION hour_of(uuid) RETURNS timestamptz LANGUAGE c STRICT IMMUTABLE
                 AS '{library}', 'uuid_extract_timestamp_wrapper';
             CREATE TABLE item (id uuid_v7 PRIMARY KEY);
             INSERT INTO item SELECT uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 minute') FROM generate_series(0, 5999) n;
             ANALYZE item;
             LOAD 'uuidrfc'"
        ),
    );
    let own = plan(&mut client, "SELECT FROM item WHERE uuid_extract_time(id) = '2026-01-02 00:00+00'");
    assert!(own.contains("(id >= "), "{own}");
    let hour = "SELECT count(*) FROM item WHERE hour_of(id) = '2026-01-02 00:00+00'";
    assert_eq!(sql::value::<i64>(&mut client, hour), 60, "{}", plan(&mut client, hour));
    let ordered = "SELECT id::text FROM (SELECT id FROM item ORDER BY hour_of(id) DESC, id LIMIT 1) last";
    let first_of_last_hour = "SELECT min(id)::text FROM item WHERE id >= timestamptz '2026-01-05 03:00+00'";
    assert_eq!(sql::value::<String>(&mut client, ordered), sql::value::<String>(&mut client, first_of_last_hour));
}
