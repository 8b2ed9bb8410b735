//! Safe views of PostgreSQL's planner and system catalogs.
//!
//! [`time_predicate`](crate::time_predicate) reads, builds and changes plans only through these modules, so that its rules about
//! clauses are safe code. A module uses only those above it in this list:
//!
//! - [`planned`]: references to the planner's structures; PostgreSQL's lists and memory
//! - [`catalog`]: functions, operators, types and statistics
//! - [`expression`]: parts and properties of expressions, and functions that build expressions
//! - [`relation`]: tables with their constraints, indexes and index entries
//! - [`structures`]: the fields of the planner's structures, the planner's own functions, and its hooks

pub mod catalog;
pub mod expression;
pub mod planned;
pub mod relation;
pub mod structures;
