//! Hostile input: every SQL function of the extension, found in the catalog, with every edge value of its types and with
//! random ones. A function that is added is covered the day it is; one with an argument of a new type fails the test
//! until that type has edge values here.
//!
//! The calls are made on the server, in PL/pgSQL, which catches errors and tells them apart.
//! `HOSTILE_CALLS` sets the number of random calls, `HOSTILE_SEED` where randomness starts, in [-1, 1]. `HOSTILE_FAULTS` says up to which
//! one each allocation of a statement fails; of those after it, some.

use std::fmt::Write;
use std::fs;
use std::time::Instant;

use postgres::{Client, Row, SimpleQueryMessage};
use server_tests::faults::Faults;
use server_tests::random::{Random, first_seed};
use server_tests::{Cluster, progress, sql};

/// A function of the extension that SQL can call.
#[derive(Debug)]
struct Function {
    /// With the types of its arguments.
    signature: String,
    /// Quoted, with its schema.
    name: String,
    arguments: Vec<String>,
    result: String,
    returns_set: bool,
    immutable: bool,
    leakproof: bool,
    aggregate: bool,
}

impl Function {
    fn of(row: &Row) -> Function {
        Function {
            signature: row.get("signature"),
            name: row.get("name"),
            arguments: row.get("arguments"),
            result: row.get("result"),
            returns_set: row.get("returns_set"),
            immutable: row.get("immutable"),
            leakproof: row.get("leakproof"),
            aggregate: row.get("aggregate"),
        }
    }

    /// A scalar expression of a call: of a set the number of its first rows, since there may be 2,147,483,647.
    fn call(&self, arguments: &str) -> String {
        let Function { name, .. } = self;
        if self.returns_set {
            format!("(SELECT count(*) FROM (SELECT {name}({arguments}) LIMIT 10) made)")
        } else if self.aggregate {
            format!("(SELECT {name}({arguments}) FROM generate_series(1, 2))")
        } else {
            format!("{name}({arguments})")
        }
    }

    /// Which calls are not made, as a condition on the arguments `a1`, `a2`...: those that take seconds and memory for
    /// what shorter ones show. An array may have 67,108,862 elements.
    fn unless(&self) -> &'static str {
        if self.result.ends_with("[]") && self.arguments == ["bigint"] {
            "a1 BETWEEN 10000 AND 67108862"
        } else {
            "false"
        }
    }
}

/// Every function of the extension but those that only the server can call, and its domains' casts.
fn functions(client: &mut Client) -> Vec<Function> {
    let query = "
        SELECT p.oid::regprocedure::text || coalesce(' of ' || for_any::text, '') COLLATE \"C\" AS signature,
               format('%I.%I', n.nspname, p.proname) AS name,
               ARRAY(SELECT format_type(CASE WHEN t = ANY (any_type) THEN for_any ELSE t END, NULL)
                     FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, place) ORDER BY place) AS arguments,
               format_type(CASE WHEN p.prorettype = ANY (any_type) THEN for_any ELSE p.prorettype END, NULL) AS result,
               p.proretset AS returns_set, p.provolatile = 'i' AS immutable,
               p.proleakproof AS leakproof, p.prokind = 'a' AS aggregate
        FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid JOIN pg_namespace n ON n.oid = p.pronamespace
        CROSS JOIN (SELECT '{anyelement,anynonarray,anyarray,anycompatiblenonarray}'::regtype[]::oid[]) AS polymorphic (any_type)
        -- A polymorphic function is one for each of these types, of which the last has no ids.
        CROSS JOIN LATERAL unnest(CASE
            WHEN p.proname IN ('uuid_time_from', 'uuid_time_bound') THEN '{date,timestamp,timestamptz,interval,text,uuid}'
            WHEN 'anyarray'::regtype = ANY (p.proargtypes::oid[]) THEN '{timestamptz[],tstzrange[],uuid[]}'
            WHEN p.proargtypes::oid[] && any_type THEN '{text,bigint,bytea,uuid,interval}' ELSE ARRAY[NULL] END::regtype[]) AS stands (for_any)
        WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
          AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
          AND 'internal'::regtype <> ALL (p.proargtypes::oid[]) AND p.prorettype <> 'void'::regtype
        ORDER BY signature";
    sql::rows(client, query).iter().map(Function::of).collect()
}

