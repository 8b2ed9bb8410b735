// The table and its view, as Drizzle has them.
import { sql } from "drizzle-orm";
import { pgTable, pgView, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const item = pgTable("item", {
  id: uuid("id").primaryKey().default(sql`uuidv7()`),
  name: text("name").notNull(),
});

export const itemView = pgView("item_v", {
  id: uuid("id"),
  name: text("name"),
  createdAt: timestamp("created_at", { withTimezone: true }),
}).as(sql`SELECT *, uuidv7_time(id) AS created_at FROM ${item}`);
