// Drizzle, over node-pg. The connection's parameters are libpq's variables.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { and, desc, eq, getTableColumns, gt, gte, inArray, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { end, oldRows, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";
import { item, itemView, visit } from "./schema.mjs";

const pool = new pg.Pool();
const db = drizzle(pool);
const kit = (...command) => execFileSync("npx", ["drizzle-kit", ...command], { encoding: "utf8", stdio: "pipe" });

rmSync("drizzle", { recursive: true, force: true });
kit("generate", "--name", "item");
await db.execute(sql`CREATE EXTENSION uuidrfc`);
await migrate(db, { migrationsFolder: "drizzle" });
assert.match(kit("generate"), /No schema changes/);
assert.match(kit("push"), /No changes detected/);
await pool.query(oldRows);
console.log("table");

// Insert a row, and read it.
const [tea] = await db.insert(item).values({ name: "tea" }).returning();
assert.deepEqual(await db.select().from(item).where(eq(item.id, tea.id)), [tea]);
const more = await db.insert(item).values([{ name: "a" }, { name: "b" }, { name: "c" }]).returning({ id: item.id });
verifyInserted(tea, more);

// Find the rows created between two times, through the view or the function.
const createdBetween = db.select().from(itemView)
  .where(and(gte(itemView.createdAt, sql.placeholder("start")), lt(itemView.createdAt, sql.placeholder("end"))))
  .orderBy(itemView.id)
  .prepare("created_between");
const rows = await createdBetween.execute({ start, end });
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].createdAt, start);
const time = sql`uuidv7_time(${item.id})`.mapWith(itemView.createdAt);
const same = await db.select({ ...getTableColumns(item), createdAt: time }).from(item)
  .where(and(gte(time, start), lt(time, end))).orderBy(item.id);
assert.deepEqual(same, rows);
// Here PostgreSQL infers that the parameter is a UUID.
await assert.rejects(db.select().from(item).where(gte(item.id, start)), (error) => {
  assert.equal(error.cause.code, "22P02");
  assert.equal(error.cause.message, 'invalid input syntax for type uuid: "2026-01-02T00:00:00.000+00:00"');
  return true;
});
console.log("created");

// Read the newest twenty rows.
const newest = await db.select().from(itemView).orderBy(desc(itemView.createdAt)).limit(20);
verifyNewest(newest, more);

// Generate keys before their rows exist.
const { rows: [{ ids: [parent, ...children] }] } = await db.execute(sql`SELECT uuidv7_array(${3}::int) AS ids`);
await db.insert(item).values([{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))]);
verifyAhead(parent, children, await db.$count(item, and(inArray(item.id, children), eq(item.name, parent))));

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
const feed = (last) =>
  db.select().from(item).where(and(gt(item.id, last), lt(item.id, sql`uuidv7_horizon()`))).orderBy(item.id).limit(1000);

verifyFeed(await feed(parent), children);

// A column of the domain is returned as a UUID, and an array of the domain as text.
await db.insert(visit).values({ id: parent, items: children });
assert.deepEqual(await db.select().from(visit).where(eq(visit.id, parent)), [{ id: parent, items: children }]);
assert.deepEqual(await db.select({ ids: sql`array_agg(${visit.id})` }).from(visit), [{ ids: `{${parent}}` }]);
console.log("domain");

await pool.end();