/// What only some values of a type have: its ends, its special values, what functions look for. SQL expressions.
fn edge_values(ty: &str, server: i32) -> Vec<String> {
    let list = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    match ty {
        "uuid" | "uuid_operand" => edge_uuids(),
        "timestamp with time zone" => list(&[
            "'-infinity'",
            "'infinity'",
            "'4714-11-24 00:00:00+00 BC'",
            "'294276-12-31 23:59:59.999999+00'",
            // The ends of versions 1 and 6, of version 7, and of PostgreSQL's and Unix' years.
            "'1582-10-14 23:59:59.999999+00'",
            "'1582-10-15 00:00:00+00'",
            "'5236-03-31 21:21:00.684697+00'",
            "'5236-03-31 21:21:00.684698+00'",
            "'1969-12-31 23:59:59.999999+00'",
            "'1970-01-01 00:00:00+00'",
            "'1970-01-01 00:00:00.000001+00'",
            "'10889-08-02 05:31:50.655+00'",
            "'10889-08-02 05:31:50.655999+00'",
            "'10889-08-02 05:31:50.656+00'",
            "'4147-08-20 07:32:15.999999+00'",
            "'4147-08-20 07:32:16+00'",
            "'2000-01-01 00:00:00+00'",
            "'2024-02-29 23:59:59.999+00'",
            "'2038-01-19 03:14:08+00'",
            "'0001-01-01 00:00:00+00 BC'",
        ]),
        "interval" => {
            let mut values: Vec<String> = list(&[
                "'0'",
                "'1 microsecond'",
                "'-1 microsecond'",
                "'1 month'",
                "'-1 month -1 day -1 second'",
                "'100 years'",
                "'-100 years'",
                "'8000 years'",
                "'10000 years'",
                "'-10000 years'",
                "make_interval(months => 2147483647)",
                "make_interval(months => -2147483647)",
                "make_interval(days => 2147483647)",
                "make_interval(days => -2147483647)",
                "make_interval(secs => 9223372036854)",
                "make_interval(secs => -9223372036854)",
                "make_interval(months => 2147483647, days => 2147483647, secs => 9223372036854)",
                "make_interval(months => -2147483647, days => 2147483647, secs => -9223372036854)",
            ]);
            if server >= 170_000 {
                values.extend(list(&["'infinity'", "'-infinity'"]));
            }
            values
        }
        "text" => list(&[
            "''",
            "' '",
            "'hex'",
            "'HEX'",
            "'hex '",
            "'urn'",
            "'base58'",
            "'base32hex'",
            "'decimal'",
            "'oid'",
            "'dns'",
            "'x500'",
            "'sha256'",
            "'shake256'",
            "'sha3_512'",
            "'rfc9562'",
            "'draft-02'",
            "'nonsense'",
            "'ключ'",
            "U&'\\+01F600\\0301\\200D'",
            "U&'\\0001\\007F'",
            "'%s%n'",
            "E'a\\nb'",
            "repeat('x', 100000)",
            "repeat('é', 63)",
            "repeat('x', 62) || 'é'",
            "'01890a5d-ac96-774b-bcce-b302099a8057'",
            "'urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057'",
            "'01890a5dac96774bbcceb302099a8057'",
            "'01H455VB4PEX5VSKNK084SN02Q'",
            "'user'",
            "'user_01h455vb4pex5vsknk084sn02q'",
            "'a__b_7zzzzzzzzzzzzzzzzzzzzzzzzz'",
            "'7ZZZZZZZZZZZZZZZZZZZZZZZZZ'",
            "'8ZZZZZZZZZZZZZZZZZZZZZZZZZ'",
            "'1BzmjTFLHWXwiSK4y3H5iW'",
            "'zzzzzzzzzzzzzzzzzzzzzz'",
            "'340282366920938463463374607431768211455'",
            "'340282366920938463463374607431768211456'",
            "'2.25.0'",
            "'2.25.340282366920938463463374607431768211456'",
            "'_____________________w'",
            "'______________________'",
            "repeat('é', 18)",
            "'snowflake'",
            "'shardingid'",
            "'sonyflake'",
            "'flakeid'",
            "'lexicaluuid'",
            "'flake'",
            "'ulid'",
            "'ksuid'",
            "'xid'",
            "'sid'",
            "'cuid'",
            "'ordereduuid'",
            "'combguid-sql-datetime'",
            "'combguid-rtcomb1'",
            "'18446744073709551615'",
            "'0xffffffffffffffff'",
            "'7n42DGM5Tflk9n8mt7Fhc7'",
            "'aWgEPTl1tmebfsQzFP4bxwgy80V'",
            "'zzzzzzzzzzzzzzzzzzzz'",
            "'vvvvvvvvvvvvvvvvvvvg'",
            "'czzzzzzzzzzzzzzzzzzzzzzzzz'",
            "'9223372036854775807-9223372036854775807'",
            "'ffffffff-ffff-ffff-ffffffffffffffff'",
            "'00112233-4455-4abc-8def-ae44013f40e8'",
            "repeat('9', 1000)",
        ]),
        "bytea" => list(&[
            "''",
            "'\\x00'",
            "decode(repeat('2a', 32), 'hex')",
            "'\\xff'",
            "'\\xc328'",
            "decode(repeat('00', 100000), 'hex')",
            "'\\x777777'",
            // As long as ids of other systems.
            "decode(repeat('ff', 8), 'hex')",
            "decode(repeat('00', 12), 'hex')",
            "decode(repeat('ff', 12), 'hex')",
            "decode(repeat('ff', 15), 'hex')",
            "decode(repeat('00', 16), 'hex')",
            "decode(repeat('ff', 16), 'hex')",
            "decode(repeat('ff', 20), 'hex')",
        ]),
        "smallint" => list(&["-32768", "-1", "0", "1", "32767"]),
        "integer" => list(&[
            "-2147483648",
            "-1",
            "0",
            "1",
            "64",
            "65",
            "4095",
            "4096",
            "16384",
            "67108863",
            "2147483646",
            "2147483647",
        ]),
        "bigint" => list(&[
            "-9223372036854775808",
            "-1",
            "0",
            "1",
            "67108863",
            "2147483647",
            "2147483648",
            "4294967297",
            "281474976710655",
            "281474976710656",
            "4611686018427387903",
            "4611686018427387904",
            "9223372036854775807",
        ]),
        "boolean" => list(&["false", "true"]),
        "tstzrange" | "uuid_tstzrange" => list(&[
            "'empty'",
            "'(,)'",
            "'[-infinity,infinity]'",
            "'(-infinity,infinity)'",
            "'[infinity,infinity]'",
            "'[-infinity,-infinity]'",
            "'(,1970-01-01 00:00:00+00]'",
            "'[1582-10-15 00:00:00+00,)'",
            "'[2026-01-01 00:00:00+00,2026-02-01 00:00:00+00)'",
            "'(2026-01-01 00:00:00.000001+00,2026-01-01 00:00:00.000001+00]'",
            "'[2026-01-01 00:00:00.0005+00,2026-01-01 00:00:00.0005+00]'",
            "'[4714-11-24 00:00:00+00 BC,294276-12-31 23:59:59.999999+00]'",
        ]),
        "uuid[]" => list(&[
            "'{}'",
            "'{NULL}'",
            "ARRAY[NULL, nil_uuid(), max_uuid(), uuidv4(), uuidv7()]",
            "'{{919108f7-52d1-4320-9bac-f847db4148a8,NULL},{919108f7-52d1-4320-9bac-f847db4148a8,NULL}}'",
            "array_fill('919108f7-52d1-4320-9bac-f847db4148a8'::uuid, ARRAY[10000])",
        ]),
        "text[]" => list(&[
            "'{}'",
            "'{NULL}'",
            "ARRAY[NULL, '', 'user_01h455vb4pex5vsknk084sn02q', repeat('é', 100000)]",
            "'{{user_01h455vb4pex5vsknk084sn02q,NULL},{_,x}}'",
        ]),
        "date" => {
            list(&["'-infinity'", "'infinity'", "'4714-11-24 BC'", "'5874897-12-31'", "'2026-01-01'", "'12951-08-01'"])
        }
        "timestamp without time zone" => list(&[
            "'-infinity'",
            "'infinity'",
            "'4714-11-24 00:00:00 BC'",
            "'294276-12-31 23:59:59.999999'",
            "'2026-03-29 02:30:00'",
        ]),
        "timestamp with time zone[]" => list(&[
            "'{}'",
            "'{NULL}'",
            "'{-infinity,NULL,infinity}'",
            "'{{2026-01-01 00:00:00+00,2027-01-01 00:00:00+00},{4714-11-24 00:00:00+00 BC,NULL}}'",
        ]),
        "tstzrange[]" => list(&[
            "'{}'",
            "'{NULL}'",
            "'{empty,(\\,),NULL}'",
            "'{{[-infinity\\,2026-01-01 00:00:00+00],empty},{(4714-11-24 00:00:00+00 BC\\,infinity),NULL}}'",
        ]),
        "tstzmultirange" | "uuid_tstzmultirange" => list(&[
            "'{}'",
            "'{(,)}'",
            "'{[-infinity,infinity]}'",
            "'{(,1970-01-01 00:00:00+00],[2026-01-01 00:00:00+00,2026-02-01 00:00:00+00),(2027-01-01 00:00:00+00,)}'",
            "'{[2026-01-01 00:00:00.0005+00,2026-01-01 00:00:00.0005+00]}'",
            "'{[4714-11-24 00:00:00+00 BC,1582-10-15 00:00:00+00),(294276-12-31 23:59:59.999999+00,infinity]}'",
        ]),
        _ => panic!("type {ty}, of an argument of a function, has no edge values here yet"),
    }
}

