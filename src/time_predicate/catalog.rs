//! What the planner's side must know from the catalogs: functions, operators and partition keys, all by OID.

use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

use pgrx::prelude::*;
use pgrx::{pg_sys, varlena};

use super::Form;
use crate::{inspect, time_ops};

// C's enumeration of the caches; its integer type differs between servers.
#[allow(clippy::cast_possible_wrap, clippy::unnecessary_cast)]
mod cache {
    use pgrx::pg_sys::SysCacheIdentifier as Identifier;

    pub const FUNCTION: i32 = Identifier::PROCOID as i32;
    pub const FUNCTION_BY_SIGNATURE: i32 = Identifier::PROCNAMEARGSNSP as i32;
    #[cfg(not(not_null_columns))]
    pub const COLUMN: i32 = Identifier::ATTNUM as i32;
    pub const TABLE: i32 = Identifier::RELOID as i32;
    pub const TYPE: i32 = Identifier::TYPEOID as i32;
    pub const CONSTRAINT: i32 = Identifier::CONSTROID as i32;
}

/// What this function of the extension says, if it is one of the predicates.
pub fn form_of_function(function: pg_sys::Oid) -> Option<Form> {
    with_c_symbol(function, Form::of_symbol).flatten()
}

/// Reads the C symbol of a function of this library. The symbol cannot be changed, unlike name and schema, and only superusers
/// can create functions in C. (In other languages, anybody may write anything there. Another library may have the same symbol.)
#[allow(unsafe_code)]
pub fn with_c_symbol<T>(function: pg_sys::Oid, read: impl FnOnce(&str) -> T) -> Option<T> {
    /// Of the language C, fixed in pg_language.dat.
    const C_LANGUAGE: pg_sys::Oid = pg_sys::Oid::from_u32(13);

    // SAFETY: a lookup by OID; the tuple is a row of pg_proc and is read before it is released. The attributes are texts.
    unsafe {
        let tuple = pg_sys::SearchSysCache1(cache::FUNCTION, function.into());
        if tuple.is_null() {
            return None;
        }
        let in_c = (*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_proc>()).prolang == C_LANGUAGE;
        let text = |number| {
            let text = attribute(cache::FUNCTION, tuple, number)?;
            varlena::text_to_rust_str(text.cast_mut_ptr()).ok()
        };
        let is_own = in_c && text(PROBIN).is_some_and(is_this_library);
        let found = if is_own { text(PROSRC).map(read) } else { None };
        pg_sys::ReleaseSysCache(tuple);
        found
    }
}

/// Whether a library is this one, by whatever directory it is found.
fn is_this_library(path: &str) -> bool {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.strip_suffix(std::env::consts::DLL_SUFFIX).unwrap_or(file) == env!("CARGO_CRATE_NAME")
}

#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
const PROBIN: i16 = pg_sys::Anum_pg_proc_probin as i16;
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
const PROSRC: i16 = pg_sys::Anum_pg_proc_prosrc as i16;
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
const PROACL: i16 = pg_sys::Anum_pg_proc_proacl as i16;

/// An attribute of a tuple of the syscache, unless it is null.
///
/// # Safety
/// The tuple must come from this cache.
#[allow(unsafe_code)]
unsafe fn attribute(cache: i32, tuple: pg_sys::HeapTuple, number: i16) -> Option<pg_sys::Datum> {
    let mut is_null = false;
    // SAFETY: the tuple is of this cache, as the caller says, so it has the attribute or a null.
    let datum = unsafe { pg_sys::SysCacheGetAttr(cache, tuple, number, &mut is_null) };
    (!is_null).then_some(datum)
}

/// A function that reads the time out of a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeFunction {
    /// The time of version 7 alone; the function is one of the extension's.
    OfVersion7,
    /// The time of other versions, too; that of version 7 to the millisecond.
    OfSeveral,
    /// The time of other versions, too; that of version 7 to the microsecond.
    Microseconds,
}

/// PostgreSQL's own `uuid_extract_timestamp`, fixed in pg_proc.dat. It knows version 7 from 18 on; in 17 it is null of it.
pub const CORE_TIME: pg_sys::Oid = pg_sys::Oid::from_u32(6342);

