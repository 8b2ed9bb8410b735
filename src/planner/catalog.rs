//! Looks up functions, operators and other objects in the system catalogs. Also tracks what makes plans and the results of lookups
//! invalid: changes in the catalogs, and another role.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use pgrx::prelude::*;
use pgrx::{PgList, pg_sys, varlena};
use rfc9562::Uuid;

use super::planned::collected;
use crate::datum::uuid_value;

/// Functions of PostgreSQL that accept any values. For a missing object, they return zero or raise an error.
#[allow(non_snake_case)]
pub mod lookup {
    use pgrx::pg_sys::{self, Oid};

    macro_rules! lookups {
        ($($(#[$condition:meta])? $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
            $($(#[$condition])?
            #[allow(unsafe_code)]
            pub fn $name($($argument: $type),*) -> $result {
                // SAFETY: the function looks up values that are passed by value, and accepts any.
                unsafe { pg_sys::$name($($argument),*) }
            })*
        };
    }

    lookups! {
        #[cfg(not(object_aclcheck))]
        pg_proc_aclcheck(function: Oid, role: Oid, mode: pg_sys::AclMode) -> pg_sys::AclResult::Type;
        #[cfg(object_aclcheck)]
        object_aclcheck(class: Oid, object: Oid, role: Oid, mode: pg_sys::AclMode) -> pg_sys::AclResult::Type;
        getBaseType(of: Oid) -> Oid;
        get_array_type(element: Oid) -> Oid;
        get_base_element_type(array: Oid) -> Oid;
        get_collation_isdeterministic(collation: Oid) -> bool;
        get_func_namespace(function: Oid) -> Oid;
        get_opcode(operator: Oid) -> Oid;
        get_opfamily_member(family: Oid, left: Oid, right: Oid, strategy: i16) -> Oid;
        get_typcollation(of: Oid) -> Oid;
        has_superclass(table: Oid) -> bool;
        op_in_opfamily(operator: Oid, family: Oid) -> bool;
        op_strict(operator: Oid) -> bool;
        GetCurrentStatementStartTimestamp() -> pg_sys::TimestampTz;
        GetUserId() -> Oid;
    }
}

/// A catalog row that a system cache holds.
///
/// # Safety
/// `CACHE` must be a cache of rows with the structure `Self`.
#[allow(unsafe_code)]
pub unsafe trait CachedRow {
    // A `SysCacheIdentifier`, whose integer type differs between PostgreSQL versions.
    const CACHE: i32;
}

macro_rules! cached_rows {
    ($($row:ident in $cache:ident;)*) => {
        $(
            // SAFETY: in PostgreSQL, this cache holds rows of this structure.
            #[allow(unsafe_code, clippy::cast_possible_wrap, clippy::unnecessary_cast)]
            unsafe impl CachedRow for pg_sys::$row {
                const CACHE: i32 = pg_sys::SysCacheIdentifier::$cache as i32;
            }
        )*
    };
}

cached_rows! {
    FormData_pg_attribute in ATTNUM;
    FormData_pg_class in RELOID;
    FormData_pg_constraint in CONSTROID;
    FormData_pg_proc in PROCOID;
    FormData_pg_statistic in STATRELATTINH;
    FormData_pg_type in TYPEOID;
}

/// A row of a catalog.
pub struct Row<'row, R> {
    row: &'row R,
    tuple: pg_sys::HeapTuple,
}

impl<R> std::ops::Deref for Row<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        self.row
    }
}

