// Sequelize, over node-pg. The connection's parameters are libpq's variables.
import assert from "node:assert/strict";
import { DataTypes, Op, Sequelize, col, fn, literal, where } from "sequelize";
import { end, oldRows, start, verifyAhead, verifyFeed, verifyInserted, verifyNewest } from "../facts.mjs";

const sequelize = new Sequelize(process.env.DATABASE_URL, { logging: false, define: { timestamps: false } });
const id = { type: DataTypes.UUID, primaryKey: true, defaultValue: literal("uuidv7()") };
const name = { type: DataTypes.TEXT, allowNull: false };
const Item = sequelize.define("Item", { id, name }, { tableName: "item" });
const ItemView = sequelize.define("ItemView", { id, name, createdAt: { type: DataTypes.DATE, field: "created_at" } }, {
  tableName: "item_v",
});
const items = { type: DataTypes.ARRAY(DataTypes.UUID) };
const Visit = sequelize.define("Visit", { id: { ...id, type: "uuid_v7" }, items }, { tableName: "visit" });

const migration = {
  async up(queries) {
    await queries.sequelize.query("CREATE EXTENSION uuidrfc");
    await queries.createTable("item", { id, name });
    await queries.createTable("visit", { id: { ...id, type: "uuid_v7" }, items });
    await queries.sequelize.query(
      "CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL",
    );
  },
  async down(queries) {
    await queries.sequelize.query("DROP VIEW item_v");
    await queries.dropTable("visit");
    await queries.dropTable("item");
    await queries.sequelize.query("DROP EXTENSION uuidrfc");
  },
};
const queries = sequelize.getQueryInterface();
await migration.up(queries);
await migration.down(queries);
await migration.up(queries);
assert.equal((await queries.describeTable("item")).id.defaultValue, "uuidv7()");
await sequelize.query(oldRows);
console.log("table");

// Insert a row, and read it.
const tea = await Item.create({ name: "tea" });
assert.equal((await Item.findByPk(tea.id)).name, "tea");
const more = await Item.bulkCreate([{ name: "a" }, { name: "b" }, { name: "c" }]);
verifyInserted(tea, more);

// Find the rows created between two times, through the view or the function.
const rows = await ItemView.findAll({ where: { createdAt: { [Op.gte]: start, [Op.lt]: end } }, order: ["id"] });
assert.equal(rows.length, 288);
assert.deepEqual(rows[0].createdAt, start);
const between = where(fn("uuidv7_time", col("id")), { [Op.gte]: start, [Op.lt]: end });
assert.equal(await Item.count({ where: between }), 288);
const bound = "SELECT id FROM item WHERE uuidv7_time(id) >= $start AND uuidv7_time(id) < $end";
assert.equal((await sequelize.query(bound, { bind: { start, end } }))[0].length, 288);
// Here PostgreSQL infers that the parameter is a UUID.
await assert.rejects(sequelize.query("SELECT id FROM item WHERE id >= $start", { bind: { start } }), {
  message: /^invalid input syntax for type uuid: "2026-01-02/,
});
console.log("created");

// Read the newest twenty rows.
const newest = await ItemView.findAll({ order: [["createdAt", "DESC"]], limit: 20 });
verifyNewest(newest, more);

// Generate keys before their rows exist.
const [[{ ids: [parent, ...children] }]] = await sequelize.query("SELECT uuidv7_array($count::int) AS ids", { bind: { count: 3 } });
await Item.bulkCreate([{ id: parent, name: "parent" }, ...children.map((id) => ({ id, name: parent }))]);
verifyAhead(parent, children, await Item.count({ where: { id: children, name: parent } }));

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
const feed = (last) =>
  Item.findAll({ where: { id: { [Op.gt]: last, [Op.lt]: fn("uuidv7_horizon") } }, order: ["id"], limit: 1000 });

verifyFeed(await feed(parent), children);

// Rows can be written through the view.
const milk = await ItemView.create({ name: "milk" });
assert.equal(milk.id[14], "7");
await milk.update({ name: "oat milk" });
assert.equal((await milk.reload()).name, "oat milk");
console.log("written");

// A column of the domain is returned as a UUID, and an array of the domain as text.
await Visit.create({ id: parent, items: children });
assert.deepEqual((await Visit.findByPk(parent)).items, children);
const collected = await Visit.findOne({ attributes: [[literal("array_agg(id)"), "ids"]], raw: true });
assert.equal(collected.ids, `{${parent}}`);
console.log("domain");

await sequelize.close();
