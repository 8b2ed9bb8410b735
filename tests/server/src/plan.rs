//! Plans as `EXPLAIN (FORMAT JSON)` shows them.

use std::collections::BTreeMap;

use postgres::Client;
use serde_json::Value;

#[derive(Debug)]
pub struct Plan(pub Value);

/// The scans of one relation in a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether at least one scan was executed or, if the statement was only planned, may be.
    pub executed: bool,
    pub sequential: bool,
    /// Whether at least one scan has an index condition, or uses a partial index for its predicate.
    pub by_condition: bool,
}

impl Plan {
    /// Returns the plan that the statements print.
    #[track_caller]
    pub fn from_statements(client: &mut Client, statements: &str) -> Plan {
        let rows = crate::sql::texts(client, statements).unwrap_or_else(|error| panic!("{statements}\n{error:?}"));
        let lines: Vec<&str> = rows.iter().filter_map(|row| row.get(0)).collect();
        Plan::read(&lines.join("\n"))
    }

    pub fn read(json: &str) -> Plan {
        let value: Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}\n{error}"));
        Plan(value[0]["Plan"].clone())
    }

    /// Returns the number of rows that the planner expects.
    pub fn rows(&self) -> f64 {
        self.0["Plan Rows"].as_f64().expect("a plan with costs shows the expected number of rows")
    }

    /// Returns the actual number of rows of a plan that was executed once.
    pub fn actual_rows(&self) -> f64 {
        self.0["Actual Rows"].as_f64().expect("an executed plan shows the actual number of rows")
    }

    /// Returns how the plan accesses each relation, by the relation's name.
    pub fn accesses(&self) -> BTreeMap<String, Access> {
        let mut accesses = BTreeMap::new();
        collect(&self.0, &mut accesses);
        accesses
    }

    /// Returns the values of one property in all nodes, in the order of the plan.
    pub fn all(&self, property: &str) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.0, &mut |node| found.extend(text_of(&node[property])));
        found
    }
}

fn text_of(property: &Value) -> Option<String> {
    match property {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn walk(node: &Value, visit: &mut impl FnMut(&Value)) {
    visit(node);
    for child in node["Plans"].as_array().into_iter().flatten() {
        walk(child, visit);
    }
}

fn is_executed(node: &Value) -> bool {
    node["Actual Loops"].as_f64() != Some(0.0)
}

fn collect(node: &Value, accesses: &mut BTreeMap<String, Access>) {
    if let Some(relation) = node["Relation Name"].as_str()
        && node["Node Type"] != "ModifyTable"
    {
        let access = accesses.entry(relation.to_owned()).or_default();
        access.executed |= is_executed(node);
        access.sequential |= node["Node Type"] == "Seq Scan" && is_executed(node);
        walk(node, &mut |below| {
            // Queries have no condition on `k`, so an index on `k` is useful only for its predicate.
            let is_partial = below["Index Name"].as_str().is_some_and(|name| name.contains("_k_idx"));
            access.by_condition |= !below["Index Cond"].is_null() || is_partial;
        });
    }
    for child in node["Plans"].as_array().into_iter().flatten() {
        collect(child, accesses);
    }
}
