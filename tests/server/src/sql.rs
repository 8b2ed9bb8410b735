//! Runs the statements of a test. Functions that do not return a `Result` panic if a statement does not end as expected.

use postgres::error::DbError;
use postgres::types::FromSqlOwned;
use postgres::{Client, Row, SimpleQueryMessage, SimpleQueryRow};

#[track_caller]
pub fn run(client: &mut Client, statements: &str) {
    must(statements, client.batch_execute(statements));
}

#[track_caller]
pub fn rows(client: &mut Client, query: &str) -> Vec<Row> {
    must(query, client.query(query, &[]))
}

/// Returns the first column of a query's rows.
#[track_caller]
pub fn column<T: FromSqlOwned>(client: &mut Client, query: &str) -> Vec<T> {
    rows(client, query).iter().map(|row| must(query, row.try_get(0))).collect()
}

#[track_caller]
pub fn row(client: &mut Client, query: &str) -> Row {
    must(query, client.query_one(query, &[]))
}

/// Returns the first column of a query's only row.
#[track_caller]
pub fn value<T: FromSqlOwned>(client: &mut Client, query: &str) -> T {
    must(query, row(client, query).try_get(0))
}

/// Returns the first column of a query's rows, joined by newlines.
#[track_caller]
pub fn lines(client: &mut Client, query: &str) -> String {
    column::<String>(client, query).join("\n")
}

/// Returns the rows of all statements, with values as text.
pub fn texts(client: &mut Client, statements: &str) -> Result<Vec<SimpleQueryRow>, postgres::Error> {
    let messages = client.simple_query(statements)?;
    let rows = messages.into_iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    Ok(rows.collect())
}

/// Returns the extension's version in the database.
#[track_caller]
pub fn installed(client: &mut Client) -> String {
    value(client, "SELECT extversion FROM pg_extension WHERE extname = 'uuidrfc'")
}

#[track_caller]
pub fn process(client: &mut Client) -> i32 {
    value(client, "SELECT pg_backend_pid()")
}

#[track_caller]
fn must<T>(statement: &str, result: Result<T, postgres::Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{statement}\n{error:?}"),
    }
}

/// Runs a statement that must fail, and returns the server's error.
#[track_caller]
pub fn error(client: &mut Client, statement: &str) -> DbError {
    let Err(error) = client.batch_execute(statement) else {
        panic!("{statement}\nsucceeded, although an error was expected");
    };
    error.as_db_error().unwrap_or_else(|| panic!("{statement}\n{error:?}")).clone()
}

/// Runs a statement that must fail, and returns the SQLSTATE.
#[track_caller]
pub fn sqlstate(client: &mut Client, statement: &str) -> String {
    error(client, statement).code().code().to_owned()
}

/// Returns the SQLSTATE of an error, or `None` if the server did not report the error.
pub fn sqlstate_of(error: &postgres::Error) -> Option<String> {
    error.code().map(|state| state.code().to_owned())
}

/// Whether an error means that `pg_terminate_backend` or a crash ended the session: the server's error or, if there was none or
/// the driver detects it first, a closed connection.
pub fn is_of_ended_session(error: &postgres::Error) -> bool {
    sqlstate_of(error).is_none_or(|state| state.starts_with("57P0"))
}
