import type { DatabaseSync } from "node:sqlite";
import { MemoryError } from "../../base/errors.ts";
import { emptyDamaged, lockFileId, type LockFiles } from "./lock-files.ts";

/** A held lock. It is free after `end`, which can be called again without harm. */
export interface Transaction {
  end(): void;
}

/** Takes the lock if it is free, without waiting. */
export function beginTransaction(lock: LockFiles): Transaction | undefined {
  let isRepaired = false;
  while (!held.has(lock.database)) {
    const before = lockFileId(lock);
    const database = openAndBegin(lock);
    if (database === "busy") return undefined;
    if (database === "damaged") {
      if (isRepaired) throw new MemoryError("io", `${lock.database} is damaged. Delete it when nothing runs.`);
      emptyDamaged(lock);
      isRepaired = true;
    } else if (before !== undefined && before === lockFileId(lock)) {
      return holdUntilEnd(lock, database);
    } else {
      // The file is new, or was deleted before it was locked: then nobody else would see this lock. Look again.
      database.close();
    }
  }
  return undefined;
}

/** The primary result code of a failed SQLite call (the details are in its higher bits); `undefined` otherwise. */
export function sqliteResultOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/**
 * What this process holds. Shared by all instances, because the kernel counts POSIX locks by process: to open and close
 * a lock file by other means than SQLite would free the lock that another instance holds. It also keeps the database
 * from being collected as garbage, which would free the lock as well.
 */
const held = new Map<string, DatabaseSync>();

function holdUntilEnd(lock: LockFiles, database: DatabaseSync): Transaction {
  held.set(lock.database, database);
  return {
    end: () => {
      if (held.get(lock.database) !== database) return;
      held.delete(lock.database);
      database.close();
    },
  };
}

function openAndBegin(lock: LockFiles): DatabaseSync | "busy" | "damaged" {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(lock.database);
  try {
    // In memory, since SQLite would otherwise make a journal file for the empty database.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    const result = sqliteResultOf(error);
    if (result === undefined || meanings[result] === undefined) throw error;
    return meanings[result];
  }
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CORRUPT, SQLITE_NOTADB. */
const meanings: Readonly<Record<number, "busy" | "damaged">> = { 5: "busy", 6: "busy", 11: "damaged", 26: "damaged" };

/** Loaded when the first lock is taken; without the warning by which Node 22 calls SQLite experimental. */
function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]) => {
    if (String(warning).startsWith("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
