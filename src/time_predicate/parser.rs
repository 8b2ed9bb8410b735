//! A relation whose clauses are parsed and rewritten. Other modules add the methods that parse and rewrite each kind of
//! expression.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use pgrx::pg_sys;

use super::expression_index::indexed_expressions;
use super::operators::Order;
use super::statistics::Statistics;
use super::version_7::Versions;
use crate::error::OrRaise;
use crate::planner::catalog::Row;
use crate::planner::planned::{Expression, Planned};

/// A relation whose clauses are parsed and rewritten, with what was looked up for it.
pub struct Parser<'plan> {
    pub root: Planned<'plan, pg_sys::PlannerInfo>,
    pub relation: Planned<'plan, pg_sys::RelOptInfo>,
    /// The expressions of the table's indexes, which are looked up on first use.
    indexed: OnceCell<Vec<Expression<'plan>>>,
    /// The column that was examined last, and the versions that CHECK constraints allow in it.
    pub column_versions: Cell<Option<(i16, Versions)>>,
    /// The function of the time on which the children have CHECK constraints ([`Parser::divides_children`]).
    pub divided_by: OnceCell<Option<pg_sys::Oid>>,
}

impl<'plan> Parser<'plan> {
    pub fn new(root: Planned<'plan, pg_sys::PlannerInfo>, relation: Planned<'plan, pg_sys::RelOptInfo>) -> Self {
        let (indexed, column_versions, divided_by) = Default::default();
        Parser { root, relation, indexed, column_versions, divided_by }
    }

    /// Returns the only relation that an expression reads, unless that is a table other than the current one; the hook is called
    /// for each table separately.
    pub fn relation_of(&self, expression: Expression<'_>) -> Option<pg_sys::Index> {
        let mut columns = expression.columns().peekable();
        let number = columns.peek()?.as_ref()?.table;
        let of_one = columns.all(|column| column.is_some_and(|column| column.table == number));
        let is_table = self.root.entry(number)?.rtekind == pg_sys::RTEKind::RTE_RELATION;
        (of_one && (!is_table || number == self.relation.relid)).then_some(number)
    }

    /// Returns the expressions on which the table has indexes that may support the query.
    pub fn own_expressions(&self) -> &[Expression<'plan>] {
        self.indexed.get_or_init(|| {
            let Some(entry) = self.root.entry(self.relation.relid) else { return Vec::new() };
            let mut clauses = Vec::new();
            if let Some(tree) = self.root.query().and_then(|query| query.join_tree()) {
                tree.any_tree_clause(&mut |clause| {
                    clauses.try_reserve(1).or_raise();
                    clauses.push(clause);
                    false
                });
            }
            clauses.extend(entry.security_quals().iter().flat_map(|quals| quals.iter().copied()));
            // The query's clauses refer to the child's parent.
            let is_child = self.relation.reloptkind == pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL;
            indexed_expressions(self.relation, entry, (!is_child).then_some(&clauses))
        })
    }

    /// Returns the statistics of a UUID, if it is a column of a table and ANALYZE has found any.
    pub fn statistics(&self, uuid: Expression<'_>) -> Option<Rc<Statistics>> {
        let column = uuid.unrelabelled().column()?;
        let entry = self.root.table(column.table)?;
        let key = [entry.relid.into(), column.number.into(), entry.inh.into()];
        Row::read(&key, |row| Statistics::from_row(&row, Order::Bytes))
    }
}
