// Prisma's schema engine, which runs migrations. The command `prisma migrate` downloads it as a program, not from a registry,
// but npm has it as WebAssembly, which is called here as by Prisma 6 with `engine: "js"`.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum, bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";

const filters = { externalTables: [], externalEnums: [] };

// The adapter does not know the type "char" (18) of PostgreSQL's catalogs, so the adapter is told that it is text (25), and
// the engine that it is a character.
class Adapters extends PrismaPg {
  async connect() {
    const adapter = await super.connect();
    const { performIO, queryRaw } = adapter;
    let characters;
    adapter.performIO = async (query) => {
      const result = await performIO.call(adapter, query);
      characters = result.fields.map((field) => field.dataTypeID === 18);
      for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 25;
      return result;
    };
    adapter.queryRaw = async (query) => {
      const result = await queryRaw.call(adapter, query);
      result.columnTypes = result.columnTypes.map((type, at) => (characters[at] ? ColumnTypeEnum.Character : type));
      return result;
    };
    return adapter;
  }
}

export async function schemaEngine(connectionString) {
  const file = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm").replace(/\.js$/, "_bg.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { "./schema_engine_bg.js": engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();

  const content = readFileSync("schema.prisma", "utf8");
  const adapter = bindMigrationAwareSqlAdapterFactory(new Adapters({ connectionString }));
  const running = await engine.SchemaEngine.new({ datamodels: [["schema.prisma", content]] }, () => {}, adapter);
  const migration = (path) => ({
    path,
    migrationFile: {
      path: "migration.sql",
      content: { tag: "ok", value: readFileSync(`migrations/${path}/migration.sql`, "utf8") },
    },
  });
  const migrationsList = {
    baseDir: "migrations",
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"' },
    shadowDbInitScript: "",
    migrationDirectories: readdirSync("migrations").map(migration),
  };
  return {
    // Returns the names of the migrations that `prisma migrate deploy` applied.
    deploy: async () => (await running.applyMigrations({ migrationsList, filters })).appliedMigrationNames,
    // Returns the number of steps in which `prisma db push` adapted the tables to the schema.
    push: async () =>
      (await running.schemaPush({ force: false, schema: { files: [{ path: "schema.prisma", content }] }, filters })).executedSteps,
    stop: () => running.free(),
  };
}