#[allow(unsafe_code)]
impl<R: CachedRow> Row<'_, R> {
    /// Reads the row with the given key, whose parts must be of the types of the cache's key, if there is such a row.
    pub fn read<T>(key: &[pg_sys::Datum], read: impl FnOnce(Row<'_, R>) -> T) -> Option<T> {
        let part = |number: usize| key.get(number).copied().unwrap_or(pg_sys::Datum::null());
        // SAFETY: callers pass the cache's key. The tuple is null or a row of this cache, and is read before it is released.
        unsafe {
            let tuple = pg_sys::SearchSysCache(R::CACHE, part(0), part(1), part(2), part(3));
            let row = tuple.as_ref()?;
            let found = read(Row { row: &*pg_sys::GETSTRUCT(std::ptr::from_ref(row).cast_mut()).cast(), tuple });
            pg_sys::ReleaseSysCache(tuple);
            Some(found)
        }
    }

    /// Wraps a row without taking ownership of it.
    ///
    /// # Safety
    /// The tuple must be null, or a row of this cache that stays valid while the result is used.
    pub unsafe fn from_tuple<'row>(tuple: pg_sys::HeapTuple) -> Option<Row<'row, R>> {
        // SAFETY: the caller passes null or a valid row of this cache.
        (!tuple.is_null()).then(|| Row { row: unsafe { &*pg_sys::GETSTRUCT(tuple).cast() }, tuple })
    }

    /// Returns an attribute that the structure lacks, because it or a preceding one may be null or of variable length. `None` means
    /// null.
    fn attribute(&self, number: u32) -> Option<pg_sys::Datum> {
        let (number, mut is_null) = (i16::try_from(number).ok()?, false);
        // SAFETY: the tuple is a row of this cache.
        let datum = unsafe { pg_sys::SysCacheGetAttr(R::CACHE, self.tuple, number, &mut is_null) };
        (!is_null).then_some(datum)
    }

    /// Whether the row is stored in the catalog, rather than provided by another library.
    pub fn is_stored(&self) -> bool {
        // SAFETY: the tuple is a row of this cache.
        let tuple = unsafe { *self.tuple };
        tuple.t_tableOid != pg_sys::InvalidOid && tuple.t_self.ip_posid != 0
    }
}

impl Row<'_, pg_sys::FormData_pg_statistic> {
    /// Returns the UUIDs of one kind of statistics and, if `numbers` requests them, the corresponding numbers.
    #[allow(unsafe_code)]
    pub fn uuids_of_kind(&self, kind: u32, numbers: u32) -> Option<(Vec<Uuid>, Vec<f64>)> {
        let mut slot = pg_sys::AttStatsSlot::default();
        let (any, flags) = (pg_sys::InvalidOid, (pg_sys::ATTSTATSSLOT_VALUES | numbers).cast_signed());
        // SAFETY: the row is one of pg_statistic. The values are read before the slot is freed, and only if they are UUIDs.
        unsafe {
            if !pg_sys::get_attstatsslot(&mut slot, self.tuple, kind.cast_signed(), any, flags) {
                return None;
            }
            let found = (lookup::getBaseType(slot.valuetype) == pg_sys::UUIDOID).then(|| {
                let values = usize::try_from(slot.nvalues).unwrap_or(0);
                let numbers = usize::try_from(slot.nnumbers).unwrap_or(0);
                (
                    collected((0..values).map(|i| uuid_value(*slot.values.add(i)))),
                    collected((0..numbers).map(|i| f64::from(*slot.numbers.add(i)))),
                )
            });
            pg_sys::free_attstatsslot(&mut slot);
            found
        }
    }
}

