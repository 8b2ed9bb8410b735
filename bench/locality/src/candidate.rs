//! The kinds of key that are compared.
//!
//! Every table is `(id, created)`. A row's time is drawn evenly from its share of one year. So keys that carry a time
//! ascend as in real use, a row every few seconds. For keys without a time, `created` has it.

/// A kind of key with its index, and the questions it can answer.
pub struct Candidate {
    /// In tables and charts.
    pub name: &'static str,
    /// The column's definition.
    pub column: &'static str,
    /// The column, and operator class, of the unique index.
    pub index: &'static str,
    /// The key of a row with time `t`, in SQL; none if the column makes it.
    pub key: Option<&'static str>,
    /// What the index knows about the time.
    pub order: Order,
}

/// What an index knows about the time of its keys.
pub enum Order {
    /// Nothing: the newest rows and those of a day are found by `created`, without an index.
    None,
    /// The order, but not the time.
    Sequence,
    /// A version 6 is compared with the smallest of an instant.
    Version6,
    /// A version 7 is compared with the time.
    Version7,
    /// `uuid_time_ops`.
    TimeOps,
}

/// Seconds since 1970.
pub type Seconds = u64;

/// 2025-01-01 00:00:00 UTC; the rows' times lie in the year that begins here.
pub const YEAR_START: Seconds = 1_735_689_600;
/// Its length.
pub const YEAR: Seconds = 365 * DAY;
/// A day.
pub const DAY: Seconds = 86_400;

const VERSION_1: &str = "uuid_v6_to_v1(uuidv6_at(t))";
const TENTH_VERSION_4: &str = "CASE WHEN i % 10 = 0 THEN uuidv4() ELSE uuidv7_at(t) END";

/// All of them, in the order of the tables.
pub const CANDIDATES: [Candidate; 8] = [
    Candidate {
        name: "bigint identity",
        column: "bigint GENERATED ALWAYS AS IDENTITY",
        index: "id",
        key: None,
        order: Order::Sequence,
    },
    Candidate { name: "v4", column: "uuid", index: "id", key: Some("uuidv4()"), order: Order::None },
    Candidate { name: "v1, core's class", column: "uuid", index: "id", key: Some(VERSION_1), order: Order::None },
    Candidate {
        name: "v1, uuid_time_ops",
        column: "uuid",
        index: "id uuid_time_ops",
        key: Some(VERSION_1),
        order: Order::TimeOps,
    },
    Candidate { name: "v6", column: "uuid", index: "id", key: Some("uuidv6_at(t)"), order: Order::Version6 },
    Candidate { name: "v7", column: "uuid", index: "id", key: Some("uuidv7_at(t)"), order: Order::Version7 },
    Candidate { name: "v7 + 10 % v4", column: "uuid", index: "id", key: Some(TENTH_VERSION_4), order: Order::None },
    Candidate {
        name: "v7 + 10 % v4, uuid_time_ops",
        column: "uuid",
        index: "id uuid_time_ops",
        key: Some(TENTH_VERSION_4),
        order: Order::TimeOps,
    },
];

impl Candidate {
    /// Inserts the rows `first..=last` of `rows`.
    pub fn insert(&self, first: u32, last: u32, rows: u32) -> String {
        let (columns, values) = match self.key {
            Some(key) => ("id, created", format!("{key}, t")),
            None => ("created", "t".to_owned()),
        };
        format!(
            "INSERT INTO keys ({columns}) SELECT {values} FROM (
                 SELECT i, to_timestamp({YEAR_START}) + (i - random()) / {rows} * interval '{YEAR} seconds' AS t
                 FROM generate_series({first}, {last}) i OFFSET 0) times"
        )
    }

    /// The hundred newest rows.
    pub fn newest(&self) -> String {
        let order = match self.order {
            Order::None => "created DESC",
            Order::Sequence | Order::Version6 | Order::Version7 => "id DESC",
            Order::TimeOps => "id USING ~>~",
        };
        format!("SELECT id, created FROM keys ORDER BY {order} LIMIT 100")
    }

    /// The rows of the day that begins at this time.
    pub fn of_day(&self, start: Seconds) -> String {
        let (first, end) = (format!("to_timestamp({start})"), format!("to_timestamp({})", start + DAY));
        let condition = match self.order {
            Order::None | Order::Sequence => format!("created >= {first} AND created < {end}"),
            Order::Version6 => format!("id >= uuidv6_floor({first}) AND id < uuidv6_floor({end})"),
            Order::Version7 => format!("id >= {first} AND id < {end}"),
            Order::TimeOps => format!("id ~>=~ {first} AND id ~<~ {end}"),
        };
        format!("SELECT count(*), max(created) FROM keys WHERE {condition}")
    }
}
