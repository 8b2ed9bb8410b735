// postgres.js. The connection's parameters are libpq's variables.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import postgres from "postgres";

const sql = postgres();

await sql`CREATE EXTENSION uuidrfc`;
await sql`CREATE TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7(), name text NOT NULL)`;
await sql`CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL`;
await sql.unsafe(readFileSync("../old_rows.sql", "utf8"));
console.log("table");

// Insert and read back.
const [tea] = await sql`INSERT INTO item (name) VALUES (${"tea"}) RETURNING id`;
assert.equal(tea.id[14], "7");
assert.equal((await sql`SELECT name FROM item WHERE id = ${tea.id}`)[0].name, "tea");
const more = await sql`INSERT INTO item ${sql([{ name: "a" }, { name: "b" }, { name: "c" }])} RETURNING id`;
const ids = more.map((row) => row.id);
assert.deepEqual(ids, ids.toSorted());
assert(tea.id < ids[0]);
console.log("insert");

// Paginate, newest rows first.
async function* pages(size) {
  let last = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  for (;;) {
    const rows = await sql`SELECT id, name FROM item WHERE id < ${last} ORDER BY id DESC LIMIT ${size}`;
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1).id;
  }
}
const seen = [];
for await (const page of pages(1000)) seen.push(...page.map((row) => row.id));
assert.equal(seen.length, 10004);
assert.deepEqual(seen, seen.toSorted().reverse());
console.log("pages");

// Rows created between two times.
const [start, end] = [new Date("2026-01-02T00:00:00Z"), new Date("2026-01-03T00:00:00Z")];
const rows = await sql`
  SELECT id, uuidv7_time(id) AS created_at FROM item
  WHERE uuidv7_time(id) >= ${start} AND uuidv7_time(id) < ${end} ORDER BY id`;
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].created_at, start);
const view = await sql`SELECT id FROM item_v WHERE created_at >= ${start} AND created_at < ${end}`;
assert.equal(view.length, 288);
// postgres.js sends times with their type, so the key itself can be compared with them, too.
assert.equal((await sql`SELECT id FROM item WHERE id >= ${start} AND id < ${end}`).length, 288);
console.log("created");

// The newest twenty.
const newest = await sql`SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20`;
assert.deepEqual(newest.map((row) => row.id), seen.slice(0, 20));
console.log("page");

// Generate keys before their rows exist.
const [{ ids: [parent, ...children] }] = await sql`SELECT uuidv7_array(${3}::int) AS ids`;
await sql`INSERT INTO item ${sql([{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))])}`;
assert(parent < children[0] && children[0] < children[1]);
assert.equal((await sql`SELECT name FROM item WHERE id IN ${sql(children)} AND name = ${parent}`).length, 2);
console.log("ahead");

// Convert keys to short IDs for URLs, and back.
const [{ slug, typeid }] = await sql`
  SELECT uuid_encode(id, 'base58') AS slug, typeid_encode('item', id) AS typeid FROM item WHERE id = ${parent}`;
assert.equal(slug.length, 22);
assert(typeid.startsWith("item_"));
assert.equal((await sql`SELECT id FROM item WHERE id = uuid_decode(${slug}, 'base58')`)[0].id, parent);
assert.equal((await sql`SELECT id FROM item WHERE id = typeid_decode(${typeid}, 'item')`)[0].id, parent);
await assert.rejects(sql`SELECT typeid_decode(${typeid}, 'user')`, { code: "22P02" });
console.log("short");

// The next rows, each exactly once. This needs the preloaded library and scope server.
const feed = (last) => sql`SELECT id, name FROM item WHERE id > ${last} AND id < uuidv7_horizon() ORDER BY id LIMIT 1000`;

await sql.begin(async (other) => {
  await other`INSERT INTO item (name) VALUES ('commits late')`;
  await sql`INSERT INTO item (name) VALUES ('commits early')`;
  assert.equal((await feed(children[1])).length, 0);
});
assert.deepEqual((await feed(children[1])).map((row) => row.name), ["commits late", "commits early"]);
console.log("feed");

// A column of the domain, and an array of it, are UUIDs.
await sql`CREATE TABLE visit (id uuid_v7 PRIMARY KEY DEFAULT uuidv7())`;
await sql`INSERT INTO visit VALUES (${parent})`;
assert.deepEqual((await sql`SELECT array_agg(id) AS ids FROM visit`)[0].ids, [parent]);
console.log("domain");

await sql.end();
