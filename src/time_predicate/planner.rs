//! Safe views of the planner's structures, which state the meaning of their fields once.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use pgrx::{is_a, pg_sys};

use super::expression::{Expression, expressions, expressions_or_null, pointers};

/// A structure of PostgreSQL's planner, with everything that it points to. It lives as long as the query is planned.
#[derive(Debug)]
#[repr(transparent)]
pub struct Planned<'plan, T> {
    node: NonNull<T>,
    plan: PhantomData<&'plan T>,
}

impl<T> Clone for Planned<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Planned<'_, T> {}

impl<T> PartialEq for Planned<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<T> Deref for Planned<'_, T> {
    type Target = T;

    #[allow(unsafe_code)]
    fn deref(&self) -> &T {
        // SAFETY: `from_ptr` was given a structure of this type that stays.
        unsafe { self.node.as_ref() }
    }
}

#[allow(unsafe_code)]
impl<'plan, T> Planned<'plan, T> {
    /// # Safety
    /// The pointer must be null, or the planner's own to a structure of this type, whose fields point to what PostgreSQL's headers say.
    pub unsafe fn from_ptr(pointer: *mut T) -> Option<Self> {
        NonNull::new(pointer).map(|node| Planned { node, plan: PhantomData })
    }

    pub fn as_ptr(self) -> *mut T {
        self.node.as_ptr()
    }

    /// Changes the structure.
    ///
    /// # Safety
    /// Afterwards, too, its fields must point to what PostgreSQL's headers say.
    pub unsafe fn change<R>(self, change: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: the planner waits while a hook is called, and nothing here keeps a reference to a field over a change.
        change(unsafe { &mut *self.node.as_ptr() })
    }
}

/// The values that fields point to, by PostgreSQL's `nodes/pathnodes.h`, `nodes/parsenodes.h` and `nodes/primnodes.h`. A null
/// pointer is an empty list or array, or nothing.
macro_rules! fields {
    ($(list $structure:ident.$list:ident as $name:ident -> $member:ident;)*
     $(one $holder:ident.$pointer:ident as $single:ident -> $target:ident;)*
     $(array $owner:ident.$array:ident[$length:ident] as $several:ident -> $element:ty;)*
     $(expressions $source:ident.$many:ident as $expressions:ident;)*
     $(expression $place:ident.$clause:ident as $expression:ident;)*) => {
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$structure> {
            pub fn $name(self) -> &'plan [Planned<'plan, pg_sys::$member>] {
                // SAFETY: the headers say of which structures the list is; a `Planned` is a pointer that is not null.
                unsafe { members(self.$list) }
            }
        })*
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$holder> {
            pub fn $single(self) -> Option<Planned<'plan, pg_sys::$target>> {
                // SAFETY: the headers say to which structure the field points.
                unsafe { Planned::from_ptr(self.$pointer) }
            }
        })*
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$owner> {
            pub fn $several(self) -> &'plan [$element] {
                let length = usize::try_from(self.$length).unwrap_or(0);
                // SAFETY: the headers say how many elements the array has.
                if self.$array.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(self.$array, length) } }
            }
        })*
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$source> {
            pub fn $expressions(self) -> &'plan [Expression<'plan>] {
                // SAFETY: the headers say that this is a list of expressions.
                unsafe { expressions(self.$many) }
            }
        })*
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$place> {
            pub fn $expression(self) -> Option<Expression<'plan>> {
                // SAFETY: the headers say that this is an expression.
                unsafe { Expression::from_ptr(self.$clause.cast()) }
            }
        })*
    };
}

