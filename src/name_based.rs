//! Generates name-based UUIDs of versions 3, 5 and 8, and returns namespaces by name.
//!
//! There are separate functions for text, which is hashed as UTF-8, and for bytea, which is hashed unchanged.

use pgrx::prelude::*;
use rfc9562::name::Namespace;
use rfc9562::{v3, v5, v8};

use crate::datum::{Bytea, SqlUuid, Text};
use crate::encoding::to_utf8;
use crate::text::named;

macro_rules! of_name {
    ($of_text:ident, $of_bytea:ident, $from_name:path $(, $hash:ident)?) => {
        #[pg_extern(sql = false)]
        fn $of_text(ns: SqlUuid, name: Text<'_>, $($hash: Text<'_>)?) -> SqlUuid {
            SqlUuid($from_name(ns.0, to_utf8(name.0), $(named($hash))?))
        }

        #[pg_extern(sql = false)]
        fn $of_bytea(ns: SqlUuid, name: Bytea<'_>, $($hash: Text<'_>)?) -> SqlUuid {
            SqlUuid($from_name(ns.0, name.0, $(named($hash))?))
        }
    };
}

of_name!(uuid_v3_of_text, uuid_v3_of_bytea, v3::from_name);
of_name!(uuid_v5_of_text, uuid_v5_of_bytea, v5::from_name);
of_name!(uuid_v8_of_text, uuid_v8_of_bytea, v8::from_name, hash);

#[pg_extern(sql = false)]
fn uuid_namespace(name: Text<'_>) -> SqlUuid {
    SqlUuid(named::<Namespace>(name).id())
}
