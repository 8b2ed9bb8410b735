// Prisma, over node-pg.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { PrismaPg } from "@prisma/adapter-pg";
import { end, oldRows, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";
import { schemaEngine } from "./engine.mjs";

// `generate` also asks for the schema engine, but does not call it.
execFileSync("npx", ["prisma", "generate"], {
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
  stdio: "pipe",
});
const { PrismaClient } = await import("@prisma/client");
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });

const migrations = await schemaEngine(process.env.DATABASE_URL);
assert.deepEqual(await migrations.deploy(), ["1_item"]);
assert.deepEqual(await migrations.deploy(), []);
assert.equal(await migrations.push(), 0);
migrations.stop();
await prisma.$executeRawUnsafe(oldRows);
console.log("table");

// Insert a row, and read it.
const tea = await prisma.item.create({ data: { name: "tea" } });
assert.deepEqual(await prisma.item.findUnique({ where: { id: tea.id } }), tea);
const more = await prisma.item.createManyAndReturn({ data: [{ name: "a" }, { name: "b" }, { name: "c" }] });
verifyInserted(tea, more);

// Find the rows created between two times, through the view or the function.
const rows = await prisma.itemView.findMany({ where: { createdAt: { gte: start, lt: end } }, orderBy: { id: "asc" } });
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].createdAt, start);
const same = await prisma.$queryRaw`
  SELECT id, name, uuidv7_time(id) AS "createdAt" FROM item
  WHERE uuidv7_time(id) >= ${start} AND uuidv7_time(id) < ${end} ORDER BY id`;
assert.deepEqual(same, rows);
// Here PostgreSQL infers that the parameter is a UUID.
const byKey = prisma.$queryRaw`SELECT id FROM item WHERE id >= ${start}`;
await assert.rejects(byKey, /invalid input syntax for type uuid: "2026-01-02 00:00:00/);
console.log("created");

// Read the newest twenty rows.
const newest = await prisma.itemView.findMany({ orderBy: { createdAt: "desc" }, take: 20 });
verifyNewest(newest, more);

// Generate keys before their rows exist.
const [{ ids: [parent, ...children] }] = await prisma.$queryRaw`SELECT uuidv7_array(${3}::int) AS ids`;
await prisma.item.createMany({ data: [{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))] });
verifyAhead(parent, children, await prisma.item.count({ where: { id: { in: children }, name: parent } }));

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
const feed = (last) => prisma.$queryRaw`
  SELECT id, name FROM item WHERE id > ${last}::uuid AND id < uuidv7_horizon() ORDER BY id LIMIT 1000`;

verifyFeed(await feed(parent), children);

// A column of the domain is returned as a UUID, and an array of the domain as text.
await prisma.visit.create({ data: { id: parent, items: children } });
assert.deepEqual(await prisma.visit.findUnique({ where: { id: parent } }), { id: parent, items: children });
assert.deepEqual(await prisma.$queryRaw`SELECT array_agg(id) AS ids FROM visit`, [{ ids: `{${parent}}` }]);
console.log("domain");

await prisma.$disconnect();
// The schema engine leaves behind open connections and timers of a minute, which would delay the exit.
process.exit();
