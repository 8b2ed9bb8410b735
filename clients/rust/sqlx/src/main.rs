//! sqlx. `query!` is checked when the program is compiled, against the database of DATABASE_URL.
use chrono::{DateTime, Utc};
use sqlx::postgres::PgPool;
use sqlx::{query, query_as, query_scalar};
use uuid::Uuid;

#[derive(sqlx::FromRow)]
struct Item {
    id: Uuid,
    name: String,
}

/// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
async fn feed(pool: &PgPool, last: Uuid) -> sqlx::Result<Vec<Item>> {
    let next = "SELECT id, name FROM item WHERE id > $1 AND id < uuidv7_horizon() ORDER BY id LIMIT 1000";
    query_as(next).bind(last).fetch_all(pool).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> sqlx::Result<()> {
    let pool = PgPool::connect(&std::env::var("DATABASE_URL").expect("DATABASE_URL is set")).await?;
    let migrations = sqlx::migrate!();
    migrations.run(&pool).await?;
    migrations.run(&pool).await?;
    sqlx::raw_sql(include_str!("../../../old_rows.sql")).execute(&pool).await?;
    println!("table");

    // Insert a row, and read it.
    let tea = query_scalar!("INSERT INTO item (name) VALUES ($1) RETURNING id", "tea").fetch_one(&pool).await?;
    assert_eq!(tea.get_version_num(), 7);
    assert_eq!(query_scalar!("SELECT name FROM item WHERE id = $1", tea).fetch_one(&pool).await?, "tea");
    let names = ["a", "b", "c"].map(String::from);
    let ids = query_scalar!("INSERT INTO item (name) SELECT unnest($1::text[]) RETURNING id", &names)
        .fetch_all(&pool)
        .await?;
    assert!(ids.is_sorted() && tea < ids[0]);
    println!("insert");

    // Find the rows created between two times, by a statement that is checked at compile time and by one that is not.
    let [start, end]: [DateTime<Utc>; 2] =
        ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"].map(|time| time.parse().expect("a time"));
    let rows = query!(
        "SELECT id, uuidv7_time(id) AS created_at FROM item
         WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) < $2 ORDER BY id",
        start,
        end
    )
    .fetch_all(&pool)
    .await?;
    assert_eq!(rows.len(), 288);
    assert_eq!(rows[0].created_at, Some(start));
    let between = "SELECT id, name FROM item_v WHERE created_at >= $1 AND created_at < $2";
    assert_eq!(query_as::<_, Item>(between).bind(start).bind(end).fetch_all(&pool).await?.len(), 288);
    // `query` passes the types of its parameters, so the key itself can be compared with a time, too.
    let by_key = "SELECT id FROM item WHERE id >= $1 AND id < $2";
    assert_eq!(query(by_key).bind(start).bind(end).fetch_all(&pool).await?.len(), 288);
    println!("created");

    // Read the newest twenty rows.
    let newest = "SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20";
    let items: Vec<Item> = query_as(newest).fetch_all(&pool).await?;
    assert!(items.len() == 20 && items[..3].iter().map(|item| item.id).eq(ids.into_iter().rev()));
    println!("page");

    // Generate keys before their rows exist.
    let ids: Vec<Uuid> = query_scalar!(r#"SELECT uuidv7_array($1::int) AS "ids!""#, 3).fetch_one(&pool).await?;
    let (parent, children) = (ids[0], &ids[1..]);
    query!("INSERT INTO item (id, name) VALUES ($1, 'parent')", parent).execute(&pool).await?;
    query!("INSERT INTO item (id, name) SELECT unnest($1::uuid[]), $2", children, parent.to_string())
        .execute(&pool)
        .await?;
    assert!(parent < children[0] && children[0] < children[1]);
    assert_eq!(
        query_scalar!("SELECT id FROM item WHERE id = ANY($1) ORDER BY id", children).fetch_all(&pool).await?,
        children
    );
    println!("ahead");

    let names: Vec<String> = feed(&pool, parent).await?.into_iter().map(|item| item.name).collect();
    assert_eq!(names, [parent.to_string(), parent.to_string()]);
    println!("feed");

    // A column of the domain is a UUID. `query!` does not know the type of a parameter of the domain, or of an array.
    let id: Uuid = query_scalar("INSERT INTO visit VALUES ($1) RETURNING id").bind(parent).fetch_one(&pool).await?;
    assert_eq!(id, parent);
    query!("DELETE FROM visit").execute(&pool).await?;
    query!("INSERT INTO visit VALUES ($1::uuid)", parent).execute(&pool).await?;
    let error =
        query_scalar::<_, Vec<Uuid>>("SELECT array_agg(id) FROM visit").fetch_one(&pool).await.expect_err("a domain");
    assert!(error.to_string().ends_with(
        "Rust type `alloc::vec::Vec<uuid::Uuid>` (as SQL type `UUID[]`) is not compatible with SQL type `uuid_v7[]`"
    ));
    let ids = query_scalar!(r#"SELECT array_agg(id)::uuid[] AS "ids!" FROM visit"#).fetch_one(&pool).await?;
    assert_eq!(ids, [parent]);
    println!("domain");
    Ok(())
}
