// The table and its view, as TypeORM declares them.
import { EntitySchema } from "typeorm";

export const Item = new EntitySchema({
  name: "Item",
  tableName: "item",
  columns: {
    id: { type: "uuid", primary: true, default: () => "uuidv7()" },
    name: { type: "text" },
    createdAt: { type: "timestamptz", virtualProperty: true, query: (item) => `uuidv7_time(${item}.id)` },
  },
});

// A table with a column of the domain, which TypeORM does not know, so a migration creates the column and the entity has uuid.
export const Visit = new EntitySchema({
  name: "Visit",
  tableName: "visit",
  synchronize: false,
  columns: {
    id: { type: "uuid", primary: true, default: () => "uuidv7()" },
    items: { type: "uuid", array: true },
  },
});

export const ItemView = new EntitySchema({
  name: "ItemView",
  type: "view",
  tableName: "item_v",
  expression: "SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL",
  columns: {
    id: { type: "uuid", primary: true },
    name: { type: "text" },
    createdAt: { type: "timestamptz", name: "created_at" },
  },
});