fn edge_uuids() -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    let mut push = |bits: u128| {
        let uuid = rfc9562::Uuid::from_u128(bits);
        values.push(format!("'{uuid}'"));
    };
    // Nil, max and their neighbours.
    for bits in [0, 1, u128::MAX - 1, u128::MAX] {
        push(bits);
    }
    let with = |bits: u128, version: u128, variant: u128| {
        let clear = !(0xF << 76 | 0xF << 60);
        bits & clear | version << 76 | variant << 60
    };
    for version in 0..16 {
        // The least and the greatest of each version.
        push(with(0, version, 0x8));
        push(with(u128::MAX, version, 0xB));
    }
    for version in [1, 6, 7] {
        for variant in [0x0, 0x7, 0xC, 0xD, 0xE, 0xF] {
            push(with(u128::MAX / 3, version, variant));
        }
    }
    // The first and the second millisecond of 1970 in version 7; 1970 in version 1; both sides of it in version 6.
    for (version, high) in
        [(7, 0xFFF), (7, 1 << 16), (1, 0x1381_4000_1DD2_01B2), (6, 0x1B21_DD21_3814_0000), (6, 0x1B21_DD21_3813_0FFF)]
    {
        push(with(high << 64, version, 8));
    }
    // COMB GUIDs with the last 1/300 s of a day, and with the one after it; before 1970, too.
    for ticks in [0x018b_81ff, 0x018b_8200, 0x018b_8203] {
        push(with(0xae44_0000_0000 + ticks, 4, 8));
        push(with((0xae44_0000_0000 + ticks) << 80, 4, 8));
        push(with(ticks, 4, 8));
    }
    // Namespaces.
    for last in [0, 1, 2, 4] {
        push(0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8 + (last << 96));
    }
    values
}

/// An SQL expression of a random value, another one each time it is evaluated, that also reaches deep: UUIDs of known
/// versions, texts that are nearly right.
fn random_value(ty: &str) -> &'static str {
    match ty {
        "uuid" | "uuid_operand" => "hostile.random_uuid()",
        "timestamp with time zone" => {
            "timestamptz '2000-01-01 00:00:00+00' + interval '1 second' * CASE
                 WHEN random() < 0.5 THEN random() * 9433000000000 - 211813000000 ELSE (random() - 0.2) * 1e12 END"
        }
        "interval" => {
            "make_interval(months => hostile.random_integer(), days => hostile.random_integer(),
                           secs => (random() - 0.5) * 10 ^ (random() * 13)) * (random() ^ 9)"
        }
        "text" => "hostile.random_text()",
        "bytea" => {
            "decode(left(repeat(md5(random()::text), 9), 2 * (random() * CASE WHEN random() < 0.5 THEN 20 ELSE 144 END)::integer), 'hex')"
        }
        "smallint" => "((random() - 0.5) * 65534)::smallint",
        "integer" => "hostile.random_integer()",
        "bigint" => "((random() - 0.3) * 2.0 ^ (random() * 63))::bigint",
        "boolean" => "random() < 0.5",
        "tstzrange" | "uuid_tstzrange" => {
            "CASE WHEN random() < 0.5
                 THEN tstzrange(NULL, to_timestamp(random() * 2e9), (ARRAY['()', '(]'])[1 + (random() * 1)::integer])
                 ELSE tstzrange(to_timestamp(random() * 2e9), to_timestamp((1 + random()) * 2e9), '[]') END"
        }
        "tstzmultirange" | "uuid_tstzmultirange" => {
            "(SELECT range_agg(tstzrange(to_timestamp(random() * 2e9), to_timestamp((1 + random()) * 2e9), '[]'))
              FROM generate_series(1, (random() * 5)::integer))"
        }
        "tstzrange[]" => {
            "ARRAY(SELECT tstzrange(to_timestamp(random() * 2e9), to_timestamp((1 + random()) * 2e9), '(]')
                   FROM generate_series(1, (random() * 5)::integer))"
        }
        "uuid[]" => "ARRAY(SELECT hostile.random_uuid() FROM generate_series(1, (random() * 5)::integer))",
        "text[]" => "ARRAY(SELECT hostile.random_text() FROM generate_series(1, (random() * 5)::integer))",
        "date" => "(date '2000-01-01' + ((random() - 0.3) * 2.0 ^ (random() * 22))::integer)",
        "timestamp without time zone" => "to_timestamp((random() - 0.1) * 2.0 ^ (random() * 40))::timestamp",
        "timestamp with time zone[]" => {
            "ARRAY(SELECT to_timestamp((random() - 0.1) * 2.0 ^ (random() * 40)) FROM generate_series(1, (random() * 5)::integer))"
        }
        _ => panic!("type {ty}, of an argument of a function, has no random values here yet"),
    }
}

