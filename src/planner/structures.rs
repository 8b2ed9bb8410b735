//! The fields of the planner's structures that contain lists, arrays or other structures; the planner's own functions, and its
//! hooks.

use pgrx::datum::Internal;
use pgrx::{is_a, pg_sys};

use super::catalog::{Row, take_role_dependence};
use super::expression::time_constant;
use super::planned::{Expression, Planned, elements, list_of, palloc_array};
use crate::datum::Timestamptz;

/// Defines accessors and setters of fields, with the types that PostgreSQL's headers in `nodes/` specify. For a null pointer, the
/// accessors return an empty list or array, or `None`.
macro_rules! fields {
    ($(list $structure:ident.$list:ident as $name:ident -> $member:ty;)*
     $(one $holder:ident.$pointer:ident$(.$cast:ident())? as $single:ident -> $target:ident;)*
     $(array $owner:ident.$array:ident[$length:ident] as $several:ident -> $element:ty;)*
     $(change $changed:ident.$field:ident by $setter:ident($value:ident: $type:ty) = $stored:expr;)*) => {
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$structure> {
            pub fn $name(self) -> &'plan [$member] {
                // SAFETY: according to the headers, the list's elements are non-null pointers to such structures or expressions.
                unsafe { elements(self.$list) }
            }
        })*
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$holder> {
            pub fn $single(self) -> Option<Planned<'plan, pg_sys::$target>> {
                // SAFETY: according to the headers, the field is null or points to such a structure.
                unsafe { Planned::from_ptr(self.$pointer$(.$cast())?) }
            }
        })*
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$owner> {
            pub fn $several(self) -> &'plan [$element] {
                let length = usize::try_from(self.$length).unwrap_or(0);
                // SAFETY: according to the headers, the array has this length and such elements.
                if self.$array.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(self.$array.cast(), length) } }
            }
        })*
        $(#[allow(unsafe_code)]
        impl<'plan> Planned<'plan, pg_sys::$changed> {
            pub fn $setter(self, $value: $type) {
                // SAFETY: according to the headers, the field contains such a value.
                unsafe { self.change(|changed| changed.$field = $stored) };
            }
        })*
    };
}

