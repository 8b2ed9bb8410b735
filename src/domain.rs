//! The domain `uuid_v7`: a column of that type refuses UUIDs of any other version.

use pgrx::prelude::*;

// The version is null unless the variant is RFC 9562's, and a check that is null passes: hence IS NOT DISTINCT FROM.
extension_sql!(
    r#"
CREATE DOMAIN uuid_v7 AS uuid
    CONSTRAINT uuid_v7_check CHECK (VALUE IS NULL OR uuid_extract_version(VALUE) IS NOT DISTINCT FROM 7);
"#,
    name = "domain",
    requires = ["extract"]
);
