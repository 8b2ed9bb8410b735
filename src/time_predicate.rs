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
//!               |                                         |   without IS NOT NULL if version_7 excludes other versions;
//!               |                                         |   unchanged if expression_index finds an index on uuidv7_time(id)
//!               +-------------------+---------------------+
//!                                   |
//! reader      families: the operator stays; other readers: id < uuidv7_lower_bound(...)
//!                                   |
//! estimate    selectivity: statistics -> histogram, whose ends and gaps column_index reads from the index
//!                                   |
//! paths       sort: paths of an index on id, sorted by uuidv7_time(id); until all paths exist, partitions by id as if by that time
//!                                   |     join: paths of an index on id, for uuidv7_time(id)::date = other.day
//!                                   |
//! execution   the index on id, with the bounds that bound_functions and time_bound compute unless they are constants
//! ```
//!
//! Between two hooks, PostgreSQL keeps only expressions, so [`in_list`] and [`join`] parse the clauses that they use again.
//!
//! [`clause`] also parses clauses such as `uuid_seal(id) = x`, which [`inverse`] turns into conditions on the UUID. A module uses
//! only those below it: [`hook`] and [`support`], which PostgreSQL calls; [`rewriter`], [`join`], [`sort`] and [`selectivity`];
//! [`clause`] and the modules that parse the sides of a comparison; and [`planner`](crate::planner), through which all of them
//! read and build PostgreSQL's structures. [`functions`] lists the functions that the planner treats specially.

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
