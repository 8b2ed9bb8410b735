//! The relations of a case: the storage of its rows, and their indexes.

use std::collections::BTreeSet;

use server_tests::oracle;
use server_tests::random::Random;

use super::data::{Kind, Row, Times};

/// The relation `t` of a case, with the columns `k` and `dev` and the UUID in [`Schema::id`]. The rows come from a table `data (k,
/// dev, id)`.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The storage and indexes, as shown in a report.
    pub name: String,
    pub family: &'static str,
    pub statements: Vec<String>,
    /// The expression for the UUID.
    pub id: String,
    pub time_function: &'static str,
    /// The column with the UUID's time, if there is one.
    pub time_column: Option<&'static str>,
    pub only_version_7: bool,
    /// Whether UPDATE and DELETE are possible.
    pub writable: bool,
    /// The `dev` of rows that queries do not see.
    pub hidden_dev: Option<i32>,
    /// Statements executed before a query, in its transaction.
    pub before_query: &'static str,
    /// Statements after which a foreign server does not rewrite the query's conditions.
    pub without_rewriting: &'static str,
    /// Whether only conditions with constants must be planned like those with UUIDs.
    pub constants_only: bool,
    pub distinct: bool,
    pub nullable: bool,
}

impl Schema {
    /// Returns the expression for the UUID's time.
    pub fn time(&self) -> String {
        match self.time_column {
            Some(column) => column.to_owned(),
            None => format!("{}({})", self.time_function, self.id),
        }
    }

    pub fn reads_micros(&self) -> bool {
        self.time_function == "uuid_extract_time_us"
    }

    pub fn shows(&self, row: &Row) -> bool {
        self.hidden_dev != Some(row.dev)
    }
}

const FAMILIES: [&str; 14] = [
    "table",
    "table",
    "table",
    "table of a domain",
    "documents",
    "partitions by range",
    "partitions by range",
    "partitions of partitions",
    "partitions by an expression",
    "inheritance",
    "UNION ALL",
    "security barrier view",
    "row-level security",
    "foreign table",
];

/// The expression for the UUID inside a document.
const DOCUMENT_ID: &str = "((d->>'id')::uuid)";

struct Maker<'a> {
    random: &'a mut Random,
    times: &'a Times,
    extensions: Extensions,
    statements: Vec<String>,
    distinct: bool,
    nullable: bool,
}

/// The extensions and foreign servers that a schema may use.
#[derive(Clone, Copy, Debug)]
pub struct Extensions {
    pub btree_gist: bool,
    /// Whether the foreign servers `loopback` and `informed` exist. Both are this server; only `informed` declares that it has the
    /// extension.
    pub loopback: bool,
}

