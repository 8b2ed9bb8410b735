// postgres.js. The connection's parameters are libpq's variables. The tables are those of ../setup.sql.
import assert from "node:assert/strict";
import postgres from "postgres";
import { end, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";

const sql = postgres();

// Insert a row, and read it.
const [tea] = await sql`INSERT INTO item (name) VALUES (${"tea"}) RETURNING id`;
assert.equal((await sql`SELECT name FROM item WHERE id = ${tea.id}`)[0].name, "tea");
const more = await sql`INSERT INTO item ${sql([{ name: "a" }, { name: "b" }, { name: "c" }])} RETURNING id`;
verifyInserted(tea, more);

// Find the rows created between two times.
const rows = await sql`
  SELECT id, uuidv7_time(id) AS created_at FROM item
  WHERE uuidv7_time(id) >= ${start} AND uuidv7_time(id) < ${end} ORDER BY id`;
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].created_at, start);
const view = await sql`SELECT id FROM item_v WHERE created_at >= ${start} AND created_at < ${end}`;
assert.equal(view.length, 288);
// postgres.js sends times with their type, so the key itself can also be compared with them.
assert.equal((await sql`SELECT id FROM item WHERE id >= ${start} AND id < ${end}`).length, 288);
console.log("created");

// Read the newest twenty rows.
const newest = await sql`SELECT id, name, created_at FROM item_v ORDER BY created_at DESC LIMIT 20`;
verifyNewest(newest, more);

// Generate keys before their rows exist.
const [{ ids: [parent, ...children] }] = await sql`SELECT uuidv7_array(${3}::int) AS ids`;
await sql`INSERT INTO item ${sql([{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))])}`;
verifyAhead(parent, children, (await sql`SELECT name FROM item WHERE id IN ${sql(children)} AND name = ${parent}`).length);

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
const feed = (last) => sql`SELECT id, name FROM item WHERE id > ${last} AND id < uuidv7_horizon() ORDER BY id LIMIT 1000`;

verifyFeed(await feed(parent), children);

// A column of the domain and an array of the domain are returned as UUIDs.
await sql`INSERT INTO visit VALUES (${parent})`;
assert.deepEqual((await sql`SELECT array_agg(id) AS ids FROM visit`)[0].ids, [parent]);
console.log("domain");

await sql.end();