/// Without them some functions could only refuse.
const SEAL_KEYS: &str = "
    COPY (VALUES ('1 ' || repeat('01', 32)), ('64 ' || repeat('64', 32))) TO PROGRAM 'umask 077; cat > seal_keys';
    SET uuidrfc.seal_key_file = 'seal_keys'";

const PREPARATION: &str = r"
CREATE SCHEMA hostile;
CREATE TABLE hostile.outcome (signature text, calls bigint, errors bigint, states text[]);
CREATE FUNCTION hostile.random_uuid() RETURNS uuid LANGUAGE sql AS $$
    SELECT CASE WHEN random() < 0.2 THEN bits ELSE
        overlay(overlay(bits PLACING to_hex(1 + (random() * 7)::integer) FROM 13)
                PLACING to_hex(8 + (random() * 3)::integer) FROM 17) END::uuid
    FROM (SELECT md5(random()::text) AS bits) r $$;
CREATE FUNCTION hostile.random_integer() RETURNS integer LANGUAGE sql AS $$
    SELECT ((random() - 0.3) * 2.0 ^ (random() * 31))::integer $$;
CREATE FUNCTION hostile.random_label() RETURNS text LANGUAGE sql AS $$
    SELECT (ARRAY['urn', 'braces', 'hex', 'base32', 'base32hex', 'base58', 'base64url', 'decimal', 'oid', 'dns',
        'url', 'x500', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512_224', 'sha512_256', 'sha3_224', 'sha3_256',
        'sha3_384', 'sha3_512', 'shake128', 'shake256', 'rfc9562', 'draft-02', 'ulid', 'lexicaluuid', 'snowflake',
        'discord', 'mastodon', 'linkedin', 'pgedge', 'flake', 'shardingid', 'ksuid', 'elasticflake', 'flakeid',
        'sonyflake', 'sonyflake-v2', 'ordereduuid', 'combguid-sql', 'combguid-sql-datetime', 'combguid-postgresql',
        'combguid-postgresql-datetime', 'combguid-binary', 'combguid-nhibernate', 'combguid-rtcomb1', 'sid', 'pushid',
        'xid', 'objectid', 'cuid'])[1 + (random() * 52)::integer] $$;
CREATE FUNCTION hostile.random_text() RETURNS text LANGUAGE sql AS $$
    SELECT CASE
        WHEN dice < 0.5 THEN hostile.random_label()
        WHEN dice < 0.7 THEN one
        WHEN dice < 0.9 THEN overlay(one PLACING chr(1 + (random() * 1000)::integer) FROM 1 + (random() * 45)::integer)
        ELSE left(repeat(md5(random()::text) || 'ß€😀', 9), (random() * 300)::integer) END
    FROM (SELECT random() AS dice, uuid_encode(hostile.random_uuid(),
        (ARRAY['urn', 'braces', 'hex', 'base32', 'base32hex', 'base58', 'base64url', 'decimal', 'oid'])
            [1 + (random() * 8)::integer]) AS one) r $$;
";

/// How many combinations of edge values of one function are tried; of more, so many at random.
const COMBINATIONS: usize = 4_000;

/// A DO block that calls the function with each row of `rows`, whose columns are the arguments `a1`, `a2`... An
/// immutable function is called twice, as `again` says, with other settings in between, and must do the same again.
fn block(function: &Function, rows: &str, again: Option<Again>) -> String {
    let first = function.call(&variables(function).join(", "));
    let result = if function.returns_set { "bigint" } else { &function.result };
    let mut repeat = String::new();
    if let Some(Again { statement, again }) = again {
        // With a statement only: settings take longer than most calls.
        let [other_settings, same_settings] = if statement == "NULL" {
            [""; 2]
        } else {
            [
                "PERFORM set_config('TimeZone', 'America/St_Johns', true), set_config('DateStyle', 'German, DMY', true);",
                "PERFORM set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true);",
            ]
        };
        write!(
            repeat,
            "BEGIN statement := {statement}; EXCEPTION WHEN OTHERS THEN RAISE 'of %: %', left(r::text, 500), SQLERRM; END;
             {other_settings}
             BEGIN {again}; EXCEPTION WHEN OTHERS THEN repeated := SQLSTATE; END;
             {same_settings}
             IF y IS DISTINCT FROM x OR state IS DISTINCT FROM repeated THEN
                 RAISE 'of %: % % and then % %', left(r::text, 500), x, state, y, repeated;
             END IF;"
        )
        .expect("a String takes any text");
    }
    format!(
        "DO $hostile$
         DECLARE r record; x {result}; y {result}; state text; repeated text; message text; statement text;
             calls bigint := 0; errors bigint := 0; states text[] := '{{}}';
         BEGIN
             FOR r IN {rows} LOOP
                 x := NULL; y := NULL; state := NULL; repeated := NULL; calls := calls + 1;
                 BEGIN
                     x := {first};
                 EXCEPTION WHEN OTHERS THEN
                     GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
                     errors := errors + 1;
                     -- 0A000: core's, of months in a stride. 55000: in scope backend there is no horizon.
                     IF state NOT LIKE '22%' AND state NOT LIKE '54%' AND state <> '0A000'
                         AND NOT (state = '55000' AND '{signature}' LIKE '%uuidv7_horizon()') THEN
                         RAISE 'of %: % %', left(r::text, 500), state, message;
                     END IF;
                     IF state <> ALL (states) THEN states := states || state; END IF;
                 END;
                 {repeat}
             END LOOP;
             INSERT INTO hostile.outcome VALUES ('{signature}', calls, errors, states);
         END $hostile$",
        signature = function.signature.replace('\'', "''"),
    )
}