thread_local! {
    /// The results of [`c_symbol`], which are kept until any function changes.
    static SYMBOLS: RefCell<BTreeMap<u32, Option<Rc<str>>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Returns the C symbol of a function, if the function is in this library. A function's owner can alter its name and schema, but
/// only superusers can create or replace functions in C. (In other languages, any user can write any text in place of the symbol,
/// and another library may have the same symbol.)
pub fn c_symbol(function: pg_sys::Oid) -> Option<Rc<str>> {
    if let Some(known) = SYMBOLS.with_borrow(|symbols| symbols.get(&function.to_u32()).cloned()) {
        return known;
    }
    let symbol = Row::<pg_sys::FormData_pg_proc>::read(&[function.into()], |row| {
        // SAFETY: both attributes are texts.
        #[allow(unsafe_code)]
        let text = |number| unsafe { varlena::text_to_rust_str(row.attribute(number)?.cast_mut_ptr()).ok() };
        let is_own = row.prolang.to_u32() == pg_sys::ClanguageId
            && text(pg_sys::Anum_pg_proc_probin).is_some_and(is_this_library);
        if is_own { text(pg_sys::Anum_pg_proc_prosrc).map(Rc::from) } else { None }
    })
    .flatten();
    SYMBOLS.with_borrow_mut(|symbols| symbols.insert(function.to_u32(), symbol.clone()));
    symbol
}

/// Whether a path names this library, in any directory.
fn is_this_library(path: &str) -> bool {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.strip_suffix(std::env::consts::DLL_SUFFIX).unwrap_or(file) == env!("CARGO_CRATE_NAME")
}

/// Whether initdb created the object with this OID.
pub fn is_built_in(object: u32) -> bool {
    object < pg_sys::FirstNormalObjectId
}

/// Whether a plan has been made that would differ if a domain's constraint were validated.
static AWAITS_CONSTRAINT: AtomicBool = AtomicBool::new(false);

/// Invalidates all plans as soon as a constraint changes.
pub fn await_constraint() {
    AWAITS_CONSTRAINT.store(true, Ordering::Relaxed);
}

/// Whether a domain has a constraint with the given name that is validated.
#[allow(unsafe_code)]
pub fn has_validated_constraint(domain: pg_sys::Oid, name: &CStr) -> bool {
    // SAFETY: the function accepts any OID, and the name is null-terminated.
    let constraint = unsafe { pg_sys::get_domain_constraint_oid(domain, name.as_ptr(), true) };
    Row::<pg_sys::FormData_pg_constraint>::read(&[constraint.into()], |row| row.convalidated) == Some(true)
}

static STATISTICS_CHANGES: AtomicU32 = AtomicU32::new(0);

/// Returns a number that is different after any column's statistics have changed.
pub fn statistics_changes() -> u32 {
    STATISTICS_CHANGES.load(Ordering::Relaxed)
}

const PROCEDURES: i32 = pg_sys::FormData_pg_proc::CACHE;
const CONSTRAINTS: i32 = pg_sys::FormData_pg_constraint::CACHE;
const STATISTICS: i32 = pg_sys::FormData_pg_statistic::CACHE;

#[allow(unsafe_code)]
pub fn initialize() {
    for cache in [PROCEDURES, CONSTRAINTS, STATISTICS] {
        // SAFETY: the callback exists as long as the backend.
        unsafe { pg_sys::CacheRegisterSyscacheCallback(cache, Some(invalidation_callback), pg_sys::Datum::null()) };
    }
}

/// Discards what depends on the changed catalog. PostgreSQL itself invalidates plans when a table's constraint changes, but not
/// when a domain's constraint is validated.
#[allow(unsafe_code)]
#[pg_guard]
extern "C-unwind" fn invalidation_callback(_argument: pg_sys::Datum, cache: i32, _row: u32) {
    if cache == PROCEDURES {
        SYMBOLS.with_borrow_mut(BTreeMap::clear);
    } else if cache == STATISTICS {
        STATISTICS_CHANGES.fetch_add(1, Ordering::Relaxed);
    } else if AWAITS_CONSTRAINT.swap(false, Ordering::Relaxed) {
        // SAFETY: the function only marks plans as invalid, which is allowed in a callback.
        unsafe { pg_sys::ResetPlanCache() };
    }
}

/// Returns the default btree family of a type.
pub fn btree_family(type_oid: pg_sys::Oid) -> pg_sys::Oid {
    type_cache(type_oid, pg_sys::TYPECACHE_BTREE_OPFAMILY).btree_opf
}

/// Returns the strategy of an operator in the default btree family of the type `own`. One operand, the right one if `is_mirrored`
/// and the left one otherwise, must be of this type; the type of the other is also returned.
#[allow(unsafe_code)]
pub fn btree_operator(operator: pg_sys::Oid, own: pg_sys::Oid, is_mirrored: bool) -> Option<(u32, pg_sys::Oid)> {
    let family = btree_family(own);
    if !lookup::op_in_opfamily(operator, family) {
        return None;
    }
    let (mut strategy, mut left, mut right) = (0, pg_sys::Oid::INVALID, pg_sys::Oid::INVALID);
    // SAFETY: the operator is in the family, and the function writes only to the three variables.
    unsafe { pg_sys::get_op_opfamily_properties(operator, family, false, &mut strategy, &mut left, &mut right) };
    let (first, other) = if is_mirrored { (right, left) } else { (left, right) };
    (first == own).then_some((u32::try_from(strategy).ok()?, other))
}

/// A function of the extension that rewritten clauses may call. `time_predicate/functions.rs` defines each as a constant.
#[derive(Clone, Copy, Debug)]
pub struct PlannerFunction {
    pub name: &'static CStr,
    pub symbol: &'static str,
    pub arguments: &'static [pg_sys::Oid],
    pub result: pg_sys::Oid,
}

impl PlannerFunction {
    /// Returns the function, in whatever schema it is, if the role may execute it.
    #[allow(unsafe_code, clippy::cast_possible_wrap, clippy::unnecessary_cast)]
    pub fn find(self) -> Option<pg_sys::Oid> {
        let cache = pg_sys::SysCacheIdentifier::PROCNAMEARGSNSP as i32;
        let (name, count) = (self.name.as_ptr().into(), i32::try_from(self.arguments.len()).ok()?);
        let is_usable = |function: &pg_sys::Oid| self.is(*function) && is_executable(*function);
        // SAFETY: the values have the types of the first two columns of the cache's key.
        let list = unsafe {
            let arguments = pg_sys::buildoidvector(self.arguments.as_ptr(), count).into();
            &mut *pg_sys::SearchSysCacheList(cache, 2, name, arguments, pg_sys::Datum::null())
        };
        // SAFETY: the list has this number of members.
        let members = unsafe { list.members.as_slice(usize::try_from(list.n_members).unwrap_or(0)) };
        let rows = members.iter().filter_map(|member| {
            // SAFETY: the member is a row of pg_proc, and stays valid until the list is released.
            unsafe { Row::<pg_sys::FormData_pg_proc>::from_tuple(&raw mut (**member).tuple) }
        });
        let found = rows.map(|row| row.oid).find(is_usable);
        // SAFETY: the list is not used any more. (If an error was raised above, PostgreSQL releases the list.)
        unsafe { pg_sys::ReleaseCatCacheList(list) };
        found
    }

    pub fn is(self, function: pg_sys::Oid) -> bool {
        c_symbol(function).as_deref() == Some(self.symbol)
    }
}

/// Whether the plan being made depends on the current role.
static ROLE_DECIDES: AtomicBool = AtomicBool::new(false);

/// Returns, and resets, whether an answer of [`is_executable`] may differ between roles.
pub fn take_role_dependence() -> bool {
    ROLE_DECIDES.swap(false, Ordering::Relaxed)
}

/// Whether the current role may execute a function. Rewritten clauses must not call functions that the role may not execute.
#[allow(clippy::useless_conversion)] // The mode has 32 bits up to PostgreSQL 15, and 64 from 16 on.
pub fn is_executable(function: pg_sys::Oid) -> bool {
    // Without an access control list, all roles may execute the function.
    let has_list = Row::<pg_sys::FormData_pg_proc>::read(&[function.into()], |row| {
        row.attribute(pg_sys::Anum_pg_proc_proacl).is_some()
    });
    ROLE_DECIDES.fetch_or(has_list == Some(true), Ordering::Relaxed);
    let (role, execute) = (lookup::GetUserId(), pg_sys::AclMode::from(pg_sys::ACL_EXECUTE));
    #[cfg(not(object_aclcheck))]
    let answer = lookup::pg_proc_aclcheck(function, role, execute);
    #[cfg(object_aclcheck)]
    let answer = lookup::object_aclcheck(pg_sys::ProcedureRelationId, function, role, execute);
    answer == pg_sys::AclResult::ACLCHECK_OK
}

/// The OID of PostgreSQL's own btree operator family of `uuid`, fixed in pg_opfamily.dat.
pub const UUID_FAMILY: pg_sys::Oid = pg_sys::Oid::from_u32(2968);

/// The OID of PostgreSQL's own btree operator family of `timestamptz`, `timestamp` and `date`, fixed in pg_opfamily.dat.
pub const TIME_FAMILY: pg_sys::Oid = pg_sys::Oid::from_u32(434);

pub fn is_deterministic(collation: pg_sys::Oid) -> bool {
    collation == pg_sys::InvalidOid || lookup::get_collation_isdeterministic(collation)
}

/// Returns the equality operator of a type.
pub fn equality_operator(type_oid: pg_sys::Oid) -> pg_sys::Oid {
    type_cache(type_oid, pg_sys::TYPECACHE_EQ_OPR).eq_opr
}

/// Returns the type cache entry of a type, with the parts that the flag requests.
#[allow(unsafe_code)]
fn type_cache(type_oid: pg_sys::Oid, flag: u32) -> &'static pg_sys::TypeCacheEntry {
    // SAFETY: the function reads the catalogs; entries of its cache are never freed or moved.
    unsafe { &*pg_sys::lookup_type_cache(type_oid, flag.cast_signed()) }
}