fields! {
    list PlannerInfo.query_pathkeys as query_pathkeys -> Planned<'plan, pg_sys::PathKey>;
    list MinMaxAggPath.mmaggregates as aggregates -> Planned<'plan, pg_sys::MinMaxAggInfo>;
    list PlannerInfo.eq_classes as classes -> Planned<'plan, pg_sys::EquivalenceClass>;
    list PlannerInfo.append_rel_list as append_relations -> Planned<'plan, pg_sys::AppendRelInfo>;
    list RelOptInfo.indexlist as indexes -> Planned<'plan, pg_sys::IndexOptInfo>;
    list RelOptInfo.baserestrictinfo as restrictions -> Planned<'plan, pg_sys::RestrictInfo>;
    list RelOptInfo.joininfo as join_restrictions -> Planned<'plan, pg_sys::RestrictInfo>;
    list RelOptInfo.pathlist as paths -> Planned<'plan, pg_sys::Path>;
    list IndexPath.indexclauses as clauses -> Planned<'plan, pg_sys::IndexClause>;
    list IndexOptInfo.indextlist as targets -> Planned<'plan, pg_sys::TargetEntry>;
    list EquivalenceClass.ec_members as members -> Planned<'plan, pg_sys::EquivalenceMember>;
    list Path.pathkeys as pathkeys -> Planned<'plan, pg_sys::PathKey>;
    list Query.rtable as tables -> Planned<'plan, pg_sys::RangeTblEntry>;
    list FromExpr.fromlist as parts -> Planned<'plan, pg_sys::Node>;
    list IndexOptInfo.indexprs as expressions -> Expression<'plan>;
    list IndexOptInfo.indpred as predicate -> Expression<'plan>;
    list FuncExpr.args as arguments -> Expression<'plan>;
    list SupportRequestSelectivity.args as arguments -> Expression<'plan>;
    one PlannerInfo.parse as query -> Query;
    one MinMaxAggInfo.subroot as root -> PlannerInfo;
    one IndexClause.rinfo as restriction -> RestrictInfo;
    one PathKey.pk_eclass as class -> EquivalenceClass;
    one RelOptInfo.part_scheme as partition_scheme -> PartitionSchemeData;
    one JoinExpr.larg as left -> Node;
    one JoinExpr.rarg as right -> Node;
    one SupportRequestSimplify.root as root -> PlannerInfo;
    one SupportRequestSimplify.fcall as call -> FuncExpr;
    one SupportRequestIndexCondition.root as root -> PlannerInfo;
    one SupportRequestSelectivity.root as root -> PlannerInfo;
    one SupportRequestIndexCondition.node as call -> Node;
    one RestrictInfo.clause.cast() as expression -> Node;
    one EquivalenceMember.em_expr.cast() as expression -> Node;
    one Query.jointree.cast() as join_tree -> Node;
    array PlannerInfo.simple_rel_array[simple_rel_array_size] as relations -> Option<Planned<'plan, pg_sys::RelOptInfo>>;
    array PlannerInfo.simple_rte_array[simple_rel_array_size] as entries -> Option<Planned<'plan, pg_sys::RangeTblEntry>>;
    array PlannerInfo.append_rel_array[simple_rel_array_size] as append_relation_array -> Option<Planned<'plan, pg_sys::AppendRelInfo>>;
    array IndexOptInfo.indexkeys[nkeycolumns] as key_column_numbers -> i32;
    array IndexOptInfo.indexkeys[ncolumns] as column_numbers -> i32;
    array IndexOptInfo.canreturn[ncolumns] as returned -> bool;
    array IndexOptInfo.indexcollations[nkeycolumns] as collations -> pg_sys::Oid;
    array IndexOptInfo.opfamily[nkeycolumns] as families -> pg_sys::Oid;
    array IndexOptInfo.opcintype[nkeycolumns] as key_types -> pg_sys::Oid;
    array IndexOptInfo.sortopfamily[nkeycolumns] as sort_families -> pg_sys::Oid;
    array IndexOptInfo.reverse_sort[nkeycolumns] as descending -> bool;
    array IndexOptInfo.nulls_first[nkeycolumns] as with_nulls_first -> bool;
    array PartitionSchemeData.partopfamily[partnatts] as families -> pg_sys::Oid;
    array PartitionSchemeData.partopcintype[partnatts] as key_types -> pg_sys::Oid;
    array PartitionSchemeData.partcollation[partnatts] as collations -> pg_sys::Oid;
    change IndexOptInfo.indpred by set_predicate(clauses: Vec<Expression<'plan>>) = list_of(clauses);
    change FromExpr.quals by set_clauses(clauses: Vec<Expression<'plan>>) = list_of(clauses).cast();
    change JoinExpr.quals by set_clauses(clauses: Vec<Expression<'plan>>) = list_of(clauses).cast();
    change IndexPath.indexclauses by set_clauses(clauses: Vec<Planned<'plan, pg_sys::IndexClause>>) = list_of(clauses);
    change RelOptInfo.baserestrictinfo by set_restrictions(all: Vec<Planned<'plan, pg_sys::RestrictInfo>>) = list_of(all);
    change Path.pathkeys by set_pathkeys(keys: &[Planned<'plan, pg_sys::PathKey>]) = list_of(keys.iter().copied());
    change SupportRequestIndexCondition.lossy by set_lossy(lossy: bool) = lossy;
    change SupportRequestSelectivity.selectivity by set_selectivity(selectivity: f64) = selectivity;
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::PlannerInfo> {
    /// Returns the relation with the given number, or `None` if there is none, as for a join.
    pub fn relation(self, number: pg_sys::Index) -> Option<Planned<'plan, pg_sys::RelOptInfo>> {
        *self.relations().get(number as usize)?
    }

    /// Returns the range table entry with the given number, from the query's list if the planner has no array yet.
    pub fn entry(self, number: pg_sys::Index) -> Option<Planned<'plan, pg_sys::RangeTblEntry>> {
        if self.simple_rte_array.is_null() {
            return self.query()?.tables().get((number as usize).checked_sub(1)?).copied();
        }
        *self.entries().get(number as usize)?
    }

    /// Returns the range table entry with the given number, if it is a table.
    pub fn table(self, number: pg_sys::Index) -> Option<Planned<'plan, pg_sys::RangeTblEntry>> {
        self.entry(number).filter(|entry| entry.rtekind == pg_sys::RTEKind::RTE_RELATION)
    }

    /// Returns the link from a child of a table or a UNION ALL to its parent.
    pub fn append_relation(self, child: pg_sys::Index) -> Option<Planned<'plan, pg_sys::AppendRelInfo>> {
        *self.append_relation_array().get(child as usize)?
    }

    /// Returns the links to a table or a UNION ALL from its children.
    pub fn children(self, parent: pg_sys::Index) -> impl Iterator<Item = Planned<'plan, pg_sys::AppendRelInfo>> {
        self.append_relations().iter().copied().filter(move |link| link.parent_relid == parent)
    }

    /// Returns the members of an equivalence class that read only the relation with the given number. For a child, these are its
    /// parent's members, translated.
    pub fn members_of(
        self,
        class: Planned<'plan, pg_sys::EquivalenceClass>,
        number: pg_sys::Index,
    ) -> Vec<Expression<'plan>> {
        if let Some(link) = self.append_relation(number) {
            let mut members = self.members_of(class, link.parent_relid);
            for member in &mut members {
                let mut links = link.as_ptr();
                // SAFETY: the expression is the parent's, and the link is from the child to this parent.
                let translated = unsafe {
                    Planned::from_ptr(pg_sys::adjust_appendrel_attrs(self.as_ptr(), member.as_ptr(), 1, &mut links))
                };
                *member = translated.unwrap_or(*member);
            }
            return members;
        }
        let Some(relation) = self.relation(number) else { return Vec::new() };
        let is_own = |member: &&Planned<'_, pg_sys::EquivalenceMember>| {
            // SAFETY: both are sets or null pointers, and are only read.
            !member.em_is_child && unsafe { pg_sys::bms_equal(member.em_relids, relation.relids) }
        };
        class.members().iter().filter(is_own).filter_map(|member| member.expression()).collect()
    }

    /// Returns the relation that an expression reads, or 0 if it reads none or several. (From PostgreSQL 16 on, an outer join that
    /// may set the expression's columns to null counts as a relation.)
    pub fn relation_read_by(self, expression: Expression<'_>) -> i32 {
        let mut relation = 0;
        // SAFETY: the expression is of this query; PostgreSQL returns the set of its relations.
        let is_one = unsafe {
            let relations = pg_sys::pull_varnos(self.as_ptr(), expression.as_ptr());
            pg_sys::bms_get_singleton_member(relations, &mut relation)
        };
        if is_one { relation } else { 0 }
    }

    /// Returns PostgreSQL's estimate of the fraction of rows that pass restrictions or clauses combined by AND. Columns of the
    /// given relation, or of all relations if it is 0, are variables; the rest of each clause is treated as a constant.
    pub fn clauselist_selectivity<T: 'plan>(
        self,
        clauses: impl IntoIterator<Item = Planned<'plan, T>>,
        relation: i32,
    ) -> f64 {
        let (clauses, inner, none) = (list_of(clauses), pg_sys::JoinType::JOIN_INNER, std::ptr::null_mut());
        // SAFETY: the root is the planner's, and the list consists of the query's restrictions or expressions.
        unsafe { pg_sys::clauselist_selectivity(self.as_ptr(), clauses, relation, inner, none) }
    }

    /// Marks the plan as dependent on a domain.
    pub fn depend_on_domain(self, domain: pg_sys::Oid) {
        // SAFETY: the function only adds the OID to a list of the planner's root.
        unsafe { pg_sys::record_plan_type_dependency(self.as_ptr(), domain) };
    }

    /// Returns an expression after PostgreSQL's constant folding.
    pub fn folded(self, expression: Expression<'plan>) -> Expression<'plan> {
        // SAFETY: the expression is the query's, and the function returns an expression.
        unsafe { Planned::from_ptr(pg_sys::eval_const_expressions(self.as_ptr(), expression.as_ptr())) }
            .unwrap_or(expression)
    }

    /// Returns an expression after constant folding that, for an estimate, also evaluates stable functions and parameters.
    pub fn estimated_value(self, expression: Expression<'plan>) -> Expression<'plan> {
        // SAFETY: the expression is the query's, and the function returns an expression.
        unsafe { Planned::from_ptr(pg_sys::estimate_expression_value(self.as_ptr(), expression.as_ptr())) }
            .unwrap_or(expression)
    }
}

/// Returns the request that PostgreSQL passes to a support function. SQL cannot pass such a pointer, because no SQL value is of
/// type `internal`.
#[allow(unsafe_code)]
pub fn support_request<'plan>(argument: Internal) -> Option<Expression<'plan>> {
    // SAFETY: PostgreSQL calls a support function with a request node.
    unsafe { Planned::from_ptr(argument.unwrap()?.cast_mut_ptr()) }
}

/// Returns the root and the operator's arguments that PostgreSQL passes to an estimator. As above, SQL cannot pass such pointers.
#[allow(unsafe_code)]
pub fn estimator_arguments<'plan>(
    root: Internal,
    arguments: Internal,
) -> Option<(Planned<'plan, pg_sys::PlannerInfo>, &'plan [Expression<'plan>])> {
    // SAFETY: PostgreSQL calls an estimator with the planner's root and a list of expressions.
    unsafe { Some((Planned::from_ptr(root.unwrap()?.cast_mut_ptr())?, elements(arguments.unwrap()?.cast_mut_ptr()))) }
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::RestrictInfo> {
    pub fn reads_same_relations_as(self, other: Self) -> bool {
        // SAFETY: both are sets or null pointers, and are only read.
        self.clause_relids == other.clause_relids
            || unsafe { pg_sys::bms_equal(self.clause_relids, other.clause_relids) }
    }

    /// Returns a restriction like this one, but with another clause.
    pub fn with_clause(self, root: Planned<'plan, pg_sys::PlannerInfo>, clause: Expression<'plan>) -> Option<Self> {
        let (root, clause, none) = (root.as_ptr(), clause.as_ptr().cast(), std::ptr::null_mut());
        let (pushed, level, required) = (self.is_pushed_down, self.security_level, self.required_relids);
        let make = pg_sys::make_restrictinfo;
        #[cfg(not(outer_join_clones))]
        // SAFETY: the root and this restriction are of this query, in which restrictions may share their sets of relations.
        let restriction =
            unsafe { make(root, clause, pushed, self.outerjoin_delayed, false, level, required, none, none) };
        #[cfg(outer_join_clones)]
        let (has_clone, is_clone, incompatible) = (self.has_clone, self.is_clone, self.incompatible_relids);
        #[cfg(outer_join_clones)]
        // SAFETY: as for other versions; the added fields are copied from this restriction.
        let restriction =
            unsafe { make(root, clause, pushed, has_clone, is_clone, false, level, required, incompatible, none) };
        // SAFETY: PostgreSQL has just created this restriction.
        unsafe { Planned::from_ptr(restriction) }
    }

    /// Returns a copy of this restriction, whose right side must be a constant, with `time` in place of the constant.
    pub fn with_time(self, time: Timestamptz) -> Self {
        let call = self.expression().and_then(Expression::operator);
        assert!(call.is_some_and(|call| call.arguments.get(1).is_some_and(|right| right.is_constant())), "no constant");
        let constant = time_constant(time).as_ptr().cast();
        // SAFETY: the restriction is a copy, and so is its clause, an operator with a second argument.
        unsafe {
            let copy = pg_sys::copyObjectImpl(self.as_ptr().cast()).cast::<pg_sys::RestrictInfo>();
            (*pg_sys::list_nth_cell((*(*copy).clause.cast::<pg_sys::OpExpr>()).args, 1)).ptr_value = constant;
            Planned::from_ptr(copy).unwrap_or(self)
        }
    }

    /// Sets the restriction's selectivity, so that PostgreSQL does not compute one. PostgreSQL would not use the selectivity of a
    /// restriction that reads other relations, so the restriction, which must be an index condition, is described as reading only
    /// this one.
    pub fn set_selectivity(self, relation: Planned<'plan, pg_sys::RelOptInfo>, selectivity: f64) {
        // SAFETY: the planner accepts any numbers in these fields, and restrictions may share a relation's set.
        unsafe {
            self.change(|own| {
                (own.norm_selec, own.outer_selec, own.clause_relids) = (selectivity, selectivity, relation.relids);
                #[cfg(outer_join_clones)]
                (own.num_base_rels = 1);
            });
        }
    }
}

/// A partition scheme that temporarily replaces the original one.
#[derive(Clone, Copy)]
#[repr(C)]
struct DescribedScheme {
    scheme: pg_sys::PartitionSchemeData,
    original: (pg_sys::PartitionScheme, *mut *mut pg_sys::List),
}

/// A path that the planner has created, and whether the path is partial.
type CreatedPath<'plan> = (Planned<'plan, pg_sys::Path>, bool);

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::RelOptInfo> {
    /// Returns, rather than adds, the paths that the planner creates for the relation while `make` runs.
    fn created_paths(self, make: impl FnOnce()) -> Vec<CreatedPath<'plan>> {
        let exchange = |lists: (*mut pg_sys::List, *mut pg_sys::List)| {
            // SAFETY: each list of paths replaces another one; the empty list is a null pointer.
            unsafe {
                self.change(|own| {
                    let before = (own.pathlist, own.partial_pathlist);
                    (own.pathlist, own.partial_pathlist) = lists;
                    before
                })
            }
        };
        let own = exchange((std::ptr::null_mut(), std::ptr::null_mut()));
        make();
        let (paths, partial) = exchange(own);
        // SAFETY: PostgreSQL has just filled the two lists with non-null pointers to paths.
        let (paths, partial) = unsafe { (elements(paths), elements(partial)) };
        paths.iter().map(|path| (*path, false)).chain(partial.iter().map(|path| (*path, true))).collect()
    }

    /// Returns the index paths that the planner creates for the relation from the given index alone. The planner still knows the
    /// unique indexes that have been added for its estimates.
    pub fn index_paths(
        self,
        root: Planned<'plan, pg_sys::PlannerInfo>,
        index: Planned<'plan, pg_sys::IndexOptInfo>,
    ) -> Vec<CreatedPath<'plan>> {
        let for_estimates = self.indexes().iter().filter(|one| !one.can_be_scanned());
        let list = list_of(for_estimates.copied().chain([index]));
        // SAFETY: the index is the relation's, so a list without the others can replace the relation's list during the call.
        unsafe {
            let indexes = self.change(|own| std::mem::replace(&mut own.indexlist, list));
            let paths = self.created_paths(|| pg_sys::create_index_paths(root.as_ptr(), self.as_ptr()));
            self.change(|own| own.indexlist = indexes);
            paths
        }
    }

    /// Adds the description of a unique index, from which the planner only estimates how many values of the index's expression are
    /// distinct. No path uses this index, because it cannot be scanned, and no proof does, because it is described as deferrable.
    pub fn add_unique_index(self, index: Planned<'plan, pg_sys::IndexOptInfo>) {
        // SAFETY: the description is complete, and the planner accepts any values of these fields.
        unsafe {
            index.change(|own| {
                (own.unique, own.immediate, own.hypothetical) = (true, false, true);
                (own.amhasgettuple, own.amhasgetbitmap, own.amcanparallel) = (false, false, false);
            });
            self.change(|own| own.indexlist = pg_sys::lappend(own.indexlist, index.as_ptr().cast()));
        }
    }

    /// Whether the planner has proved that no row of the relation passes the query's conditions.
    pub fn is_empty(self) -> bool {
        // SAFETY: the relation is only read.
        unsafe { pg_sys::is_dummy_rel(self.as_ptr()) }
    }

    /// Returns the paths that the planner creates by appending the paths of the relation's children.
    pub fn append_paths(self, root: Planned<'plan, pg_sys::PlannerInfo>) -> Vec<CreatedPath<'plan>> {
        let children = root.children(self.relid).filter_map(|link| root.relation(link.child_relid));
        let live = list_of(children.filter(|child| !child.is_empty()));
        // SAFETY: the planner has already created the paths of the children in the list.
        unsafe { self.created_paths(|| pg_sys::add_paths_to_append_rel(root.as_ptr(), self.as_ptr(), live)) }
    }

    /// Adds a bitmap path that combines index scans by OR, one for each arm. The restrictions of the arms must be on the index's
    /// first column. All scans get the cost of the first one.
    pub fn add_bitmap_path(
        self,
        root: Planned<'plan, pg_sys::PlannerInfo>,
        index: Planned<'plan, pg_sys::IndexOptInfo>,
        arms: impl IntoIterator<Item = Vec<Planned<'plan, pg_sys::RestrictInfo>>>,
    ) {
        let (root, relation, none) = (root.as_ptr(), self.as_ptr(), std::ptr::null_mut());
        let forward = pg_sys::ScanDirection::ForwardScanDirection;
        let make = |clauses| {
            let make = pg_sys::create_index_path;
            // SAFETY: the clauses are on the first column of an index of the relation, and the path has no order.
            unsafe { *make(root, index.as_ptr(), clauses, none, none, none, forward, false, none.cast(), 1.0, false) }
        };
        let mut first = None;
        let paths = list_of(arms.into_iter().map(|restrictions| {
            let clauses = list_of(restrictions.into_iter().map(|restriction| {
                let (rinfo, indexquals) = (restriction.as_ptr(), list_of([restriction]));
                Planned::new(pg_sys::IndexClause { rinfo, indexquals, ..Default::default() })
            }));
            let first = first.get_or_insert_with(|| make(clauses));
            Planned::new(pg_sys::IndexPath { indexclauses: clauses, ..*first })
        }));
        // SAFETY: these are index paths of the relation.
        unsafe {
            let any = pg_sys::create_bitmap_or_path(root, relation, paths);
            let path = pg_sys::create_bitmap_heap_path(root, relation, any.cast(), none.cast(), 1.0, 0);
            pg_sys::add_path(relation, path.cast());
        }
    }

    /// Adds a path. As in PostgreSQL, a partial path for which no parallel worker is planned is omitted.
    pub fn add_path(self, (path, is_partial): CreatedPath<'plan>) {
        if is_partial && path.parallel_workers <= 0 {
            return;
        }
        let add = if is_partial { pg_sys::add_partial_path } else { pg_sys::add_path };
        // SAFETY: callers add only paths made for this relation.
        unsafe { add(self.as_ptr(), path.as_ptr()) };
    }

    /// Replaces the relation's partition key until [`Planned::restore_partitions`]. Each column of the key consists of an operator
    /// family, a type, a collation and an expression.
    pub fn describe_partitions(self, key: &[(pg_sys::Oid, pg_sys::Oid, pg_sys::Oid, Expression<'plan>)]) {
        let Some(scheme) = self.partition_scheme().filter(|scheme| !scheme.partsupfunc.is_null()) else { return };
        let Ok(partnatts) = i16::try_from(key.len()) else { return };
        let scheme = pg_sys::PartitionSchemeData {
            partnatts,
            partopfamily: palloc_array(key.iter().map(|column| column.0)),
            partopcintype: palloc_array(key.iter().map(|column| column.1)),
            partcollation: palloc_array(key.iter().map(|column| column.2)),
            partsupfunc: std::ptr::null_mut(),
            ..*scheme
        };
        let lists = palloc_array(key.iter().map(|column| list_of([column.3])));
        let described = palloc_array([DescribedScheme { scheme, original: (self.part_scheme, self.partexprs) }]);
        // SAFETY: the scheme is the first field of the copy, and the array has a list of expressions for each key column.
        unsafe { self.change(|own| (own.part_scheme, own.partexprs) = (described.cast(), lists)) };
    }

    /// Restores the partition key, which PostgreSQL needs to prune partitions.
    pub fn restore_partitions(self) {
        if self.partition_scheme().is_some_and(|scheme| scheme.partsupfunc.is_null()) {
            // SAFETY: only `describe_partitions` makes a scheme without functions, as the first field of this structure.
            unsafe {
                self.change(|own| {
                    (own.part_scheme, own.partexprs) = (*own.part_scheme.cast::<DescribedScheme>()).original
                })
            };
        }
    }

    /// Whether the query reads the relation's whole rows.
    pub fn is_whole_row_read(self) -> bool {
        let row = usize::try_from(-self.min_attr).unwrap_or(0);
        // SAFETY: the array of columns begins with the system columns, at `min_attr`, and includes 0, the whole row.
        unsafe { !(*self.attr_needed.add(row)).is_null() }
    }

    /// Returns the expressions of a partition key column, if there is such a column.
    pub fn partition_expressions(self, key: usize) -> &'plan [Expression<'plan>] {
        let keys = self.partition_scheme().map_or(0, |scheme| usize::try_from(scheme.partnatts).unwrap_or(0));
        // SAFETY: the array has a list of expressions for each column of the partition key.
        if key < keys { unsafe { elements(*self.partexprs.add(key)) } } else { &[] }
    }
}

#[allow(unsafe_code)]
impl Planned<'_, pg_sys::SupportRequestIndexCondition> {
    /// Whether the value of an expression is known before the index is scanned.
    pub fn is_known(self, expression: Expression<'_>) -> bool {
        // SAFETY: the root and the index are the request's.
        unsafe { pg_sys::is_pseudo_constant_for_index(self.root, expression.as_ptr(), self.index) }
    }
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::IndexPath> {
    /// Replaces the index of the path and recomputes the path's cost. If a nested loop scans the path for each row of other
    /// relations, the number of scans is the least of their numbers of rows, as in PostgreSQL, but without regard to semijoins.
    pub fn set_index(
        self,
        root: Planned<'plan, pg_sys::PlannerInfo>,
        index: Planned<'plan, pg_sys::IndexOptInfo>,
        is_partial: bool,
    ) {
        // SAFETY: the index is on the path's relation, like the index that it replaces. The sets of relations are only read.
        unsafe {
            let outer = self.path.param_info.as_ref().map_or(std::ptr::null_mut(), |known| known.ppi_req_outer);
            let relations = root.relations().iter().flatten();
            let relations = relations.filter(|one| pg_sys::bms_is_subset(one.relids, outer) && !one.is_empty());
            let scans = relations.map(|relation| relation.rows).reduce(f64::min);
            self.change(|own| own.indexinfo = index.as_ptr());
            pg_sys::cost_index(self.as_ptr(), root.as_ptr(), scans.unwrap_or(1.0), is_partial);
        }
    }
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::AppendRelInfo> {
    /// Appends the child's expression for a new column of the parent.
    pub fn add_column(self, expression: Expression<'plan>) {
        // SAFETY: the list consists of expressions, each for a column of the parent.
        unsafe {
            self.change(|own| own.translated_vars = pg_sys::lappend(own.translated_vars, expression.as_ptr().cast()));
        }
    }

    /// Returns the child's expression for each column of the parent, or `None` for a dropped column.
    pub fn translated_columns(self) -> &'plan [Option<Expression<'plan>>] {
        // SAFETY: the list consists of expressions, some of which may be null.
        unsafe { elements(self.translated_vars) }
    }
}

#[allow(unsafe_code)]
impl Planned<'_, pg_sys::IndexOptInfo> {
    /// Whether the index can be scanned, unlike those of [`Planned::add_unique_index`].
    pub fn can_be_scanned(self) -> bool {
        self.amhasgettuple || self.amhasgetbitmap
    }

    /// Whether the index is a B-tree that is neither partial nor hypothetical and has the expression as its first column.
    pub fn finds(self, expression: Expression<'_>) -> bool {
        let is_whole = self.indpred.is_null() && !self.hypothetical;
        self.relam == pg_sys::BTREE_AM_OID && is_whole && self.is_on(0, expression)
    }

    /// Whether the expression is the index's key column at the given position.
    pub fn is_on(self, column: usize, expression: Expression<'_>) -> bool {
        let number = i32::try_from(column).ok().filter(|_| column < self.key_column_numbers().len());
        // SAFETY: the index is the planner's, and has a column with this number.
        number
            .is_some_and(|number| unsafe { pg_sys::match_index_to_operand(expression.as_ptr(), number, self.as_ptr()) })
    }
}

#[allow(unsafe_code)]
impl<'plan> Planned<'plan, pg_sys::RangeTblEntry> {
    /// Returns the clauses of security barriers: for each level, an implicitly ANDed list.
    pub fn security_quals(self) -> Vec<&'plan [Expression<'plan>]> {
        // SAFETY: before tables are planned, these are lists of expressions. The empty list is a null pointer.
        unsafe { elements(self.securityQuals).iter().map(|list| elements(*list)).collect() }
    }

    pub fn set_security_quals(self, number: usize, clauses: Vec<Expression<'plan>>) {
        assert!(number < self.security_quals().len(), "no such list");
        // SAFETY: the element exists, and one list of expressions replaces another.
        unsafe { (*self.securityQuals).elements.add(number).cast::<*mut pg_sys::List>().write(list_of(clauses)) };
    }
}