/// The edge values and NULL, each with each.
fn edge_rows(function: &Function, server: i32) -> String {
    let mut combinations = 1;
    let mut columns = Vec::new();
    let mut tables = String::new();
    for (n, ty) in (1..).zip(&function.arguments) {
        let values = edge_values(ty, server);
        combinations *= values.len() + 1;
        columns.push(format!("t{n}.v AS a{n}"));
        let values: Vec<String> = values.iter().map(|value| format!("(({value})::{ty})")).collect();
        let comma = if n == 1 { "FROM" } else { "," };
        write!(tables, " {comma} (VALUES (NULL::{ty}), {}) t{n} (v)", values.join(", "))
            .expect("a String takes any text");
    }
    if columns.is_empty() {
        return "SELECT 1".to_owned();
    }
    let part = COMBINATIONS as f64 / combinations as f64;
    let unless = function.unless();
    format!(
        "SELECT * FROM (SELECT {} {tables} WHERE random() < {part}) edges WHERE ({unless}) IS NOT TRUE",
        columns.join(", ")
    )
}

fn random_rows(function: &Function, calls: usize) -> String {
    let columns: Vec<String> =
        (1..).zip(&function.arguments).map(|(n, ty)| format!("{} AS a{n}", random_value(ty))).collect();
    let columns = if columns.is_empty() { "n".to_owned() } else { columns.join(", ") };
    let unless = function.unless();
    format!("SELECT * FROM (SELECT {columns} FROM generate_series(1, {calls}) n OFFSET 0) random WHERE NOT ({unless})")
}

/// How an immutable function is called again.
struct Again {
    /// An expression, evaluated with the settings of the first call.
    statement: String,
    again: String,
}

/// In the same way.
fn with_variables(function: &Function) -> Again {
    let again = format!("y := {}", function.call(&variables(function).join(", ")));
    Again { statement: "NULL".to_owned(), again }
}

/// With constants, which the planner evaluates.
fn with_constants(function: &Function) -> Again {
    // An extreme interval is written as a text that is not read again.
    if function.arguments.is_empty() || function.arguments.iter().any(|ty| ty == "interval") {
        return with_variables(function);
    }
    let places: Vec<String> = function.arguments.iter().map(|ty| format!("%L::{ty}")).collect();
    let statement =
        format!("format('SELECT {}', {})", function.call(&places.join(", ")), variables(function).join(", "));
    Again { statement, again: "EXECUTE statement INTO y".to_owned() }
}

fn variables(function: &Function) -> Vec<String> {
    (1..=function.arguments.len()).map(|n| format!("r.a{n}")).collect()
}

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

/// What the backend holds in memory contexts, in octets.
fn in_contexts(client: &mut Client) -> i64 {
    sql::value(client, "SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts")
}

/// The memory of a process that is its own and in use, in kB, with what no memory context knows of.
fn own_memory(process: i32) -> i64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a running process has a status");
    let own = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a process uses memory");
    own.trim().trim_end_matches(" kB").parse().expect("a number of kB")
}

#[test]
fn no_input_is_an_internal_error_a_crash_or_a_leak() {
    // Autovacuum invalidates what a backend keeps of the catalog, and so changes its memory.
    let cluster = Cluster::started("hostile", &[("shared_preload_libraries", "uuidrfc"), ("autovacuum", "off")]);
    let mut client = cluster.connect();
    let server: i32 = sql::value(&mut client, "SELECT current_setting('server_version_num')::integer");
    let seed = setting("HOSTILE_SEED", "0.9562");
    let calls: usize = setting("HOSTILE_CALLS", "500000").parse().expect("HOSTILE_CALLS is a number");
    sql::run(&mut client, PREPARATION);
    sql::run(&mut client, &format!("SELECT setseed({seed}); SET TimeZone = 'UTC'"));
    sql::run(&mut client, SEAL_KEYS);
    let process: i32 = sql::value(&mut client, "SELECT pg_backend_pid()");
    let functions = functions(&mut client);
    assert!(functions.len() > 50, "{functions:?}");

    let start = Instant::now();
    for function in &functions {
        let again = function.immutable.then(|| with_constants(function));
        sql::run(&mut client, &block(function, &edge_rows(function, server), again));
    }
    progress(&format!("edge values in {:.1?}", start.elapsed()));

    // The first round fills the caches.
    let each = calls / functions.len();
    let mut memory = (0, 0);
    for (round, each) in [each / 10, each].into_iter().enumerate() {
        let start = Instant::now();
        for function in &functions {
            let again = function.immutable.then(|| with_variables(function));
            sql::run(&mut client, &block(function, &random_rows(function, each), again));
        }
        let now = (in_contexts(&mut client), own_memory(process));
        if round == 1 {
            progress(&format!(
                "random values in {:.1?}; memory contexts grew by {} octets, the process by {} kB",
                start.elapsed(),
                now.0 - memory.0,
                now.1 - memory.1
            ));
            assert!(now.0 - memory.0 < 128 * 1024, "octets in memory contexts: {} and then {}", memory.0, now.0);
            // A leak of 16 octets a call would be 8 MB.
            assert!(now.1 - memory.1 < 6 * 1024, "kB of process {process}: {} and then {}", memory.1, now.1);
        }
        memory = now;
    }

    // Generators have another way to go.
    sql::run(&mut client, "SET uuidrfc.monotonic_scope = 'server'");
    for function in functions.iter().filter(|function| !function.immutable) {
        sql::run(&mut client, &block(function, &edge_rows(function, server), None));
        sql::run(&mut client, &block(function, &random_rows(function, each / 10), None));
    }

    let outcome = "SELECT signature, sum(calls)::bigint, sum(errors)::bigint,
            ARRAY(SELECT DISTINCT unnest(s.states) FROM hostile.outcome s WHERE s.signature = o.signature ORDER BY 1)
        FROM hostile.outcome o GROUP BY signature ORDER BY signature COLLATE \"C\"";
    let outcome = sql::rows(&mut client, outcome);
    assert_eq!(outcome.len(), functions.len());
    let mut total = 0;
    for (row, function) in outcome.iter().zip(&functions) {
        let (signature, calls, errors): (String, i64, i64) = (row.get(0), row.get(1), row.get(2));
        let states: Vec<String> = row.get(3);
        progress(&format!("{signature}: {calls} calls, {errors} errors {}", states.join(" ")));
        assert!(calls > 0, "{signature} was not called");
        assert_eq!(signature, function.signature);
        // An error tells of the values it is about.
        assert!(!function.leakproof || errors == 0, "{signature} is labelled leakproof");
        total += calls;
    }
    progress(&format!("{total} calls of {} functions, seed {seed}", functions.len()));
    assert_unharmed(&cluster, &mut client, process);
}