/// What this function with one argument of type `uuid` reads.
pub fn time_function(function: pg_sys::Oid) -> Option<TimeFunction> {
    if cfg!(core_extracts_v7) && function == CORE_TIME {
        return Some(TimeFunction::OfSeveral);
    }
    with_c_symbol(function, |symbol| match symbol {
        inspect::uuidv7_time => Some(TimeFunction::OfVersion7),
        inspect::uuid_extract_time | inspect::uuid_extract_timestamp => Some(TimeFunction::OfSeveral),
        inspect::uuid_extract_time_us => Some(TimeFunction::Microseconds),
        _ => None,
    })
    .flatten()
}

/// Whether this function reads the version of a UUID.
pub fn is_version_function(function: pg_sys::Oid) -> bool {
    /// PostgreSQL's own, from 17 on, fixed in pg_proc.dat.
    const UUID_EXTRACT_VERSION: pg_sys::Oid = pg_sys::Oid::from_u32(6343);

    function == UUID_EXTRACT_VERSION
        || with_c_symbol(function, |symbol| symbol == inspect::uuid_extract_version) == Some(true)
}

/// The domain `uuid_v7`.
#[derive(Clone, Copy, Debug)]
pub struct Version7Domain {
    pub oid: pg_sys::Oid,
    /// `uuidv7_time`, which stands beside it.
    pub function: pg_sys::Oid,
}

/// The domain `uuid_v7`, if this type is it or a domain over it, and its constraint is known to hold of all values.
#[allow(unsafe_code)]
pub fn version_7_domain(mut oid: pg_sys::Oid) -> Option<Version7Domain> {
    // SAFETY: lookups by OID; the tuples are rows of pg_type and of pg_constraint, and are read before they are released.
    unsafe {
        loop {
            let tuple = pg_sys::SearchSysCache1(cache::TYPE, oid.into());
            if tuple.is_null() {
                return None;
            }
            let row = &*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_type>();
            // C's char is signed on amd64 and unsigned on arm64, so it is compared as a byte, here and below.
            let is_domain = row.typtype.to_ne_bytes() == [pg_sys::TYPTYPE_DOMAIN];
            let is_named = CStr::from_ptr(row.typname.data.as_ptr()) == c"uuid_v7";
            let (schema, base) = (row.typnamespace, row.typbasetype);
            pg_sys::ReleaseSysCache(tuple);
            if !is_domain {
                return None;
            }
            let beside = if is_named { PlannerFunction::TIME_OF_VERSION_7.in_schema(schema) } else { None };
            let Some(function) = beside else {
                oid = base;
                continue;
            };
            let constraint = pg_sys::get_domain_constraint_oid(oid, c"uuid_v7_check".as_ptr(), true);
            let tuple = pg_sys::SearchSysCache1(cache::CONSTRAINT, constraint.into());
            let holds = !tuple.is_null() && {
                let holds = (*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_constraint>()).convalidated;
                pg_sys::ReleaseSysCache(tuple);
                holds
            };
            if !holds {
                await_constraint();
            }
            return holds.then_some(Version7Domain { oid, function });
        }
    }
}

/// Whether a plan was made that would be another one if a constraint were valid.
static AWAITS_CONSTRAINT: AtomicBool = AtomicBool::new(false);

/// Has plans made anew when a constraint changes: PostgreSQL does that of a table's, but not if one of a domain is validated.
#[allow(unsafe_code)]
fn await_constraint() {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    AWAITS_CONSTRAINT.store(true, Ordering::Relaxed);
    if !IS_REGISTERED.swap(true, Ordering::Relaxed) {
        // SAFETY: the function is there as long as the backend is.
        unsafe {
            let none = pg_sys::Datum::null();
            pg_sys::CacheRegisterSyscacheCallback(cache::CONSTRAINT, Some(look_at_constraint), none);
        }
    }
}