pub fn make(random: &mut Random, times: &Times, extensions: Extensions) -> Schema {
    let distinct = random.percent(50);
    let nullable = !distinct && random.percent(40);
    let kind = random.below(14);
    let mut maker = Maker { random, times, extensions, statements: Vec::new(), distinct, nullable };
    let mut schema = Schema {
        family: FAMILIES[kind],
        id: "id".to_owned(),
        time_function: "uuidv7_time",
        writable: true,
        distinct,
        nullable,
        ..Schema::default()
    };
    schema.name = match kind {
        0..=2 => maker.heap("t", "uuid"),
        3 => {
            let domain = *maker.random.pick(&["uuid", "uuid_v7"]);
            maker.run(format!("CREATE DOMAIN stamp AS {domain}"));
            if domain == "uuid_v7" {
                schema.only_version_7 = true;
                schema.time_function = maker.random.pick(&["uuidv7_time", "uuid_extract_time", "uuid_extract_time_us"]);
            }
            format!("{}, of a domain over {domain}", maker.heap("t", "stamp"))
        }
        4 => {
            schema.id = DOCUMENT_ID.to_owned();
            maker.documents()
        }
        5 | 6 => maker.by_range("t"),
        7 => maker.by_another_column(),
        8 => {
            schema.id = DOCUMENT_ID.to_owned();
            maker.by_expression()
        }
        9 => maker.inheritance(),
        10 => {
            schema.writable = false;
            let (first, second) = (maker.by_range("p"), maker.heap("h", "uuid"));
            // Each row is left in one of the tables.
            maker.run("DELETE FROM p WHERE k % 2 = 0");
            maker.run("DELETE FROM h WHERE k % 2 = 1");
            let (made, beyond, kind) = match maker.random.below(3) {
                0 => ("", "", "UNION ALL"),
                // PostgreSQL plans a part with its own condition separately.
                1 => ("", " WHERE dev < 1000", "UNION ALL with conditions"),
                _ => (", uuidv7_time(id) AS made", "", "UNION ALL with the time"),
            };
            schema.time_column = (!made.is_empty()).then_some("made");
            let part = |table: &str| format!("SELECT k, dev, id{made} FROM {table}{beyond}");
            maker.run(format!("CREATE VIEW t AS {} UNION ALL {}", part("p"), part("h")));
            format!("{kind} of {first} and {second}")
        }
        11 => {
            schema.hidden_dev = Some(3);
            let below = if maker.random.percent(50) { maker.heap("b", "uuid") } else { maker.by_range("b") };
            maker.run("CREATE VIEW t WITH (security_barrier) AS SELECT * FROM b WHERE dev <> 3");
            format!("security barrier view of {below}")
        }
        12 => {
            schema.hidden_dev = Some(3);
            schema.before_query = "SET LOCAL ROLE reader";
            let below = if maker.random.percent(50) { maker.heap("t", "uuid") } else { maker.by_range("t") };
            maker.run("ALTER TABLE t ENABLE ROW LEVEL SECURITY");
            maker.run("CREATE POLICY shown ON t USING (dev <> 3)");
            maker.run("GRANT USAGE ON SCHEMA difference TO reader");
            maker.run("GRANT ALL ON ALL TABLES IN SCHEMA difference TO reader");
            format!("policy on {below}")
        }
        _ if extensions.loopback => {
            let below = maker.heap("f", "uuid");
            maker.run("CREATE SCHEMA elsewhere");
            maker.run("ALTER TABLE f SET SCHEMA elsewhere");
            schema.constants_only = maker.random.percent(50);
            let server = if schema.constants_only { "loopback" } else { "informed" };
            if !schema.constants_only {
                schema.without_rewriting = "ALTER SERVER informed OPTIONS (DROP extensions)";
            }
            maker.run(format!(
                "CREATE FOREIGN TABLE t (k int, dev int, id uuid) SERVER {server}
                     OPTIONS (schema_name 'elsewhere', table_name 'f')"
            ));
            schema.writable = false;
            format!("foreign table of {below}")
        }
        _ => maker.by_range("t"),
    };
    let (is_table, percent) = (matches!(kind, 0..=2 | 5..=7 | 9), maker.random.below(100));
    match percent {
        0..50 if is_table => {
            let check = *maker.random.pick(&[
                "id IS NULL OR uuidv7_time(id) IS NOT NULL",
                "id IS NULL OR uuid_extract_version(id) IS NOT DISTINCT FROM 7 AND k IS NOT NULL",
            ]);
            maker.run(format!("ALTER TABLE t ADD CHECK ({check})"));
            schema.only_version_7 = true;
            // A window rounded to whole milliseconds may extend into another partition, so only plain tables read microseconds.
            let functions = ["uuidv7_time", "uuid_extract_time", "uuid_extract_time_us"];
            schema.time_function = maker.random.pick(&functions[..if kind < 3 { 3 } else { 2 }]);
            schema.name.push_str(", checked");
        }
        // A NOT VALID constraint proves nothing about the existing rows.
        50..60 if is_table => {
            maker.run("ALTER TABLE t ADD CHECK (uuidv7_time(id) IS NOT NULL) NOT VALID");
            schema.writable = false;
        }
        _ => {}
    }
    if maker.random.percent(70) {
        maker.run("ANALYZE");
    }
    schema.statements = maker.statements;
    schema
}