/// A domain is an entrance of its own.
#[test]
fn no_value_of_a_domain_is_an_internal_error() {
    let cluster = Cluster::started("domains", &[]);
    let mut client = cluster.connect();
    let process: i32 = sql::value(&mut client, "SELECT pg_backend_pid()");
    let domains = "SELECT format('%I.%I', n.nspname, t.typname), format_type(t.typbasetype, NULL)
        FROM pg_depend d JOIN pg_type t ON t.oid = d.objid JOIN pg_namespace n ON n.oid = t.typnamespace
        WHERE d.classid = 'pg_type'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
          AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc') AND t.typtype = 'd'";
    let domains = sql::rows(&mut client, domains);
    assert!(!domains.is_empty());
    for row in domains {
        let (domain, base): (String, String) = (row.get(0), row.get(1));
        for value in edge_values(&base, 0) {
            if let Err(error) = client.batch_execute(&format!("SELECT (({value})::{base})::{domain}")) {
                assert_eq!(sql::sqlstate_of(&error).as_deref(), Some("23514"), "{value} to {domain}");
            }
        }
        sql::run(&mut client, &format!("SELECT NULL::{domain}"));
    }
    assert_unharmed(&cluster, &mut client, process);
}

/// Conditions of thousands of levels, AND and OR in turns, are answered, or end with PostgreSQL's own error about its stack.
#[test]
fn deep_conditions_use_up_no_stack() {
    const LEVELS: usize = 2_500;
    let cluster = Cluster::started("deep", &[("shared_preload_libraries", "uuidrfc")]);
    let mut client = cluster.connect();
    let process: i32 = sql::value(&mut client, "SELECT pg_backend_pid()");
    let deep = (0..LEVELS).fold("$2".to_owned(), |inner, level| {
        let combined = if level % 2 == 0 { "OR" } else { "AND" };
        format!("($1 > {level} {combined} {inner})")
    });
    sql::run(
        &mut client,
        &format!(
            "CREATE TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7(), n int); INSERT INTO item (n) VALUES (1), (1000000);
             CREATE FUNCTION deep(int, boolean) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$ SELECT {deep} $$"
        ),
    );
    let mut answered = 0;
    for stack in ["2MB", "6MB"] {
        sql::run(&mut client, &format!("SET max_stack_depth = '{stack}'"));
        for innermost in ["n > 5", "id >= timestamptz '2026-01-01'", "uuidv7_time(id) >= '2026-01-01'"] {
            // PostgreSQL inlines the function, so each call of it is so many levels more.
            let condition = format!("deep(n, deep(n, deep(n, {innermost})))");
            match client.query_one(&format!("SELECT count(*) FROM item WHERE {condition}"), &[]) {
                Ok(row) => {
                    assert_eq!(row.get::<_, i64>(0), 1, "{innermost}, {stack}");
                    answered += 1;
                }
                Err(error) => {
                    assert_eq!(sql::sqlstate_of(&error).as_deref(), Some("54001"), "{innermost}, {stack}: {error}");
                }
            }
        }
    }
    assert!(answered > 0, "no condition was answered");
    assert_unharmed(&cluster, &mut client, process);
}

/// What a statement answers, or its SQLSTATE.
fn answer(client: &mut Client, statement: &str) -> Result<Vec<Option<String>>, String> {
    let messages = client
        .simple_query(statement)
        .map_err(|error| sql::sqlstate_of(&error).unwrap_or_else(|| panic!("{statement}: {error}")))?;
    Ok(messages
        .iter()
        .filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        })
        .flat_map(|row| (0..row.len()).map(|n| row.get(n).map(str::to_owned)))
        .collect())
}

/// Statements whose allocations fail, one at a time or all from one on.
struct Starved<'a> {
    client: &'a mut Client,
    faults: &'a Faults,
    process: i32,
    /// All of the first allocations fail, and some of the others.
    all: i32,
    random: Random,
    failures: usize,
}

