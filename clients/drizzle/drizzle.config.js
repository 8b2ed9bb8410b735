import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./schema.mjs",
  out: "./migrations",
  // A table of the extension, which drizzle-kit would drop.
  tablesFilter: ["!uuidv7_horizons"],
  dbCredentials: { url: process.env.DATABASE_URL, ssl: false },
});
