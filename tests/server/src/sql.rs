//! Statements of a test: what they must give, or panic with the statement and the server's answer.

use postgres::types::FromSqlOwned;
use postgres::{Client, Row};

/// Runs statements that must succeed.
pub fn run(client: &mut Client, statements: &str) {
    client.batch_execute(statements).unwrap_or_else(|error| panic!("{statements}\n{error:?}"));
}

/// The rows of a query.
pub fn rows(client: &mut Client, query: &str) -> Vec<Row> {
    client.query(query, &[]).unwrap_or_else(|error| panic!("{query}\n{error:?}"))
}

/// The one row of a query.
pub fn row(client: &mut Client, query: &str) -> Row {
    client.query_one(query, &[]).unwrap_or_else(|error| panic!("{query}\n{error:?}"))
}

/// The first column of the one row of a query.
pub fn value<T: FromSqlOwned>(client: &mut Client, query: &str) -> T {
    row(client, query).try_get(0).unwrap_or_else(|error| panic!("{query}\n{error:?}"))
}

/// Runs a statement that must fail; the SQLSTATE.
pub fn sqlstate(client: &mut Client, statement: &str) -> String {
    match client.batch_execute(statement) {
        Ok(()) => panic!("{statement}\nsucceeded, and an error was expected"),
        Err(error) => sqlstate_of(&error).unwrap_or_else(|| panic!("{statement}\n{error:?}")),
    }
}

/// The SQLSTATE of an error, `None` of one that the server did not report.
pub fn sqlstate_of(error: &postgres::Error) -> Option<String> {
    error.code().map(|state| state.code().to_owned())
}