impl Starved<'_> {
    /// The statement answers as it does with memory, or there is an error for want of it. `before` runs each time before, with memory;
    /// it is told how often it ran.
    fn run(&mut self, statement: &str, is_repeatable: bool, before: impl Fn(i32) -> String) {
        sql::run(self.client, &before(0));
        let expected = answer(self.client, statement);
        for lasting in [false, true] {
            let mut n = 1;
            loop {
                sql::run(self.client, &before(n));
                if lasting {
                    self.faults.exhaust_memory(self.process, n);
                } else {
                    self.faults.fail_allocation(self.process, n);
                }
                let found = answer(self.client, statement);
                let failed = self.faults.mend();
                match &found {
                    Err(state) if state == "53200" => assert!(failed, "{statement}: no allocation failed"),
                    Err(_) => assert_eq!(found, expected, "{statement}: allocation {n}, lasting: {lasting}"),
                    Ok(_) if is_repeatable => {
                        assert_eq!(found, expected, "{statement}: allocation {n}, lasting: {lasting}");
                    }
                    Ok(_) => assert!(expected.is_ok(), "{statement}: allocation {n}, lasting: {lasting}"),
                }
                if !failed {
                    break;
                }
                self.failures += 1;
                n += if n < self.all { 1 } else { 1 + i32::try_from(self.random.below(50)).expect("a small number") };
            }
        }
    }
}

/// Every function with some of its edge values, those that it refuses among them, and planning with all that the planner's side knows.
#[test]
fn memory_that_is_out_is_an_error() {
    let settings = [("shared_preload_libraries", "uuidrfc"), ("autovacuum", "off"), ("jit", "off")];
    let mut cluster = Cluster::new("hostile-memory", &settings);
    let faults = Faults::in_front_of(&mut cluster);
    cluster.start();
    let mut client = cluster.connect();
    let server: i32 = sql::value(&mut client, "SELECT current_setting('server_version_num')::integer");
    sql::run(&mut client, "CREATE EXTENSION uuidrfc; SET TimeZone = 'UTC'");
    sql::run(&mut client, SEAL_KEYS);
    sql::run(&mut client, PLANNED_TABLES);
    let process: i32 = sql::value(&mut client, "SELECT pg_backend_pid()");
    let functions = functions(&mut client);
    let (all, seed) = (setting("HOSTILE_FAULTS", "200").parse().expect("HOSTILE_FAULTS is a number"), first_seed());
    let mut starved =
        Starved { client: &mut client, faults: &faults, process, all, random: Random::new(seed), failures: 0 };
    // A path that differs has the file read again.
    let another_path =
        |n: i32| format!("SET uuidrfc.seal_key_file = '{}seal_keys'", if n % 2 == 0 { "./" } else { "././" });
    let mut calls = 0;
    for function in &functions {
        let values: Vec<Vec<String>> = function.arguments.iter().map(|ty| edge_values(ty, server)).collect();
        let (mut answered, mut refused) = (0, 0);
        for _ in 0..200 {
            let arguments: Vec<String> = (values.iter().zip(&function.arguments))
                .map(|(values, ty)| format!("({})::{ty}", starved.random.pick(values)))
                .collect();
            let unless = arguments.first().map_or("false".to_owned(), |first| function.unless().replace("a1", first));
            let statement = format!(
                "SET LOCAL statement_timeout = '200ms'; SELECT {} WHERE NOT ({unless})",
                function.call(&arguments.join(", "))
            );
            let counted = match answer(starved.client, &format!("BEGIN; {statement}; COMMIT")) {
                Ok(_) => &mut answered,
                Err(state) => {
                    sql::run(starved.client, "ROLLBACK");
                    if state == "57014" {
                        continue;
                    }
                    &mut refused
                }
            };
            if *counted < 3 {
                *counted += 1;
                calls += 1;
                let statement = format!("SELECT {} WHERE NOT ({unless})", function.call(&arguments.join(", ")));
                starved.run(&statement, function.immutable, another_path);
            }
            if answered == 3 && refused == 3 || function.arguments.is_empty() {
                break;
            }
        }
        assert!(answered + refused > 0, "{} was not called", function.signature);
    }
    progress(&format!(
        "{calls} calls of {} functions, {} failed allocations, seed {seed}",
        functions.len(),
        starved.failures
    ));
    starved.failures = 0;
    for question in PLANNED {
        for statement in [format!("EXPLAIN (COSTS OFF) {question}"), (*question).to_owned()] {
            starved.run(&statement, true, another_path);
        }
    }
    progress(&format!("{} questions, {} failed allocations", PLANNED.len(), starved.failures));
    assert_unharmed(&cluster, &mut client, process);
}

