// TypeORM, over node-pg. The connection's parameters are libpq's variables.
import assert from "node:assert/strict";
import { And, DataSource, In, LessThan, MoreThan, MoreThanOrEqual, Raw, Table } from "typeorm";
import { end, oldRows, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";
import { Item, ItemView, Visit } from "./entities.mjs";

class Item1767225600000 {
  name = "Item1767225600000";
  async up(runner) {
    await runner.query("CREATE EXTENSION uuidrfc");
    for (const { query, parameters } of generated.upQueries) await runner.query(query, parameters);
    await runner.createTable(
      new Table({
        name: "visit",
        columns: [
          { name: "id", type: "uuid_v7", isPrimary: true, default: "uuidv7()" },
          { name: "items", type: "uuid", isArray: true },
        ],
      }),
    );
  }
  async down(runner) {
    await runner.dropTable("visit");
    for (const { query, parameters } of generated.downQueries.toReversed()) await runner.query(query, parameters);
    await runner.query("DROP EXTENSION uuidrfc");
  }
}

const source = new DataSource({
  type: "postgres",
  url: process.env.DATABASE_URL,
  entities: [Item, ItemView, Visit],
  migrations: [Item1767225600000],
});
await source.initialize();
// What `typeorm migration:generate` writes.
const generated = await source.driver.createSchemaBuilder().log();
await source.runMigrations();
await source.undoLastMigration();
await source.runMigrations();
assert.deepEqual((await source.driver.createSchemaBuilder().log()).upQueries, []);
await source.query(oldRows);
const items = source.getRepository(Item);
console.log("table");

// Insert a row, and read it.
const tea = await items.save({ name: "tea" });
assert.equal((await items.findOneByOrFail({ id: tea.id })).name, "tea");
const more = await items.insert([{ name: "a" }, { name: "b" }, { name: "c" }]);
verifyInserted(tea, more.identifiers);

// Find the rows created between two times, through the virtual column or the view.
const rows = await items.find({ where: { createdAt: And(MoreThanOrEqual(start), LessThan(end)) }, order: { id: "ASC" } });
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].createdAt, start);
const view = await source.getRepository(ItemView).findBy({ createdAt: And(MoreThanOrEqual(start), LessThan(end)) });
assert.equal(view.length, 288);
const built = items.createQueryBuilder("item")
  .where("uuidv7_time(item.id) >= :start AND uuidv7_time(item.id) < :end", { start, end });
assert.equal(await built.getCount(), 288);
// Here PostgreSQL infers that the parameter is a UUID.
await assert.rejects(items.findBy({ id: MoreThanOrEqual(start) }), {
  code: "22P02",
  message: 'invalid input syntax for type uuid: "2026-01-02T00:00:00.000+00:00"',
});
console.log("created");

// Read the newest twenty rows from the view, because find() cannot sort by a virtual column.
const newest = await source.getRepository(ItemView).find({ order: { createdAt: "DESC" }, take: 20 });
verifyNewest(newest, more.identifiers);
await assert.rejects(items.find({ order: { createdAt: "DESC" }, take: 20 }), /createdAt does not exist/);

// Generate keys before their rows exist.
const [{ ids: [parent, ...children] }] = await source.query("SELECT uuidv7_array($1::int) AS ids", [3]);
await items.insert([{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))]);
verifyAhead(parent, children, await items.countBy({ id: In(children), name: parent }));

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
const feed = (last) =>
  items.find({
    where: { id: And(MoreThan(last), Raw((id) => `${id} < uuidv7_horizon()`)) },
    order: { id: "ASC" },
    take: 1000,
  });
verifyFeed(await feed(parent), children);

// A column of the domain is returned as a UUID, and an array of the domain as text.
const visits = source.getRepository(Visit);
await visits.insert({ id: parent, items: children });
assert.deepEqual((await visits.findOneByOrFail({ id: parent })).items, children);
const collected = await visits.createQueryBuilder("visit").select("array_agg(visit.id)", "ids").getRawOne();
assert.equal(collected.ids, `{${parent}}`);
console.log("domain");

await source.destroy();
