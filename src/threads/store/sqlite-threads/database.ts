import { closeSync, constants, fsyncSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { MemoryError, sqliteResultOf } from "../../../base/errors.ts";
import { databaseFailure, makeDatabaseFile, placeOfDatabase } from "../../../platform/database-file.ts";
import type { SqliteDatabase } from "../../../platform/sqlite.ts";

export const FILE = "threads.sqlite";

/** Creates missing folders and an empty database file, and returns its real path. Errors: `link_outside`, `not_a_file`, and system errors. */
export function makeDatabase(folder: string): string {
  const database = placeOfDatabase(folder, FILE);
  // An empty file may come from a process that was killed before it synced the folders.
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0) return database;
  makeDatabaseFile(database);
  const heartwood = dirname(folder);
  for (const path of [dirname(database), dirname(heartwood), heartwood]) syncFolder(path);
  return database;
}

function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** "hwth", at byte 68 of the file, for `file` and similar tools. */
const APPLICATION = 0x68777468;
const VERSION = 1;

/**
 * - `frame.at` is the thread's number times 2^32 plus the seq, so the frames in a thread are adjacent and in order. `type` is null for a message.
 *   `ordinal` and `weight` count all messages up to the frame, so a place can be found by binary search. `crc` covers the row (`rows.ts`). `line` is
 *   the last column, so that searching for a place does not read it.
 * - Foreign texts are stored in JSON string encoding, without the quotes (`rows.ts`).
 * - `job` contains jobs that were spawned and have not ended.
 */
const TABLES = `
CREATE TABLE thread (
  number INTEGER PRIMARY KEY, thread_id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, title TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  head_seq INTEGER NOT NULL, message_count INTEGER NOT NULL, weight INTEGER NOT NULL, decision_seq INTEGER NOT NULL, used INTEGER NOT NULL
);
CREATE UNIQUE INDEX thread_used ON thread (used);
CREATE TABLE frame (
  at INTEGER PRIMARY KEY, id BLOB NOT NULL, type TEXT, ordinal INTEGER NOT NULL, weight INTEGER NOT NULL,
  crc INTEGER NOT NULL, line TEXT NOT NULL
);
CREATE TABLE frame_id (id BLOB PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE indexed (type TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (type, at)) WITHOUT ROWID;
CREATE TABLE checkpoint (
  thread INTEGER NOT NULL, kind TEXT NOT NULL, to_seq INTEGER NOT NULL, seq INTEGER NOT NULL, from_ordinal INTEGER, to_ordinal INTEGER,
  PRIMARY KEY (thread, kind, to_seq, seq)
) WITHOUT ROWID;
CREATE TABLE job (
  thread INTEGER NOT NULL, job_id TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL, runner TEXT, lease_until INTEGER,
  PRIMARY KEY (thread, job_id)
) WITHOUT ROWID;
CREATE INDEX job_by_id ON job (job_id);
PRAGMA application_id = ${APPLICATION};
PRAGMA user_version = ${VERSION};
`;

/** Small, regular WAL checkpoints, so that none delays an append for long. macOS needs `fullfsync` to reach the disk. */
export const SETTINGS = `
PRAGMA busy_timeout = 2;
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA wal_autocheckpoint = 400;
PRAGMA journal_size_limit = 16777216;
PRAGMA cache_size = -16384;
PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = ON;
PRAGMA trusted_schema = OFF;
`;

/** What a file contains: nothing yet, or a store. Errors: `newer_store`, `damaged_store`. */
export function contentsOf(database: SqliteDatabase, path: string): "nothing" | "store" {
  const application = numberOf(database, "SELECT application_id AS value FROM pragma_application_id");
  const version = numberOf(database, "SELECT user_version AS value FROM pragma_user_version");
  if (application === APPLICATION && version === VERSION) return "store";
  if (application === APPLICATION && version > VERSION) {
    const sentence = `${path} has version ${version}; this program supports up to ${VERSION}. Use a newer heartwood.`;
    throw new MemoryError("newer_store", sentence, { path, version });
  }
  if (application === 0 && version === 0 && numberOf(database, "SELECT count(*) AS value FROM sqlite_schema") === 0)
    return "nothing";
  throw damaged(path, `its application id is ${application} and its version ${version}`);
}

/** Creates the tables unless another process already has. */
export function makeTables(database: SqliteDatabase, path: string): void {
  database.exec("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
  if (contentsOf(database, path) === "nothing") database.exec(TABLES);
  database.exec("COMMIT");
}

function numberOf(database: SqliteDatabase, sql: string): number {
  return (database.prepare(sql).get() as { readonly value: number }).value;
}

/** Translates a SQLite or system error for the caller. */
export function failureOf(error: unknown, path: string): unknown {
  if ([11, 26].includes(sqliteResultOf(error) ?? 0)) {
    const said = error instanceof Error ? error.message : String(error);
    return damaged(path, `SQLite says: ${said}`, error);
  }
  return databaseFailure(error, path, "check that the file and its folder are readable and writable.");
}

/** The file is not a thread store, or an incomplete one. */
function damaged(path: string, reason: string, error?: unknown): MemoryError {
  const sentence = `${path} is damaged or is not a thread store (${reason}). Nothing was changed. Move it and the files next to it away but keep them, then restore a backup or import an export.`;
  return new MemoryError("damaged_store", sentence, { path }, error);
}
