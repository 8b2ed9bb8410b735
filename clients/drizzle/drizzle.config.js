import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./schema.mjs",
  dbCredentials: { url: process.env.DATABASE_URL },
});
