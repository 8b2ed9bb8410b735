// Kysely, over node-pg. The connection's parameters are libpq's variables.
import assert from "node:assert/strict";
import { promises as fs } from "node:fs";
import path from "node:path";
import { FileMigrationProvider, Kysely, Migrator, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { end, oldRows, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";

const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
const migrationFolder = path.resolve("migrations");
const migrator = new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder }) });

for (const step of ["migrateToLatest", "migrateDown", "migrateToLatest"]) {
  const { error, results } = await migrator[step]();
  assert.equal(error, undefined);
  assert.equal(results.length, 1);
}
assert.deepEqual((await migrator.migrateToLatest()).results, []);
await sql.raw(oldRows).execute(db);
console.log("table");

// Insert a row, and read it.
const tea = await db.insertInto("item").values({ name: "tea" }).returning("id").executeTakeFirstOrThrow();
assert.deepEqual(await db.selectFrom("item").select("name").where("id", "=", tea.id).execute(), [{ name: "tea" }]);
const more = await db.insertInto("item").values([{ name: "a" }, { name: "b" }, { name: "c" }]).returning("id").execute();
verifyInserted(tea, more);

// Find the rows created between two times, through the view or the function.
const rows = await db.selectFrom("item_v").selectAll()
  .where("created_at", ">=", start).where("created_at", "<", end).orderBy("id").execute();
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].created_at, start);
const time = sql`uuidv7_time(id)`;
const same = await db.selectFrom("item").select(["id", time.as("created_at")])
  .where(time, ">=", start).where(time, "<", end).orderBy("id").execute();
assert.deepEqual(same, rows.map(({ id, created_at }) => ({ id, created_at })));
// Here PostgreSQL infers that the parameter is a UUID.
await assert.rejects(db.selectFrom("item").selectAll().where("id", ">=", start).execute(), {
  code: "22P02",
  message: 'invalid input syntax for type uuid: "2026-01-02T00:00:00.000+00:00"',
});
console.log("created");

// Read the newest twenty rows.
const newest = await db.selectFrom("item_v").selectAll().orderBy("created_at", "desc").limit(20).execute();
verifyNewest(newest, more);

// Generate keys before their rows exist.
const [parent, ...children] = (await sql`SELECT uuidv7_array(${3}::int) AS ids`.execute(db)).rows[0].ids;
await db.insertInto("item").values([{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))]).execute();
const made = await db.selectFrom("item").selectAll().where("id", "in", children).where("name", "=", parent).execute();
verifyAhead(parent, children, made.length);

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
const feed = (last) =>
  db.selectFrom("item").selectAll()
    .where("id", ">", last).where("id", "<", sql`uuidv7_horizon()`).orderBy("id").limit(1000).execute();

verifyFeed(await feed(parent), children);

// A column of the domain is returned as a UUID, and an array of the domain as text.
await db.insertInto("visit").values({ id: parent, items: children }).execute();
const visits = await db.selectFrom("visit").selectAll().where("id", "=", parent).execute();
assert.deepEqual(visits, [{ id: parent, items: children }]);
const collected = await db.selectFrom("visit").select(sql`array_agg(id)`.as("ids")).executeTakeFirstOrThrow();
assert.equal(collected.ids, `{${parent}}`);
console.log("domain");

await db.destroy();