fields! {
    list PlannerInfo.query_pathkeys as query_pathkeys -> PathKey;
    list PlannerInfo.append_rel_list as append_relations -> AppendRelInfo;
    list RelOptInfo.indexlist as indexes -> IndexOptInfo;
    list RelOptInfo.baserestrictinfo as restrictions -> RestrictInfo;
    list RelOptInfo.joininfo as join_restrictions -> RestrictInfo;
    list RelOptInfo.pathlist as paths -> Path;
    list IndexOptInfo.indextlist as targets -> TargetEntry;
    list EquivalenceClass.ec_members as members -> EquivalenceMember;
    list Path.pathkeys as order -> PathKey;
    list Query.rtable as tables -> RangeTblEntry;
    list FromExpr.fromlist as parts -> Node;
    one PlannerInfo.parse as query -> Query;
    one PathKey.pk_eclass as class -> EquivalenceClass;
    one RelOptInfo.part_scheme as partition_scheme -> PartitionSchemeData;
    one Query.jointree as join_tree -> FromExpr;
    one JoinExpr.larg as left -> Node;
    one JoinExpr.rarg as right -> Node;
    array PlannerInfo.simple_rel_array[simple_rel_array_size] as relations -> *mut pg_sys::RelOptInfo;
    array PlannerInfo.simple_rte_array[simple_rel_array_size] as entries -> *mut pg_sys::RangeTblEntry;
    array PlannerInfo.append_rel_array[simple_rel_array_size] as append_relation_array -> *mut pg_sys::AppendRelInfo;
    array IndexOptInfo.indexkeys[nkeycolumns] as key_columns -> i32;
    array IndexOptInfo.opfamily[nkeycolumns] as families -> pg_sys::Oid;
    array IndexOptInfo.opcintype[nkeycolumns] as key_types -> pg_sys::Oid;
    array IndexOptInfo.sortopfamily[nkeycolumns] as sort_families -> pg_sys::Oid;
    array IndexOptInfo.reverse_sort[nkeycolumns] as descending -> bool;
    array IndexOptInfo.nulls_first[nkeycolumns] as with_nulls_first -> bool;
    array PartitionSchemeData.partopfamily[partnatts] as families -> pg_sys::Oid;
    array PartitionSchemeData.partopcintype[partnatts] as key_types -> pg_sys::Oid;
    array PartitionSchemeData.parttyplen[partnatts] as key_lengths -> i16;
    expressions IndexOptInfo.indexprs as expressions;
    expressions IndexOptInfo.indpred as predicate;
    expression RestrictInfo.clause as expression;
    expression EquivalenceMember.em_expr as expression;
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::PlannerInfo> {
    /// The relation with this number; none if it is a join.
    pub fn relation(self, number: pg_sys::Index) -> Option<Planned<'plan, pg_sys::RelOptInfo>> {
        let relation = self.relations().get(number as usize)?;
        // SAFETY: the planner's array of its relations.
        unsafe { Planned::from_ptr(*relation) }
    }

    /// The range table entry with this number, which is in the query's list before the planner's array exists.
    pub fn entry(self, number: pg_sys::Index) -> Option<Planned<'plan, pg_sys::RangeTblEntry>> {
        if self.simple_rte_array.is_null() {
            return self.query()?.tables().get((number as usize).checked_sub(1)?).copied();
        }
        // SAFETY: the planner's array of range table entries.
        unsafe { Planned::from_ptr(*self.entries().get(number as usize)?) }
    }

    /// How a child of an inheritance tree or of a UNION ALL is related to its parent.
    pub fn append_relation(self, child: pg_sys::Index) -> Option<Planned<'plan, pg_sys::AppendRelInfo>> {
        let link = self.append_relation_array().get(child as usize)?;
        // SAFETY: the planner's array of these.
        unsafe { Planned::from_ptr(*link) }
    }

    /// The children of an inheritance tree or of a UNION ALL.
    pub fn children(self, parent: pg_sys::Index) -> impl Iterator<Item = Planned<'plan, pg_sys::AppendRelInfo>> {
        self.append_relations().iter().copied().filter(move |link| link.parent_relid == parent)
    }

    /// The members of an equivalence class that read only this relation; for a child, the translated members of its parent.
    pub fn members_of(
        self,
        class: Planned<'plan, pg_sys::EquivalenceClass>,
        number: pg_sys::Index,
    ) -> Vec<Expression<'plan>> {
        if let Some(link) = self.append_relation(number) {
            let mut members = self.members_of(class, link.parent_relid);
            for member in &mut members {
                let mut links = link.as_ptr();
                // SAFETY: an expression of the parent, and the link that leads to the child.
                let translated = unsafe {
                    Expression::from_ptr(pg_sys::adjust_appendrel_attrs(self.as_ptr(), member.as_ptr(), 1, &mut links))
                };
                *member = translated.unwrap_or(*member);
            }
            return members;
        }
        let Some(relation) = self.relation(number) else { return Vec::new() };
        let is_own = |member: &&Planned<'_, pg_sys::EquivalenceMember>| {
            !member.em_is_child && is_same_set(member.em_relids, relation.relids)
        };
        class.members().iter().filter(is_own).filter_map(|member| member.expression()).collect()
    }

    /// The relation that an expression reads; 0 if there is none or more than one.
    pub fn relation_read_by(self, expression: Expression<'_>) -> i32 {
        let mut relation = 0;
        // SAFETY: an expression of this query; the set of what it reads is PostgreSQL's.
        let is_one = unsafe {
            let relations = pg_sys::pull_varnos(self.as_ptr(), expression.as_ptr());
            pg_sys::bms_get_singleton_member(relations, &mut relation)
        };
        if is_one { relation } else { 0 }
    }

    /// The result of PostgreSQL's constant folding of an expression.
    pub fn simplified(self, expression: Expression<'plan>) -> Expression<'plan> {
        // SAFETY: what becomes of an expression is an expression.
        unsafe { Expression::from_ptr(pg_sys::eval_const_expressions(self.as_ptr(), expression.as_ptr())) }
            .unwrap_or(expression)
    }

    /// The value that PostgreSQL assumes for an expression in an estimate, including stable functions and parameters.
    pub fn estimated(self, expression: Expression<'plan>) -> Expression<'plan> {
        // SAFETY: what becomes of an expression is an expression.
        unsafe { Expression::from_ptr(pg_sys::estimate_expression_value(self.as_ptr(), expression.as_ptr())) }
            .unwrap_or(expression)
    }
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::RelOptInfo> {
    /// The expressions of a partition key column.
    pub fn partition_expressions(self, key: usize) -> &'plan [Expression<'plan>] {
        let keys = self.partition_scheme().map_or(0, |scheme| usize::try_from(scheme.partnatts).unwrap_or(0));
        // SAFETY: a relation with partitions has an array with a list of expressions for each of its key columns.
        if key < keys { unsafe { expressions(*self.partexprs.add(key)) } } else { &[] }
    }
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::AppendRelInfo> {
    /// The child's expression for each column of the parent; none for dropped columns.
    pub fn columns(self) -> &'plan [Option<Expression<'plan>>] {
        // SAFETY: a list of expressions, some of which may be null.
        unsafe { expressions_or_null(self.translated_vars) }
    }
}

#[allow(unsafe_code)]
impl Planned<'_, pg_sys::IndexOptInfo> {
    /// Whether this key column of the index is an expression.
    pub fn is_on(self, column: usize, expression: Expression<'_>) -> bool {
        let column = i32::try_from(column).unwrap_or(i32::MAX);
        // SAFETY: the planner's index, which has such a column or none.
        unsafe { pg_sys::match_index_to_operand(expression.as_ptr(), column, self.as_ptr()) }
    }
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::RangeTblEntry> {
    /// The clauses of security barriers, each an implicitly ANDed list.
    pub fn security_quals(self) -> Vec<&'plan [Expression<'plan>]> {
        // SAFETY: before tables are planned, these are lists of expressions, of which the empty one is a null pointer.
        unsafe { pointers(self.securityQuals).iter().map(|list| expressions(*list)).collect() }
    }

    pub fn set_security_quals(self, number: usize, clauses: *mut pg_sys::List) {
        // SAFETY: a list of expressions in the place of one.
        unsafe { (*self.securityQuals).elements.add(number).cast::<*mut pg_sys::List>().write(clauses) };
    }
}

