//! Updates to another version of the extension. The program `upgrade` tests upgrades of the server.

use server_tests::{Cluster, assert_same_lines, sql};

/// Tables with defaults, generated columns, checks and indexes, a view and a function.
const POPULATED: &str = include_str!("../populated.sql");

/// Prints the extension's objects with their definitions and comments, and the members of operator families.
const OBJECTS: &str = include_str!("../../portable/steps/objects.sql");

/// Creates a database with the schema `ids`, executes the statement `create_extension`, and creates objects that use the extension.
fn populate(cluster: &Cluster, database: &str, create_extension: &str) {
    sql::run(&mut cluster.connect(), &format!("CREATE DATABASE \"{database}\""));
    let mut client = cluster.connect_as("postgres", database);
    sql::run(&mut client, "CREATE SCHEMA ids");
    sql::run(&mut client, create_extension);
    sql::run(&mut client, POPULATED);
}

/// Updates from every earlier version and from the current one, which must remain unchanged.
#[test]
fn an_updated_extension_equals_a_new_one() {
    let cluster = Cluster::new("update", &[]);
    cluster.start();
    let mut superuser = cluster.connect();
    let versions = "SELECT version FROM pg_available_extension_versions WHERE name = 'uuidrfc' ORDER BY 1";
    let versions: Vec<String> = sql::column(&mut superuser, versions);
    let newest: String =
        sql::value(&mut superuser, "SELECT default_version::text FROM pg_available_extensions WHERE name = 'uuidrfc'");
    assert!(versions.contains(&newest), "{newest} among {versions:?}");
    assert!(versions.iter().any(|version| version == "0.4.0"), "an earlier version among {versions:?}");
    populate(&cluster, "new", "CREATE EXTENSION uuidrfc SCHEMA ids");
    let expected = cluster.psql("new", &[], OBJECTS);
    assert!(expected.len() > 100, "{expected:?}");

    for version in versions {
        populate(&cluster, &version, &format!("CREATE EXTENSION uuidrfc SCHEMA ids VERSION '{version}'"));
        let mut client = cluster.connect_as("postgres", &version);
        let data = "SELECT md5(string_agg(query_to_xml(format('SELECT * FROM %s t ORDER BY t', oid::regclass), false, false, '')::text,
                                          '' ORDER BY relname))
                    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
        let before: String = sql::value(&mut client, data);
        sql::run(&mut client, "ALTER EXTENSION uuidrfc UPDATE");
        assert_eq!(sql::installed(&mut client), newest, "updated from {version}");
        let found = cluster.psql(&version, &[], OBJECTS);
        assert_same_lines(&format!("the objects updated from {version}"), &found, &expected);
        assert_eq!(sql::value::<String>(&mut client, data), before, "the data updated from {version}");
        // Every index must be complete and in order.
        let checked = "SELECT count(bt_index_parent_check(indexrelid, true)) FROM pg_index
                       JOIN pg_class ON pg_class.oid = indexrelid
                       WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace";
        sql::run(
            &mut client,
            "CREATE EXTENSION amcheck; INSERT INTO events (n) VALUES (1001); INSERT INTO old (n) VALUES (1001)",
        );
        let indexes: i64 = sql::value(&mut client, checked);
        assert!(indexes >= 4, "{indexes} indexes checked");
    }
}
