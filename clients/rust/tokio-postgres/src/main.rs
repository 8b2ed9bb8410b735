//! tokio-postgres, with the features with-chrono-0_4 and with-uuid-1. The tables are those of ../../../setup.sql.
use std::error::Error as _;

use chrono::{DateTime, Utc};
use tokio_postgres::{Client, Error, NoTls, Row};
use uuid::Uuid;

/// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
async fn feed(client: &Client, last: Uuid) -> Result<Vec<Row>, Error> {
    let next = "SELECT id, name FROM item WHERE id > $1 AND id < uuidv7_horizon() ORDER BY id LIMIT 1000";
    client.query(next, &[&last]).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let url = std::env::var("DATABASE_URL").expect("DATABASE_URL is set");
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await?;
    tokio::spawn(connection);

    // Insert a row, and read it.
    let tea: Uuid = client.query_one("INSERT INTO item (name) VALUES ($1) RETURNING id", &[&"tea"]).await?.get(0);
    assert_eq!(tea.get_version_num(), 7);
    let row = client.query_one("SELECT name FROM item WHERE id = $1", &[&tea]).await?;
    assert_eq!(row.get::<_, &str>(0), "tea");
    let names = ["a", "b", "c"].as_slice();
    let rows = client.query("INSERT INTO item (name) SELECT unnest($1::text[]) RETURNING id", &[&names]).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.get(0)).collect();
    assert!(ids.is_sorted() && tea < ids[0]);
    println!("insert");

    // Find the rows created between two times.
    let [start, end]: [DateTime<Utc>; 2] =
        ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"].map(|time| time.parse().expect("a time"));
    let between = client
        .prepare(
            "SELECT id, uuidv7_time(id) AS created_at FROM item
             WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) < $2 ORDER BY id",
        )
        .await?;
    let rows = client.query(&between, &[&start, &end]).await?;
    assert_eq!(rows.len(), 288);
    assert_eq!(rows[0].get::<_, DateTime<Utc>>("created_at"), start);
    let rows =
        client.query("SELECT id FROM item_v WHERE created_at >= $1 AND created_at < $2", &[&start, &end]).await?;
    assert_eq!(rows.len(), 288);
    // Here PostgreSQL infers that the parameter is a UUID.
    let error =
        client.query("SELECT id FROM item WHERE id >= $1 AND id < $2", &[&start, &end]).await.expect_err("a uuid");
    assert_eq!(error.to_string(), "error serializing parameter 0");
    assert_eq!(
        error.source().expect("a cause").to_string(),
        "cannot convert between the Rust type `chrono::datetime::DateTime<chrono::offset::utc::Utc>` and the Postgres type `uuid`"
    );
    println!("created");

    // Read the newest twenty rows.
    let rows = client.query("SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20", &[]).await?;
    assert!(rows.len() == 20 && rows[..3].iter().map(|row| row.get::<_, Uuid>("id")).eq(ids.into_iter().rev()));
    println!("page");

    // Generate keys before their rows exist.
    let ids: Vec<Uuid> = client.query_one("SELECT uuidv7_array($1::int)", &[&3]).await?.get(0);
    let (parent, children) = (ids[0], &ids[1..]);
    client.execute("INSERT INTO item (id, name) VALUES ($1, 'parent')", &[&parent]).await?;
    let insert = "INSERT INTO item (id, name) SELECT unnest($1::uuid[]), $2";
    assert_eq!(client.execute(insert, &[&children, &parent.to_string()]).await?, 2);
    assert!(parent < children[0] && children[0] < children[1]);
    assert_eq!(client.query("SELECT FROM item WHERE id = ANY($1)", &[&children]).await?.len(), 2);
    println!("ahead");

    let next: Vec<Uuid> = feed(&client, parent).await?.iter().map(|row| row.get("id")).collect();
    assert_eq!(next, children);
    println!("feed");

    // A result of the domain is a UUID. The driver does not know the type of a parameter of the domain, or of an array.
    let error = client.execute("INSERT INTO visit VALUES ($1)", &[&parent]).await.expect_err("a domain");
    assert_eq!(
        error.source().expect("a cause").to_string(),
        "cannot convert between the Rust type `uuid::Uuid` and the Postgres type `uuid_v7`"
    );
    let row = client.query_one("INSERT INTO visit VALUES ($1::uuid) RETURNING id", &[&parent]).await?;
    assert_eq!(row.get::<_, Uuid>(0), parent);
    let row = client.query_one("SELECT array_agg(id) FROM visit", &[]).await?;
    assert!(row.try_get::<_, Vec<Uuid>>(0).is_err());
    let row = client.query_one("SELECT array_agg(id)::uuid[] FROM visit", &[]).await?;
    assert_eq!(row.get::<_, Vec<Uuid>>(0), [parent]);
    println!("domain");
    Ok(())
}
