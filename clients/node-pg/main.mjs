// node-pg. The connection's parameters are libpq's variables. The tables are those of ../setup.sql.
import assert from "node:assert/strict";
import pg from "pg";
import { end, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";

const client = new pg.Client();
await client.connect();

// Insert a row, and read it.
const tea = (await client.query("INSERT INTO item (name) VALUES ($1) RETURNING id", ["tea"])).rows[0];
assert.deepEqual((await client.query("SELECT name FROM item WHERE id = $1", [tea.id])).rows, [{ name: "tea" }]);
const more = await client.query("INSERT INTO item (name) SELECT unnest($1::text[]) RETURNING id", [["a", "b", "c"]]);
verifyInserted(tea, more.rows);

// Find the rows created between two times.
const times = [start, end];
const { rows } = await client.query({
  name: "items-between",
  text: "SELECT id, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) < $2 ORDER BY id",
  values: times,
});
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].created_at, times[0]);
const view = await client.query("SELECT id FROM item_v WHERE created_at >= $1 AND created_at < $2", times);
assert.equal(view.rowCount, 288);
// Here PostgreSQL infers that the parameter is a UUID.
await assert.rejects(client.query("SELECT id FROM item WHERE id >= $1 AND id < $2", times), {
  code: "22P02",
  message: 'invalid input syntax for type uuid: "2026-01-02T00:00:00.000+00:00"',
});
const cast = await client.query("SELECT id FROM item WHERE id >= $1::timestamptz AND id < $2::timestamptz", times);
assert.equal(cast.rowCount, 288);
console.log("created");

// Read the newest twenty rows.
const newest = await client.query("SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20");
verifyNewest(newest.rows, more.rows);

// Generate keys before their rows exist.
const [parent, ...children] = (await client.query("SELECT uuidv7_array($1::int) AS ids", [3])).rows[0].ids;
await client.query("INSERT INTO item (id, name) VALUES ($1, 'parent')", [parent]);
await client.query("INSERT INTO item (id, name) SELECT unnest($1::uuid[]), $2", [children, parent]);
const made = await client.query("SELECT name FROM item WHERE id = ANY($1) AND name = $2", [children, parent]);
verifyAhead(parent, children, made.rowCount);

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
async function feed(last) {
  const next = "SELECT id, name FROM item WHERE id > $1 AND id < uuidv7_horizon() ORDER BY id LIMIT 1000";
  return (await client.query(next, [last])).rows;
}
verifyFeed(await feed(parent), children);

// A column of the domain is returned as a UUID, but the driver does not know arrays of the domain.
await client.query("INSERT INTO visit VALUES ($1)", [parent]);
assert.equal((await client.query("SELECT array_agg(id) AS ids FROM visit")).rows[0].ids, `{${parent}}`);
assert.deepEqual((await client.query("SELECT array_agg(id)::uuid[] AS ids FROM visit")).rows[0].ids, [parent]);
console.log("domain");

await client.end();