/// An expression, with its relation and statistics if it is a variable of a relation.
#[derive(Debug)]
pub struct Variable(pg_sys::VariableStatData);

#[allow(unsafe_code)]
impl Variable {
    /// Examines an expression of which the columns of the given relation, or of all relations if it is 0, are variables.
    pub fn examine(root: Planned<'_, pg_sys::PlannerInfo>, expression: Expression<'_>, relation: i32) -> Variable {
        let mut variable = Variable(pg_sys::VariableStatData::default());
        // SAFETY: the root is the planner's. Dropping the variable releases the statistics.
        unsafe { pg_sys::examine_variable(root.as_ptr(), expression.as_ptr(), relation, &mut variable.0) };
        variable
    }

    /// Returns the expression without binary-coercible casts.
    pub fn expression<'plan>(&self) -> Option<Expression<'plan>> {
        // SAFETY: `examine_variable` set the pointer to a part of the examined expression.
        unsafe { Expression::from_ptr(self.0.var) }
    }

    pub fn relation<'plan>(&self) -> Option<Planned<'plan, pg_sys::RelOptInfo>> {
        // SAFETY: the pointer is null or points to one of the planner's relations.
        unsafe { Planned::from_ptr(self.0.rel) }
    }

    /// Returns the row of statistics, if there is one and either the user may read the column or the function is leakproof.
    pub fn statistics_row(&self, function: pg_sys::Oid) -> Option<Row<'_, pg_sys::FormData_pg_statistic>> {
        let mut variable = self.0;
        // SAFETY: the tuple is null, or a row of pg_statistic that stays valid until the variable is dropped.
        unsafe {
            Row::from_tuple(variable.statsTuple)
                .filter(|_| pg_sys::statistic_proc_security_check(&mut variable, function))
        }
    }
}

