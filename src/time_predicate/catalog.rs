//! What the planner's side must know of the catalogs: functions, operators and partition keys, all by OID.

use std::ffi::CStr;

use pgrx::pg_sys;
use pgrx::varlena;

use super::Form;

// C's enumeration of the caches, which is not of the same integer type on every server.
#[allow(clippy::cast_possible_wrap, clippy::unnecessary_cast)]
mod cache {
    use pgrx::pg_sys::SysCacheIdentifier as Identifier;

    pub const FUNCTION: i32 = Identifier::PROCOID as i32;
    pub const FUNCTION_BY_SIGNATURE: i32 = Identifier::PROCNAMEARGSNSP as i32;
    pub const TABLE: i32 = Identifier::RELOID as i32;
}

/// What this function of the extension says, if it is one of the predicates.
pub fn form_of_function(function: pg_sys::Oid) -> Option<Form> {
    with_c_symbol(function, Form::of_symbol).flatten()
}

/// Reads the C symbol of a function in C. Its name and schema can be changed, and in other languages anybody may write
/// anything there; this cannot be, and only superusers can make functions in C.
#[allow(unsafe_code)]
fn with_c_symbol<T>(function: pg_sys::Oid, read: impl FnOnce(&str) -> T) -> Option<T> {
    /// Of the language C, fixed in pg_language.dat.
    const C_LANGUAGE: pg_sys::Oid = pg_sys::Oid::from_u32(13);

    // SAFETY: a lookup by OID; the tuple is a row of pg_proc and is read before it is released. The attribute is a text.
    unsafe {
        let tuple = pg_sys::SearchSysCache1(cache::FUNCTION, function.into());
        if tuple.is_null() {
            return None;
        }
        let in_c = (*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_proc>()).prolang == C_LANGUAGE;
        let symbol = if in_c { attribute(cache::FUNCTION, tuple, PROSRC) } else { None };
        let found = symbol.and_then(|text| varlena::text_to_rust_str(text.cast_mut_ptr()).ok()).map(read);
        pg_sys::ReleaseSysCache(tuple);
        found
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
const PROSRC: i16 = pg_sys::Anum_pg_proc_prosrc as i16;

/// An attribute of a tuple of the syscache, unless it is null.
///
/// # Safety
/// The tuple must come from this cache.
#[allow(unsafe_code)]
unsafe fn attribute(cache: i32, tuple: pg_sys::HeapTuple, number: i16) -> Option<pg_sys::Datum> {
    let mut is_null = false;
    // SAFETY: the caller's contract.
    let datum = unsafe { pg_sys::SysCacheGetAttr(cache, tuple, number, &mut is_null) };
    (!is_null).then_some(datum)
}

/// A function of the extension that the planner's side puts into plans.
#[derive(Clone, Copy, Debug)]
pub struct PlannerFunction {
    name: &'static CStr,
    symbol: &'static str,
    argument: pg_sys::Oid,
    pub result: pg_sys::Oid,
}

impl PlannerFunction {
    pub const LOWER_BOUND: PlannerFunction = PlannerFunction {
        name: c"uuidv7_lower_bound",
        symbol: "uuidv7_lower_bound_wrapper",
        argument: pg_sys::TIMESTAMPTZOID,
        result: pg_sys::UUIDOID,
    };
    pub const LOWER_BOUND_OF_RANGE: PlannerFunction = PlannerFunction {
        name: c"uuidv7_lower_bound",
        symbol: "uuidv7_range_lower_bound_wrapper",
        argument: pg_sys::TSTZRANGEOID,
        result: pg_sys::UUIDOID,
    };
    pub const UPPER_BOUND_OF_RANGE: PlannerFunction = PlannerFunction {
        name: c"uuidv7_upper_bound",
        symbol: "uuidv7_range_upper_bound_wrapper",
        argument: pg_sys::TSTZRANGEOID,
        result: pg_sys::UUIDOID,
    };
    pub const START_OF_RANGE: PlannerFunction = PlannerFunction {
        name: c"uuid_tstzrange_start",
        symbol: "uuid_tstzrange_start_wrapper",
        argument: pg_sys::TSTZRANGEOID,
        result: pg_sys::TIMESTAMPTZOID,
    };
    pub const NEXT: PlannerFunction = PlannerFunction {
        name: c"uuid_time_next",
        symbol: "uuid_time_next_wrapper",
        argument: pg_sys::TIMESTAMPTZOID,
        result: pg_sys::TIMESTAMPTZOID,
    };

    /// The function itself: in the schema of this other function of the extension, wherever that has been moved to.
    #[allow(unsafe_code)]
    pub fn beside(self, sibling: pg_sys::Oid) -> Option<pg_sys::Oid> {
        // SAFETY: a lookup by values of the types the cache's key has.
        let function = unsafe {
            pg_sys::GetSysCacheOid(
                cache::FUNCTION_BY_SIGNATURE,
                1, // the attribute `oid`
                self.name.as_ptr().into(),
                pg_sys::buildoidvector(&self.argument, 1).into(),
                pg_sys::get_func_namespace(sibling).into(),
                pg_sys::Datum::null(),
            )
        };
        with_c_symbol(function, |symbol| symbol == self.symbol)?.then_some(function)
    }
}

/// The btree operator family of `uuid`, PostgreSQL's own.
#[allow(unsafe_code, clippy::cast_possible_wrap)]
pub fn uuid_family() -> pg_sys::Oid {
    // SAFETY: a lookup by OID; the entry stays in the cache.
    unsafe { (*pg_sys::lookup_type_cache(pg_sys::UUIDOID, pg_sys::TYPECACHE_BTREE_OPFAMILY as i32)).btree_opf }
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

/// What the planner's side must know of a table.
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
            let found =
                Table { kind: row.relkind.cast_unsigned(), access_method: row.relam, is_partition: row.relispartition };
            pg_sys::ReleaseSysCache(tuple);
            Some(found)
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

const NO_LOCK: pg_sys::LOCKMODE = 0;
