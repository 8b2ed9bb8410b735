# ../pgx/main.go
s,pgx 4,pgx 5,
\,"github.com/jackc/pgconn",d
s,"github.com/jackc/pgx/v4",&\n\t"github.com/jackc/pgx/v5/pgconn",
s,pgx/v4,pgx/v5,
s,"cannot convert 2026-01-02 00:00:00 +0000 UTC to UUID",`ERROR: invalid input syntax for type uuid: "2026-01-02 00:00:00 +0000 UTC" (SQLSTATE 22P02)`,
s,HasPrefix(err.Error()\, "Cannot encode \[16\]uint8 into oid "),Contains(err.Error()\, "into text format for unknown type (OID "),