/// Returns the operator of `uuid` and the type `right` for a btree strategy, if PostgreSQL's operator family has one.
pub fn member(right: pg_sys::Oid, strategy: u32) -> Option<pg_sys::Oid> {
    let operator = lookup::get_opfamily_member(UUID_FAMILY, pg_sys::UUIDOID, right, i16::try_from(strategy).ok()?);
    (operator != pg_sys::Oid::INVALID).then_some(operator)
}

/// Whether a column of a table in the query has no nulls.
#[cfg(not_null_columns)]
pub fn is_not_null(relation: &pg_sys::RelOptInfo, _: &pg_sys::RangeTblEntry, column: i16) -> bool {
    // SAFETY: the set is the planner's, and is only read.
    #[allow(unsafe_code)]
    unsafe {
        pg_sys::bms_is_member(column.into(), relation.notnullattnums)
    }
}

/// Whether a column of a table in the query has no nulls. Returns false if the table's children are read, because inheritance
/// children may have nulls. (Partitions may not, but are not told apart here.)
#[cfg(not(not_null_columns))]
pub fn is_not_null(_: &pg_sys::RelOptInfo, entry: &pg_sys::RangeTblEntry, column: i16) -> bool {
    let key = [entry.relid.into(), column.into()];
    !entry.inh && Row::<pg_sys::FormData_pg_attribute>::read(&key, |row| row.attnotnull) == Some(true)
}

pub fn is_inherited(table: pg_sys::Oid, column: i16) -> bool {
    let key = [table.into(), column.into()];
    Row::<pg_sys::FormData_pg_attribute>::read(&key, |row| row.attinhcount > 0) == Some(true)
}

/// Returns the first inheritance child of a table, without locking the child. (`relhassubclass` does not suffice: after the last
/// child is dropped, it stays true until the next ANALYZE.)
#[allow(unsafe_code)]
pub fn first_child(table: pg_sys::Oid) -> Option<pg_sys::Oid> {
    // SAFETY: the function accepts any OID, and returns a list of OIDs.
    unsafe { PgList::<pg_sys::Oid>::from_pg(pg_sys::find_inheritance_children(table, NO_LOCK)) }.get_oid(0)
}

/// The lock mode for tables that the planner has already locked, or that need no lock.
pub const NO_LOCK: pg_sys::LOCKMODE = 0;
