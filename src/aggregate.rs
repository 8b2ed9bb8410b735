//! The aggregates `min(uuid)` and `max(uuid)`, in the order of the type's own operators.

use pgrx::prelude::*;

use crate::bare_function::bare_function;

/// A function of two UUIDs that returns one of them, the datum itself and no copy: it is called for every row, and an
/// aggregate that is given its own state back has nothing to copy either.
macro_rules! choice {
    ($symbol:ident, $finfo:ident, $first_if:expr) => {
        bare_function!($symbol, $finfo, |call| {
            let first_if: fn(&rfc9562::Uuid, &rfc9562::Uuid) -> bool = $first_if;
            if first_if(&call.uuid(0), &call.uuid(1)) { call.datum(0) } else { call.datum(1) }
        });
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
