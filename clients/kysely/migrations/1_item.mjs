import { sql } from "kysely";

export async function up(db) {
  await sql`CREATE EXTENSION uuidrfc`.execute(db);
  await db.schema
    .createTable("item")
    .addColumn("id", "uuid", (column) => column.primaryKey().defaultTo(sql`uuidv7()`))
    .addColumn("name", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("visit")
    .addColumn("id", sql`uuid_v7`, (column) => column.primaryKey().defaultTo(sql`uuidv7()`))
    .addColumn("items", sql`uuid[]`)
    .execute();
  await db.schema
    .createView("item_v")
    .as(
      db.selectFrom("item").selectAll().select(sql`uuidv7_time(id)`.as("created_at"))
        .where(sql`uuidv7_time(id)`, "is not", null),
    )
    .execute();
}

export async function down(db) {
  await db.schema.dropView("item_v").execute();
  await db.schema.dropTable("visit").execute();
  await db.schema.dropTable("item").execute();
  await sql`DROP EXTENSION uuidrfc`.execute(db);
}