/// A part of the query's join tree.
pub enum JoinTree<'plan> {
    From(Planned<'plan, pg_sys::FromExpr>),
    Join(Planned<'plan, pg_sys::JoinExpr>),
    Table,
}

#[allow(unsafe_code)]
impl<'plan> JoinTree<'plan> {
    pub fn from_node(node: Planned<'plan, pg_sys::Node>) -> Self {
        let pointer = node.as_ptr();
        // SAFETY: a node is what its tag says.
        let tree = unsafe {
            if is_a(pointer, pg_sys::NodeTag::T_FromExpr) {
                Planned::from_ptr(pointer.cast()).map(JoinTree::From)
            } else if is_a(pointer, pg_sys::NodeTag::T_JoinExpr) {
                Planned::from_ptr(pointer.cast()).map(JoinTree::Join)
            } else {
                None
            }
        };
        tree.unwrap_or(JoinTree::Table)
    }

    /// The parts that it joins.
    pub fn parts(&self) -> Vec<JoinTree<'plan>> {
        let nodes = match self {
            JoinTree::From(from) => from.parts().to_vec(),
            JoinTree::Join(join) => [join.left(), join.right()].into_iter().flatten().collect(),
            JoinTree::Table => Vec::new(),
        };
        nodes.into_iter().map(JoinTree::from_node).collect()
    }

    /// The clauses of its WHERE or ON, combined by AND.
    pub fn clauses(&self) -> &'plan [Expression<'plan>] {
        let quals = match self {
            JoinTree::From(from) => from.quals,
            JoinTree::Join(join) => join.quals,
            JoinTree::Table => return &[],
        };
        // SAFETY: before tables are planned, these are a list of expressions.
        unsafe { if is_a(quals, pg_sys::NodeTag::T_List) { expressions(quals.cast()) } else { &[] } }
    }

    pub fn set_clauses(&self, clauses: *mut pg_sys::List) {
        // SAFETY: a list of expressions in the place of one.
        unsafe {
            match self {
                JoinTree::From(from) => from.change(|from| from.quals = clauses.cast()),
                JoinTree::Join(join) => join.change(|join| join.quals = clauses.cast()),
                JoinTree::Table => {}
            }
        }
    }
}

/// The elements of a list, read in place.
///
/// # Safety
/// The list must be the planner's, of pointers to this type that are not null.
#[allow(unsafe_code)]
pub unsafe fn members<'plan, T>(list: *mut pg_sys::List) -> &'plan [Planned<'plan, T>] {
    // SAFETY: a `Planned` is a pointer that is not null.
    unsafe {
        let members = pointers::<T>(list);
        std::slice::from_raw_parts(members.as_ptr().cast(), members.len())
    }
}

/// Whether two sets of the planner have the same members.
#[allow(unsafe_code)]
pub fn is_same_set(one: *mut pg_sys::Bitmapset, other: *mut pg_sys::Bitmapset) -> bool {
    // SAFETY: sets, which are only read.
    unsafe { pg_sys::bms_equal(one, other) }
}
