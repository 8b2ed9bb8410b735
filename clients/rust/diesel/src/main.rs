//! Diesel, with the features chrono and uuid.
use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Timestamptz};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use uuid::Uuid;

diesel::table! {
    item (id) {
        id -> Uuid,
        name -> Text,
    }
}

// In Diesel, a view is declared like a table.
diesel::table! {
    item_v (id) {
        id -> Uuid,
        name -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    visit (id) {
        id -> Uuid,
    }
}

#[diesel::declare_sql_function]
extern "SQL" {
    fn uuidv7_time(id: diesel::sql_types::Uuid) -> Timestamptz;
    fn uuidv7_array(count: Integer) -> Array<diesel::sql_types::Uuid>;
    fn uuidv7_horizon() -> diesel::sql_types::Uuid;
}

const MIGRATIONS: EmbeddedMigrations = embed_migrations!();

fn insert(connection: &mut PgConnection, names: &[&str]) -> QueryResult<Vec<Uuid>> {
    let rows: Vec<_> = names.iter().map(|name| item::name.eq(name)).collect();
    diesel::insert_into(item::table).values(rows).returning(item::id).get_results(connection)
}

/// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
fn feed(connection: &mut PgConnection, last: Uuid) -> QueryResult<Vec<(Uuid, String)>> {
    item::table
        .filter(item::id.gt(last).and(item::id.lt(uuidv7_horizon())))
        .order(item::id)
        .limit(1000)
        .load(connection)
}

fn main() -> QueryResult<()> {
    let url = std::env::var("DATABASE_URL").expect("DATABASE_URL is set");
    let connection = &mut PgConnection::establish(&url).expect("a connection");
    connection.run_pending_migrations(MIGRATIONS).expect("up");
    connection.revert_last_migration(MIGRATIONS).expect("down");
    connection.run_pending_migrations(MIGRATIONS).expect("up");
    assert!(!connection.has_pending_migration(MIGRATIONS).expect("an answer"));
    connection.batch_execute(include_str!("../../../old_rows.sql"))?;
    println!("table");

    // Insert a row, and read it.
    let tea = insert(connection, &["tea"])?[0];
    assert_eq!(tea.get_version_num(), 7);
    assert_eq!(item::table.find(tea).select(item::name).first::<String>(connection)?, "tea");
    let ids = insert(connection, &["a", "b", "c"])?;
    assert!(ids.is_sorted() && tea < ids[0]);
    println!("insert");

    // Find the rows created between two times, through the function or the view. `item::id.ge(start)` does not compile.
    let [start, end]: [DateTime<Utc>; 2] =
        ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"].map(|time| time.parse().expect("a time"));
    let items: Vec<(Uuid, DateTime<Utc>)> = item::table
        .select((item::id, uuidv7_time(item::id)))
        .filter(uuidv7_time(item::id).ge(start).and(uuidv7_time(item::id).lt(end)))
        .order(item::id)
        .load(connection)?;
    assert_eq!(items.len(), 288);
    assert_eq!(items[0].1, start);
    let view: Vec<(Uuid, String, DateTime<Utc>)> =
        item_v::table.filter(item_v::created_at.ge(start).and(item_v::created_at.lt(end))).load(connection)?;
    assert_eq!(view.len(), 288);
    println!("created");

    // Read the newest twenty rows.
    let newest: Vec<Uuid> =
        item_v::table.order(item_v::created_at.desc()).limit(20).select(item_v::id).load(connection)?;
    assert!(newest.len() == 20 && newest[..3].iter().eq(ids.iter().rev()));
    println!("page");

    // Generate keys before their rows exist.
    let ids: Vec<Uuid> = diesel::select(uuidv7_array(3)).get_result(connection)?;
    let (parent, children) = (ids[0], &ids[1..]);
    diesel::insert_into(item::table).values((item::id.eq(parent), item::name.eq("parent"))).execute(connection)?;
    let rows: Vec<_> = children.iter().map(|child| (item::id.eq(child), item::name.eq(parent.to_string()))).collect();
    diesel::insert_into(item::table).values(rows).execute(connection)?;
    assert!(parent < children[0] && children[0] < children[1]);
    assert_eq!(item::table.filter(item::id.eq_any(children)).count().get_result::<i64>(connection)?, 2);
    println!("ahead");

    let next: Vec<Uuid> = feed(connection, parent)?.into_iter().map(|(id, _)| id).collect();
    assert_eq!(next, children);
    println!("feed");

    // A column of the domain is returned as a UUID.
    diesel::insert_into(visit::table).values(visit::id.eq(parent)).execute(connection)?;
    assert_eq!(visit::table.select(visit::id).load::<Uuid>(connection)?, [parent]);
    println!("domain");
    Ok(())
}
