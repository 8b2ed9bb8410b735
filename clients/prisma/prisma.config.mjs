import { defineConfig } from "prisma/config";

export default defineConfig({
  schema: "schema.prisma",
  datasource: { url: process.env.DATABASE_URL },
  // A table of the extension, which Prisma would drop.
  experimental: { externalTables: true },
  tables: { external: ["public.uuidv7_horizons"] },
});