#[allow(unsafe_code)]
#[pg_guard]
extern "C-unwind" fn look_at_constraint(_argument: pg_sys::Datum, _cache: i32, _row: u32) {
    if AWAITS_CONSTRAINT.swap(false, Ordering::Relaxed) {
        // SAFETY: it marks plans as invalid, and does nothing else.
        unsafe { pg_sys::ResetPlanCache() };
    }
}

/// How an operator of the family of dates and times compares.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonOfTimes {
    /// Its btree strategy.
    pub strategy: u32,
    pub left: pg_sys::Oid,
    pub right: pg_sys::Oid,
}

/// What this operator compares, if it is one of `timestamptz`, `timestamp` and `date`.
#[allow(unsafe_code, clippy::cast_possible_wrap)]
pub fn comparison_of_times(operator: pg_sys::Oid) -> Option<ComparisonOfTimes> {
    let (mut strategy, mut left, mut right) = (0, pg_sys::Oid::INVALID, pg_sys::Oid::INVALID);
    let family = timestamptz_family();
    // SAFETY: lookups by OID.
    unsafe {
        if !pg_sys::op_in_opfamily(operator, family) {
            return None;
        }
        pg_sys::get_op_opfamily_properties(operator, family, false, &mut strategy, &mut left, &mut right);
    }
    Some(ComparisonOfTimes { strategy: u32::try_from(strategy).ok()?, left, right })
}

/// A function of the extension that the planner's side puts into plans.
#[derive(Clone, Copy, Debug)]
pub struct PlannerFunction {
    name: &'static CStr,
    pub symbol: &'static str,
    pub arguments: &'static [pg_sys::Oid],
    pub result: pg_sys::Oid,
}

macro_rules! planner_functions {
    ($($constant:ident $name:literal ($($argument:ident),*) -> $result:ident = $symbol:expr;)*) => {
        impl PlannerFunction {
            $(pub const $constant: PlannerFunction = PlannerFunction {
                name: $name,
                symbol: $symbol,
                arguments: &[$(pg_sys::$argument),*],
                result: pg_sys::$result,
            };)*
        }
    };
}

planner_functions! {
    LOWER_BOUND c"uuidv7_lower_bound" (TIMESTAMPTZOID) -> UUIDOID = "uuidv7_lower_bound_wrapper";
    LOWER_BOUND_OF_RANGE c"uuidv7_lower_bound" (TSTZRANGEOID) -> UUIDOID = "uuidv7_range_lower_bound_wrapper";
    UPPER_BOUND_OF_RANGE c"uuidv7_upper_bound" (TSTZRANGEOID) -> UUIDOID = "uuidv7_range_upper_bound_wrapper";
    START_OF_RANGE c"uuid_tstzrange_start" (TSTZRANGEOID) -> TIMESTAMPTZOID = "uuid_tstzrange_start_wrapper";
    NEXT c"uuid_time_next" (TIMESTAMPTZOID) -> TIMESTAMPTZOID = time_ops::uuid_time_next;
    TIME_OF_VERSION_7 c"uuidv7_time" (UUIDOID) -> TIMESTAMPTZOID = inspect::uuidv7_time;
    TIME_OF_DATE c"uuid_time_from" (DATEOID) -> TIMESTAMPTZOID = "uuid_time_from_date_wrapper";
    TIME_OF_TIMESTAMP c"uuid_time_from" (TIMESTAMPOID) -> TIMESTAMPTZOID = "uuid_time_from_timestamp_wrapper";
    LEAST c"uuid_time_least" (TIMESTAMPTZARRAYOID) -> TIMESTAMPTZOID = "uuid_time_least_wrapper";
    GREATEST c"uuid_time_greatest" (TIMESTAMPTZARRAYOID) -> TIMESTAMPTZOID = "uuid_time_greatest_wrapper";
    MILLISECOND c"uuid_time_milli" (TIMESTAMPTZOID) -> TIMESTAMPTZOID = "uuid_time_milli_wrapper";
    MILLISECONDS c"uuid_tstzrange_milli" (TSTZRANGEOID) -> TSTZRANGEOID = "uuid_tstzrange_milli_wrapper";
    SPAN c"uuid_tstzrange_span" (TSTZRANGEARRAYOID) -> TSTZRANGEOID = "uuid_tstzrange_span_wrapper";
    RECHECK c"uuid_recheck" (BOOLOID) -> BOOLOID = "uuid_recheck_wrapper";
    VERSION c"uuid_extract_version" (UUIDOID) -> INT2OID = inspect::uuid_extract_version;
    UNSEAL c"uuid_unseal" (UUIDOID) -> UUIDOID = "uuid_unseal_wrapper";
    UNSEAL_BY_KEY c"uuid_unseal" (UUIDOID, BYTEAOID) -> UUIDOID = "uuid_unseal_by_key_wrapper";
    TYPEID_DECODE c"typeid_decode_or_null" (TEXTOID, TEXTOID) -> UUIDOID = "typeid_decode_or_null_wrapper";
}