impl Drop for Variable {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if let Some(release) = self.0.freefunc
            && !self.0.statsTuple.is_null()
        {
            // SAFETY: `examine_variable` set this function to release the row, which nothing uses afterwards.
            unsafe { release(self.0.statsTuple) }
        }
    }
}

/// A part of the query's join tree: a FromExpr, a JoinExpr or, for an entry of the range table, a RangeTblRef.
#[allow(unsafe_code)]
impl<'plan> Expression<'plan> {
    pub fn tree_parts(self) -> impl Iterator<Item = Self> {
        let list = self.read::<pg_sys::FromExpr>().map_or(&[][..], |from| from.parts());
        let sides = self.read::<pg_sys::JoinExpr>().map_or([None, None], |join| [join.left(), join.right()]);
        list.iter().copied().chain(sides.into_iter().flatten())
    }

    /// Returns the implicitly ANDed clauses of the part's WHERE or ON.
    pub fn tree_clauses(self) -> &'plan [Self] {
        let quals = self.read::<pg_sys::FromExpr>().map(|from| from.quals);
        let quals = quals.or_else(|| self.read::<pg_sys::JoinExpr>().map(|join| join.quals));
        // SAFETY: before tables are planned, this is a list of expressions.
        quals.map_or(&[], |quals| unsafe {
            if is_a(quals, pg_sys::NodeTag::T_List) { elements(quals.cast()) } else { &[] }
        })
    }

    pub fn set_tree_clauses(self, clauses: Vec<Self>) {
        if let Some(from) = self.read::<pg_sys::FromExpr>() {
            from.set_clauses(clauses);
        } else if let Some(join) = self.read::<pg_sys::JoinExpr>() {
            join.set_clauses(clauses);
        }
    }

    /// Whether a clause in this part of the tree, or in a part of it, passes a test.
    pub fn any_tree_clause(self, test: &mut dyn FnMut(Self) -> bool) -> bool {
        self.tree_clauses().iter().any(|clause| test(*clause))
            || self.tree_parts().any(|part| part.any_tree_clause(test))
    }
}

