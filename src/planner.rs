//! Safe views of PostgreSQL's planner and system catalogs.
//!
//! [`time_predicate`](crate::time_predicate) reads, builds and changes the planner's structures only through these modules, so its
//! rules about clauses contain no unsafe code. A module uses only those above it in this list:
//!
//! - [`planned`]: references to the planner's structures; PostgreSQL's lists and memory
//! - [`catalog`]: functions, operators, types, columns and statistics in the system catalogs; what makes plans invalid
//! - [`expression`]: parts and properties of expressions, and functions that build expressions
//! - [`structures`]: the fields of the planner's structures, the planner's own functions, and its hooks
//! - [`relation`]: tables with their constraints, indexes and index entries

pub mod catalog;
pub mod expression;
pub mod planned;
pub mod relation;
pub mod structures;