impl PlannerFunction {
    /// The function itself, in the schema of this other function of the extension: the extension may have been moved.
    #[allow(unsafe_code)]
    pub fn in_schema_of(self, sibling: pg_sys::Oid) -> Option<pg_sys::Oid> {
        // SAFETY: a lookup by OID.
        self.in_schema(unsafe { pg_sys::get_func_namespace(sibling) })
    }

    #[allow(unsafe_code)]
    fn in_schema(self, schema: pg_sys::Oid) -> Option<pg_sys::Oid> {
        // SAFETY: a lookup by values of the types the cache's key has.
        let function = unsafe {
            pg_sys::GetSysCacheOid(
                cache::FUNCTION_BY_SIGNATURE,
                1, // the attribute `oid`
                self.name.as_ptr().into(),
                pg_sys::buildoidvector(self.arguments.as_ptr(), i32::try_from(self.arguments.len()).unwrap_or(0))
                    .into(),
                schema.into(),
                pg_sys::Datum::null(),
            )
        };
        with_c_symbol(function, |symbol| symbol == self.symbol)?
            .then_some(function)
            .filter(|found| is_executable(*found))
    }
}

/// Whether a plan depends on the role that it was made for.
static ROLE_DECIDES: AtomicBool = AtomicBool::new(false);

/// Says so of the plan, if the role's rights decided what is in it: another role then gets a plan of its own.
///
/// # Safety
/// The root must be the planner's, or null.
#[allow(unsafe_code)]
pub unsafe fn depend_on_role(root: *mut pg_sys::PlannerInfo) {
    if ROLE_DECIDES.swap(false, Ordering::Relaxed) && !root.is_null() {
        // SAFETY: the planner's root has one structure for all levels of the query.
        unsafe { (*(*root).glob).dependsOnRole = true };
    }
}

/// Whether the current role may execute a function. What it cannot execute must not come into its plans.
#[allow(unsafe_code, clippy::useless_conversion)] // The mode has 32 bits until 15, then 64.
pub fn is_executable(function: pg_sys::Oid) -> bool {
    // SAFETY: lookups by OID; the tuple is a row of pg_proc.
    let answer = unsafe {
        let tuple = pg_sys::SearchSysCache1(cache::FUNCTION, function.into());
        if !tuple.is_null() {
            // Without a list, all roles may execute it.
            ROLE_DECIDES.fetch_or(attribute(cache::FUNCTION, tuple, PROACL).is_some(), Ordering::Relaxed);
            pg_sys::ReleaseSysCache(tuple);
        }
        let (role, execute) = (pg_sys::GetUserId(), pg_sys::AclMode::from(pg_sys::ACL_EXECUTE));
        #[cfg(not(object_aclcheck))]
        let answer = pg_sys::pg_proc_aclcheck(function, role, execute);
        #[cfg(object_aclcheck)]
        let answer = pg_sys::object_aclcheck(pg_sys::ProcedureRelationId, function, role, execute);
        answer
    };
    answer == pg_sys::AclResult::ACLCHECK_OK
}

/// PostgreSQL's own btree operator family of `uuid`.
pub fn uuid_family() -> pg_sys::Oid {
    btree_family(pg_sys::UUIDOID)
}

