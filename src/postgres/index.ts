export { createPostgresArtifacts } from "./artifacts.ts";
export { migrate } from "./migrate.ts";
export type { Migrated, MigrateOptions } from "./migrate.ts";
export { openPostgres } from "./database.ts";
export type { PostgresDatabase } from "./database.ts";
export type { PostgresOptions } from "./address.ts";
export { createPostgresThreads } from "./threads.ts";
export type { PostgresThreadsOptions } from "./threads.ts";
