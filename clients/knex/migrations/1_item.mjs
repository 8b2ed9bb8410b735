export async function up(knex) {
  await knex.raw("CREATE EXTENSION uuidrfc");
  await knex.schema.createTable("item", (table) => {
    table.uuid("id").primary().defaultTo(knex.raw("uuidv7()"));
    table.text("name").notNullable();
  });
  await knex.schema.createView("item_v", (view) => {
    view.as(
      knex("item").select("*", knex.raw("uuidv7_time(id) AS created_at")).whereRaw("uuidv7_time(id) IS NOT NULL"),
    );
  });
  await knex.schema.createTable("visit", (table) => {
    table.specificType("id", "uuid_v7").primary().defaultTo(knex.raw("uuidv7()"));
    table.specificType("items", "uuid[]");
  });
}

export async function down(knex) {
  await knex.schema.dropView("item_v");
  await knex.schema.dropTable("visit");
  await knex.schema.dropTable("item");
  await knex.raw("DROP EXTENSION uuidrfc");
}