/// PostgreSQL's own btree operator family of `timestamptz`, and of `timestamp` and `date`.
pub fn timestamptz_family() -> pg_sys::Oid {
    btree_family(pg_sys::TIMESTAMPTZOID)
}

#[allow(unsafe_code, clippy::cast_possible_wrap)]
fn btree_family(type_oid: pg_sys::Oid) -> pg_sys::Oid {
    // SAFETY: a lookup by OID; the entry stays in the cache.
    unsafe { (*pg_sys::lookup_type_cache(type_oid, pg_sys::TYPECACHE_BTREE_OPFAMILY as i32)).btree_opf }
}

/// Core's operator on `uuid` of this btree strategy.
pub fn uuid_operator(strategy: u32) -> pg_sys::Oid {
    member(pg_sys::UUIDOID, strategy).unwrap_or(pg_sys::Oid::INVALID)
}

/// The operator of this btree strategy between `uuid` and another type, if PostgreSQL's operator family has one.
#[allow(unsafe_code, clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
pub fn member(right: pg_sys::Oid, strategy: u32) -> Option<pg_sys::Oid> {
    // SAFETY: a lookup by OIDs.
    let operator = unsafe { pg_sys::get_opfamily_member(uuid_family(), pg_sys::UUIDOID, right, strategy as i16) };
    (operator != pg_sys::Oid::INVALID).then_some(operator)
}

/// What the planner's side must know about a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    pub kind: u8,
    pub access_method: pg_sys::Oid,
    pub is_partition: bool,
}

impl Table {
    #[allow(unsafe_code)]
    pub fn of(table: pg_sys::Oid) -> Option<Table> {
        // SAFETY: a lookup by OID; the tuple is a row of pg_class and is read before it is released.
        unsafe {
            let tuple = pg_sys::SearchSysCache1(cache::TABLE, table.into());
            if tuple.is_null() {
                return None;
            }
            let row = &*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_class>();
            let found = Table {
                kind: row.relkind.to_ne_bytes()[0],
                access_method: row.relam,
                is_partition: row.relispartition,
            };
            pg_sys::ReleaseSysCache(tuple);
            Some(found)
        }
    }
}

/// Whether a column of a table in the query has no nulls.
#[allow(unsafe_code)]
pub fn is_not_null(_relation: &pg_sys::RelOptInfo, _entry: &pg_sys::RangeTblEntry, column: i16) -> bool {
    // SAFETY: the planner's set of columns.
    #[cfg(not_null_columns)]
    return unsafe { pg_sys::bms_is_member(column.into(), _relation.notnullattnums) };
    // SAFETY: a lookup by OID and number; the tuple is a row of pg_attribute and is read before it is released.
    #[cfg(not(not_null_columns))]
    unsafe {
        // A child may have nulls all the same.
        let tuple = if _entry.inh {
            std::ptr::null_mut()
        } else {
            pg_sys::SearchSysCache2(cache::COLUMN, _entry.relid.into(), column.into())
        };
        !tuple.is_null() && {
            let row = pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_attribute>();
            let is_not_null = (*row).attnotnull;
            pg_sys::ReleaseSysCache(tuple);
            is_not_null
        }
    }
}

/// Whether other tables inherit from this one. (`relhassubclass` is no answer: it stays true until the next ANALYZE.)
#[allow(unsafe_code)]
pub fn has_children(table: pg_sys::Oid) -> bool {
    // SAFETY: a lookup by OID, by pgrx's wrapper, which catches PostgreSQL's errors; without a lock, since the tables are not
    // looked at.
    unsafe { !pg_sys::find_inheritance_children(table, NO_LOCK).is_null() }
}

/// Whether this table inherits from another one.
#[allow(unsafe_code)]
pub fn has_parent(table: pg_sys::Oid) -> bool {
    // SAFETY: a lookup by OID, by pgrx's wrapper, which catches PostgreSQL's errors.
    unsafe { pg_sys::has_superclass(table) }
}

/// Where the planner holds a lock, or none is needed.
pub const NO_LOCK: pg_sys::LOCKMODE = 0;