impl Maker<'_> {
    fn run(&mut self, statement: impl Into<String>) {
        self.statements.push(statement.into());
    }

    /// Returns a UUID for a bound: the floor of a time, or any UUID except the Nil UUID.
    fn bound(&mut self) -> u128 {
        if self.random.percent(50) {
            oracle::floor(self.times.anchor(self.random))
        } else {
            let kind = *self.random.pick(&[Kind::Burst, Kind::Any]);
            self.times.uuid(self.random, kind).max(1)
        }
    }

    /// Returns at most `count` distinct UUIDs as literals, in ascending order.
    fn bounds(&mut self, count: usize) -> Vec<String> {
        let bounds: BTreeSet<u128> = (0..count).map(|_| self.bound()).collect();
        bounds.into_iter().map(|bound| format!("'{}'", oracle::text(bound))).collect()
    }

    fn heap(&mut self, table: &str, uuid: &str) -> String {
        // Few rows fit on a page, so that block ranges matter.
        self.run(format!("CREATE TABLE {table} (k int, dev int, id {uuid}, pad text) WITH (fillfactor = 10)"));
        let ordered = if self.random.percent(50) { " ORDER BY id" } else { "" };
        self.run(format!("INSERT INTO {table} SELECT k, dev, id, repeat('x', 60) FROM data{ordered}"));
        let indexes = self.indexes(table, "id", self.distinct);
        format!("table with {indexes}")
    }

    /// Creates a table of documents that contain the UUIDs, with indexes on [`DOCUMENT_ID`].
    fn documents(&mut self) -> String {
        self.run("CREATE TABLE t (k int, dev int, d jsonb)");
        self.run("INSERT INTO t SELECT k, dev, jsonb_build_object('id', id) FROM data");
        let indexes = self.indexes("t", DOCUMENT_ID, false);
        format!("documents with {indexes}")
    }

    fn indexes(&mut self, table: &str, id: &str, unique: bool) -> String {
        let mut names = BTreeSet::new();
        if unique && self.random.percent(60) {
            self.run(format!("ALTER TABLE {table} ADD PRIMARY KEY ({id})"));
            names.insert("a primary key");
        }
        for _ in 0..self.random.below(4) {
            let (kind, definition) = self.index(id);
            self.run(format!("CREATE INDEX ON {table} {definition}"));
            names.insert(kind);
        }
        if names.is_empty() { "no index".to_owned() } else { Vec::from_iter(names).join(", ") }
    }

    fn index(&mut self, id: &str) -> (&'static str, String) {
        let time = self.times.near(self.random);
        let uuid = oracle::text(self.bound());
        let comparison = *self.random.pick(&["<", "<=", ">=", ">"]);
        let pages = self.random.between(1, 4);
        match self.random.below(12) {
            0 | 1 => ("btree", format!("({id})")),
            2 => ("btree descending", format!("({id} DESC)")),
            3 => ("btree (dev, id, k)", format!("(dev, {id}, k)")),
            4 => ("partial index of a time", format!("({id}) WHERE {id} {comparison} timestamptz '{time}'")),
            5 => ("partial index of a UUID", format!("({id}) WHERE {id} {comparison} uuid '{uuid}'")),
            6 => ("partial index on k of a time", format!("(k) WHERE {id} {comparison} timestamptz '{time}'")),
            7 => ("BRIN", format!("USING brin ({id} uuid_minmax_ops) WITH (pages_per_range = {pages})")),
            8 => ("BRIN multi", format!("USING brin ({id} uuid_minmax_multi_ops) WITH (pages_per_range = {pages})")),
            9 => ("uuid_time_ops", format!("({id} uuid_time_ops)")),
            10 if self.extensions.btree_gist => ("GiST", format!("USING gist ({id})")),
            _ => ("btree (id, dev)", format!("({id}, dev)")),
        }
    }

    /// Creates partitions by ranges of a key, sometimes with gaps, and a DEFAULT partition. Without that, the partitions are in
    /// order.
    fn ranges(&mut self, parent: &str, id: &str) {
        let count = 2 + self.random.below(7);
        let bounds = self.bounds(count);
        let whole = !self.nullable && self.random.percent(60);
        let by_time = self.random.percent(50);
        let open = whole || self.random.percent(30);
        let mut from = if open { "MINVALUE" } else { &bounds[0] };
        for (n, to) in bounds.iter().enumerate().skip(usize::from(!open)) {
            if whole || self.random.percent(90) {
                self.run(format!("CREATE TABLE {parent}_{n} PARTITION OF {parent} FOR VALUES FROM ({from}) TO ({to})"));
                if by_time {
                    self.run(format!("CREATE INDEX ON {parent}_{n} (uuidv7_time({id}), dev)"));
                }
            }
            from = to;
        }
        if whole || open && self.random.percent(50) {
            self.run(format!(
                "CREATE TABLE {parent}_last PARTITION OF {parent} FOR VALUES FROM ({from}) TO (MAXVALUE)"
            ));
        }
        if !whole {
            self.run(format!("CREATE TABLE {parent}_rest PARTITION OF {parent} DEFAULT"));
        }
    }

    fn by_range(&mut self, table: &str) -> String {
        let second = self.random.percent(20);
        let key = if second { "id, dev" } else { "id" };
        self.run(format!("CREATE TABLE {table} (k int, dev int, id uuid) PARTITION BY RANGE ({key})"));
        if second {
            let bounds = self.bounds(4);
            for (n, (from, to)) in bounds.iter().zip(&bounds[1..]).enumerate() {
                self.run(format!(
                    "CREATE TABLE {table}_{n} PARTITION OF {table} FOR VALUES FROM ({from}, 4) TO ({to}, 4)"
                ));
            }
            self.run(format!("CREATE TABLE {table}_rest PARTITION OF {table} DEFAULT"));
        } else {
            self.ranges(table, "id");
        }
        self.run(format!("INSERT INTO {table} SELECT k, dev, id FROM data"));
        let indexes = self.indexes(table, "id", self.distinct && !second);
        format!("partitions by range ({key}) with {indexes}")
    }

    /// Creates a table partitioned by device or by hash, with some of the partitions subpartitioned by range.
    fn by_another_column(&mut self) -> String {
        let method = *self.random.pick(&["LIST (dev)", "HASH (dev)", "HASH (id)"]);
        self.run(format!("CREATE TABLE t (k int, dev int, id uuid) PARTITION BY {method}"));
        for n in 0..3 {
            let values = match method {
                "LIST (dev)" => format!("FOR VALUES IN ({}, {})", n * 2, n * 2 + 1),
                _ => format!("FOR VALUES WITH (MODULUS 3, REMAINDER {n})"),
            };
            let again = self.random.percent(70);
            let below = if again { "PARTITION BY RANGE (id)" } else { "" };
            self.run(format!("CREATE TABLE t_{n} PARTITION OF t {values} {below}"));
            if again {
                self.ranges(&format!("t_{n}"), "id");
            }
        }
        if method == "LIST (dev)" {
            self.run("CREATE TABLE t_rest PARTITION OF t DEFAULT");
        }
        self.run("INSERT INTO t SELECT k, dev, id FROM data");
        let indexes = self.indexes("t", "id", false);
        format!("partitions by {method}, then by range, with {indexes}")
    }

    fn by_expression(&mut self) -> String {
        self.run(format!("CREATE TABLE t (k int, dev int, d jsonb) PARTITION BY RANGE ({DOCUMENT_ID})"));
        self.ranges("t", DOCUMENT_ID);
        self.run("INSERT INTO t SELECT k, dev, jsonb_build_object('id', id) FROM data");
        let indexes = self.indexes("t", DOCUMENT_ID, false);
        format!("partitions by an expression with {indexes}")
    }

    fn inheritance(&mut self) -> String {
        self.run("CREATE TABLE t (k int, dev int, id uuid)");
        let count = 2 + self.random.below(5);
        let bounds = self.bounds(count);
        for (n, (from, to)) in bounds.iter().zip(&bounds[1..]).enumerate() {
            let inside = format!("id >= uuid {from} AND id < uuid {to}");
            self.run(format!("CREATE TABLE t_{n} (CHECK ({inside})) INHERITS (t)"));
            self.run(format!("INSERT INTO t_{n} SELECT k, dev, id FROM data WHERE {inside}"));
        }
        let (first, last) = (&bounds[0], &bounds[bounds.len() - 1]);
        let inside = format!("id >= uuid {first} AND id < uuid {last}");
        self.run(format!("INSERT INTO t SELECT k, dev, id FROM data WHERE ({inside}) IS NOT true"));
        let names: BTreeSet<String> =
            (1..bounds.len()).map(|n| self.indexes(&format!("t_{}", n - 1), "id", self.distinct)).collect();
        let names = Vec::from_iter(names);
        format!("inheritance with {}", names.join(", "))
    }
}
