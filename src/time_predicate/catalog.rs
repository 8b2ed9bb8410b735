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
    pub const PARTITIONED_TABLE: i32 = Identifier::PARTRELID as i32;
}

/// What this function of the extension says, if it is one of the predicates.
pub fn form_of_function(function: pg_sys::Oid) -> Option<Form> {
    Form::of_symbol(&c_symbol(function)?)
}

/// The C symbol of a function in C. Its name and schema can be changed, and in other languages anybody may write
/// anything there; this cannot be, and only superusers can make functions in C.
#[allow(unsafe_code)]
fn c_symbol(function: pg_sys::Oid) -> Option<String> {
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
        let symbol = symbol.and_then(|text| varlena::text_to_rust_str(text.cast_mut_ptr()).ok().map(str::to_owned));
        pg_sys::ReleaseSysCache(tuple);
        symbol
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

/// A function of the extension that returns a boundary UUID.
#[derive(Clone, Copy, Debug)]
pub struct BoundaryFunction {
    name: &'static CStr,
    symbol: &'static str,
    argument: pg_sys::Oid,
}

impl BoundaryFunction {
    pub const LOWER: BoundaryFunction = BoundaryFunction {
        name: c"uuidv7_lower_bound",
        symbol: "uuidv7_lower_bound_wrapper",
        argument: pg_sys::TIMESTAMPTZOID,
    };
    pub const UPPER: BoundaryFunction = BoundaryFunction {
        name: c"uuidv7_upper_bound",
        symbol: "uuidv7_upper_bound_wrapper",
        argument: pg_sys::TIMESTAMPTZOID,
    };
    pub const LOWER_OF_RANGE: BoundaryFunction = BoundaryFunction {
        name: c"uuidv7_lower_bound",
        symbol: "uuidv7_range_lower_bound_wrapper",
        argument: pg_sys::TSTZRANGEOID,
    };
    pub const UPPER_OF_RANGE: BoundaryFunction = BoundaryFunction {
        name: c"uuidv7_upper_bound",
        symbol: "uuidv7_range_upper_bound_wrapper",
        argument: pg_sys::TSTZRANGEOID,
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
        (c_symbol(function)? == self.symbol).then_some(function)
    }
}

/// Core's operator on `uuid` of this btree strategy.
#[allow(unsafe_code, clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
pub fn uuid_operator(strategy: u32) -> pg_sys::Oid {
    // SAFETY: a lookup by OID; the entry stays in the cache.
    unsafe {
        let uuid = pg_sys::lookup_type_cache(pg_sys::UUIDOID, pg_sys::TYPECACHE_BTREE_OPFAMILY as i32);
        pg_sys::get_opfamily_member((*uuid).btree_opf, pg_sys::UUIDOID, pg_sys::UUIDOID, strategy as i16)
    }
}

/// Whether comparisons of this column can exclude partitions of this partitioned table, or of a partition of it.
#[allow(unsafe_code)]
pub fn column_can_prune(table: pg_sys::Oid, column: pg_sys::AttrNumber) -> bool {
    /// Attributes of pg_partitioned_table.
    const PARTSTRAT: i16 = 2;
    const PARTATTRS: i16 = 5;
    const HASH: usize = b'h' as usize;

    // SAFETY: a lookup by OID; the tuple is a row of pg_partitioned_table and is read before it is released. `partstrat`
    // is a "char", `partattrs` an int2vector, which is never toasted.
    let in_key = unsafe {
        let tuple = pg_sys::SearchSysCache1(cache::PARTITIONED_TABLE, table.into());
        if tuple.is_null() {
            return false;
        }
        let by_hash =
            attribute(cache::PARTITIONED_TABLE, tuple, PARTSTRAT).is_none_or(|strategy| strategy.value() == HASH);
        let in_key = attribute(cache::PARTITIONED_TABLE, tuple, PARTATTRS).is_some_and(|columns| {
            let columns = columns.cast_mut_ptr::<pg_sys::int2vector>();
            let count = usize::try_from((*columns).dim1).unwrap_or(0);
            (*columns).values.as_slice(count).contains(&column)
        });
        pg_sys::ReleaseSysCache(tuple);
        in_key && !by_hash
    };
    in_key || has_partitioned_partition(table)
}

/// Whether other tables inherit from this one. That they once did, the table remembers until it is analysed.
#[allow(unsafe_code)]
pub fn has_children(table: pg_sys::Oid) -> bool {
    // SAFETY: a lookup by OID; without a lock, since the tables are not looked at. The guard is for an error, of memory
    // that is out.
    unsafe { !pg_sys::panic::pgrx_extern_c_guard(|| find_inheritance_children(table, NO_LOCK)).is_null() }
}

#[allow(unsafe_code)]
unsafe extern "C-unwind" {
    fn find_inheritance_children(parent: pg_sys::Oid, lock: pg_sys::LOCKMODE) -> *mut pg_sys::List;
}

const NO_LOCK: pg_sys::LOCKMODE = 0;

/// Whether the table has partitions that are partitioned themselves, perhaps by another column.
#[allow(unsafe_code)]
fn has_partitioned_partition(table: pg_sys::Oid) -> bool {
    // SAFETY: the planner asks of tables in the query only, and those are locked. The descriptor is read while the
    // table is open.
    unsafe {
        let relation = pg_sys::relation_open(table, NO_LOCK);
        let partitions = pg_sys::RelationGetPartitionDesc(relation, true);
        let count = usize::try_from((*partitions).nparts).unwrap_or(0);
        let found = count > 0 && std::slice::from_raw_parts((*partitions).is_leaf, count).contains(&false);
        pg_sys::relation_close(relation, NO_LOCK);
        found
    }
}
