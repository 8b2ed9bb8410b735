// Knex, over node-pg. The connection's parameters are libpq's variables.
import assert from "node:assert/strict";
import Knex from "knex";
import { end, oldRows, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";

const knex = Knex({ client: "pg", connection: {}, migrations: { directory: "migrations", loadExtensions: [".mjs"] } });

await knex.migrate.latest();
await knex.migrate.rollback();
await knex.migrate.latest();
assert.deepEqual(await knex.migrate.latest(), [1, []]);
await knex.raw(oldRows);
console.log("table");

// Insert a row, and read it.
const [tea] = await knex("item").insert({ name: "tea" }).returning("id");
assert.deepEqual(await knex("item").select("name").where({ id: tea.id }), [{ name: "tea" }]);
const more = await knex("item").insert([{ name: "a" }, { name: "b" }, { name: "c" }]).returning("id");
verifyInserted(tea, more);

// Find the rows created between two times, through the view or the function.
const rows = await knex("item_v").where("created_at", ">=", start).where("created_at", "<", end).orderBy("id");
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].created_at, start);
assert.equal((await knex("item_v").whereBetween("created_at", [start, end])).length, 289);
const time = knex.raw("uuidv7_time(id)");
assert.equal((await knex("item").where(time, ">=", start).where(time, "<", end)).length, 288);
// Here PostgreSQL infers that the parameter is a UUID.
await assert.rejects(knex("item").where("id", ">=", start), {
  code: "22P02",
  message: /invalid input syntax for type uuid: "2026-01-02T00:00:00.000\+00:00"$/,
});
console.log("created");

// Read the newest twenty rows.
const newest = await knex("item_v").orderBy("created_at", "desc").limit(20);
verifyNewest(newest, more);

// Generate keys before their rows exist.
const { rows: [{ ids: [parent, ...children] }] } = await knex.raw("SELECT uuidv7_array(?::int) AS ids", [3]);
await knex("item").insert([{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))]);
verifyAhead(parent, children, (await knex("item").whereIn("id", children).where({ name: parent })).length);

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
const feed = (last) =>
  knex("item").where("id", ">", last).where("id", "<", knex.raw("uuidv7_horizon()")).orderBy("id").limit(1000);

verifyFeed(await feed(parent), children);

// A column of the domain is returned as a UUID, and an array of the domain as text.
await knex("visit").insert({ id: parent, items: children });
assert.deepEqual(await knex("visit").where({ id: parent }), [{ id: parent, items: children }]);
assert.equal((await knex("visit").first(knex.raw("array_agg(id) AS ids"))).ids, `{${parent}}`);
console.log("domain");

await knex.destroy();
