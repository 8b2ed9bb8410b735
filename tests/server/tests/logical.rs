//! Logical replication between three servers, all of which are written to, with keys from `DEFAULT uuidv7()`.

use std::thread;

use postgres::Client;
use server_tests::uuids::{Id, assert_ascending, assert_distinct};
use server_tests::{Cluster, progress, sql, wait_until};

const SERVERS: usize = 3;
const CONNECTIONS: i32 = 4;
const STATEMENTS: i32 = 50;
const ROWS: i32 = 100;

/// Each server publishes the rows that were inserted there, and subscribes to those of the two others. Rows from another server
/// must not be replicated again. From PostgreSQL 16 on, a subscription can request rows without an origin. This test uses a
/// method that all versions support: each server publishes only rows with its own number.
///
/// The key is `id` alone, so that equal UUIDs of two servers would stop the subscription. They cannot occur, because each server
/// has a node of its own.
#[test]
fn three_writable_servers_converge() {
    let servers: Vec<Cluster> = (0..SERVERS)
        .map(|server| {
            let node = server.to_string();
            let settings = [("wal_level", "logical"), ("max_wal_senders", "10"), ("uuidrfc.node_id", node.as_str())];
            Cluster::started(&format!("node{server}"), &settings)
        })
        .collect();
    let mut clients: Vec<Client> = servers.iter().map(Cluster::connect).collect();
    let version = servers[0].installation().major();
    assert!(version >= 15, "publications have no row filter before PostgreSQL 15");
    let knows_origin = version >= 16;

    for (server, client) in clients.iter_mut().enumerate() {
        let filter = if knows_origin { String::new() } else { format!("WHERE (server = {server})") };
        sql::run(
            client,
            &format!(
                "CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuidv7(), server int NOT NULL DEFAULT {server}, connection int, step int);
                 CREATE PUBLICATION from_{server} FOR TABLE events {filter} WITH (publish = 'insert')"
            ),
        );
    }
    let origin = if knows_origin { ", origin = none" } else { "" };
    for (to, client) in clients.iter_mut().enumerate() {
        for (from, publisher) in servers.iter().enumerate().filter(|(from, _)| *from != to) {
            sql::run(
                client,
                &format!(
                    "CREATE SUBSCRIPTION from_{from}_to_{to} CONNECTION '{}' PUBLICATION from_{from} WITH (copy_data = false{origin})",
                    publisher.connection_string("postgres")
                ),
            );
        }
    }

    let insert = |server: &Cluster, connection: i32| {
        let mut client = server.connect();
        for statement in 0..STATEMENTS {
            let first = statement * ROWS;
            let last = first + ROWS - 1;
            let insert =
                format!("INSERT INTO events (connection, step) SELECT {connection}, generate_series({first}, {last})");
            sql::run(&mut client, &insert);
        }
    };
    thread::scope(|scope| {
        for server in &servers {
            for connection in 0..CONNECTIONS {
                scope.spawn(move || insert(server, connection));
            }
        }
    });

    let expected = i64::try_from(SERVERS).expect("a small number") * i64::from(CONNECTIONS * STATEMENTS * ROWS);
    for (server, client) in clients.iter_mut().enumerate() {
        wait_until(&format!("server {server} has the {expected} rows of all three"), || {
            let rows: i64 = sql::value(client, "SELECT count(*) FROM events");
            assert!(rows <= expected, "server {server} has {rows} rows, {expected} were inserted");
            rows == expected
        });
    }

    let every_row = "SELECT id, server, connection, step FROM events ORDER BY server, connection, step";
    let contents: Vec<Vec<(Id, i32, i32, i32)>> = clients
        .iter_mut()
        .map(|client| sql::rows(client, every_row).iter().map(|r| (r.get(0), r.get(1), r.get(2), r.get(3))).collect())
        .collect();
    assert!(contents.iter().all(|content| *content == contents[0]), "the three servers have other rows");
    let rows = &contents[0];
    for of_connection in rows.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)) {
        let (_, server, connection, _) = of_connection[0];
        let name = format!("connection {connection} of server {server}");
        assert!(of_connection.iter().map(|row| row.3).eq(0..STATEMENTS * ROWS), "{name}: a step is missing or twice");
        assert_ascending(&name, of_connection.iter().map(|(Id(id), ..)| id));
    }
    // On every server, the key alone identifies the server on which a row was inserted.
    let elsewhere = "SELECT count(*) FROM events WHERE uuid_extract_node_id(id) IS DISTINCT FROM server";
    for client in &mut clients {
        assert_eq!(sql::value::<i64>(client, elsewhere), 0, "keys that do not tell their server");
    }
    assert_distinct("three servers", rows.iter().map(|(Id(id), ..)| *id).collect());

    for (server, (cluster, client)) in servers.iter().zip(&mut clients).enumerate() {
        let errors = "SELECT coalesce(sum(apply_error_count), 0)::bigint FROM pg_stat_subscription_stats";
        assert_eq!(sql::value::<i64>(client, errors), 0, "errors of the subscriptions of server {server}");
        let log = cluster.log();
        let conflict = log.lines().find(|line| line.contains("ERROR:") || line.contains("conflict"));
        assert_eq!(conflict, None, "the log of server {server}");
    }
    progress(&format!("{expected} rows of {SERVERS} servers, the same on each"));
}
