// The table and its view, as Drizzle declares them.
import { sql } from "drizzle-orm";
import { customType, pgTable, pgView, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const item = pgTable("item", {
  id: uuid("id").primaryKey().default(sql`uuidv7()`),
  name: text("name").notNull(),
});

const uuidV7 = customType({ dataType: () => "uuid_v7" });

export const visit = pgTable("visit", {
  id: uuidV7("id").primaryKey().default(sql`uuidv7()`),
  items: uuid("items").array().notNull(),
});

export const itemView = pgView("item_v", {
  id: uuid("id"),
  name: text("name"),
  createdAt: timestamp("created_at", { withTimezone: true }),
}).as(sql`SELECT *, uuidv7_time(id) AS created_at FROM ${item} WHERE uuidv7_time(id) IS NOT NULL`);