/// Rows of all versions, in a table, its partitions and behind views.
const PLANNED_TABLES: &str = "
    CREATE TABLE item (id uuid PRIMARY KEY, n int);
    INSERT INTO item SELECT uuidv7_at(timestamptz '2026-01-01 00:00:00+00' + n * interval '1 hour'), n FROM generate_series(1, 1000) n;
    INSERT INTO item VALUES (nil_uuid(), 0), ('919108f7-52d1-4320-9bac-f847db4148a8', -1);
    CREATE TABLE mixed (id uuid, at timestamptz);
    CREATE INDEX ON mixed (id uuid_time_ops);
    INSERT INTO mixed SELECT uuidv6_at(at), at FROM generate_series(timestamptz '2026-01-01 00:00:00+00', '2026-01-10 00:00:00+00', '1 hour') at;
    CREATE TABLE typed (id uuid_v7 PRIMARY KEY DEFAULT uuidv7(), n int);
    INSERT INTO typed SELECT id, n FROM item WHERE uuid_extract_version(id) = 7;
    CREATE TABLE parted (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO ('019b9000-0000-7000-8000-000000000000');
    CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM ('019b9000-0000-7000-8000-000000000000') TO (MAXVALUE);
    INSERT INTO parted SELECT * FROM item;
    CREATE VIEW created AS SELECT id, uuidv7_time(id) AS created_at, n FROM item;
    CREATE VIEW both_created AS SELECT uuidv7_time(id) AS created_at, id, n FROM item UNION ALL SELECT uuidv7_time(id), id, n FROM parted;
    CREATE VIEW shown AS SELECT uuid_seal(id) AS id, typeid_encode('item', id) AS typeid, n FROM item WHERE n > 0;
    ANALYZE item, mixed, typed, parted";

/// A question for each form of condition that the documentation shows.
const PLANNED: &[&str] = &[
    "SELECT count(*) FROM item WHERE id >= timestamptz '2026-01-05 00:00:00+00'",
    "SELECT count(*) FROM item WHERE timestamptz '2026-01-05 00:00:00+00' > id AND id > '2026-01-02 00:00:00+00'::timestamptz",
    "SELECT count(*) FROM item WHERE id >= (SELECT timestamptz '2026-01-05 00:00:00+00')",
    "SELECT count(*) FROM item WHERE id <@ tstzrange('2026-01-02 00:00:00+00', '2026-01-05 00:00:00+00')",
    "SELECT count(*) FROM item, (VALUES (tstzrange('2026-01-02 00:00:00+00', '2026-01-05 00:00:00+00'))) v (r) WHERE id <@ r",
    "SELECT count(*) FROM item WHERE id <@ tstzmultirange(tstzrange('2026-01-02 00:00:00+00', '2026-01-05 00:00:00+00'))",
    "SELECT count(*) FROM item WHERE id <@ ANY (ARRAY[tstzrange('2026-01-02 00:00:00+00', '2026-01-05 00:00:00+00'), 'empty'])",
    "SELECT count(*) FROM item WHERE id < ANY (ARRAY['2026-01-02 00:00:00+00', '2026-01-05 00:00:00+00']::timestamptz[])",
    "SELECT count(*) FROM item WHERE uuidv7_time(id) BETWEEN '2026-01-02 00:00:00+00' AND '2026-01-05 00:00:00+00'",
    "SELECT count(*) FROM item WHERE uuidv7_time(id) > date '2026-01-05' OR uuidv7_time(id) = timestamptz '2026-01-02 00:00:00+00'",
    "SELECT count(*) FROM item WHERE uuid_extract_time(id) >= timestamp '2026-01-05 00:00:00'",
    "SELECT count(*) FROM item WHERE uuid_extract_time_us(id) < '2026-01-05 00:00:00+00'",
    "SELECT count(*) FROM created WHERE created_at <@ tstzrange('2026-01-02 00:00:00+00', '2026-01-05 00:00:00+00')",
    "SELECT count(*) FROM created WHERE created_at IN ('2026-01-02 00:00:00+00', '2026-01-05 00:00:00+00', '2026-01-09 00:00:00+00')",
    "SELECT count(*) FROM created WHERE created_at IS NULL",
    "SELECT n FROM created WHERE created_at < '2026-01-05 00:00:00+00' ORDER BY created_at DESC LIMIT 5",
    "SELECT n FROM created WHERE created_at IS NOT NULL ORDER BY created_at DESC NULLS LAST, id LIMIT 5",
    "SELECT n FROM created WHERE (created_at, id) < ('2026-01-05 00:00:00+00', max_uuid()) ORDER BY created_at DESC, id DESC LIMIT 5",
    "SELECT min(created_at), max(created_at) FROM created WHERE created_at > '2026-01-05 00:00:00+00'",
    "SELECT count(*) FROM both_created WHERE created_at >= '2026-01-05 00:00:00+00'",
    "SELECT n FROM both_created WHERE created_at >= '2026-01-05 00:00:00+00' ORDER BY created_at LIMIT 3",
    "SELECT count(*) FROM parted WHERE id >= timestamptz '2026-01-07 00:00:00+00'",
    "SELECT count(*) FROM typed WHERE uuidv7_time(id) >= '2026-01-07 00:00:00+00'",
    "SELECT n FROM typed ORDER BY uuidv7_time(id) DESC LIMIT 5",
    "SELECT count(*) FROM typed t JOIN created c ON uuidv7_time(t.id) = c.created_at",
    "SELECT count(*) FROM created a LEFT JOIN created b ON b.created_at > a.created_at AND b.created_at < a.created_at + interval '1 minute' WHERE a.n < 5",
    "SELECT count(*) FROM mixed WHERE id ~>=~ timestamptz '2026-01-05 00:00:00+00'",
    "SELECT count(*) FROM mixed m JOIN item i ON i.id ~<~ m.id WHERE i.n < 3",
    "SELECT n FROM shown WHERE id = (SELECT uuid_seal(id) FROM item WHERE n = 7)",
    "SELECT n FROM shown WHERE id = ANY (ARRAY(SELECT uuid_seal(id) FROM item WHERE n BETWEEN 7 AND 9))",
    "SELECT n FROM shown WHERE id IN ('919108f7-52d1-4320-9bac-f847db4148a8', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')",
    "SELECT n FROM item WHERE uuid_seal(id, decode(repeat('2a', 32), 'hex')) = '919108f7-52d1-4320-9bac-f847db4148a8' AND n > 0",
    "SELECT n FROM shown WHERE typeid = 'item_01h455vb4pex5vsknk084sn02q'",
    "SELECT n FROM shown WHERE typeid = ANY (ARRAY['item_01h455vb4pex5vsknk084sn02q', 'x', NULL])",
    "SELECT min(id), max(id) FROM item",
];

#[track_caller]
fn assert_unharmed(cluster: &Cluster, client: &mut Client, process: i32) {
    assert_eq!(sql::value::<i32>(client, "SELECT pg_backend_pid()"), process);
    let log = cluster.log();
    for harm in ["terminated by signal", "PANIC", "panicked", "not properly shut down"] {
        assert!(!log.contains(harm), "the server's log has \"{harm}\"");
    }
}
