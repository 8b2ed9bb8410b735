//! Compares UUIDs with times: `id >= timestamptz '2026-01-01'`, `id <@ tstzrange('2026-01-01', '2026-02-01')`.
//!
//! Two of the four comparisons, `<` and `>=`, are members of PostgreSQL's own operator families of `uuid` ([`members`]), so that
//! indexes, partitions and the planner's proofs can use them. A clause passes through these stages:
//!
//! ```text
//! parse       id <= t                                   uuidv7_time(id) <= t
//!               |                                         |
//! support     bounds: id < uuid_time_next(t)              | (PostgreSQL's own operators have none)
//! function      |                                         |
//!               |                                         |
//! hook, for     |                                       clause: a time of a UUID, compared with t
//! each table    |                                       rewriter, bounds: id < uuid_time_next(t) AND uuidv7_time(id) IS NOT NULL
//!               |                                         |   without IS NOT NULL if version_7 excludes other versions; unchanged
//!               |                                         |   if the table has an index on, or is partitioned by, uuidv7_time(id)
//!               +-------------------+---------------------+
//!                                   |
//! reader      asked by bounds: families: the time stays; other readers: id < uuidv7_lower_bound(uuid_time_next(t))
//!                                   |
//! estimate    selectivity: statistics -> histogram, whose ends and gaps column_index reads from the index
//!                                   |
//! paths       sort: paths of an index on id, sorted by uuidv7_time(id); until the planner has all paths, a table partitioned by id
//!                                   |     is described as partitioned by that time
//!                                   |     in_list: bitmap scans of an index on id, for uuidv7_time(id) IN (t, u)
//!                                   |     join: paths of an index on id, for uuidv7_time(id)::date = other.day
//!                                   |
//! execution   the index on id, with the bounds that time_ops, bound_functions and time_bound compute unless they are constants
//! ```
//!
//! Between two hooks, PostgreSQL keeps only expressions, so [`in_list`], [`sort`] and [`join`] parse those that they use again.
//!
//! [`clause`] also parses clauses such as `uuid_seal(id) = x`, which [`inverse`] turns into conditions on the UUID. A module uses
//! only those of its own line and of the lines below it. All of them may use [`planner`](crate::planner), through which they read
//! and build PostgreSQL's structures.
//!
//! - [`hook`] and [`support`], which PostgreSQL calls
//! - [`rewriter`], [`join`], [`sort`], [`selectivity`] and [`in_list`], which change clauses, paths and estimates
//! - [`bounds`], which builds comparisons of a UUID
//! - [`clause`], [`inverse`], [`monotonic`], [`text_form`], [`time_call`] and [`parser`], which parse clauses and their operands
//! - [`reader`], [`column_index`], [`expression_index`], [`version_7`] and [`statistics`], which look up facts about a table
//! - [`functions`], which lists the extension's functions that the planner support knows
//! - [`histogram`], [`bound_functions`], [`time_bound`], [`operators`] and [`members`]

mod bound_functions;
mod bounds;
mod clause;
mod column_index;
mod expression_index;
mod functions;
mod histogram;
pub mod hook;
mod in_list;
mod inverse;
mod join;
mod members;
mod monotonic;
mod operators;
mod parser;
mod reader;
mod rewriter;
mod selectivity;
mod sort;
mod statistics;
mod support;
mod text_form;
mod time_bound;
mod time_call;
mod version_7;
