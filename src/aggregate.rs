//! The aggregates `min(uuid)` and `max(uuid)`, in the order of the type's own operators.

use pgrx::pg_sys;
use pgrx::prelude::*;

use crate::datum::uuid_value;

/// A function of two UUIDs that returns one of them, the datum itself and no copy: it is called for every row, and an
/// aggregate that is given its own state back has nothing to copy either.
macro_rules! choice {
    ($symbol:ident, $finfo:ident, $first_if:expr) => {
        #[doc = concat!("C symbol of the SQL function `", stringify!($symbol), "`.")]
        ///
        /// # Safety
        /// Called by PostgreSQL's function manager only, as a strict function of version 1 with two `uuid` arguments.
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $symbol(call: pg_sys::FunctionCallInfo) -> pg_sys::Datum {
            // SAFETY: the contract above: two arguments, neither of them null.
            let (first, second) = unsafe {
                let arguments = (*call).args.as_slice(2);
                (arguments[0].value, arguments[1].value)
            };
            let first_if: fn(&rfc9562::Uuid, &rfc9562::Uuid) -> bool = $first_if;
            // SAFETY: both are `uuid` and not null.
            if unsafe { first_if(&uuid_value(first), &uuid_value(second)) } { first } else { second }
        }

        #[doc(hidden)]
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        pub extern "C" fn $finfo() -> &'static pg_sys::Pg_finfo_record {
            &pg_sys::Pg_finfo_record { api_version: 1 }
        }
    };
}

choice!(uuid_least_wrapper, pg_finfo_uuid_least_wrapper, |first, second| first <= second);
choice!(uuid_greatest_wrapper, pg_finfo_uuid_greatest_wrapper, |first, second| first >= second);

// Not called uuid_smaller and uuid_larger, as PostgreSQL's own would be: many applications have functions of those
// names. The sort operators let an index answer. A server that has these aggregates itself keeps using its own, since
// pg_catalog is searched first.
extension_sql!(
    r#"
CREATE FUNCTION uuid_least(uuid, uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_least_wrapper';
CREATE FUNCTION uuid_greatest(uuid, uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_greatest_wrapper';
CREATE AGGREGATE min(uuid) (
    SFUNC = uuid_least, STYPE = uuid, COMBINEFUNC = uuid_least, SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
CREATE AGGREGATE max(uuid) (
    SFUNC = uuid_greatest, STYPE = uuid, COMBINEFUNC = uuid_greatest, SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);
"#,
    name = "aggregates"
);