/// Marks the plan as dependent on the role if privileges affect it, so that other roles get plans of their own.
pub fn depend_on_role(root: Option<Planned<'_, pg_sys::PlannerInfo>>) {
    if take_role_dependence()
        && let Some(root) = root
    {
        // SAFETY: each root's `glob` points to the query's only `PlannerGlobal`.
        #[allow(unsafe_code)]
        unsafe {
            (*root.glob).dependsOnRole = true;
        }
    }
}

/// Whether joins or aggregates may be planned for each partition, which requires the partitions as they are.
#[allow(unsafe_code)]
pub fn is_partitionwise() -> bool {
    // SAFETY: PostgreSQL's settings are read on its only thread.
    unsafe { pg_sys::enable_partitionwise_join || pg_sys::enable_partitionwise_aggregate }
}

/// Defines functions for PostgreSQL's hooks, with the arguments that PostgreSQL passes. The arguments after `with` are structures
/// of the planner. A function that another library has registered is called first. To save time in each statement, the condition
/// after `if` is evaluated without a guard: it must not panic, raise errors, or allocate memory.
macro_rules! hooks {
    ($($(#[$condition:meta])?
    $hook:ident($($argument:ident: $type:ty),*) with ($($planned:ident: $structure:ty),*) if $concerned:block $called:block)*) => {
        $($(#[$condition])?
        mod $hook {
            use super::*;

            static mut PREVIOUS: Option<unsafe extern "C-unwind" fn($($type),*)> = None;

            #[allow(unsafe_code)]
            pub fn register() {
                // SAFETY: called once, when the library is loaded, on PostgreSQL's only thread.
                unsafe {
                    PREVIOUS = pg_sys::$hook;
                    pg_sys::$hook = Some(called);
                }
            }

            #[allow(unsafe_code)]
            unsafe extern "C-unwind" fn called($($argument: $type),*) {
                let is_concerned = |$($planned: Planned<'_, $structure>),*| $concerned;
                let called = |$($planned: Planned<'_, $structure>),*| $called;
                // SAFETY: PostgreSQL passes structures of its planner, and the previous value is another library's hook.
                // If that function raises an error by longjmp, this frame owns nothing that must be dropped.
                unsafe {
                    if let Some(previous) = PREVIOUS {
                        previous($($argument),*);
                    }
                    $(let Some($planned) = Planned::from_ptr($planned) else { return };)*
                    if is_concerned($($planned),*) {
                        pg_sys::panic::pgrx_extern_c_guard(|| called($($planned),*));
                    }
                }
            }
        })*

        /// Registers these functions.
        fn register_hooks() {
            $($(#[$condition])?
            $hook::register();)*
        }
    };
}

pub(crate) use hooks;
